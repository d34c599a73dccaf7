build-san/obj/harness/report/report_place.o: \
 harness/report/report_place.c harness/report/report_place.h \
 src/base/status.h harness/files/scenario.h src/base/time.h \
 src/channel/channel.h src/clock/clock.h harness/cell/limits.h \
 harness/formula/formula.h harness/report/report_escape.h
harness/report/report_place.h:
src/base/status.h:
harness/files/scenario.h:
src/base/time.h:
src/channel/channel.h:
src/clock/clock.h:
harness/cell/limits.h:
harness/formula/formula.h:
harness/report/report_escape.h:
