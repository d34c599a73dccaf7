build-san/obj/harness/trial/supervisor.o: harness/trial/supervisor.c \
 harness/trial/supervisor_private.h harness/trial/output.h \
 src/base/time.h harness/trial/supervisor.h src/clock/coordinator.h \
 src/clock/clock.h src/base/status.h harness/history/history.h \
 harness/files/scenario.h src/channel/channel.h harness/cell/limits.h \
 harness/formula/formula.h harness/trial/interposed.h \
 src/channel/tamper.h harness/trial/supervisor_step.h src/base/log.h \
 src/base/trouble.h src/base/text.h harness/cell/cell.h \
 harness/cell/spawn.h harness/cell/cell_rights.h \
 harness/files/target_process.h harness/files/file_table.h \
 harness/files/yaml_source.h harness/trial/shims.h harness/trial/wiring.h \
 src/can/bus.h src/can/can.h harness/trial/link.h src/message/io.h \
 harness/trial/taps.h harness/packs/watch.h
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
src/base/log.h:
src/base/trouble.h:
src/base/text.h:
harness/cell/cell.h:
harness/cell/spawn.h:
harness/cell/cell_rights.h:
harness/files/target_process.h:
harness/files/file_table.h:
harness/files/yaml_source.h:
harness/trial/shims.h:
harness/trial/wiring.h:
src/can/bus.h:
src/can/can.h:
harness/trial/link.h:
src/message/io.h:
harness/trial/taps.h:
harness/packs/watch.h:
