build-san/obj/harness/trial/shims.o: harness/trial/shims.c \
 harness/trial/shims.h harness/files/scenario.h src/base/status.h \
 src/base/time.h src/channel/channel.h src/clock/clock.h \
 harness/cell/limits.h harness/formula/formula.h harness/trial/wiring.h \
 src/clock/coordinator.h src/can/bus.h src/can/can.h \
 harness/trial/interposed.h src/channel/tamper.h harness/trial/link.h \
 src/message/io.h src/base/log.h src/base/text.h harness/cell/cell.h \
 src/shim/page.h
harness/trial/shims.h:
harness/files/scenario.h:
src/base/status.h:
src/base/time.h:
src/channel/channel.h:
src/clock/clock.h:
harness/cell/limits.h:
harness/formula/formula.h:
harness/trial/wiring.h:
src/clock/coordinator.h:
src/can/bus.h:
src/can/can.h:
harness/trial/interposed.h:
src/channel/tamper.h:
harness/trial/link.h:
src/message/io.h:
src/base/log.h:
src/base/text.h:
harness/cell/cell.h:
src/shim/page.h:
