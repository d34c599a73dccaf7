build-san/obj/harness/judge/oracle_program.o: \
 harness/judge/oracle_program.c harness/judge/oracle_program.h \
 harness/judge/analysis.h harness/cell/limits.h \
 harness/history/fault_facts.h harness/history/history.h \
 src/base/status.h src/base/time.h harness/history/series.h \
 harness/judge/verdict.h harness/files/scenario.h src/channel/channel.h \
 src/clock/clock.h harness/formula/formula.h src/model/description.h \
 src/message/message.h harness/judge/judge.h src/base/text.h \
 src/base/trouble.h harness/cell/cell.h harness/cell/spawn.h \
 harness/cell/cell_rights.h
harness/judge/oracle_program.h:
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
harness/judge/judge.h:
src/base/text.h:
src/base/trouble.h:
harness/cell/cell.h:
harness/cell/spawn.h:
harness/cell/cell_rights.h:
