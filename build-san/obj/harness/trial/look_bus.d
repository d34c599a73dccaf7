build-san/obj/harness/trial/look_bus.o: harness/trial/look_bus.c \
 src/can/disturbance.h src/base/status.h harness/cell/cell.h \
 harness/cell/limits.h harness/trial/look.h harness/trial/fault_program.h \
 harness/files/catalogue.h harness/files/scenario.h src/base/time.h \
 src/channel/channel.h src/clock/clock.h harness/formula/formula.h \
 harness/trial/supervisor.h src/clock/coordinator.h \
 harness/history/history.h harness/trial/interposed.h \
 src/channel/tamper.h harness/trial/output.h \
 harness/trial/supervisor_step.h
src/can/disturbance.h:
src/base/status.h:
harness/cell/cell.h:
harness/cell/limits.h:
harness/trial/look.h:
harness/trial/fault_program.h:
harness/files/catalogue.h:
harness/files/scenario.h:
src/base/time.h:
src/channel/channel.h:
src/clock/clock.h:
harness/formula/formula.h:
harness/trial/supervisor.h:
src/clock/coordinator.h:
harness/history/history.h:
harness/trial/interposed.h:
src/channel/tamper.h:
harness/trial/output.h:
harness/trial/supervisor_step.h:
