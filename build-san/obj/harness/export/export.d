build-san/obj/harness/export/export.o: harness/export/export.c \
 harness/export/export.h src/can/can.h src/base/status.h src/base/time.h \
 harness/history/history.h src/message/message.h src/base/log.h \
 harness/history/series.h
harness/export/export.h:
src/can/can.h:
src/base/status.h:
src/base/time.h:
harness/history/history.h:
src/message/message.h:
src/base/log.h:
harness/history/series.h:
