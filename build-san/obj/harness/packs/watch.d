build-san/obj/harness/packs/watch.o: harness/packs/watch.c \
 harness/packs/watch.h src/base/status.h harness/files/scenario.h \
 src/base/time.h src/channel/channel.h src/clock/clock.h \
 harness/cell/limits.h harness/formula/formula.h \
 harness/history/history.h harness/judge/pack.h harness/judge/analysis.h \
 harness/history/fault_facts.h harness/history/series.h \
 harness/judge/verdict.h src/model/description.h src/message/message.h
harness/packs/watch.h:
src/base/status.h:
harness/files/scenario.h:
src/base/time.h:
src/channel/channel.h:
src/clock/clock.h:
harness/cell/limits.h:
harness/formula/formula.h:
harness/history/history.h:
harness/judge/pack.h:
harness/judge/analysis.h:
harness/history/fault_facts.h:
harness/history/series.h:
harness/judge/verdict.h:
src/model/description.h:
src/message/message.h:
