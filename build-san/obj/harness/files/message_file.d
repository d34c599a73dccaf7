build-san/obj/harness/files/message_file.o: harness/files/message_file.c \
 harness/files/message_file.h harness/files/yaml_source.h \
 src/base/status.h harness/history/schema.h \
 harness/history/message_text.h harness/files/program.h \
 harness/files/scenario.h src/base/time.h src/channel/channel.h \
 src/clock/clock.h harness/cell/limits.h harness/formula/formula.h \
 harness/history/whole_file.h
harness/files/message_file.h:
harness/files/yaml_source.h:
src/base/status.h:
harness/history/schema.h:
harness/history/message_text.h:
harness/files/program.h:
harness/files/scenario.h:
src/base/time.h:
src/channel/channel.h:
src/clock/clock.h:
harness/cell/limits.h:
harness/formula/formula.h:
harness/history/whole_file.h:
