build-san/obj/harness/files/target_process.o: \
 harness/files/target_process.c harness/files/target_process.h \
 harness/files/file_table.h harness/files/yaml_source.h src/base/status.h \
 harness/files/scenario.h src/base/time.h src/channel/channel.h \
 src/clock/clock.h harness/cell/limits.h harness/formula/formula.h \
 src/base/text.h harness/files/program.h
harness/files/target_process.h:
harness/files/file_table.h:
harness/files/yaml_source.h:
src/base/status.h:
harness/files/scenario.h:
src/base/time.h:
src/channel/channel.h:
src/clock/clock.h:
harness/cell/limits.h:
harness/formula/formula.h:
src/base/text.h:
harness/files/program.h:
