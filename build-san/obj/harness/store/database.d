build-san/obj/harness/store/database.o: harness/store/database.c \
 harness/store/database.h src/clock/clock.h src/base/status.h \
 src/base/time.h harness/packs/can/bus_load.h harness/history/history.h \
 src/message/message.h harness/judge/verdict.h harness/files/scenario.h \
 src/channel/channel.h harness/cell/limits.h harness/formula/formula.h \
 harness/trial/record.h src/base/file_kind.h src/base/log.h \
 src/base/text.h src/base/trouble.h harness/store/database_migrate.h \
 harness/store/database_private.h harness/store/machine.h \
 harness/store/version.h
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
src/base/file_kind.h:
src/base/log.h:
src/base/text.h:
src/base/trouble.h:
harness/store/database_migrate.h:
harness/store/database_private.h:
harness/store/machine.h:
harness/store/version.h:
