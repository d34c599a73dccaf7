build-san/obj/harness/files/places.o: harness/files/places.c \
 harness/files/places.h src/base/status.h harness/files/scenario.h \
 src/base/time.h src/channel/channel.h src/clock/clock.h \
 harness/cell/limits.h harness/formula/formula.h src/base/log.h \
 src/base/text.h src/base/trouble.h harness/files/project_file.h \
 harness/files/trusted.h
harness/files/places.h:
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
harness/files/project_file.h:
harness/files/trusted.h:
