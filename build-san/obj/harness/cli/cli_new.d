build-san/obj/harness/cli/cli_new.o: harness/cli/cli_new.c src/base/log.h \
 src/base/trouble.h harness/cli/cli.h harness/store/database.h \
 src/clock/clock.h src/base/status.h src/base/time.h \
 harness/packs/can/bus_load.h harness/history/history.h \
 src/message/message.h harness/judge/verdict.h harness/files/scenario.h \
 src/channel/channel.h harness/cell/limits.h harness/formula/formula.h \
 harness/trial/record.h src/model/description.h harness/trial/link.h \
 harness/files/trusted.h harness/history/whole_file.h
src/base/log.h:
src/base/trouble.h:
harness/cli/cli.h:
harness/store/database.h:
src/clock/clock.h:
src/base/status.h:
src/base/time.h:
harness/packs/can/bus_load.h:
harness/history/history.h:
src/message/message.h:
harness/judge/verdict.h:
harness/files/scenario.h:
src/channel/channel.h:
harness/cell/limits.h:
harness/formula/formula.h:
harness/trial/record.h:
src/model/description.h:
harness/trial/link.h:
harness/files/trusted.h:
harness/history/whole_file.h:
