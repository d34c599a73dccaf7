build-san/obj/harness/campaign/job.o: harness/campaign/job.c \
 harness/campaign/job.h harness/store/campaign_histories.h \
 harness/store/database.h src/clock/clock.h src/base/status.h \
 src/base/time.h harness/packs/can/bus_load.h harness/history/history.h \
 src/message/message.h harness/judge/verdict.h harness/files/scenario.h \
 src/channel/channel.h harness/cell/limits.h harness/formula/formula.h \
 harness/trial/record.h harness/trial/link.h harness/trial/trial.h \
 src/model/description.h harness/campaign/fate.h harness/judge/judge.h \
 src/base/log.h src/base/trouble.h
harness/campaign/job.h:
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
harness/trial/link.h:
harness/trial/trial.h:
src/model/description.h:
harness/campaign/fate.h:
harness/judge/judge.h:
src/base/log.h:
src/base/trouble.h:
