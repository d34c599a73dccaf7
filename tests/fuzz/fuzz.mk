# Fuzz targets: tests/fuzz/FOLDER/NAME.c, described in doc/how-to/fuzzing.md. `make check` replays the kept inputs of tests/fuzz/corpus/NAME with the
# programs of the ordinary build; `make fuzz` builds the same files with clang, libFuzzer and the sanitizers, and looks for new ones.
#
#   make fuzz FUZZ_TARGETS="control balance" FUZZ_SECONDS=60 FUZZ_JOBS=2

FUZZ_SOURCES := $(wildcard tests/fuzz/*/*.c)
FUZZ_TARGETS ?= $(notdir $(FUZZ_SOURCES:.c=))
FUZZ_SECONDS ?= 600
FUZZ_JOBS ?= 1
FUZZ_SANITIZE := -fsanitize=fuzzer-no-link,address,undefined,float-cast-overflow -fno-sanitize-recover=all
# What brings the bytes: the replaying main, or libFuzzer in the build that `make fuzz` starts.
FUZZ_MAIN ?= tests/fuzz/replay.c
FUZZ_ENGINE ?=

FUZZ_MODULES := $(LAB) $(UNIT_MODULES)
FUZZ_LIBRARIES := $(HARNESS_LIBRARIES) -lmujoco -lwebp -lwebpmux -lxml2 -llua5.4 -lrt -lpthread
# Parts of programs that a target reads its bytes with.
FUZZ_EXTRA_description := $(call hubo2_parts,hardware_readings hardware_senders)
FUZZ_EXTRA_readings := $(call hubo2_parts,hardware_readings hardware_senders)
FUZZ_EXTRA_balance := $(UNIT_EXTRA_balance_core_test)
FUZZ_EXTRA_planner := $(call hubo2_parts,planner_core planner_walk)
FUZZ_EXTRA_manipulation := $(call hubo2_parts,manipulation_arms)
FUZZ_EXTRA_perception := $(call hubo2_parts,perception_scene)
# Whole daemons: their sources are included by the target; clock, channels and ports are replaced (tests/fuzz/hubo2/daemon.h).
FUZZ_EXTRA_hardware_daemon := $(call hubo2_parts,hardware_buses hardware_readings hardware_requests hardware_senders target_files)
FUZZ_EXTRA_control_daemon := $(call hubo2_parts,target_files)
FUZZ_EXTRA_balance_daemon := $(UNIT_EXTRA_balance_core_test) $(call hubo2_parts,target_files)
FUZZ_EXTRA_manipulation_daemon := $(call hubo2_parts,manipulation_arms target_files)
FUZZ_EXTRA_perception_daemon := $(call hubo2_parts,perception_scene)
FUZZ_EXTRA_planner_daemon := $(call hubo2_parts,planner_core planner_walk target_files)
FUZZ_WRAP_DAEMON := channel_open channel_close channel_get channel_put channel_watch channel_frame_size_max_B \
    clk_join clk_leave clk_realtime clk_now clk_sleep_until clk_wait
$(foreach t,control balance manipulation perception planner,$(eval FUZZ_WRAP_$(t)_daemon := $(FUZZ_WRAP_DAEMON)))
FUZZ_WRAP_hardware_daemon := $(FUZZ_WRAP_DAEMON) can_open can_send can_receive can_listen can_health can_time can_unsent can_withdraw
FUZZ_EXTRA_wrist_daemon := targets/firehose/files.c targets/firehose/grip.c targets/firehose/wrist_words.c
FUZZ_EXTRA_walker_daemon := targets/firehose/files.c targets/firehose/walker_plan.c
FUZZ_EXTRA_whole_body_daemon := $(filter-out targets/firehose/whole_body.c,$(WHOLE_BODY))
FUZZ_FIREHOSE := wrist walker whole_body
$(foreach t,$(FUZZ_FIREHOSE),$(eval FUZZ_WRAP_$(t)_daemon := $(FUZZ_WRAP_DAEMON)))
$(patsubst %,$(BUILD)/obj/tests/fuzz/targets/%_daemon.o,$(FUZZ_FIREHOSE)): CFLAGS += -I$(BUILD)/messages/firehose
$(patsubst %,$(BUILD)/obj/tests/fuzz/targets/%_daemon.o,$(FUZZ_FIREHOSE)): $(FIREHOSE_MESSAGES)
FUZZ_EXTRA_cm5 := targets/bioloid/cm5_frame.c
FUZZ_EXTRA_door_line := targets/bioloid/door_line.c
FUZZ_EXTRA_hrp3p_frames := $(UNIT_EXTRA_hrp3p_test)
$(BUILD)/obj/tests/fuzz/targets/hrp3p_frames.o: CFLAGS += -I$(BUILD)/messages/hrp3p
$(BUILD)/obj/tests/fuzz/targets/hrp3p_frames.o: $(BUILD)/messages/hrp3p/cycle.h
FUZZ_EXTRA_bridge := $(UNIT_EXTRA_bridge_test)
FUZZ_EXTRA_giop := $(UNIT_EXTRA_giop_test)
$(BUILD)/obj/tests/fuzz/src/giop.o: CFLAGS += -I$(BUILD)/idl/tests/unit/giop
$(BUILD)/obj/tests/fuzz/src/giop.o: $(BUILD)/idl/tests/unit/giop/example_idl.c
FUZZ_EXTRA_trajectory := targets/bioloid/problems.c
FUZZ_EXTRA_path := targets/bioloid/problems.c targets/bioloid/paths.c
FUZZ_EXTRA_movements := targets/bioloid/play.c
FUZZ_EXTRA_script := targets/bioloid/script.c
FUZZ_EXTRA_walkgen := targets/walkgen/script.c
FUZZ_EXTRA_fault_process := faults/fault_main.c
FUZZ_EXTRA_environment := $(call hubo2_parts,target_files perception_scene) $(patsubst %,targets/simulator/%.c,options robot_check world)
FUZZ_EXTRA_command_line := $(filter-out harness/cli/ukemi.c,$(wildcard harness/cli/*.c))
FUZZ_WRAP_command_line := job_run campaign_run report_write report_benchmark_find database_open history_read cli_doctor scenario_load campaign_load target_check family_check
FUZZ_EXTRA_database := $(FUZZ_EXTRA_command_line)
FUZZ_WRAP_database := campaign_load
FUZZ_WRAP_operator := $(FUZZ_WRAP_DAEMON) robot_open robot_close
fuzz_wrap = $(patsubst %,-Xlinker --wrap=%,$(FUZZ_WRAP_$(1)))
$(foreach t,$(FUZZ_TARGETS),$(eval $(call program,tests/fuzz/$(t),$(filter %/$(t).c,$(FUZZ_SOURCES)) $(FUZZ_EXTRA_$(t)) $(FUZZ_MAIN),$(FUZZ_MODULES),$(call fuzz_wrap,$(t)) $(FUZZ_LIBRARIES) $(FUZZ_ENGINE))))

# Numbers only, no decisions worth learning: recording every comparison there (the sanitizers' own among them) takes two thirds of the
# time of the targets that walk.
ifneq ($(FUZZ_ENGINE),)
FUZZ_NUMERIC := $(patsubst %,$(BUILD)/obj/%.o,$(addprefix src/walk/,body/walk_body zmp/preview segments/pattern balance/stabilizer steps/timeline segments/segment_buffer) \
    $(addprefix src/model/,leg_ik arm_ik robot_model) $(addprefix targets/hubo2/balance/balance_,recovery reach watch) \
    $(addprefix tests/fuzz/hubo2/,balance planner))
$(FUZZ_NUMERIC): CFLAGS += -fno-sanitize-coverage=trace-cmp -O2
endif

.PHONY: fuzz fuzz-programs fuzz-coverage fuzz-replay
fuzz-programs: $(patsubst %,$(BUILD)/tests/fuzz/%,$(FUZZ_TARGETS))

fuzz:
	@scripts/deps --dev
	@$(MAKE) CC=clang BUILD=$(BUILD)/fuzz OPTIMISE="-O1 -g -fno-omit-frame-pointer" SANITIZE="$(FUZZ_SANITIZE)" WARNINGS= \
	    FUZZ_MAIN= FUZZ_ENGINE=-fsanitize=fuzzer fuzz-programs
	@FUZZ_JOBS=$(FUZZ_JOBS) tests/fuzz/run $(BUILD)/fuzz $(FUZZ_SECONDS) $(FUZZ_TARGETS)

fuzz-coverage:
	@scripts/deps --dev
	@$(MAKE) CC=clang BUILD=$(BUILD)/fuzz-coverage OPTIMISE="-O0 -g" SANITIZE="-fprofile-instr-generate -fcoverage-mapping" WARNINGS= fuzz-programs
	@tests/fuzz/coverage $(BUILD)/fuzz-coverage $(BUILD)/fuzz/corpus

fuzz-replay: fuzz-programs
	@BUILD=$(BUILD) bash tests/system/fuzz-replay.sh
