build-san/obj/harness/bench/compare/compare.o: \
 harness/bench/compare/compare.c harness/bench/compare/compare.h \
 harness/store/comparison.h harness/store/benchmark.h \
 src/base/histogram.h harness/store/database.h src/clock/clock.h \
 src/base/status.h src/base/time.h harness/packs/can/bus_load.h \
 harness/history/history.h src/message/message.h harness/judge/verdict.h \
 harness/files/scenario.h src/channel/channel.h harness/cell/limits.h \
 harness/formula/formula.h harness/trial/record.h \
 harness/store/statistics.h harness/bench/compare/rank_test.h
harness/bench/compare/compare.h:
harness/store/comparison.h:
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
harness/store/statistics.h:
harness/bench/compare/rank_test.h:
