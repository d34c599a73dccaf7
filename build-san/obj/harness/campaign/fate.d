build-san/obj/harness/campaign/fate.o: harness/campaign/fate.c \
 harness/campaign/fate.h harness/judge/verdict.h harness/files/scenario.h \
 src/base/status.h src/base/time.h src/channel/channel.h \
 src/clock/clock.h harness/cell/limits.h harness/formula/formula.h \
 harness/trial/record.h
harness/campaign/fate.h:
harness/judge/verdict.h:
harness/files/scenario.h:
src/base/status.h:
src/base/time.h:
src/channel/channel.h:
src/clock/clock.h:
harness/cell/limits.h:
harness/formula/formula.h:
harness/trial/record.h:
