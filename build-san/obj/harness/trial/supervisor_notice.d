build-san/obj/harness/trial/supervisor_notice.o: \
 harness/trial/supervisor_notice.c harness/trial/supervisor_private.h \
 harness/trial/output.h src/base/time.h harness/trial/supervisor.h \
 src/clock/coordinator.h src/clock/clock.h src/base/status.h \
 harness/history/history.h harness/files/scenario.h src/channel/channel.h \
 harness/cell/limits.h harness/formula/formula.h \
 harness/trial/interposed.h src/channel/tamper.h \
 harness/trial/supervisor_step.h src/base/text.h
harness/trial/supervisor_private.h:
harness/trial/output.h:
src/base/time.h:
harness/trial/supervisor.h:
src/clock/coordinator.h:
src/clock/clock.h:
src/base/status.h:
harness/history/history.h:
harness/files/scenario.h:
src/channel/channel.h:
harness/cell/limits.h:
harness/formula/formula.h:
harness/trial/interposed.h:
src/channel/tamper.h:
harness/trial/supervisor_step.h:
src/base/text.h:
