build-san/obj/harness/files/catalogue.o: harness/files/catalogue.c \
 harness/files/catalogue.h src/base/status.h harness/files/scenario.h \
 src/base/time.h src/channel/channel.h src/clock/clock.h \
 harness/cell/limits.h harness/formula/formula.h src/base/log.h \
 src/base/trouble.h src/base/text.h harness/files/file_table.h \
 harness/files/yaml_source.h harness/files/places.h \
 harness/files/program.h harness/files/trusted.h
harness/files/catalogue.h:
src/base/status.h:
harness/files/scenario.h:
src/base/time.h:
src/channel/channel.h:
src/clock/clock.h:
harness/cell/limits.h:
harness/formula/formula.h:
src/base/log.h:
src/base/trouble.h:
src/base/text.h:
harness/files/file_table.h:
harness/files/yaml_source.h:
harness/files/places.h:
harness/files/program.h:
harness/files/trusted.h:
