build-san/obj/harness/campaign/campaign.o: harness/campaign/campaign.c \
 harness/campaign/campaign.h harness/store/database.h src/clock/clock.h \
 src/base/status.h src/base/time.h harness/packs/can/bus_load.h \
 harness/history/history.h src/message/message.h harness/judge/verdict.h \
 harness/files/scenario.h src/channel/channel.h harness/cell/limits.h \
 harness/formula/formula.h harness/trial/record.h src/model/description.h \
 harness/trial/link.h src/base/text.h harness/store/campaign_guard.h \
 harness/store/campaign_histories.h harness/campaign/job.h \
 harness/trial/trial.h harness/campaign/progress.h harness/judge/judge.h
harness/campaign/campaign.h:
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
src/base/text.h:
harness/store/campaign_guard.h:
harness/store/campaign_histories.h:
harness/campaign/job.h:
harness/trial/trial.h:
harness/campaign/progress.h:
harness/judge/judge.h:
