# Ukemi: the makefile. Two commands do everything: `make table1` (the main job) and `make check` (the tests).
#
#   make                    build all programs into $(BUILD)
#   make table1             run the Table I campaign and print the table and the report's path
#   make check              all tests but the long ones; prints "N passed, N failed"
#   make help               every other target
#
# The first make installs what is missing (scripts/deps).
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
include tests/fuzz/fuzz.mk

# Missing packages are installed before anything is compiled, and looked for again when the list changes.
$(BUILD)/deps-installed: scripts/deps
	@mkdir -p $(@D)
	@scripts/deps
	@touch $@

$(BUILD)/obj/%.o: %.c | $(BUILD)/deps-installed
	@mkdir -p $(@D)
	@echo "  CC   $<"
	@$(CC) $(CFLAGS) -c -o $@ $<

-include $(shell find $(BUILD)/obj -name '*.d' 2>/dev/null)

.PHONY: all programs table1 nightly check check-layers check-kills check-san check-tsan check-long check-vcan bench-speed format lint help clean
all: programs
programs: $(PROGRAMS)

JOBS ?= $(shell nproc)

# ---- the main job ------------------------------------------------------------------------------------------------------
table1: programs
	@$(BUILD)/bin/ukemi campaign scenarios/campaigns/table1.yaml --jobs $(JOBS)

# The longer campaigns.
nightly: programs
	@$(BUILD)/bin/ukemi campaign scenarios/campaigns/nightly.yaml --jobs $(JOBS)
	@$(BUILD)/bin/ukemi campaign scenarios/campaigns/stalls.yaml --jobs $(JOBS)

# ---- tests -------------------------------------------------------------------------------------------------------------
check: programs
	@BUILD=$(BUILD) tests/run $(TESTS)

check-layers:
	@scripts/check-layers

# The lab killed 500 times on each clock, as tests/system/killed.sh does it a few times.
check-kills: programs
	@KILLS=500 KILLS_WALL=500 SYSTEM_LIMIT_S=14400 BUILD=$(BUILD) tests/run system-killed

# The same tests with address and undefined-behaviour sanitizers; physics is slow then, so without the system tests. The compiler's
# guesses about ranges are misled by the instrumentation: warnings are the ordinary build's work. What a test's process holds at its end
# is no leak.
check-san:
	@ASAN_OPTIONS=detect_leaks=0 $(MAKE) BUILD=$(BUILD)/san OPTIMISE="-O1 -g -fno-omit-frame-pointer" SANITIZE="-fsanitize=address,undefined -fno-sanitize-recover=undefined" WARNINGS= \
	    TESTS="_test fuzz-replay" check

# SocketCAN, in an emulated VM where this kernel has none. VCAN_KERNEL=rt: on the PREEMPT_RT kernel.
check-vcan: programs
	@scripts/deps --vm
	@BUILD=$(BUILD) VCAN_KERNEL=$(VCAN_KERNEL) tests/run system-vcan

# Threads as processes, under ThreadSanitizer, which must also find the mistakes that it is given.
check-tsan: | $(BUILD)/deps-installed
	@BUILD=$(BUILD) CC=$(CC) tests/unit/channel_tsan

# The long forms of what `make check` does for seconds: a list of commands; each says what it did.
check-long: programs
	@UKEMI_STRESS_S=60 $(BUILD)/tests/unit/channel_stress_test

bench-speed: programs
	@tests/bench/speed $(BUILD)

# ---- care --------------------------------------------------------------------------------------------------------------
SOURCES = $(shell find src targets faults harness tests -name '*.[ch]')

format:
	@scripts/deps --dev
	@clang-format -i $(SOURCES)

# cppcheck takes arrays that a called function fills for uninitialised; the compilers and the sanitizers see better.
lint:
	@scripts/deps --dev
	@cppcheck --quiet --std=c17 --enable=warning,performance,portability --inline-suppr --suppress=uninitvar --suppress=ctuuninitvar \
	    -Isrc -I. --error-exitcode=1 $(SOURCES)

help:
	@echo "make                build all programs into build/"
	@echo "make table1         run the Table I campaign, print the table and the report's path"
	@echo "make nightly        the same with 200 trials a cell, then a campaign of stalls"
	@echo "make check          all tests; TESTS='word ...' only those with a word in their name"
	@echo "make check-layers   does every #include follow the arrows of the architecture?"
	@echo "make check-kills    kill every part of the lab 500 times on each clock: nothing leaks, nothing is lost"
	@echo "make check-san      the unit tests and fuzz inputs with address and undefined-behaviour sanitizers"
	@echo "make check-vcan     SocketCAN for real, in an emulated VM where this kernel has none; VCAN_KERNEL=rt on PREEMPT_RT"
	@echo "make check-tsan     the channels' writers and readers as threads, under ThreadSanitizer"
	@echo "make check-long     the random stress tests, for minutes"
	@echo "make fuzz           look for inputs that break a parser, with libFuzzer (FUZZ_TARGETS, FUZZ_SECONDS=600 each)"
	@echo "make fuzz-replay    replay the inputs kept from that; part of make check"
	@echo "make bench-speed    simulated seconds per CPU second, next to bare physics"
	@echo "make format, lint   clang-format; cppcheck"
	@echo "make clean          remove build/, report/ and results/"
	@echo "Variables: BUILD=folder  CC=gcc|clang  JOBS=n  SANITIZE=flags  TESTS=words"

clean:
	rm -rf $(BUILD) report results
