build-san/obj/harness/export/histogram_export.o: \
 harness/export/histogram_export.c harness/export/histogram_export.h \
 src/base/histogram.h
harness/export/histogram_export.h:
src/base/histogram.h:
