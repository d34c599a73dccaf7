build-san/obj/harness/files/file_words.o: harness/files/file_words.c \
 src/base/text.h harness/files/file_table.h harness/files/yaml_source.h \
 src/base/status.h
src/base/text.h:
harness/files/file_table.h:
harness/files/yaml_source.h:
src/base/status.h:
