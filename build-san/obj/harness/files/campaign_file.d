build-san/obj/harness/files/campaign_file.o: \
 harness/files/campaign_file.c harness/files/catalogue.h \
 src/base/status.h harness/files/scenario.h src/base/time.h \
 src/channel/channel.h src/clock/clock.h harness/cell/limits.h \
 harness/formula/formula.h src/base/text.h harness/files/fault_channel.h \
 harness/files/yaml_source.h harness/history/message_text.h \
 harness/files/fault_file.h harness/files/file_table.h \
 harness/files/target_of.h
harness/files/catalogue.h:
src/base/status.h:
harness/files/scenario.h:
src/base/time.h:
src/channel/channel.h:
src/clock/clock.h:
harness/cell/limits.h:
harness/formula/formula.h:
src/base/text.h:
harness/files/fault_channel.h:
harness/files/yaml_source.h:
harness/history/message_text.h:
harness/files/fault_file.h:
harness/files/file_table.h:
harness/files/target_of.h:
