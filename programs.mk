# Every program: $(eval $(call program,PATH,SOURCES,MODULES,SYSTEM LIBRARIES)). Add a program by adding a line.

# Unit tests: tests/unit/NAME_test.c is a program of its own, linked with everything.
UNIT_MODULES := robot walk plant motion model can channel clock base
UNIT_LIBRARIES := -lcheck -lsubunit -lmujoco -lxml2 -lrt -lpthread
UNIT_TESTS := $(patsubst tests/unit/%.c,%,$(wildcard tests/unit/*_test.c))
$(foreach t,$(UNIT_TESTS),$(eval $(call program,tests/unit/$(t),tests/unit/$(t).c,$(UNIT_MODULES),$(UNIT_LIBRARIES))))
