build-san/obj/harness/files/promise_file.o: harness/files/promise_file.c \
 harness/files/promise_file.h harness/files/file_table.h \
 harness/files/yaml_source.h src/base/status.h harness/files/scenario.h \
 src/base/time.h src/channel/channel.h src/clock/clock.h \
 harness/cell/limits.h harness/formula/formula.h harness/files/program.h \
 harness/files/signal_names.h harness/history/message_text.h
harness/files/promise_file.h:
harness/files/file_table.h:
harness/files/yaml_source.h:
src/base/status.h:
harness/files/scenario.h:
src/base/time.h:
src/channel/channel.h:
src/clock/clock.h:
harness/cell/limits.h:
harness/formula/formula.h:
harness/files/program.h:
harness/files/signal_names.h:
harness/history/message_text.h:
