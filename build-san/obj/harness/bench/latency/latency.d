build-san/obj/harness/bench/latency/latency.o: \
 harness/bench/latency/latency.c harness/bench/latency/latency.h \
 src/base/status.h src/base/time.h \
 harness/bench/latency/latency_private.h harness/history/series.h \
 harness/history/history.h src/model/description.h src/message/message.h \
 harness/files/scenario.h src/channel/channel.h src/clock/clock.h \
 harness/cell/limits.h harness/formula/formula.h
harness/bench/latency/latency.h:
src/base/status.h:
src/base/time.h:
harness/bench/latency/latency_private.h:
harness/history/series.h:
harness/history/history.h:
src/model/description.h:
src/message/message.h:
harness/files/scenario.h:
src/channel/channel.h:
src/clock/clock.h:
harness/cell/limits.h:
harness/formula/formula.h:
