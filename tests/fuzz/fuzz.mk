# Fuzz targets: tests/fuzz/NAME.c, described in doc/fuzzing.md. `make check` replays the kept inputs of tests/fuzz/corpus/NAME with the
# programs of the ordinary build; `make fuzz` builds the same files with clang, libFuzzer and the sanitizers, and looks for new ones.
#
#   make fuzz FUZZ_TARGETS="control balance" FUZZ_SECONDS=60

FUZZ_TARGETS ?= $(filter-out replay,$(patsubst tests/fuzz/%.c,%,$(wildcard tests/fuzz/*.c)))
FUZZ_SECONDS ?= 600
FUZZ_SANITIZE := -fsanitize=fuzzer-no-link,address,undefined,float-cast-overflow -fno-sanitize-recover=all
# What brings the bytes: the replaying main, or libFuzzer in the build that `make fuzz` starts.
FUZZ_MAIN ?= tests/fuzz/replay.c
FUZZ_ENGINE ?=

FUZZ_MODULES := $(UNIT_MODULES)
FUZZ_LIBRARIES := $(HARNESS_LIBRARIES) -lmujoco -lxml2 -lrt -lpthread
# Parts of programs that a target reads its bytes with.
hubo2_parts = $(patsubst %,targets/hubo2/%.c,$(1))
FUZZ_EXTRA_description := $(call hubo2_parts,hardware_readings)
FUZZ_EXTRA_readings := $(call hubo2_parts,hardware_readings)
FUZZ_EXTRA_balance := $(UNIT_EXTRA_balance_core_test)
FUZZ_EXTRA_planner := $(call hubo2_parts,planner_core planner_walk)
FUZZ_EXTRA_manipulation := $(call hubo2_parts,manipulation_arms)
FUZZ_EXTRA_perception := $(call hubo2_parts,perception_scene)
$(foreach t,$(FUZZ_TARGETS),$(eval $(call program,tests/fuzz/$(t),tests/fuzz/$(t).c $(FUZZ_EXTRA_$(t)) $(FUZZ_MAIN),$(FUZZ_MODULES),$(FUZZ_LIBRARIES) $(FUZZ_ENGINE))))

.PHONY: fuzz fuzz-programs fuzz-replay
fuzz-programs: $(patsubst %,$(BUILD)/tests/fuzz/%,$(FUZZ_TARGETS))

fuzz:
	@scripts/deps --dev
	@$(MAKE) CC=clang BUILD=$(BUILD)/fuzz OPTIMISE="-O1 -g -fno-omit-frame-pointer" SANITIZE="$(FUZZ_SANITIZE)" WARNINGS= \
	    FUZZ_MAIN= FUZZ_ENGINE=-fsanitize=fuzzer fuzz-programs
	@tests/fuzz/run $(BUILD)/fuzz $(FUZZ_SECONDS) $(FUZZ_TARGETS)

fuzz-replay: fuzz-programs
	@BUILD=$(BUILD) bash tests/system/fuzz-replay.sh
