build-san/obj/harness/cli/cli_export_histogram.o: \
 harness/cli/cli_export_histogram.c harness/cli/cli_export.h \
 harness/store/benchmark.h src/base/histogram.h harness/store/database.h \
 src/clock/clock.h src/base/status.h src/base/time.h \
 harness/packs/can/bus_load.h harness/history/history.h \
 src/message/message.h harness/judge/verdict.h harness/files/scenario.h \
 src/channel/channel.h harness/cell/limits.h harness/formula/formula.h \
 harness/trial/record.h src/base/log.h harness/export/histogram_export.h
harness/cli/cli_export.h:
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
harness/export/histogram_export.h:
