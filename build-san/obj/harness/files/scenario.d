build-san/obj/harness/files/scenario.o: harness/files/scenario.c \
 harness/files/scenario.h src/base/status.h src/base/time.h \
 src/channel/channel.h src/clock/clock.h harness/cell/limits.h \
 harness/formula/formula.h harness/files/catalogue.h \
 harness/files/fault_channel.h harness/files/yaml_source.h \
 harness/history/message_text.h harness/files/fault_file.h \
 harness/files/file_table.h harness/files/program.h \
 harness/files/promise_file.h harness/files/target_of.h
harness/files/scenario.h:
src/base/status.h:
src/base/time.h:
src/channel/channel.h:
src/clock/clock.h:
harness/cell/limits.h:
harness/formula/formula.h:
harness/files/catalogue.h:
harness/files/fault_channel.h:
harness/files/yaml_source.h:
harness/history/message_text.h:
harness/files/fault_file.h:
harness/files/file_table.h:
harness/files/program.h:
harness/files/promise_file.h:
harness/files/target_of.h:
