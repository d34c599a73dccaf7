build-san/obj/harness/trial/link.o: harness/trial/link.c \
 harness/trial/link.h src/base/status.h
harness/trial/link.h:
src/base/status.h:
