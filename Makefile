# Ukemi: the makefile. Two commands do everything: `make table1` (the main job) and `make check` (the tests).
#
#   make                    build all programs into $(BUILD)
#   make table1             run the Table I campaign and print the table and the report's path
#   make check              all tests but the long ones; prints "N passed, N failed"
#   make help               every other target
#
# Each folder of src/ becomes one static library; below, each program names its objects and its libraries, so the dependencies of
# a program can be read here.

BUILD    ?= build
CC       ?= gcc
CSTD     := -std=gnu17
WARNINGS := -Wall -Wextra -Wconversion -Wno-sign-conversion -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Werror
OPTIMISE ?= -O2 -g -fno-omit-frame-pointer
SANITIZE ?=
CFLAGS   := $(CSTD) $(WARNINGS) $(OPTIMISE) $(SANITIZE) -D_GNU_SOURCE -fno-math-errno -ffp-contract=off -MMD -MP -Isrc -I. -isystem /usr/include/libxml2
LDFLAGS  := $(SANITIZE) -pthread
.DEFAULT_GOAL := all

# ---- libraries: src/<module>/*.c -> libukemi-<module>.a ----------------------------------------------------------------
MODULES := $(notdir $(wildcard src/*))
define library
$(BUILD)/lib/$(1).a: $(patsubst %.c,$(BUILD)/obj/%.o,$(wildcard src/$(1)/*.c))
	@mkdir -p $$(@D)
	@rm -f $$@
	@ar rcs $$@ $$^
endef
$(foreach m,$(MODULES),$(eval $(call library,$(m))))

# $(call program,PATH,OBJECT SOURCES,MODULES in link order,SYSTEM LIBRARIES)
define program
PROGRAMS += $(BUILD)/$(1)
$(BUILD)/$(1): $(patsubst %.c,$(BUILD)/obj/%.o,$(2)) $(foreach m,$(3),$(BUILD)/lib/$(m).a)
	@mkdir -p $$(@D)
	@echo "  LINK $$@"
	@$$(CC) $$(LDFLAGS) -o $$@ $$^ $(4) -lm
endef

include programs.mk

$(BUILD)/obj/%.o: %.c
	@mkdir -p $(@D)
	@echo "  CC   $<"
	@$(CC) $(CFLAGS) -c -o $@ $<

-include $(shell find $(BUILD)/obj -name '*.d' 2>/dev/null)

.PHONY: all programs help clean
all: programs
programs: $(PROGRAMS)

clean:
	rm -rf $(BUILD) report results
