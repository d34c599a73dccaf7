build-san/obj/harness/trial/output.o: harness/trial/output.c \
 harness/trial/output.h src/base/time.h harness/history/history.h \
 src/base/status.h
harness/trial/output.h:
src/base/time.h:
harness/history/history.h:
src/base/status.h:
