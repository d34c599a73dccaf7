build-san/obj/harness/trial/wiring.o: harness/trial/wiring.c \
 harness/trial/wiring.h src/channel/channel.h src/base/status.h \
 src/base/time.h src/clock/clock.h src/clock/coordinator.h src/can/bus.h \
 src/can/can.h harness/trial/interposed.h src/channel/tamper.h \
 harness/files/scenario.h harness/cell/limits.h harness/formula/formula.h \
 harness/trial/link.h src/can/disturbance.h harness/cell/cell.h \
 harness/cell/cell_rights.h
harness/trial/wiring.h:
src/channel/channel.h:
src/base/status.h:
src/base/time.h:
src/clock/clock.h:
src/clock/coordinator.h:
src/can/bus.h:
src/can/can.h:
harness/trial/interposed.h:
src/channel/tamper.h:
harness/files/scenario.h:
harness/cell/limits.h:
harness/formula/formula.h:
harness/trial/link.h:
src/can/disturbance.h:
harness/cell/cell.h:
harness/cell/cell_rights.h:
