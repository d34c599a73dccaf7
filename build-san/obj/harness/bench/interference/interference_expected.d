build-san/obj/harness/bench/interference/interference_expected.o: \
 harness/bench/interference/interference_expected.c \
 harness/bench/interference/interference.h \
 harness/bench/latency/latency_figures.h harness/bench/latency/latency.h \
 src/base/status.h src/base/time.h harness/bench/machine/machine_floor.h \
 src/base/histogram.h harness/bench/latency/stalls.h \
 harness/files/scenario.h src/channel/channel.h src/clock/clock.h \
 harness/cell/limits.h harness/formula/formula.h \
 harness/files/catalogue.h
harness/bench/interference/interference.h:
harness/bench/latency/latency_figures.h:
harness/bench/latency/latency.h:
src/base/status.h:
src/base/time.h:
harness/bench/machine/machine_floor.h:
src/base/histogram.h:
harness/bench/latency/stalls.h:
harness/files/scenario.h:
src/channel/channel.h:
src/clock/clock.h:
harness/cell/limits.h:
harness/formula/formula.h:
harness/files/catalogue.h:
