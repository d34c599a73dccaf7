build-san/obj/harness/report/report_trials.o: \
 harness/report/report_trials.c harness/report/report_trials.h \
 src/base/status.h src/base/log.h harness/report/report_page.h \
 harness/report/report_template.h harness/report/report_escape.h \
 harness/report/report_query.h harness/report/report_files.h \
 harness/files/places.h harness/files/scenario.h src/base/time.h \
 src/channel/channel.h src/clock/clock.h harness/cell/limits.h \
 harness/formula/formula.h harness/report/report_place.h \
 harness/store/chosen.h harness/store/database.h \
 harness/packs/can/bus_load.h harness/history/history.h \
 src/message/message.h harness/judge/verdict.h harness/trial/record.h
harness/report/report_trials.h:
src/base/status.h:
src/base/log.h:
harness/report/report_page.h:
harness/report/report_template.h:
harness/report/report_escape.h:
harness/report/report_query.h:
harness/report/report_files.h:
harness/files/places.h:
harness/files/scenario.h:
src/base/time.h:
src/channel/channel.h:
src/clock/clock.h:
harness/cell/limits.h:
harness/formula/formula.h:
harness/report/report_place.h:
harness/store/chosen.h:
harness/store/database.h:
harness/packs/can/bus_load.h:
harness/history/history.h:
src/message/message.h:
harness/judge/verdict.h:
harness/trial/record.h:
