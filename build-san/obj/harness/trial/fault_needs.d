build-san/obj/harness/trial/fault_needs.o: harness/trial/fault_needs.c \
 harness/trial/fault_needs.h src/clock/clock.h src/base/status.h \
 src/base/time.h harness/files/scenario.h src/channel/channel.h \
 harness/cell/limits.h harness/formula/formula.h \
 harness/files/catalogue.h
harness/trial/fault_needs.h:
src/clock/clock.h:
src/base/status.h:
src/base/time.h:
harness/files/scenario.h:
src/channel/channel.h:
harness/cell/limits.h:
harness/formula/formula.h:
harness/files/catalogue.h:
