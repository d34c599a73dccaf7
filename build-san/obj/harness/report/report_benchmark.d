build-san/obj/harness/report/report_benchmark.o: \
 harness/report/report_benchmark.c harness/report/report_benchmark.h \
 src/base/status.h harness/store/benchmark.h src/base/histogram.h \
 harness/store/database.h src/clock/clock.h src/base/time.h \
 harness/packs/can/bus_load.h harness/history/history.h \
 src/message/message.h harness/judge/verdict.h harness/files/scenario.h \
 src/channel/channel.h harness/cell/limits.h harness/formula/formula.h \
 harness/trial/record.h harness/store/chosen.h \
 harness/report/report_page.h harness/report/report_template.h \
 harness/report/report_escape.h harness/report/report_query.h \
 harness/report/report_files.h harness/files/places.h
harness/report/report_benchmark.h:
src/base/status.h:
harness/store/benchmark.h:
src/base/histogram.h:
harness/store/database.h:
src/clock/clock.h:
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
harness/store/chosen.h:
harness/report/report_page.h:
harness/report/report_template.h:
harness/report/report_escape.h:
harness/report/report_query.h:
harness/report/report_files.h:
harness/files/places.h:
