build-san/obj/harness/trial/strike_course.o: \
 harness/trial/strike_course.c harness/trial/strike_course.h \
 src/base/time.h harness/files/catalogue.h src/base/status.h \
 harness/files/scenario.h src/channel/channel.h src/clock/clock.h \
 harness/cell/limits.h harness/formula/formula.h
harness/trial/strike_course.h:
src/base/time.h:
harness/files/catalogue.h:
src/base/status.h:
harness/files/scenario.h:
src/channel/channel.h:
src/clock/clock.h:
harness/cell/limits.h:
harness/formula/formula.h:
