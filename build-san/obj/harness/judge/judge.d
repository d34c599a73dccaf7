build-san/obj/harness/judge/judge.o: harness/judge/judge.c \
 harness/judge/judge.h harness/history/history.h src/base/status.h \
 src/base/time.h harness/files/scenario.h src/channel/channel.h \
 src/clock/clock.h harness/cell/limits.h harness/formula/formula.h \
 harness/judge/verdict.h src/model/description.h src/message/message.h \
 harness/judge/oracle_program.h harness/judge/analysis.h \
 harness/history/fault_facts.h harness/history/series.h \
 harness/judge/oracles.h harness/judge/pack.h harness/judge/promise.h
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
harness/judge/oracle_program.h:
harness/judge/analysis.h:
harness/history/fault_facts.h:
harness/history/series.h:
harness/judge/oracles.h:
harness/judge/pack.h:
harness/judge/promise.h:
