build-san/obj/harness/files/fault_file.o: harness/files/fault_file.c \
 harness/files/fault_file.h harness/files/catalogue.h src/base/status.h \
 harness/files/scenario.h src/base/time.h src/channel/channel.h \
 src/clock/clock.h harness/cell/limits.h harness/formula/formula.h \
 harness/files/file_table.h harness/files/yaml_source.h src/base/text.h \
 harness/files/fault_channel.h harness/history/message_text.h \
 harness/packs/list.h
harness/files/fault_file.h:
harness/files/catalogue.h:
src/base/status.h:
harness/files/scenario.h:
src/base/time.h:
src/channel/channel.h:
src/clock/clock.h:
harness/cell/limits.h:
harness/formula/formula.h:
harness/files/file_table.h:
harness/files/yaml_source.h:
src/base/text.h:
harness/files/fault_channel.h:
harness/history/message_text.h:
harness/packs/list.h:
