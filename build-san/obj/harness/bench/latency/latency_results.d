build-san/obj/harness/bench/latency/latency_results.o: \
 harness/bench/latency/latency_results.c \
 harness/bench/latency/latency_results.h harness/bench/bench.h \
 harness/campaign/evidence.h harness/store/benchmark.h \
 src/base/histogram.h harness/store/database.h src/clock/clock.h \
 src/base/status.h src/base/time.h harness/packs/can/bus_load.h \
 harness/history/history.h src/message/message.h harness/judge/verdict.h \
 harness/files/scenario.h src/channel/channel.h harness/cell/limits.h \
 harness/formula/formula.h harness/trial/record.h harness/campaign/job.h \
 harness/store/campaign_histories.h harness/trial/link.h \
 harness/trial/trial.h src/model/description.h \
 harness/bench/latency/latency_figures.h harness/bench/latency/latency.h \
 harness/bench/machine/machine_floor.h harness/bench/latency/stalls.h
harness/bench/latency/latency_results.h:
harness/bench/bench.h:
harness/campaign/evidence.h:
harness/store/benchmark.h:
src/base/histogram.h:
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
harness/campaign/job.h:
harness/store/campaign_histories.h:
harness/trial/link.h:
harness/trial/trial.h:
src/model/description.h:
harness/bench/latency/latency_figures.h:
harness/bench/latency/latency.h:
harness/bench/machine/machine_floor.h:
harness/bench/latency/stalls.h:
