build-san/obj/harness/judge/promise.o: harness/judge/promise.c \
 harness/judge/promise.h harness/judge/analysis.h harness/cell/limits.h \
 harness/history/fault_facts.h harness/history/history.h \
 src/base/status.h src/base/time.h harness/history/series.h \
 harness/judge/verdict.h harness/files/scenario.h src/channel/channel.h \
 src/clock/clock.h harness/formula/formula.h src/model/description.h \
 src/message/message.h harness/judge/signal_trace.h \
 harness/files/signal_names.h harness/files/yaml_source.h \
 harness/history/message_text.h
harness/judge/promise.h:
harness/judge/analysis.h:
harness/cell/limits.h:
harness/history/fault_facts.h:
harness/history/history.h:
src/base/status.h:
src/base/time.h:
harness/history/series.h:
harness/judge/verdict.h:
harness/files/scenario.h:
src/channel/channel.h:
src/clock/clock.h:
harness/formula/formula.h:
src/model/description.h:
src/message/message.h:
harness/judge/signal_trace.h:
harness/files/signal_names.h:
harness/files/yaml_source.h:
harness/history/message_text.h:
