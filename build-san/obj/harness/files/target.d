build-san/obj/harness/files/target.o: harness/files/target.c \
 src/channel/channel.h src/base/status.h src/base/time.h \
 src/clock/clock.h harness/files/file_table.h harness/files/yaml_source.h \
 harness/files/message_file.h harness/history/schema.h \
 harness/history/message_text.h harness/files/signal_names.h \
 harness/files/scenario.h harness/cell/limits.h harness/formula/formula.h \
 harness/files/places.h harness/files/program.h harness/packs/list.h \
 harness/files/target_of.h harness/files/target_process.h \
 harness/files/target_tap.h src/model/description.h src/message/message.h \
 src/message/io.h
src/channel/channel.h:
src/base/status.h:
src/base/time.h:
src/clock/clock.h:
harness/files/file_table.h:
harness/files/yaml_source.h:
harness/files/message_file.h:
harness/history/schema.h:
harness/history/message_text.h:
harness/files/signal_names.h:
harness/files/scenario.h:
harness/cell/limits.h:
harness/formula/formula.h:
harness/files/places.h:
harness/files/program.h:
harness/packs/list.h:
harness/files/target_of.h:
harness/files/target_process.h:
harness/files/target_tap.h:
src/model/description.h:
src/message/message.h:
src/message/io.h:
