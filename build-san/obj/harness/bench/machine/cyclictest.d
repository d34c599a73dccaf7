build-san/obj/harness/bench/machine/cyclictest.o: \
 harness/bench/machine/cyclictest.c harness/bench/machine/cyclictest.h \
 src/base/histogram.h src/base/status.h
harness/bench/machine/cyclictest.h:
src/base/histogram.h:
src/base/status.h:
