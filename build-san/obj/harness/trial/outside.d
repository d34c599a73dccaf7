build-san/obj/harness/trial/outside.o: harness/trial/outside.c \
 harness/trial/outside.h harness/files/catalogue.h src/base/status.h \
 harness/files/scenario.h src/base/time.h src/channel/channel.h \
 src/clock/clock.h harness/cell/limits.h harness/formula/formula.h \
 harness/history/history.h harness/history/fault_facts.h
harness/trial/outside.h:
harness/files/catalogue.h:
src/base/status.h:
harness/files/scenario.h:
src/base/time.h:
src/channel/channel.h:
src/clock/clock.h:
harness/cell/limits.h:
harness/formula/formula.h:
harness/history/history.h:
harness/history/fault_facts.h:
