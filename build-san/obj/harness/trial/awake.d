build-san/obj/harness/trial/awake.o: harness/trial/awake.c \
 harness/trial/awake.h src/base/status.h src/base/log.h
harness/trial/awake.h:
src/base/status.h:
src/base/log.h:
