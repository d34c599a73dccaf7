build-san/obj/harness/campaign/progress.o: harness/campaign/progress.c \
 harness/campaign/progress.h harness/judge/judge.h \
 harness/history/history.h src/base/status.h src/base/time.h \
 harness/files/scenario.h src/channel/channel.h src/clock/clock.h \
 harness/cell/limits.h harness/formula/formula.h harness/judge/verdict.h \
 src/model/description.h src/message/message.h src/base/text.h
harness/campaign/progress.h:
harness/judge/judge.h:
harness/history/history.h:
src/base/status.h:
src/base/time.h:
harness/files/scenario.h:
src/channel/channel.h:
src/clock/clock.h:
harness/cell/limits.h:
harness/formula/formula.h:
harness/judge/verdict.h:
src/model/description.h:
src/message/message.h:
src/base/text.h:
