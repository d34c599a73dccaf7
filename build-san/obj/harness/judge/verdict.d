build-san/obj/harness/judge/verdict.o: harness/judge/verdict.c \
 harness/judge/verdict.h harness/files/scenario.h src/base/status.h \
 src/base/time.h src/channel/channel.h src/clock/clock.h \
 harness/cell/limits.h harness/formula/formula.h
harness/judge/verdict.h:
harness/files/scenario.h:
src/base/status.h:
src/base/time.h:
src/channel/channel.h:
src/clock/clock.h:
harness/cell/limits.h:
harness/formula/formula.h:
