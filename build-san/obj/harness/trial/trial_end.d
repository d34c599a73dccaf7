build-san/obj/harness/trial/trial_end.o: harness/trial/trial_end.c \
 harness/trial/trial_end.h src/base/time.h harness/files/scenario.h \
 src/base/status.h src/channel/channel.h src/clock/clock.h \
 harness/cell/limits.h harness/formula/formula.h
harness/trial/trial_end.h:
src/base/time.h:
harness/files/scenario.h:
src/base/status.h:
src/channel/channel.h:
src/clock/clock.h:
harness/cell/limits.h:
harness/formula/formula.h:
