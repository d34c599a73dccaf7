build-san/obj/harness/trial/trigger.o: harness/trial/trigger.c \
 harness/trial/trigger.h src/base/time.h harness/files/scenario.h \
 src/base/status.h src/channel/channel.h src/clock/clock.h \
 harness/cell/limits.h harness/formula/formula.h harness/packs/watch.h \
 harness/history/history.h src/base/random.h
harness/trial/trigger.h:
src/base/time.h:
harness/files/scenario.h:
src/base/status.h:
src/channel/channel.h:
src/clock/clock.h:
harness/cell/limits.h:
harness/formula/formula.h:
harness/packs/watch.h:
harness/history/history.h:
src/base/random.h:
