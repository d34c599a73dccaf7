build-san/obj/harness/report/report_escape.o: \
 harness/report/report_escape.c harness/report/report_escape.h \
 src/base/text.h src/base/trouble.h
harness/report/report_escape.h:
src/base/text.h:
src/base/trouble.h:
