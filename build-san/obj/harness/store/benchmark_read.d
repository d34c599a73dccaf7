build-san/obj/harness/store/benchmark_read.o: \
 harness/store/benchmark_read.c src/base/log.h harness/store/benchmark.h \
 src/base/histogram.h harness/store/database.h src/clock/clock.h \
 src/base/status.h src/base/time.h harness/packs/can/bus_load.h \
 harness/history/history.h src/message/message.h harness/judge/verdict.h \
 harness/files/scenario.h src/channel/channel.h harness/cell/limits.h \
 harness/formula/formula.h harness/trial/record.h \
 harness/store/database_private.h harness/history/histogram_code.h
src/base/log.h:
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
harness/store/database_private.h:
harness/history/histogram_code.h:
