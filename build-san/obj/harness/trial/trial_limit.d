build-san/obj/harness/trial/trial_limit.o: harness/trial/trial_limit.c \
 harness/trial/trial_limit.h harness/cell/limits.h harness/trial/trial.h \
 src/clock/clock.h src/base/status.h src/base/time.h \
 harness/history/history.h harness/trial/link.h harness/trial/record.h \
 harness/files/scenario.h src/channel/channel.h harness/formula/formula.h \
 src/base/text.h
harness/trial/trial_limit.h:
harness/cell/limits.h:
harness/trial/trial.h:
src/clock/clock.h:
src/base/status.h:
src/base/time.h:
harness/history/history.h:
harness/trial/link.h:
harness/trial/record.h:
harness/files/scenario.h:
src/channel/channel.h:
harness/formula/formula.h:
src/base/text.h:
