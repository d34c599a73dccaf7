build-san/obj/harness/files/signal_names.o: harness/files/signal_names.c \
 harness/files/signal_names.h harness/files/scenario.h src/base/status.h \
 src/base/time.h src/channel/channel.h src/clock/clock.h \
 harness/cell/limits.h harness/formula/formula.h \
 harness/files/yaml_source.h harness/history/message_text.h \
 harness/history/schema.h
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
harness/history/schema.h:
