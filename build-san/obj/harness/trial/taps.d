build-san/obj/harness/trial/taps.o: harness/trial/taps.c \
 harness/trial/taps.h src/clock/clock.h src/base/status.h src/base/time.h \
 harness/files/scenario.h src/channel/channel.h harness/cell/limits.h \
 harness/formula/formula.h harness/history/history.h \
 harness/packs/watch.h harness/trial/output.h src/base/text.h \
 src/base/trouble.h harness/history/bytes.h \
 harness/history/line_pattern.h harness/history/schema.h \
 harness/history/message_text.h
harness/trial/taps.h:
src/clock/clock.h:
src/base/status.h:
src/base/time.h:
harness/files/scenario.h:
src/channel/channel.h:
harness/cell/limits.h:
harness/formula/formula.h:
harness/history/history.h:
harness/packs/watch.h:
harness/trial/output.h:
src/base/text.h:
src/base/trouble.h:
harness/history/bytes.h:
harness/history/line_pattern.h:
harness/history/schema.h:
harness/history/message_text.h:
