build-san/obj/harness/packs/walking/completion.o: \
 harness/packs/walking/completion.c harness/packs/walking/oracles.h \
 harness/judge/analysis.h harness/cell/limits.h \
 harness/history/fault_facts.h harness/history/history.h \
 src/base/status.h src/base/time.h harness/history/series.h \
 harness/judge/verdict.h harness/files/scenario.h src/channel/channel.h \
 src/clock/clock.h harness/formula/formula.h src/model/description.h \
 src/message/message.h harness/packs/robot/facts.h harness/packs/list.h \
 src/walk/geometry.h
harness/packs/walking/oracles.h:
harness/judge/analysis.h:
harness/cell/limits.h:
harness/history/fault_facts.h:
harness/history/history.h:
src/base/status.h:
src/base/time.h:
harness/history/series.h:
harness/judge/verdict.h:
harness/files/scenario.h:
src/channel/channel.h:
src/clock/clock.h:
harness/formula/formula.h:
src/model/description.h:
src/message/message.h:
harness/packs/robot/facts.h:
harness/packs/list.h:
src/walk/geometry.h:
