build-san/obj/harness/store/version.o: harness/store/version.c \
 harness/store/version.h
harness/store/version.h:
