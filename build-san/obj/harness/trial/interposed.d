build-san/obj/harness/trial/interposed.o: harness/trial/interposed.c \
 harness/trial/interposed.h src/channel/channel.h src/base/status.h \
 src/base/time.h src/clock/clock.h src/channel/tamper.h \
 src/clock/coordinator.h harness/files/scenario.h harness/cell/limits.h \
 harness/formula/formula.h src/base/text.h harness/cell/cell.h \
 harness/cell/cell_rights.h harness/files/fault_channel.h \
 harness/files/catalogue.h harness/files/yaml_source.h \
 harness/history/message_text.h
harness/trial/interposed.h:
src/channel/channel.h:
src/base/status.h:
src/base/time.h:
src/clock/clock.h:
src/channel/tamper.h:
src/clock/coordinator.h:
harness/files/scenario.h:
harness/cell/limits.h:
harness/formula/formula.h:
src/base/text.h:
harness/cell/cell.h:
harness/cell/cell_rights.h:
harness/files/fault_channel.h:
harness/files/catalogue.h:
harness/files/yaml_source.h:
harness/history/message_text.h:
