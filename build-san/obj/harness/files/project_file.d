build-san/obj/harness/files/project_file.o: harness/files/project_file.c \
 harness/files/project_file.h src/base/status.h harness/files/scenario.h \
 src/base/time.h src/channel/channel.h src/clock/clock.h \
 harness/cell/limits.h harness/formula/formula.h src/base/log.h \
 src/base/text.h src/base/trouble.h harness/files/file_table.h \
 harness/files/yaml_source.h harness/files/trusted.h
harness/files/project_file.h:
src/base/status.h:
harness/files/scenario.h:
src/base/time.h:
src/channel/channel.h:
src/clock/clock.h:
harness/cell/limits.h:
harness/formula/formula.h:
src/base/log.h:
src/base/text.h:
src/base/trouble.h:
harness/files/file_table.h:
harness/files/yaml_source.h:
harness/files/trusted.h:
