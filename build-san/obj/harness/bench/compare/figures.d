build-san/obj/harness/bench/compare/figures.o: \
 harness/bench/compare/figures.c harness/bench/compare/figures.h \
 harness/store/benchmark.h src/base/histogram.h harness/store/database.h \
 src/clock/clock.h src/base/status.h src/base/time.h \
 harness/packs/can/bus_load.h harness/history/history.h \
 src/message/message.h harness/judge/verdict.h harness/files/scenario.h \
 src/channel/channel.h harness/cell/limits.h harness/formula/formula.h \
 harness/trial/record.h src/base/log.h src/base/text.h
harness/bench/compare/figures.h:
harness/store/benchmark.h:
src/base/histogram.h:
harness/store/database.h:
src/clock/clock.h:
src/base/status.h:
src/base/time.h:
harness/packs/can/bus_load.h:
harness/history/history.h:
src/message/message.h:
harness/judge/verdict.h:
harness/files/scenario.h:
src/channel/channel.h:
harness/cell/limits.h:
harness/formula/formula.h:
harness/trial/record.h:
src/base/log.h:
src/base/text.h:
