build-san/obj/harness/store/campaign_guard.o: \
 harness/store/campaign_guard.c harness/store/campaign_guard.h \
 src/base/status.h src/base/time.h src/base/log.h src/base/trouble.h \
 src/clock/futex.h
harness/store/campaign_guard.h:
src/base/status.h:
src/base/time.h:
src/base/log.h:
src/base/trouble.h:
src/clock/futex.h:
