build-san/obj/harness/store/campaign_histories.o: \
 harness/store/campaign_histories.c harness/store/campaign_histories.h \
 harness/store/database.h src/clock/clock.h src/base/status.h \
 src/base/time.h harness/packs/can/bus_load.h harness/history/history.h \
 src/message/message.h harness/judge/verdict.h harness/files/scenario.h \
 src/channel/channel.h harness/cell/limits.h harness/formula/formula.h \
 harness/trial/record.h src/base/log.h harness/store/campaign_guard.h \
 harness/store/database_private.h
harness/store/campaign_histories.h:
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
src/base/log.h:
harness/store/campaign_guard.h:
harness/store/database_private.h:
