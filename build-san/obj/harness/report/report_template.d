build-san/obj/harness/report/report_template.o: \
 harness/report/report_template.c harness/report/report_template.h \
 harness/report/report_escape.h harness/report/report_query.h \
 src/base/status.h harness/report/report_files.h harness/files/places.h \
 harness/files/scenario.h src/base/time.h src/channel/channel.h \
 src/clock/clock.h harness/cell/limits.h harness/formula/formula.h \
 src/base/log.h src/base/trouble.h harness/store/database.h \
 harness/packs/can/bus_load.h harness/history/history.h \
 src/message/message.h harness/judge/verdict.h harness/trial/record.h \
 harness/report/report_plot.h
harness/report/report_template.h:
harness/report/report_escape.h:
harness/report/report_query.h:
src/base/status.h:
harness/report/report_files.h:
harness/files/places.h:
harness/files/scenario.h:
src/base/time.h:
src/channel/channel.h:
src/clock/clock.h:
harness/cell/limits.h:
harness/formula/formula.h:
src/base/log.h:
src/base/trouble.h:
harness/store/database.h:
harness/packs/can/bus_load.h:
harness/history/history.h:
src/message/message.h:
harness/judge/verdict.h:
harness/trial/record.h:
harness/report/report_plot.h:
