build-san/obj/harness/trial/strikes.o: harness/trial/strikes.c \
 harness/trial/strikes.h src/clock/coordinator.h src/clock/clock.h \
 src/base/status.h src/base/time.h harness/files/catalogue.h \
 harness/files/scenario.h src/channel/channel.h harness/cell/limits.h \
 harness/formula/formula.h harness/history/history.h \
 harness/trial/supervisor.h harness/trial/interposed.h \
 src/channel/tamper.h harness/trial/output.h \
 harness/trial/supervisor_step.h harness/packs/watch.h src/base/random.h \
 src/base/text.h harness/trial/look.h harness/trial/fault_program.h \
 harness/trial/strike_course.h harness/trial/trigger.h
harness/trial/strikes.h:
src/clock/coordinator.h:
src/clock/clock.h:
src/base/status.h:
src/base/time.h:
harness/files/catalogue.h:
harness/files/scenario.h:
src/channel/channel.h:
harness/cell/limits.h:
harness/formula/formula.h:
harness/history/history.h:
harness/trial/supervisor.h:
harness/trial/interposed.h:
src/channel/tamper.h:
harness/trial/output.h:
harness/trial/supervisor_step.h:
harness/packs/watch.h:
src/base/random.h:
src/base/text.h:
harness/trial/look.h:
harness/trial/fault_program.h:
harness/trial/strike_course.h:
harness/trial/trigger.h:
