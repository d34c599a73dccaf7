build-san/obj/harness/files/file_read.o: harness/files/file_read.c \
 harness/files/file_table.h harness/files/yaml_source.h src/base/status.h \
 src/base/text.h harness/files/yaml_private.h
harness/files/file_table.h:
harness/files/yaml_source.h:
src/base/status.h:
src/base/text.h:
harness/files/yaml_private.h:
