build-san/obj/harness/export/export_pcapng.o: \
 harness/export/export_pcapng.c harness/export/export.h src/can/can.h \
 src/base/status.h src/base/time.h harness/history/history.h \
 src/message/message.h
harness/export/export.h:
src/can/can.h:
src/base/status.h:
src/base/time.h:
harness/history/history.h:
src/message/message.h:
