build-san/obj/harness/trial/recorder.o: harness/trial/recorder.c \
 harness/trial/recorder.h harness/history/history.h src/base/status.h \
 src/base/time.h harness/files/scenario.h src/channel/channel.h \
 src/clock/clock.h harness/cell/limits.h harness/formula/formula.h \
 harness/packs/watch.h harness/trial/interposed.h src/channel/tamper.h \
 src/clock/coordinator.h src/base/text.h src/message/io.h
harness/trial/recorder.h:
harness/history/history.h:
src/base/status.h:
src/base/time.h:
harness/files/scenario.h:
src/channel/channel.h:
src/clock/clock.h:
harness/cell/limits.h:
harness/formula/formula.h:
harness/packs/watch.h:
harness/trial/interposed.h:
src/channel/tamper.h:
src/clock/coordinator.h:
src/base/text.h:
src/message/io.h:
