build-san/obj/harness/trial/channel_difference.o: \
 harness/trial/channel_difference.c harness/trial/channel_difference.h \
 harness/history/history.h src/base/status.h src/base/time.h \
 harness/history/message_text.h
harness/trial/channel_difference.h:
harness/history/history.h:
src/base/status.h:
src/base/time.h:
harness/history/message_text.h:
