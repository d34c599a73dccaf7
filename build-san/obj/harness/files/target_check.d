build-san/obj/harness/files/target_check.o: harness/files/target_check.c \
 harness/files/target_check.h src/base/status.h harness/files/scenario.h \
 src/base/time.h src/channel/channel.h src/clock/clock.h \
 harness/cell/limits.h harness/formula/formula.h src/base/log.h \
 src/base/text.h src/base/trouble.h harness/files/catalogue.h \
 harness/files/target_process.h harness/files/file_table.h \
 harness/files/yaml_source.h harness/cell/cell.h harness/cell/spawn.h \
 harness/cell/cell_rights.h harness/files/trusted.h
harness/files/target_check.h:
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
harness/files/catalogue.h:
harness/files/target_process.h:
harness/files/file_table.h:
harness/files/yaml_source.h:
harness/cell/cell.h:
harness/cell/spawn.h:
harness/cell/cell_rights.h:
harness/files/trusted.h:
