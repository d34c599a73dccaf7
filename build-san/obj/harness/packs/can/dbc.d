build-san/obj/harness/packs/can/dbc.o: harness/packs/can/dbc.c \
 harness/packs/can/dbc.h src/message/message.h src/base/time.h \
 src/model/description.h src/base/status.h src/can/hubo_frames.h
harness/packs/can/dbc.h:
src/message/message.h:
src/base/time.h:
src/model/description.h:
src/base/status.h:
src/can/hubo_frames.h:
