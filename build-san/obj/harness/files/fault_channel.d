build-san/obj/harness/files/fault_channel.o: \
 harness/files/fault_channel.c harness/files/fault_channel.h \
 harness/files/catalogue.h src/base/status.h harness/files/scenario.h \
 src/base/time.h src/channel/channel.h src/clock/clock.h \
 harness/cell/limits.h harness/formula/formula.h \
 harness/files/yaml_source.h harness/history/message_text.h \
 src/base/text.h harness/history/schema.h
harness/files/fault_channel.h:
harness/files/catalogue.h:
src/base/status.h:
harness/files/scenario.h:
src/base/time.h:
src/channel/channel.h:
src/clock/clock.h:
harness/cell/limits.h:
harness/formula/formula.h:
harness/files/yaml_source.h:
harness/history/message_text.h:
src/base/text.h:
harness/history/schema.h:
