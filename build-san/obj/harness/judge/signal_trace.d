build-san/obj/harness/judge/signal_trace.o: harness/judge/signal_trace.c \
 harness/judge/signal_trace.h harness/files/signal_names.h \
 harness/files/scenario.h src/base/status.h src/base/time.h \
 src/channel/channel.h src/clock/clock.h harness/cell/limits.h \
 harness/formula/formula.h harness/files/yaml_source.h \
 harness/history/message_text.h harness/history/history.h
harness/judge/signal_trace.h:
harness/files/signal_names.h:
harness/files/scenario.h:
src/base/status.h:
src/base/time.h:
src/channel/channel.h:
src/clock/clock.h:
harness/cell/limits.h:
harness/formula/formula.h:
harness/files/yaml_source.h:
harness/history/message_text.h:
harness/history/history.h:
