build-san/obj/harness/files/program.o: harness/files/program.c \
 harness/files/program.h harness/files/scenario.h src/base/status.h \
 src/base/time.h src/channel/channel.h src/clock/clock.h \
 harness/cell/limits.h harness/formula/formula.h \
 harness/files/yaml_source.h harness/cell/cell.h harness/files/trusted.h
harness/files/program.h:
harness/files/scenario.h:
src/base/status.h:
src/base/time.h:
src/channel/channel.h:
src/clock/clock.h:
harness/cell/limits.h:
harness/formula/formula.h:
harness/files/yaml_source.h:
harness/cell/cell.h:
harness/files/trusted.h:
