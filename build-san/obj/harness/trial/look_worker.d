build-san/obj/harness/trial/look_worker.o: harness/trial/look_worker.c \
 harness/trial/look.h harness/trial/fault_program.h \
 harness/files/catalogue.h src/base/status.h harness/files/scenario.h \
 src/base/time.h src/channel/channel.h src/clock/clock.h \
 harness/cell/limits.h harness/formula/formula.h \
 harness/trial/supervisor.h src/clock/coordinator.h \
 harness/history/history.h harness/trial/interposed.h \
 src/channel/tamper.h harness/trial/output.h \
 harness/trial/supervisor_step.h
harness/trial/look.h:
harness/trial/fault_program.h:
harness/files/catalogue.h:
src/base/status.h:
harness/files/scenario.h:
src/base/time.h:
src/channel/channel.h:
src/clock/clock.h:
harness/cell/limits.h:
harness/formula/formula.h:
harness/trial/supervisor.h:
src/clock/coordinator.h:
harness/history/history.h:
harness/trial/interposed.h:
src/channel/tamper.h:
harness/trial/output.h:
harness/trial/supervisor_step.h:
