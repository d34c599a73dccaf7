build-san/obj/harness/store/machine.o: harness/store/machine.c \
 harness/store/machine.h
harness/store/machine.h:
