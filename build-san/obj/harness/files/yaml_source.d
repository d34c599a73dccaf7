build-san/obj/harness/files/yaml_source.o: harness/files/yaml_source.c \
 harness/files/yaml_source.h src/base/status.h src/base/text.h \
 src/base/trouble.h harness/files/scenario.h src/base/time.h \
 src/channel/channel.h src/clock/clock.h harness/cell/limits.h \
 harness/formula/formula.h harness/files/yaml_private.h
harness/files/yaml_source.h:
src/base/status.h:
src/base/text.h:
src/base/trouble.h:
harness/files/scenario.h:
src/base/time.h:
src/channel/channel.h:
src/clock/clock.h:
harness/cell/limits.h:
harness/formula/formula.h:
harness/files/yaml_private.h:
