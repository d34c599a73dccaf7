build-san/obj/harness/trial/fault_program.o: \
 harness/trial/fault_program.c harness/trial/fault_program.h \
 harness/files/catalogue.h src/base/status.h harness/files/scenario.h \
 src/base/time.h src/channel/channel.h src/clock/clock.h \
 harness/cell/limits.h harness/formula/formula.h src/base/trouble.h \
 harness/cell/cell.h harness/cell/spawn.h harness/cell/cell_rights.h \
 harness/files/fault_channel.h harness/files/yaml_source.h \
 harness/history/message_text.h
harness/trial/fault_program.h:
harness/files/catalogue.h:
src/base/status.h:
harness/files/scenario.h:
src/base/time.h:
src/channel/channel.h:
src/clock/clock.h:
harness/cell/limits.h:
harness/formula/formula.h:
src/base/trouble.h:
harness/cell/cell.h:
harness/cell/spawn.h:
harness/cell/cell_rights.h:
harness/files/fault_channel.h:
harness/files/yaml_source.h:
harness/history/message_text.h:
