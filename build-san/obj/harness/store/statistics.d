build-san/obj/harness/store/statistics.o: harness/store/statistics.c \
 harness/store/statistics.h
harness/store/statistics.h:
