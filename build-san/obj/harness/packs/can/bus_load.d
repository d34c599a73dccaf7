build-san/obj/harness/packs/can/bus_load.o: harness/packs/can/bus_load.c \
 harness/packs/can/bus_load.h harness/history/history.h src/base/status.h \
 src/base/time.h src/message/message.h harness/packs/robot/facts.h \
 harness/judge/analysis.h harness/cell/limits.h \
 harness/history/fault_facts.h harness/history/series.h \
 harness/judge/verdict.h harness/files/scenario.h src/channel/channel.h \
 src/clock/clock.h harness/formula/formula.h src/model/description.h \
 harness/packs/list.h
harness/packs/can/bus_load.h:
harness/history/history.h:
src/base/status.h:
src/base/time.h:
src/message/message.h:
harness/packs/robot/facts.h:
harness/judge/analysis.h:
harness/cell/limits.h:
harness/history/fault_facts.h:
harness/history/series.h:
harness/judge/verdict.h:
harness/files/scenario.h:
src/channel/channel.h:
src/clock/clock.h:
harness/formula/formula.h:
src/model/description.h:
harness/packs/list.h:
