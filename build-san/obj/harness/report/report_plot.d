build-san/obj/harness/report/report_plot.o: harness/report/report_plot.c \
 harness/report/report_plot.h harness/report/report_query.h \
 src/base/status.h harness/report/report_files.h harness/files/places.h \
 harness/files/scenario.h src/base/time.h src/channel/channel.h \
 src/clock/clock.h harness/cell/limits.h harness/formula/formula.h \
 src/base/log.h harness/store/database.h harness/packs/can/bus_load.h \
 harness/history/history.h src/message/message.h harness/judge/verdict.h \
 harness/trial/record.h harness/files/catalogue.h \
 harness/packs/walking/series.h src/model/description.h \
 harness/files/trusted.h harness/history/whole_file.h
harness/report/report_plot.h:
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
harness/store/database.h:
harness/packs/can/bus_load.h:
harness/history/history.h:
src/message/message.h:
harness/judge/verdict.h:
harness/trial/record.h:
harness/files/catalogue.h:
harness/packs/walking/series.h:
src/model/description.h:
harness/files/trusted.h:
harness/history/whole_file.h:
