build-san/obj/harness/trial/trial.o: harness/trial/trial.c \
 harness/trial/trial_private.h src/clock/coordinator.h src/clock/clock.h \
 src/base/status.h src/base/time.h harness/cell/cell.h \
 harness/cell/limits.h harness/files/catalogue.h harness/files/scenario.h \
 src/channel/channel.h harness/formula/formula.h \
 harness/trial/computing.h src/base/histogram.h harness/trial/recorder.h \
 harness/history/history.h harness/packs/watch.h \
 harness/trial/interposed.h src/channel/tamper.h harness/trial/shims.h \
 harness/trial/wiring.h src/can/bus.h src/can/can.h harness/trial/link.h \
 src/message/io.h harness/trial/strikes.h harness/trial/supervisor.h \
 harness/trial/output.h harness/trial/supervisor_step.h \
 harness/trial/taps.h harness/trial/trial.h harness/trial/record.h \
 harness/trial/trial_end.h src/base/log.h src/base/text.h \
 src/base/trouble.h src/clock/futex.h harness/trial/fault_needs.h \
 harness/trial/outside.h harness/trial/trial_limit.h \
 src/model/description.h src/message/message.h
harness/trial/trial_private.h:
src/clock/coordinator.h:
src/clock/clock.h:
src/base/status.h:
src/base/time.h:
harness/cell/cell.h:
harness/cell/limits.h:
harness/files/catalogue.h:
harness/files/scenario.h:
src/channel/channel.h:
harness/formula/formula.h:
harness/trial/computing.h:
src/base/histogram.h:
harness/trial/recorder.h:
harness/history/history.h:
harness/packs/watch.h:
harness/trial/interposed.h:
src/channel/tamper.h:
harness/trial/shims.h:
harness/trial/wiring.h:
src/can/bus.h:
src/can/can.h:
harness/trial/link.h:
src/message/io.h:
harness/trial/strikes.h:
harness/trial/supervisor.h:
harness/trial/output.h:
harness/trial/supervisor_step.h:
harness/trial/taps.h:
harness/trial/trial.h:
harness/trial/record.h:
harness/trial/trial_end.h:
src/base/log.h:
src/base/text.h:
src/base/trouble.h:
src/clock/futex.h:
harness/trial/fault_needs.h:
harness/trial/outside.h:
harness/trial/trial_limit.h:
src/model/description.h:
src/message/message.h:
