build-san/obj/harness/files/target_tap.o: harness/files/target_tap.c \
 harness/files/target_tap.h harness/files/file_table.h \
 harness/files/yaml_source.h src/base/status.h harness/files/scenario.h \
 src/base/time.h src/channel/channel.h src/clock/clock.h \
 harness/cell/limits.h harness/formula/formula.h \
 harness/files/message_file.h harness/history/schema.h \
 harness/history/message_text.h harness/history/history.h \
 harness/history/line_pattern.h src/message/io.h
harness/files/target_tap.h:
harness/files/file_table.h:
harness/files/yaml_source.h:
src/base/status.h:
harness/files/scenario.h:
src/base/time.h:
src/channel/channel.h:
src/clock/clock.h:
harness/cell/limits.h:
harness/formula/formula.h:
harness/files/message_file.h:
harness/history/schema.h:
harness/history/message_text.h:
harness/history/history.h:
harness/history/line_pattern.h:
src/message/io.h:
