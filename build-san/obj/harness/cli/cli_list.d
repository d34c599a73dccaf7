build-san/obj/harness/cli/cli_list.o: harness/cli/cli_list.c \
 src/base/log.h src/base/text.h src/base/trouble.h \
 harness/files/catalogue.h src/base/status.h harness/files/scenario.h \
 src/base/time.h src/channel/channel.h src/clock/clock.h \
 harness/cell/limits.h harness/formula/formula.h harness/cli/cli.h \
 harness/store/database.h harness/packs/can/bus_load.h \
 harness/history/history.h src/message/message.h harness/judge/verdict.h \
 harness/trial/record.h src/model/description.h harness/trial/link.h \
 harness/judge/pack.h harness/judge/analysis.h \
 harness/history/fault_facts.h harness/history/series.h \
 harness/files/places.h
src/base/log.h:
src/base/text.h:
src/base/trouble.h:
harness/files/catalogue.h:
src/base/status.h:
harness/files/scenario.h:
src/base/time.h:
src/channel/channel.h:
src/clock/clock.h:
harness/cell/limits.h:
harness/formula/formula.h:
harness/cli/cli.h:
harness/store/database.h:
harness/packs/can/bus_load.h:
harness/history/history.h:
src/message/message.h:
harness/judge/verdict.h:
harness/trial/record.h:
src/model/description.h:
harness/trial/link.h:
harness/judge/pack.h:
harness/judge/analysis.h:
harness/history/fault_facts.h:
harness/history/series.h:
harness/files/places.h:
