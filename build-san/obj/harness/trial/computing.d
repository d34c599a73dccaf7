build-san/obj/harness/trial/computing.o: harness/trial/computing.c \
 harness/trial/computing.h src/base/histogram.h harness/files/scenario.h \
 src/base/status.h src/base/time.h src/channel/channel.h \
 src/clock/clock.h harness/cell/limits.h harness/formula/formula.h \
 src/base/text.h src/clock/futex.h harness/trial/supervisor.h \
 src/clock/coordinator.h harness/history/history.h \
 harness/trial/interposed.h src/channel/tamper.h harness/trial/output.h \
 harness/trial/supervisor_step.h
harness/trial/computing.h:
src/base/histogram.h:
harness/files/scenario.h:
src/base/status.h:
src/base/time.h:
src/channel/channel.h:
src/clock/clock.h:
harness/cell/limits.h:
harness/formula/formula.h:
src/base/text.h:
src/clock/futex.h:
harness/trial/supervisor.h:
src/clock/coordinator.h:
harness/history/history.h:
harness/trial/interposed.h:
src/channel/tamper.h:
harness/trial/output.h:
harness/trial/supervisor_step.h:
