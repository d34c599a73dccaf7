build-san/obj/harness/bench/latency/latency_pipeline.o: \
 harness/bench/latency/latency_pipeline.c src/base/log.h \
 harness/bench/latency/latency.h src/base/status.h src/base/time.h \
 harness/files/scenario.h src/channel/channel.h src/clock/clock.h \
 harness/cell/limits.h harness/formula/formula.h
src/base/log.h:
harness/bench/latency/latency.h:
src/base/status.h:
src/base/time.h:
harness/files/scenario.h:
src/channel/channel.h:
src/clock/clock.h:
harness/cell/limits.h:
harness/formula/formula.h:
