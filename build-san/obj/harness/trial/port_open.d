build-san/obj/harness/trial/port_open.o: harness/trial/port_open.c \
 harness/trial/port_open.h
harness/trial/port_open.h:
