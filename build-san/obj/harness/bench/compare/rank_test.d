build-san/obj/harness/bench/compare/rank_test.o: \
 harness/bench/compare/rank_test.c harness/bench/compare/rank_test.h \
 src/base/status.h harness/store/statistics.h
harness/bench/compare/rank_test.h:
src/base/status.h:
harness/store/statistics.h:
