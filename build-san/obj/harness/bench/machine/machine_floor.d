build-san/obj/harness/bench/machine/machine_floor.o: \
 harness/bench/machine/machine_floor.c \
 harness/bench/machine/machine_floor.h src/base/histogram.h \
 src/base/status.h src/base/time.h harness/bench/latency/stalls.h \
 src/base/log.h src/clock/futex.h \
 harness/bench/machine/machine_floor_private.h
harness/bench/machine/machine_floor.h:
src/base/histogram.h:
src/base/status.h:
src/base/time.h:
harness/bench/latency/stalls.h:
src/base/log.h:
src/clock/futex.h:
harness/bench/machine/machine_floor_private.h:
