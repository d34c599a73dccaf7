build-san/obj/harness/trial/supervisor_step.o: \
 harness/trial/supervisor_step.c harness/trial/supervisor_step.h \
 src/base/time.h harness/history/history.h src/base/status.h
harness/trial/supervisor_step.h:
src/base/time.h:
harness/history/history.h:
src/base/status.h:
