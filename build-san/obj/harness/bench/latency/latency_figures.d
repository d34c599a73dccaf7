build-san/obj/harness/bench/latency/latency_figures.o: \
 harness/bench/latency/latency_figures.c \
 harness/bench/latency/latency_figures.h harness/bench/latency/latency.h \
 src/base/status.h src/base/time.h harness/bench/machine/machine_floor.h \
 src/base/histogram.h harness/bench/latency/stalls.h
harness/bench/latency/latency_figures.h:
harness/bench/latency/latency.h:
src/base/status.h:
src/base/time.h:
harness/bench/machine/machine_floor.h:
src/base/histogram.h:
harness/bench/latency/stalls.h:
