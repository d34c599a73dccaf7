build-san/obj/harness/report/report_histogram.o: \
 harness/report/report_histogram.c harness/report/report_histogram.h \
 src/base/status.h harness/history/histogram_code.h src/base/histogram.h
harness/report/report_histogram.h:
src/base/status.h:
harness/history/histogram_code.h:
src/base/histogram.h:
