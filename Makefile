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

VERSION  := 0.3.0
BUILD    ?= build
CC       ?= gcc
CSTD     := -std=gnu17
WARNINGS := -Wall -Wextra -Wconversion -Wno-sign-conversion -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Werror
OPTIMISE ?= -O2 -g -fno-omit-frame-pointer
SANITIZE ?=
# As many compilers as cores, unless -j says otherwise.
JOBS     ?= $(shell nproc)
ifeq ($(MAKELEVEL)$(filter -j%,$(MAKEFLAGS)),0)
MAKEFLAGS += -j$(JOBS)
endif
MAKEFLAGS += --no-print-directory
CFLAGS   := $(CSTD) $(WARNINGS) $(OPTIMISE) $(SANITIZE) -D_GNU_SOURCE -fno-math-errno -ffp-contract=off -MMD -MP -Isrc -I. -isystem /usr/include/libxml2
comma    := ,
LDFLAGS  := $(SANITIZE) -pthread
# In a sanitizer build every program says how sanitizers behave, and every daemon looks for leaks while it runs.
SANITIZER_OBJECTS := $(if $(SANITIZE),$(BUILD)/obj/tests/care/sanitizer.o)
SANITIZER_WATCH_OBJECT := $(if $(SANITIZE),$(BUILD)/obj/tests/care/leak_watch.o)
SANITIZER_WATCH := $(if $(SANITIZE),$(SANITIZER_WATCH_OBJECT) $(patsubst %,-Wl$(comma)--wrap=clk_%,wait sleep_until period_wait))
# What only tests run is linked by LLVM's linker where it is installed: it needs half the time. What is installed is not.
LINK_TESTS := $(if $(shell command -v ld.lld),-fuse-ld=lld)
.DEFAULT_GOAL := all

# ---- libraries: src/<module>/*.c -> libukemi-<module>.a ----------------------------------------------------------------
MODULES := $(notdir $(wildcard src/*))
define library
$(BUILD)/lib/$(1).a: $(patsubst %.c,$(BUILD)/obj/%.o,$(wildcard src/$(1)/*.c src/$(1)/*/*.c))
	@mkdir -p $$(@D)
	@rm -f $$@
	@ar rcs $$@ $$^
endef
$(foreach m,$(MODULES),$(eval $(call library,$(m))))

# $(call program,PATH,OBJECT SOURCES,MODULES in link order,SYSTEM LIBRARIES)
define program
PROGRAMS += $(BUILD)/$(1)
$(BUILD)/$(1): $(SANITIZER_OBJECTS) $(if $(filter tests/%,$(1)),$(BUILD)/obj/tests/built_from.o) $(patsubst %.c,$(BUILD)/obj/%.o,$(2)) $(foreach m,$(3),$(BUILD)/lib/$(m).a) | $(SANITIZER_WATCH_OBJECT)
	@mkdir -p $$(@D)
	@echo "  LINK $$@"
	@$$(CC) $$(LDFLAGS) $(if $(SANITIZE)$(filter tests/%,$(1)),$(LINK_TESTS)) -o $$@ $$+ $(4) $(if $(filter targets/%,$(1)),$(if $(filter clock,$(3)),$(SANITIZER_WATCH))) -lm
endef

include programs.mk
include install.mk
include tests/fuzz/fuzz.mk

# Missing packages are installed before anything is compiled, and looked for again when the list changes.
$(BUILD)/deps-installed: scripts/deps
	@mkdir -p $(@D)
	@scripts/deps
	@touch $@

# What else `make lint` and `make check` use is wanted, not needed: without a tool, a peer or the emulator its claims are skipped, and say so.
$(BUILD)/care-installed: scripts/deps | $(BUILD)/deps-installed
	@mkdir -p $(@D)
	@scripts/deps --care && touch $@ || echo "make: going on without; what they would check is skipped"
# All of it in one go, while the programs are compiled; only if that is refused each kind by itself.
$(BUILD)/wanted-installed: scripts/deps | $(BUILD)/deps-installed
	@mkdir -p $(@D)
	@scripts/deps --care --peers --vm && touch $@ || \
	    for kind in --care --peers --vm; do \
	        scripts/deps $$kind || echo "make: going on without; what they would check is skipped"; \
	    done

# Kinematics and walking patterns are loops over three and nine numbers. Unrolled they take two
# thirds of the time, and give the same numbers to the last bit.
$(BUILD)/obj/src/model/%.o $(BUILD)/obj/src/qp/%.o $(BUILD)/obj/src/task/%.o $(BUILD)/obj/src/walk/%.o: CFLAGS += $(if $(SANITIZE),,-O3)

$(if $(SANITIZE),$(BUILD)/obj/src/%.o: CFLAGS += -O1)
# Most of a test's time is the compiler's; those of channels and clock go through a program instruction by instruction.
$(patsubst %,$(BUILD)/obj/tests/%.o,unit/% fuzz/% canaries/%): CFLAGS += $(if $(SANITIZE),,-O0)
$(patsubst %,$(BUILD)/obj/tests/unit/%.o,channel/% clock/%): CFLAGS += $(if $(SANITIZE),,-O2)

$(BUILD)/obj/%.o: %.c | $(BUILD)/deps-installed
	@mkdir -p $(@D)
	@echo "  CC   $<"
	@$(CC) $(CFLAGS) -c -o $@ $<

-include $(shell find $(BUILD)/obj $(BUILD)/shim -name '*.d' 2>/dev/null)

.PHONY: all programs sanitized sanitized-tests table1 nightly check check-layers check-kills check-failing check-san san-programs check-tsan check-long check-model check-vcan bench bench-ethernet bench-interference bench-latency bench-shim bench-speed bench-channels bench-slowdown bench-task bench-trajectory bench-walkgen format keys lint help clean
all: programs
programs: $(PROGRAMS)


# ---- the main job ------------------------------------------------------------------------------------------------------
# Only what its trials run is built.
table1: $(BUILD)/bin/ukemi $(filter $(patsubst %,$(BUILD)/%/%,targets/hubo2 targets/simulator faults),$(PROGRAMS)) $(APART)
	@$(BUILD)/bin/ukemi campaign scenarios/campaigns/table1.yaml --jobs $(JOBS)

# Tests that do more with LONG=1: their scripts name it, or `at_night`.
LONGER = channel_kill waypoints $(shell grep -lE '^ *at_night |\$$\{LONG|LONG=1' tests/system/*.sh tests/care/*.sh | sed -E 's,tests/(.*)/(.*)\.sh,\1-\2,')
# The longer campaigns, then every scenario once; NIGHTLY="stalls can": only these campaigns.
nightly: programs
	@BUILD=$(BUILD) JOBS=$(JOBS) scripts/nightly $(NIGHTLY); status=$$?; \
	    [ -n "$(NIGHTLY)" ] || $(MAKE) check-vcan VCAN_FULL=1 || [ $$status -gt 0 ] || status=1; \
	    [ -n "$(NIGHTLY)" ] || LONG=1 SDK_TRANSACTIONS=100000 BUILD=$(BUILD) tests/run $(LONGER) || [ $$status -gt 0 ] || status=1; \
	    [ -n "$(NIGHTLY)" ] || BUILD=$(BUILD) scripts/lasting || [ $$status -gt 0 ] || status=1; \
	    [ -n "$(NIGHTLY)" ] || BUILD=$(BUILD) scripts/again 50 || [ $$status -gt 0 ] || status=1; \
	    [ -n "$(NIGHTLY)" ] || BUILD=$(BUILD) scripts/again 40 scenarios/ethernet/2*.yaml || [ $$status -gt 0 ] || status=1; exit $$status

# ---- tests -------------------------------------------------------------------------------------------------------------
check: programs | $(BUILD)/wanted-installed
	@BUILD=$(BUILD) tests/run $(TESTS)

check-layers:
	@scripts/check-layers

# The reference page of all files' keys, and the man page's options, from the tables that read them.
keys: programs
	@$(BUILD)/bin/ukemi help files >doc/reference/keys.md
	@scripts/man $(BUILD)/bin/ukemi <doc/man/ukemi.1 >$(BUILD)/ukemi.1 && cp $(BUILD)/ukemi.1 doc/man/ukemi.1

# The lab killed 500 times on each clock, as tests/system/killed.sh does it a few times.
check-kills: programs
	@KILLS=500 KILLS_WALL=500 SYSTEM_LIMIT_S=14400 BUILD=$(BUILD) tests/run system-killed

# Calls of the lab that fail, and power that is cut, many times over, as tests/system/failing.sh does it a few times: half an hour.
check-failing: programs
	@PLACES=150 CUTS=1000 SYSTEM_LIMIT_S=14400 BUILD=$(BUILD) tests/run system-failing

# The same tests with address and undefined-behaviour sanitizers: tests/care/san.sh builds this and says which tests. The compiler's guesses
# about ranges are misled by the instrumentation: warnings are the ordinary build's work. A report names lines (-g1), no variables.
# Compiling takes more of its time than running: only what computes much (src) is optimised.
san-programs:
	@$(MAKE) BUILD=$(BUILD)/san OPTIMISE="-O0 -g1 -fno-omit-frame-pointer" WARNINGS= \
	    SANITIZE="-fsanitize=address,undefined,float-cast-overflow -fno-sanitize-recover=all" sanitized
# Only what tests/care/san.sh runs is linked. By day unit tests of rooms that take bytes and texts apart; of all with LONG=1, as in
# `make nightly`.
SANITIZED_BY_DAY := base can channel dynamixel ethernet files formula giop history message
SANITIZED_ROOMS = $(filter $(if $(LONG),%,$(SANITIZED_BY_DAY)),$(notdir $(wildcard tests/unit/*)))
SANITIZED_TESTS = $(notdir $(basename $(wildcard $(patsubst %,tests/unit/%/*_test.c,$(SANITIZED_ROOMS)))))
SANITIZED_FOLDERS := bin faults targets/hubo2 targets/simulator tests/care tests/fuzz
sanitized: $(filter $(foreach folder,$(SANITIZED_FOLDERS),$(BUILD)/$(folder)/%) $(patsubst %,$(BUILD)/tests/unit/%,$(SANITIZED_TESTS)),$(PROGRAMS))
# Their names, for tests/care/san.sh.
sanitized-tests:
	@echo $(SANITIZED_TESTS)

check-san: programs
	@BUILD=$(BUILD) tests/run care-san

# SocketCAN, in an emulated VM where this kernel has none. VCAN_KERNEL=rt: on the PREEMPT_RT kernel.
check-vcan: programs
	@scripts/deps --vm
	@VCAN=1 BUILD=$(BUILD) VCAN_KERNEL=$(VCAN_KERNEL) VCAN_FULL=$(VCAN_FULL) $(if $(VCAN_FULL),SYSTEM_LIMIT_S=9300) tests/run system-vcan

# Threads as processes, under ThreadSanitizer, which must also find the mistakes that it is given.
check-tsan: | $(BUILD)/deps-installed
	@BUILD=$(BUILD) CC=$(CC) tests/unit/channel/channel_tsan

# The long forms of what `make check` does for seconds: a list of commands; each says what it did.
check-long: programs
	@UKEMI_STRESS_S=60 $(BUILD)/tests/unit/channel_stress_test
	@BUILD=$(BUILD) MUTANTS_EVERY=1 MUTANTS_KEEP=6 tests/system/mutants.sh
	@BUILD=$(BUILD) PLACES=10 CUTS=100 tests/system/failing.sh

# The SPIN models within large bounds: minutes, at most 6 GiB. Prints the figures of each.
check-model: | $(BUILD)/deps-installed
	@tests/model/run

# All benchmarks, one after the other; under ten minutes, alone on the machine. What is compared with is installed first.
# BENCH_FLOOR and so on are further arguments of these: BENCH_INTERFERENCE="--row hog --runs 10". All together they are cut to what ten minutes
# hold.
BENCH = BUILD=$(BUILD) BENCH_FLOOR="$(BENCH_FLOOR)" BENCH_LATENCY="$(BENCH_LATENCY)" BENCH_CHANNELS="$(BENCH_CHANNELS)" \
    BENCH_INTERFERENCE="$(BENCH_INTERFERENCE)" BENCH_ETHERNET="$(BENCH_ETHERNET)" scripts/bench
bench: BENCH_FLOOR ?= --duration 2
bench: BENCH_LATENCY ?= --duration 6
bench: BENCH_CHANNELS ?= --rounds=8 --frames=18
bench: BENCH_INTERFERENCE ?= --runs 1 --duration 6
bench: programs
	@scripts/deps --bench
	@$(MAKE) -s $(BUILD)/tests/bench/channels_bench
	@$(BENCH)

# Which daemon misses which deadlines under which load: 14 loads of 7 s, three times.
bench-interference: programs
	@$(BENCH) interference

# Real-time Ethernet by the kernel's cables: the paper's figure 8, relays, cuts; two minutes.
bench-ethernet: programs
	@$(BENCH) ethernet

# The loop of the target beside the machine's floor, and that beside cyclictest.
bench-latency: programs
	@$(BENCH) floor latency

# What a sleep and a round of datagrams cost unmodified programs, beside native ones; processor time, seconds.
bench-shim: programs
	@$(BENCH) shim

bench-speed: programs
	@$(BENCH) speed

# Is a daemon found that is a fifth slower, and nothing where there is nothing? PAIRS=20 SERIES=5 RUNS=10 DAEMONS="balance control hardware"
bench-slowdown: programs
	@tests/bench/slowdown $(BUILD)

# Minutes.
bench-channels: programs
	@scripts/deps --bench
	@$(MAKE) -s $(BUILD)/tests/bench/channels_bench
	@$(BENCH) channels

# What pulling a fire hose costs, processor time, and what robots of single trials did, beside what was aimed at; minutes.
bench-task: programs $(BUILD)/tests/bench/task_bench $(BUILD)/tests/system/qp_examples
	@$(BUILD)/bin/ukemi bench store task --runs 1 -- tests/bench/task $(BUILD)

# The walking pattern generator: a tick, one more step, ZMP errors; a second.
bench-walkgen: $(BUILD)/tests/bench/walkgen_bench $(BUILD)/bin/ukemi
	@$(BUILD)/bin/ukemi bench store walkgen -- $(BUILD)/tests/bench/walkgen_bench

# Motions of joints, checked, and compared with the library ruckig where it is installed; seconds.
bench-trajectory: $(BUILD)/tests/bench/trajectory_bench $(TRAJECTORY_PEER)
	@$(BUILD)/tests/bench/trajectory_bench $(TRAJECTORY_PEER)

# ---- care --------------------------------------------------------------------------------------------------------------
SOURCES = $(shell find src targets faults harness tests -name '*.[ch]')

format:
	@scripts/deps --care
	@clang-format -i $(SOURCES)

# LINT_FOLDERS: whose sources clang-tidy and cppcheck look at; LINT_SOURCES: only these of them. LINT_NODES: how far clang's analyzer looks, see scripts/lint.
LINT_FOLDERS ?= src targets faults harness tests
LINT := $(BUILD)/lint$(LINT_NODES)$(if $(LINT_CHECKS),-some)
export LINT_FOLDERS LINT_SOURCES LINT_NODES LINT_CHECKS
# clang-tidy looks at a folder's sources in one go, which is a quarter cheaper than one by one, and again at those whose object was made
# again: a source or a header of it has changed. One source needs a header that only a copy of the vendor's SDK has.
TIDY_FLAGS = $(CSTD) -Wreserved-identifier -Wreserved-macro-identifier -D_GNU_SOURCE -DLAB_VERSION='"lint"' -DLAB_REVISION='"lint"' -DBUILT_FROM='"lint"' -Isrc -I. $(patsubst %,-I$(BUILD)/messages/%,$(notdir $(@D)) pendulum firehose walkgen hrp3p bioloid bridge) $(patsubst %,-I$(BUILD)/idl/%,tests/unit/giop targets/hrp3p) -isystem /usr/include/libxml2 -isystem /usr/include/lua5.4
LINTED = $(filter-out tests/system/dynamixel_sdk.c,$(filter $(or $(LINT_SOURCES),%),$(filter $(addsuffix /%.c,$(LINT_FOLDERS)),$(SOURCES))))
define linted
$$(LINT)/$(1)tidy: $(patsubst %.c,$(BUILD)/obj/%.o,$(2)) .clang-tidy tests/.clang-tidy scripts/lint
	@mkdir -p $$(@D)
	@echo "  TIDY $(1)"
	@scripts/lint tidy $$(if $$(filter-out %.o,$$?),$(2),$$(patsubst $$(BUILD)/obj/%.o,%.c,$$?)) -- $$(TIDY_FLAGS)
	@touch $$@
endef
ifneq ($(filter lint-tidy %/tidy,$(MAKECMDGOALS)),)
$(foreach folder,$(sort $(dir $(LINTED))),$(eval $(call linted,$(folder),$(foreach source,$(LINTED),$(if $(filter $(folder),$(dir $(source))),$(source))))))
endif

.PHONY: lint-tidy lint-cppcheck lint-shell lint-man lint-format
lint-tidy: $(patsubst %,$(LINT)/%tidy,$(sort $(dir $(LINTED))))
lint-cppcheck:
	@scripts/lint cppcheck $(LINT)/cppcheck
lint-shell lint-man lint-format: lint-%:
	@scripts/lint $*

lint: | $(BUILD)/deps-installed $(BUILD)/care-installed
	@$(MAKE) -k --output-sync=target lint-tidy lint-cppcheck lint-shell lint-man lint-format check-layers

help:
	@echo "make                build all programs into build/"
	@echo "make table1         run the Table I campaign, print the table and the report's path"
	@echo "make nightly        the same with 200 trials a square, then campaigns of stalls, bus faults and cables (NIGHTLY='stalls can ethernet')"
	@echo "make install        into PREFIX=/usr/local; DESTDIR=folder, LIBDIR=PREFIX/lib; make uninstall"
	@echo "make deb            Debian packages of that, into build/deb/"
	@echo "make check          all tests; TESTS='word ...' only tests with a word in their name"
	@echo "make keys           write the page of all files' keys and the options of the man page from the tables that read them"
	@echo "make check-layers   check that every #include follows the arrows of the architecture"
	@echo "make check-kills    kill every part of the lab 500 times on each clock; nothing must leak or be lost"
	@echo "make check-san      unit tests, kept fuzz inputs, the command line and whole trials under sanitizers; part of make check"
	@echo "make check-vcan     real SocketCAN, in an emulated VM if this kernel has none; VCAN_KERNEL=rt on PREEMPT_RT, VCAN_FULL=1 with more trials and a campaign"
	@echo "make check-tsan     the channels' writers and readers as threads, under ThreadSanitizer"
	@echo "make check-model    the SPIN models of tests/model within large bounds"
	@echo "make check-failing  let thousands of the lab's calls fail, and cut the power; nothing must be lost or blamed on the target"
	@echo "make check-long     users of channels killed and stopped at random, for a minute;"
	@echo "                     35,000 files made wrong, a thousand of those that are accepted run"
	@echo "make fuzz           look for inputs that break a parser, with libFuzzer (FUZZ_TARGETS, FUZZ_SECONDS=600 each, FUZZ_JOBS)"
	@echo "make fuzz-coverage  which lines of the parsers the kept inputs reach"
	@echo "make fuzz-replay    replay the inputs kept by make fuzz; part of make check"
	@echo "make bench          bench-latency, bench-channels, bench-interference, bench-speed: under ten minutes, alone on the machine"
	@echo "make bench-ethernet real-time Ethernet over the kernel's cables: periods, relays, cuts; two minutes (BENCH_ETHERNET='--duration 5')"
	@echo "make bench-latency  the target's loop, stage by stage, beside the machine's floor (BENCH_LATENCY='--runs 10')"
	@echo "make bench-interference  which daemon misses which deadlines under which load; 5 minutes (BENCH_INTERFERENCE='--row hog')"
	@echo "make bench-shim     a sleep and a round of datagrams of unmodified programs, beside native ones; seconds"
	@echo "make bench-speed    simulated seconds per CPU second, next to bare physics"
	@echo "make bench-slowdown checks that a daemon a fifth slower is found, and no false one; under ten minutes"
	@echo "make bench-channels latency of channels beside pipes, sockets, queues, ZeroMQ, LCM, Cyclone DDS, iceoryx; 3 minutes"
	@echo "make bench-trajectory  motions in the least time, checked, beside ruckig if installed; seconds"
	@echo "make bench-task     the fire hose: cost, drift, goal, pull beside what was aimed at; minutes"
	@echo "make bench-walkgen  the walking pattern generator; a second"
	@echo "make lint           clang-tidy, cppcheck, shellcheck, mandoc, clang-format, check-layers; part of make check"
	@echo "make format         clang-format"
	@echo "make clean          remove build/, report/ and results/"
	@echo "Variables: BUILD=folder  CC=gcc|clang  JOBS=n  SANITIZE=flags  TESTS=words  DEPS=no (apt-get installs nothing)"

clean:
	rm -rf $(BUILD) report results
