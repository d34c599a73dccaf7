build-san/obj/harness/bench/latency/latency_deadlines.o: \
 harness/bench/latency/latency_deadlines.c \
 harness/bench/latency/latency_private.h harness/history/series.h \
 harness/history/history.h src/base/status.h src/base/time.h \
 src/model/description.h src/message/message.h \
 harness/bench/latency/latency.h
harness/bench/latency/latency_private.h:
harness/history/series.h:
harness/history/history.h:
src/base/status.h:
src/base/time.h:
src/model/description.h:
src/message/message.h:
harness/bench/latency/latency.h:
