build-san/obj/harness/cli/cli_doctor.o: harness/cli/cli_doctor.c \
 harness/cell/cell.h src/base/status.h harness/cell/limits.h \
 harness/cli/cli.h harness/store/database.h src/clock/clock.h \
 src/base/time.h harness/packs/can/bus_load.h harness/history/history.h \
 src/message/message.h harness/judge/verdict.h harness/files/scenario.h \
 src/channel/channel.h harness/formula/formula.h harness/trial/record.h \
 src/model/description.h harness/trial/link.h harness/trial/shims.h \
 harness/trial/wiring.h src/clock/coordinator.h src/can/bus.h \
 src/can/can.h harness/trial/interposed.h src/channel/tamper.h \
 src/message/io.h harness/store/machine.h harness/store/version.h
harness/cell/cell.h:
src/base/status.h:
harness/cell/limits.h:
harness/cli/cli.h:
harness/store/database.h:
src/clock/clock.h:
src/base/time.h:
harness/packs/can/bus_load.h:
harness/history/history.h:
src/message/message.h:
harness/judge/verdict.h:
harness/files/scenario.h:
src/channel/channel.h:
harness/formula/formula.h:
harness/trial/record.h:
src/model/description.h:
harness/trial/link.h:
harness/trial/shims.h:
harness/trial/wiring.h:
src/clock/coordinator.h:
src/can/bus.h:
src/can/can.h:
harness/trial/interposed.h:
src/channel/tamper.h:
src/message/io.h:
harness/store/machine.h:
harness/store/version.h:
