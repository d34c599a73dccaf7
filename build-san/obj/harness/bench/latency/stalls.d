build-san/obj/harness/bench/latency/stalls.o: \
 harness/bench/latency/stalls.c harness/bench/latency/stalls.h
harness/bench/latency/stalls.h:
