# Every program: $(eval $(call program,PATH,SOURCES,MODULES,SYSTEM LIBRARIES)). Add a program by adding a line.

# The rooms of the lab: each becomes one static library, lab-ROOM.a; doc/explanation/architecture.md has the arrows between them.
ROOMS := $(patsubst harness/%/,%,$(wildcard harness/*/))
HARNESS_LIBRARIES := -lseccomp -lyaml -lxxhash -lzstd -lsqlite3 -lpcre2-8
define room
$(BUILD)/lib/lab-$(1).a: $(patsubst %.c,$(BUILD)/obj/%.o,$(filter-out harness/cli/ukemi.c,$(wildcard harness/$(1)/*.c harness/$(1)/*/*.c)))
	@mkdir -p $$(@D)
	@rm -f $$@
	@ar rcs $$@ $$^
endef
$(foreach r,$(ROOMS),$(eval $(call room,$(r))))

# $(call rooms,NAME...): these rooms' libraries in link order.
LINK_ORDER := cli explore doubt bench campaign export report view store trial packs judge chain files formula cell history machine
rooms = $(foreach r,$(LINK_ORDER),$(if $(filter $(r),$(1)),lab-$(r)))
# Everything but the command line.
LAB := $(call rooms,$(filter-out cli,$(LINK_ORDER)))

# The revision is compiled in; the schema is read by the assembler.
$(BUILD)/obj/harness/store/version.o: CFLAGS += -DLAB_VERSION='"$(VERSION)"' -DLAB_REVISION='"$(or $(shell git describe --always --dirty --tags 2>/dev/null),$(VERSION))"'
$(BUILD)/obj/harness/store/version.o: $(wildcard $(shell git rev-parse --git-path logs/HEAD 2>/dev/null))
# Where the data lie: beside bin/ for the lab, compiled in for the tests' own programs.
$(BUILD)/bin/ukemi: | $(BUILD)/share/ukemi
$(BUILD)/share/ukemi:
	@mkdir -p $(@D)
	@ln -sfn "$$(realpath --relative-to=$(@D) .)" $@
$(BUILD)/obj/tests/built_from.o: CFLAGS += -DBUILT_FROM='"$(CURDIR)"'
$(BUILD)/obj/harness/store/database_schema.o: harness/store/schema.sql

# The page of one trial: its script is bundled with three.js, and all of it is read by the assembler.
THREE := /usr/share/javascript/three/build/three.module.js
$(BUILD)/view/view.js: $(wildcard reports/view/*.js) | $(BUILD)/deps-installed
	@mkdir -p $(@D)
	@echo "  PACK $@"
	@esbuild $(firstword $(filter %/view.js,$^)) --bundle --minify --format=iife --target=es2020 --alias:three=$(THREE) --log-level=warning --outfile=$@
$(BUILD)/obj/harness/view/view_page.o: CFLAGS += -Wa,-I$(BUILD)/view
$(BUILD)/obj/harness/view/view_page.o: $(BUILD)/view/view.js reports/view/page.html reports/view/style.css

# Unit tests: tests/unit/ROOM/NAME_test.c is a program of its own. What it links: the rooms that its room needs, and the libraries below them.
UNIT_ROOMS_history := history
UNIT_ROOMS_machine := machine
UNIT_ROOMS_formula := formula
UNIT_ROOMS_cell := cell
UNIT_ROOMS_files := files formula cell history
UNIT_ROOMS_judge := judge packs chain files formula cell history
UNIT_ROOMS_packs := $(UNIT_ROOMS_judge)
UNIT_ROOMS_chain := packs judge chain machine files formula cell history
UNIT_ROOMS_trial := trial packs judge chain files formula cell history
UNIT_ROOMS_store := store packs judge chain files formula cell history
UNIT_ROOMS_campaign := campaign machine store trial packs judge chain files formula cell history
UNIT_ROOMS_doubt := doubt $(UNIT_ROOMS_campaign)
UNIT_ROOMS_explore := explore $(UNIT_ROOMS_campaign)
UNIT_ROOMS_bench := bench report view $(UNIT_ROOMS_campaign)
UNIT_ROOMS_export := export store packs judge chain files formula cell history
UNIT_ROOMS_view := view store packs judge chain files formula cell history
UNIT_ROOMS_report := report view export store packs judge chain files formula cell history
UNIT_ROOMS_can := $(UNIT_ROOMS_trial)
UNIT_MODULES := robot giop task walk qp plant motion model protocol can dynamixel ethernet channel clock base
UNIT_LIBRARIES := -lcheck -lsubunit $(HARNESS_LIBRARIES) -lmujoco -lxml2 -llua5.4 -lrt -lpthread
# Sources of the target hubo2 by their names: in the folders of its daemons, or beside them.
hubo2_parts = $(foreach part,$(1),$(firstword $(wildcard targets/hubo2/*/$(part).c) targets/hubo2/$(part).c))
# Parts of programs that a test needs beside the libraries.
UNIT_EXTRA_balance_test := $(call hubo2_parts,balance_commands balance_reach balance_recovery balance_watch)
UNIT_EXTRA_trajectory_test := tests/unit/motion/follow.c
UNIT_EXTRA_peer_problems_test := tests/unit/motion/follow.c
UNIT_EXTRA_waypoints_test := tests/unit/motion/follow.c
UNIT_EXTRA_walk_test := tests/bench/walk_simulation.c
UNIT_EXTRA_grip_test := targets/firehose/grip.c
UNIT_EXTRA_sighting_test := targets/walkgen/sighting.c
UNIT_EXTRA_balance_core_test := $(call hubo2_parts,balance_steps balance_core balance_commands balance_reach balance_recovery balance_watch planner_core planner_walk) targets/firehose/turns.c
UNIT_EXTRA_planner_test := targets/hubo2/planner/planner_core.c
UNIT_EXTRA_daemons_test := $(call hubo2_parts,hardware_readings hardware_senders manipulation_arms perception_scene)
HARDWARE_PARTS := $(call hubo2_parts,hardware_buses hardware_readings hardware_requests hardware_senders)
UNIT_EXTRA_hardware_test := $(HARDWARE_PARTS)
UNIT_EXTRA_freshness_test := $(HARDWARE_PARTS)
CHANNEL_DRIVER := tests/unit/channel/channel_driver.c tests/unit/channel/channel_others.c tests/unit/channel/channel_subject.c
UNIT_EXTRA_channel_kill_test := $(CHANNEL_DRIVER)
UNIT_EXTRA_channel_kill_reader_test := $(CHANNEL_DRIVER)
UNIT_EXTRA_channel_kill_large_test := $(CHANNEL_DRIVER)
UNIT_EXTRA_channel_canary_test := $(CHANNEL_DRIVER) tests/canaries/lab/lock_channel.c
UNIT_EXTRA_hrp3p_test := $(patsubst %,targets/hrp3p/%.c,exchange frames node_control node_link sensing)
$(BUILD)/obj/tests/unit/hrp3p/%.o: CFLAGS += -I$(BUILD)/messages/hrp3p
$(BUILD)/obj/tests/unit/hrp3p/hrp3p_test.o: $(BUILD)/messages/hrp3p/cycle.h
# Stubs and skeletons: DIR/NAME.idl becomes idl/DIR/NAME_idl.c and .h, for programs that say so.
$(BUILD)/idl/%_idl.c: %.idl src/giop/ukemi_c.py | $(BUILD)/deps-installed
	@mkdir -p $(@D)
	@echo "  IDL  $<"
	@PYTHONDONTWRITEBYTECODE=1 omniidl -psrc/giop -bukemi_c -C$(@D) $<
$(BUILD)/obj/idl/%.o: $(BUILD)/idl/%.c
	@mkdir -p $(@D)
	@echo "  CC   $<"
	@$(CC) $(CFLAGS) -c -o $@ $<
UNIT_EXTRA_bridge_test := targets/bridge/bridge_session.c targets/bridge/bridge_frame.c
UNIT_EXTRA_giop_test := idl/tests/unit/giop/example_idl.c
$(BUILD)/obj/tests/unit/giop/%.o: CFLAGS += -I$(BUILD)/idl/tests/unit/giop
$(BUILD)/obj/tests/unit/giop/giop_test.o: $(BUILD)/idl/tests/unit/giop/example_idl.c
BIOLOID_MESSAGES := $(patsubst targets/%.msg,$(BUILD)/messages/%.h,$(wildcard targets/bioloid/*.msg))
UNIT_EXTRA_joints_test := targets/bioloid/joints.c
UNIT_EXTRA_play_test := targets/bioloid/play.c
UNIT_EXTRA_cm5_test := targets/bioloid/cm5_frame.c
UNIT_EXTRA_door_test := targets/bioloid/door_line.c targets/bioloid/door_peers.c
UNIT_EXTRA_script_test := targets/bioloid/script.c
$(BUILD)/obj/tests/unit/bioloid/%.o: CFLAGS += -I$(BUILD)/messages/bioloid
$(BUILD)/obj/tests/unit/bioloid/joints_test.o: $(BIOLOID_MESSAGES)
UNIT_EXTRA_tampering_test := faults/tampering.c faults/numbers.c
UNIT_TESTS := $(wildcard tests/unit/*/*_test.c)
unit_test = $(eval $(call program,tests/unit/$(notdir $(1)),$(1).c $(UNIT_EXTRA_$(notdir $(1))),$(call rooms,$(UNIT_ROOMS_$(2))) $(UNIT_MODULES),$(UNIT_LIBRARIES)))
$(foreach t,$(UNIT_TESTS),$(call unit_test,$(basename $(t)),$(notdir $(patsubst %/,%,$(dir $(t))))))

# Benchmark of the clock's hand-over.
$(eval $(call program,tests/bench/clock_bench,tests/bench/clock_bench.c,clock base,-lpthread))
# What the shim costs beside that, and a round of datagrams beside one of channels.
$(eval $(call program,tests/bench/shim_bench,tests/bench/shim_bench.c,channel clock base,-lpthread))

# Benchmark of the channels, with those of their likes whose packages are there (scripts/deps --bench).
peer_library = $(if $(findstring /,$(shell $(CC) -print-file-name=lib$(1).so)),-l$(1))
# iceoryx's library may have come with Cyclone DDS; without its daemon it does nothing.
ICEORYX := $(if $(shell command -v iox-roudi),iceoryx_binding_c)
BENCH_PEERS := $(foreach l,zmq lcm ddsc $(ICEORYX),$(call peer_library,$(l)))
BENCH_PEER_FLAGS := $(if $(ICEORYX),$(patsubst %,-isystem %,$(wildcard /usr/include/iceoryx/v*)))
BENCH_OBJECTS := $(patsubst %.c,$(BUILD)/obj/%.o,$(wildcard tests/bench/channels/*.c))
$(BENCH_OBJECTS): CFLAGS += $(BENCH_PEER_FLAGS)
# Objects that saw no peer are made again when it has come: this file changes only then.
$(BENCH_OBJECTS): $(BUILD)/obj/tests/bench/channels/peers
.PHONY: look-for-peers
$(BUILD)/obj/tests/bench/channels/peers: look-for-peers
	@mkdir -p $(@D)
	@echo "$(BENCH_PEERS) $(BENCH_PEER_FLAGS)" | cmp -s - $@ || echo "$(BENCH_PEERS) $(BENCH_PEER_FLAGS)" >$@
$(eval $(call program,tests/bench/channels_bench,$(wildcard tests/bench/channels/*.c),channel clock base,$(BENCH_PEERS) -lrt -lpthread -lm))

# The robot walking without processes, against MuJoCo.
$(eval $(call program,tests/bench/walk_bench,tests/bench/walk_bench.c tests/bench/walk_simulation.c,walk model base,-lmujoco -lxml2))

# Motions of joints; their peer is built if its library is there.
$(eval $(call program,tests/bench/trajectory_bench,tests/bench/trajectory_bench.c,motion base,-ldl))
TRAJECTORY_PEER := $(if $(call peer_library,ruckig),$(BUILD)/tests/bench/trajectory_ruckig.so)
$(BUILD)/tests/bench/trajectory_ruckig.so: tests/bench/trajectory_ruckig.cpp tests/bench/trajectory_peer.h
	@mkdir -p $(@D)
	@$(CXX) -std=c++20 -O2 -fPIC -shared -Isrc -o $@ $< -lruckig

# Whole-body control of one period.
$(eval $(call program,tests/bench/task_bench,tests/bench/task_bench.c targets/firehose/clearance.c,task walk qp model base,-lxml2 -lm))

# The walking pattern generator's times and errors.
$(eval $(call program,tests/bench/walkgen_bench,tests/bench/walkgen_bench.c,walk qp model base,-lxml2 -lm))

# The target hubo2: what drives the robot; one program per daemon, and the scenarios' operators.
HUBO2_MODULES := robot motion model protocol can ethernet channel clock base
HUBO2_LIBRARIES := -lxml2 -lrt -lpthread
HUBO2_WALK_MODULES := robot walk qp model protocol can ethernet channel clock base
BALANCE_DAEMON := balance_daemon balance_steps balance_core balance_commands balance_reach balance_recovery balance_watch target_files
HARDWARE_DAEMON := hardware hardware_buses hardware_readings hardware_requests hardware_senders target_files
$(eval $(call program,targets/hubo2/balance,$(call hubo2_parts,balance $(BALANCE_DAEMON)),$(HUBO2_WALK_MODULES),$(HUBO2_LIBRARIES)))
$(eval $(call program,targets/hubo2/planner,$(call hubo2_parts,planner planner_core planner_walk target_files),$(HUBO2_WALK_MODULES),$(HUBO2_LIBRARIES)))
$(eval $(call program,targets/hubo2/hardware,$(call hubo2_parts,$(HARDWARE_DAEMON)),$(HUBO2_MODULES),$(HUBO2_LIBRARIES)))
$(eval $(call program,targets/hubo2/control,$(call hubo2_parts,control target_files),$(HUBO2_MODULES),$(HUBO2_LIBRARIES)))
$(eval $(call program,targets/hubo2/manipulation,$(call hubo2_parts,manipulation manipulation_arms target_files),$(HUBO2_MODULES),$(HUBO2_LIBRARIES)))
$(eval $(call program,targets/hubo2/perception,$(call hubo2_parts,perception perception_scene),$(HUBO2_MODULES),$(HUBO2_LIBRARIES)))

# The target pendulum: a cart-pole and its controller.
PENDULUM_MESSAGES := $(patsubst targets/%.msg,$(BUILD)/messages/%.h,$(wildcard targets/pendulum/*.msg))
$(BUILD)/obj/targets/pendulum/%.o: CFLAGS += -I$(BUILD)/messages/pendulum
$(BUILD)/obj/targets/pendulum/world.o $(BUILD)/obj/targets/pendulum/controller.o: $(PENDULUM_MESSAGES)
$(foreach p,world controller,$(eval $(call program,targets/pendulum/$(p),targets/pendulum/$(p).c,robot channel clock base,-lrt -lpthread)))
# The target firehose: HUBO2 pulls a hose; see doc/firehose.md.
FIREHOSE_MESSAGES := $(patsubst %,$(BUILD)/messages/firehose/%.h,task_command task_status wrist_status whole_body_status hand_wrench)
$(BUILD)/obj/targets/firehose/%.o: CFLAGS += -I$(BUILD)/messages/firehose
$(patsubst %,$(BUILD)/obj/targets/firehose/%.o,walker wrist operator whole_body limbs): $(FIREHOSE_MESSAGES)
firehose = $(eval $(call program,targets/firehose/$(1),$(patsubst %,targets/firehose/%.c,$(1) $(2)),robot walk qp motion model channel clock base,-lxml2 -lrt -lpthread -lm))
WHOLE_BODY := targets/firehose/whole_body.c targets/firehose/limbs.c targets/firehose/clearance.c targets/firehose/grip.c targets/firehose/turns.c $(call hubo2_parts,$(BALANCE_DAEMON))
$(eval $(call program,targets/firehose/whole_body,$(WHOLE_BODY),robot task qp walk motion model channel clock base,-lxml2 -lrt -lpthread -lm))
$(call firehose,walker,walker_plan files)
$(call firehose,wrist,wrist_words files grip)
$(call firehose,operator)
# The C structures of a target's messages.
$(BUILD)/messages/%.h: targets/%.msg | $(BUILD)/bin/ukemi
	@mkdir -p $(@D)
	@$(BUILD)/bin/ukemi header $< >$@.new && mv $@.new $@

# The target ethernet: a PC and nodes in rings.
ETHERNET_MESSAGES := $(patsubst targets/%.msg,$(BUILD)/messages/%.h,$(wildcard targets/ethernet/*.msg))
$(BUILD)/obj/targets/ethernet/%.o: CFLAGS += -I$(BUILD)/messages/ethernet
$(patsubst %,$(BUILD)/obj/targets/ethernet/%.o,network pc): $(ETHERNET_MESSAGES)
$(foreach p,pc node,$(eval $(call program,targets/ethernet/$(p),targets/ethernet/$(p).c,robot ethernet channel clock base,-lrt -lpthread)))
$(eval $(call program,targets/ethernet/network,targets/ethernet/network.c targets/ethernet/wire_log.c,robot ethernet channel clock base,-lrt -lpthread))

# Carries channels from host to host, for all targets.
BRIDGE_MESSAGE := $(BUILD)/messages/bridge/bridge.h
BRIDGE_PARTS := $(patsubst %,targets/bridge/%.c,channel_bridge bridge_session bridge_frame)
$(BUILD)/obj/targets/bridge/%.o: CFLAGS += -I$(BUILD)/messages/bridge
$(patsubst %,$(BUILD)/obj/targets/bridge/%.o,channel_bridge bridge_session): $(BRIDGE_MESSAGE)
$(eval $(call program,targets/bridge/channel_bridge,$(BRIDGE_PARTS),robot ethernet channel clock base,-lrt -lpthread))

# The target clocks: nodes whose oscillators differ, on the network of the target ethernet.
CLOCKS_MESSAGES := $(patsubst targets/%.msg,$(BUILD)/messages/%.h,$(wildcard targets/clocks/*.msg))
$(BUILD)/obj/targets/clocks/%.o: CFLAGS += -I$(BUILD)/messages/clocks
$(patsubst %,$(BUILD)/obj/targets/clocks/%.o,pc node port): $(CLOCKS_MESSAGES)
$(foreach p,pc node port,$(eval $(call program,targets/clocks/$(p),targets/clocks/$(p).c,robot ethernet channel clock base,-lrt -lpthread -lm)))

# The target hrp3p: nodes on real-time Ethernet, two PCs, and the robot with its boards.
HRP3P_MESSAGES := $(patsubst targets/%.msg,$(BUILD)/messages/%.h,$(wildcard targets/hrp3p/*.msg))
HRP3P_LIBRARIES := -lxml2 -lrt -lpthread
$(BUILD)/obj/targets/hrp3p/%.o: CFLAGS += -I$(BUILD)/messages/hrp3p
$(patsubst %,$(BUILD)/obj/targets/hrp3p/%.o,world exchange motion motion_corba operator): $(HRP3P_MESSAGES)
hrp3p = $(eval $(call program,targets/hrp3p/$(1),$(patsubst %,targets/hrp3p/%.c,$(1) $(2)),$(3),$(HRP3P_LIBRARIES) $(4)))
$(eval $(call program,targets/hrp3p/world,$(patsubst %,targets/%.c,hrp3p/world hrp3p/sensing hrp3p/robot_files ethernet/wire_log),robot plant walk model ethernet channel clock base,$(HRP3P_LIBRARIES) -lmujoco))
# ... by CORBA, too; see targets/hrp3p/joint.idl.
HRP3P_CORBA := $(patsubst %,$(BUILD)/obj/targets/hrp3p/%.o,node node_corba motion motion_corba gateway)
$(HRP3P_CORBA): CFLAGS += -I$(BUILD)/idl/targets/hrp3p
$(HRP3P_CORBA): $(BUILD)/idl/targets/hrp3p/joint_idl.c
HRP3P_NODE := $(patsubst %,targets/hrp3p/%.c,node node_corba node_link node_control node_receiver frames robot_files) idl/targets/hrp3p/joint_idl.c
HRP3P_NODE_MODULES := robot plant model giop ethernet channel clock base
$(eval $(call program,targets/hrp3p/node,$(HRP3P_NODE),$(HRP3P_NODE_MODULES),$(HRP3P_LIBRARIES)))
$(eval $(call program,targets/hrp3p/gateway,targets/hrp3p/gateway.c idl/targets/hrp3p/joint_idl.c,robot giop ethernet channel clock base,$(HRP3P_LIBRARIES)))
HRP3P_MOTION := $(patsubst %,targets/hrp3p/%.c,motion motion_core motion_corba exchange node_control frames sensing robot_files) idl/targets/hrp3p/joint_idl.c
HRP3P_MOTION_MODULES := robot walk plant model giop ethernet channel clock base
$(eval $(call program,targets/hrp3p/motion,$(HRP3P_MOTION),$(HRP3P_MOTION_MODULES),$(HRP3P_LIBRARIES)))
$(call hrp3p,image,,robot ethernet channel clock base)
$(call hrp3p,operator,,robot channel clock base)
# Walking pattern generator: by itself, and as a target; see doc/walkgen.md.
$(eval $(call program,targets/walkgen/walkgen,$(patsubst %,targets/walkgen/%.c,walkgen script),walk qp model base,-lxml2 -lm))

WALKGEN_MESSAGES := $(patsubst %,$(BUILD)/messages/walkgen/%.h,walk_request walk_status obstacle)
$(BUILD)/obj/targets/walkgen/%.o: CFLAGS += -I$(BUILD)/messages/walkgen
$(patsubst %,$(BUILD)/obj/targets/walkgen/%.o,generator generator_core operator sighting lookout): $(WALKGEN_MESSAGES)
$(BUILD)/obj/tests/unit/walk/sighting_test.o: CFLAGS += -I$(BUILD)/messages/walkgen
$(BUILD)/obj/tests/unit/walk/sighting_test.o: $(WALKGEN_MESSAGES)
$(eval $(call program,targets/walkgen/lookout,targets/walkgen/lookout.c targets/walkgen/sighting.c targets/hubo2/target_files.c,robot model channel clock base,$(HUBO2_LIBRARIES) -lm))
GENERATOR_PARTS := $(call hubo2_parts,$(filter-out balance_daemon,$(BALANCE_DAEMON))) targets/walkgen/generator_core.c
$(eval $(call program,targets/walkgen/generator,targets/walkgen/generator.c $(GENERATOR_PARTS),robot walk qp model protocol can ethernet channel clock base,$(HUBO2_LIBRARIES) -lm))
$(eval $(call program,targets/walkgen/operator,$(patsubst %,targets/walkgen/%.c,operator script),robot channel clock base,-lrt -lpthread))

# The planner of the target bioloid by itself.
$(eval $(call program,targets/bioloid/trajectory,$(patsubst %,targets/bioloid/%.c,trajectory problems paths),motion base,-lm))

# AX-12 servos behind a pseudo-terminal, for programs that drive real ones.
$(eval $(call program,targets/bioloid/servos,targets/bioloid/servos.c,plant dynamixel clock base,-lrt -lpthread))
# The target bioloid: 19 servos, their world, the layers above them.
$(BUILD)/obj/targets/bioloid/script.o: CFLAGS += -isystem /usr/include/lua5.4
BIOLOID_PROGRAMS := world cm5 bus controller player operator_play operator_script operator_network door
BIOLOID_PARTS := cm5_frame serial feet joints play script script_run door_line door_peers
$(patsubst %,$(BUILD)/obj/targets/bioloid/%.o,$(BIOLOID_PROGRAMS) $(BIOLOID_PARTS)): CFLAGS += -I$(BUILD)/messages/bioloid
$(patsubst %,$(BUILD)/obj/targets/bioloid/%.o,$(BIOLOID_PROGRAMS) $(BIOLOID_PARTS)): $(BIOLOID_MESSAGES)
bioloid = $(eval $(call program,targets/bioloid/$(1),$(patsubst %,targets/bioloid/%.c,$(1) $(2)),$(3),$(4) -lxml2 -lrt -lpthread))
$(call bioloid,world,feet,robot plant model protocol can dynamixel channel clock base,-lmujoco)
$(call bioloid,cm5,cm5_frame serial,robot dynamixel channel clock base)
$(call bioloid,bus,cm5_frame serial,robot dynamixel channel clock base)
$(call bioloid,controller,joints,robot motion model channel clock base)
$(call bioloid,player,play,robot model channel clock base)
$(call bioloid,operator_play,,robot channel clock base)
$(call bioloid,operator_script,script script_run,robot channel clock base,-llua5.4)
$(call bioloid,operator_network,,robot channel clock base)
$(call bioloid,door,door_line door_peers script script_run,robot channel clock base,-llua5.4)

# Faults: programs of their own, started by the lab in the cell; see faults/*.yaml.
$(eval $(call program,faults/process,faults/process.c faults/fault_main.c,,))
$(eval $(call program,faults/can,faults/can.c faults/fault_main.c,can base,-lrt -lpthread))
$(eval $(call program,faults/dynamixel,faults/dynamixel.c faults/fault_main.c,dynamixel base,-lrt -lpthread))
$(eval $(call program,faults/ethernet,faults/ethernet.c faults/fault_main.c,ethernet clock base,-lrt -lpthread))
$(eval $(call program,faults/channel,faults/channel.c faults/asking.c faults/fault_main.c,channel clock base,-lrt -lpthread))
$(eval $(call program,faults/socket,faults/socket.c faults/asking.c faults/fault_main.c,channel clock base,-lrt -lpthread))
$(eval $(call program,faults/clock,faults/clock.c faults/fault_main.c,clock base,-lrt -lpthread))
$(foreach p,hose push world_fault,$(eval $(call program,faults/$(p),faults/$(p).c faults/world.c faults/fault_main.c,channel clock base,-lrt -lpthread)))
$(eval $(call program,faults/interposer,faults/interposer.c faults/tampering.c faults/numbers.c,channel clock base,-lrt -lpthread))
$(eval $(call program,faults/load,faults/fault_main.c faults/load.c $(patsubst %,faults/load_%.c,worker look cpu memory network disk priority pages client),,-lpthread))

# What a kept history tells about the buses; see doc/reference/can.md.
$(eval $(call program,tests/bench/bus_cycle,tests/bench/bus_cycle.c,$(LAB) walk model protocol can dynamixel ethernet channel clock base,$(HARNESS_LIBRARIES) -lxml2 -lrt -lpthread))

# What a kept history tells about the loop, stage by stage; see doc/reference/latency.md.
$(eval $(call program,tests/bench/loop_stages,tests/bench/loop_stages.c,$(LAB) walk model protocol can dynamixel ethernet channel clock base,$(HARNESS_LIBRARIES) -lxml2 -lrt -lpthread))

# One trial without judgement or database.
$(eval $(call program,tests/bench/trial_run,tests/bench/trial_run.c,$(LAB) walk model protocol can dynamixel ethernet channel clock base,$(HARNESS_LIBRARIES) -lxml2 -lrt -lpthread))

# A kernel that does nothing; see tests/system/ethernet_veth.sh.
$(eval $(call program,tests/canaries/ethernet/idle_kernel,tests/canaries/ethernet/idle_kernel.c targets/ethernet/network.c targets/ethernet/wire_log.c,robot ethernet channel clock base,$(patsubst %,-Xlinker --wrap=%,eth_veth_plug eth_veth_by_hand) -lrt -lpthread))
$(eval $(call program,tests/canaries/ethernet/endless_hub,tests/canaries/ethernet/endless_hub.c targets/ethernet/network.c targets/ethernet/wire_log.c,robot ethernet channel clock base,-Xlinker --wrap=eth_mark -lrt -lpthread))

# The paper's listing over real-time Ethernet; see tests/system/ethernet.sh.
$(eval $(call program,tests/system/rt_listing,tests/system/rt_listing.c,ethernet channel clock base,-lrt -lpthread))

# An object of src/giop, and its caller, opposite another broker; see tests/system/giop.sh.
$(BUILD)/obj/tests/system/giop_peer.o: CFLAGS += -I$(BUILD)/idl/tests/unit/giop
$(BUILD)/obj/tests/system/giop_peer.o: $(BUILD)/idl/tests/unit/giop/example_idl.c
$(eval $(call program,tests/system/giop_peer,tests/system/giop_peer.c idl/tests/unit/giop/example_idl.c,giop ethernet clock base,-lrt -lpthread))

# Stand-in processes for tests of the lab itself.
$(eval $(call program,tests/system/standin_process,tests/system/standin_process.c,channel clock base,-lrt -lpthread))

# Two servos on a line, and their controller, for tests of lines.
$(eval $(call program,tests/system/servo_stage,tests/system/servo_stage.c,robot plant model dynamixel can channel clock base,-lrt -lpthread))
$(eval $(call program,tests/canaries/faults/clinging_line,tests/canaries/faults/clinging_line.c,dynamixel base,-lrt -lpthread))

# What the project reads from frames, for comparison with a DBC's reader.
$(eval $(call program,tests/system/frame_decoder,tests/system/frame_decoder.c,protocol can model base,-lxml2 -lrt -lpthread))

# Histograms as ours writes them, for comparison with HdrHistogram and cyclictest.
$(eval $(call program,tests/system/film_frames,tests/system/film_frames.c,,-lwebpdemux))
$(eval $(call program,tests/system/histogram_texts,tests/system/histogram_texts.c,$(LAB) walk model motion protocol can dynamixel ethernet channel clock base,$(HARNESS_LIBRARIES)))

# Quadratic programs, for comparison with Octave.
$(eval $(call program,tests/system/qp_examples,tests/system/qp_examples.c,qp base,))

# The simulated robot, shared by all targets, and the bare physics loop its speed is measured against.
$(eval $(call program,targets/simulator/simulator,$(patsubst %,targets/simulator/%.c,simulator options robot_check world),robot plant model protocol can dynamixel ethernet channel clock base,-lmujoco -lxml2 -lrt -lpthread))
$(eval $(call program,tests/bench/physics_bench,tests/bench/physics_bench.c,,-lmujoco))
$(foreach p,operator_stand operator_walk operator_commands example,$(eval $(call program,targets/hubo2/$(p),targets/hubo2/operator/$(p).c,$(HUBO2_MODULES),$(HUBO2_LIBRARIES))))

# The lab's command line.
$(eval $(call program,bin/ukemi,harness/cli/ukemi.c,$(call rooms,$(LINK_ORDER)) plant walk motion model protocol can dynamixel ethernet channel clock base,$(HARNESS_LIBRARIES) -lmujoco -lwebp -lwebpmux -lxml2 -lrt -lpthread))

# Canaries: targets and faults broken on purpose, which the lab must catch; see tests/system/canaries.sh.
canary = $(eval $(call program,tests/canaries/hubo2/$(1),tests/canaries/hubo2/$(1).c $(call hubo2_parts,$(2)),$(3),-Xlinker --wrap=$(4) $(HUBO2_LIBRARIES)))
$(call canary,reckless_control,control target_files,$(HUBO2_MODULES),joint_filter_step)
$(call canary,unclamped_control,control target_files,$(HUBO2_MODULES),joint_filter_step)
$(call canary,spoilt_control,control target_files,$(HUBO2_MODULES),channel_put)
$(call canary,driving_manipulation,manipulation manipulation_arms target_files,$(HUBO2_MODULES),arms_command)
$(call canary,endless_control,control target_files,$(HUBO2_MODULES),channel_get)
$(call canary,demoted_balance,balance $(BALANCE_DAEMON),$(HUBO2_WALK_MODULES),participant_join)
$(call canary,late_balance,balance $(BALANCE_DAEMON),$(HUBO2_WALK_MODULES),clk_wait)
$(call canary,midstep_balance,balance $(BALANCE_DAEMON),$(HUBO2_WALK_MODULES),channel_put)
$(BUILD)/obj/tests/canaries/walkgen/unsound_generator.o: CFLAGS += -I$(BUILD)/messages/walkgen
$(BUILD)/obj/tests/canaries/walkgen/unsound_generator.o: $(WALKGEN_MESSAGES)
$(eval $(call program,tests/canaries/walkgen/unsound_generator,tests/canaries/walkgen/unsound_generator.c targets/walkgen/generator.c $(GENERATOR_PARTS),robot walk qp model protocol can ethernet channel clock base,$(patsubst %,-Xlinker --wrap=%,participant_begin participant_join walkgen_reset walkgen_tick walkgen_counts generator_message) $(HUBO2_LIBRARIES) -lm))
$(BUILD)/obj/tests/canaries/firehose/%.o: CFLAGS += -I$(BUILD)/messages/firehose
$(patsubst %,$(BUILD)/obj/tests/canaries/firehose/unsound_%.o,wrist operator walker): $(FIREHOSE_MESSAGES)
firehose_canary = $(eval $(call program,tests/canaries/firehose/$(1),tests/canaries/firehose/$(1).c $(patsubst %,targets/firehose/%.c,$(2)),robot walk qp motion model channel clock base,$(patsubst %,-Xlinker --wrap=%,$(3)) -lxml2 -lrt -lpthread -lm))
$(eval $(call program,tests/canaries/firehose/unsound_whole_body,tests/canaries/firehose/unsound_whole_body.c $(WHOLE_BODY),robot task qp walk motion model channel clock base,$(patsubst %,-Xlinker --wrap=%,participant_begin task_stack_add lean_step segment_buffer_splice turns_take grip_can_be even_pace_ahead_m) -lxml2 -lrt -lpthread -lm))
$(call firehose_canary,unsound_wrist,wrist wrist_words files grip,wrist_words channel_put wrist_step wrist_pull_N wrist_grip_force wrist_grip_moment)
$(call firehose_canary,unsound_operator,operator,channel_get)
$(call firehose_canary,unsound_walker,walker walker_plan files,participant_begin clk_now channel_get walking_task_error walking_task_reached walking_task_step)
# Of a sanitizer build: daemons that the sanitizers must end; see tests/care/san.sh.
ifneq ($(SANITIZE),)
care_canary = $(eval $(call program,tests/care/$(1),tests/care/$(1).c $(call hubo2_parts,perception perception_scene),$(HUBO2_MODULES),-Wl$(comma)--wrap=channel_put $(SANITIZER_WATCH) $(HUBO2_LIBRARIES)))
$(call care_canary,overflow_perception)
$(call care_canary,leak_perception)
endif
$(call canary,slipping_hardware,$(HARDWARE_DAEMON),$(HUBO2_MODULES),can_open $(patsubst %,-Xlinker --wrap=%,can_receive readings_begin senders_expect))
$(call canary,nominal_hardware,$(HARDWARE_DAEMON),$(HUBO2_MODULES),readings_finish)
$(call canary,trusting_hardware,$(HARDWARE_DAEMON),$(HUBO2_MODULES),readings_take)
$(call canary,hasty_hardware,$(HARDWARE_DAEMON),$(HUBO2_MODULES),senders_begin)
$(call canary,keeping_hardware,$(HARDWARE_DAEMON),$(HUBO2_MODULES),readings_finish)
$(call canary,sulking_hardware,$(HARDWARE_DAEMON),$(HUBO2_MODULES),requests_begin)
$(call canary,locked_hardware,$(HARDWARE_DAEMON),$(HUBO2_MODULES),participant_join)
# Daemons a fifth slower; see tests/bench/slowdown.
SLOW_WRAPS := $(patsubst %,-Xlinker --wrap=%,clk_join channel_put)
slow_daemon = $(eval $(call program,tests/canaries/hubo2/slow_$(1),tests/canaries/hubo2/slow_daemon.c $(call hubo2_parts,$(2)),$(3),$(SLOW_WRAPS) $(HUBO2_LIBRARIES)))
$(call slow_daemon,balance,balance $(BALANCE_DAEMON),$(HUBO2_WALK_MODULES))
$(call slow_daemon,control,control target_files,$(HUBO2_MODULES))
$(call slow_daemon,hardware,$(HARDWARE_DAEMON),$(HUBO2_MODULES))
# ... and nodes of hrp3p.
hrp3p_canary = $(eval $(call program,tests/canaries/ethernet/$(1),tests/canaries/ethernet/$(1).c $(HRP3P_NODE),$(HRP3P_NODE_MODULES),-Xlinker --wrap=$(2) $(HRP3P_LIBRARIES)))
$(call hrp3p_canary,late_node,node_link_take)
$(call hrp3p_canary,trusting_node,frame_sound)
$(call hrp3p_canary,bouncing_node,EtherRTBind)
$(call hrp3p_canary,jumping_node,node_take)
undisciplined = $(eval $(call program,tests/canaries/ethernet/undisciplined_$(1),tests/canaries/ethernet/undisciplined_node.c targets/clocks/$(1).c,robot ethernet channel clock base,-Xlinker --wrap=servo_take -lrt -lpthread -lm))
$(call undisciplined,node)
$(call undisciplined,port)
bridge_canary = $(eval $(call program,tests/canaries/ethernet/$(1),tests/canaries/ethernet/$(1).c $(BRIDGE_PARTS),robot ethernet channel clock base,-Xlinker --wrap=$(2) -lrt -lpthread))
BRIDGE_CANARIES := forgetful:begin trusting:frame_sound boasting:look sulking:take
$(foreach c,$(BRIDGE_CANARIES),$(call bridge_canary,$(word 1,$(subst :, ,$(c)))_bridge,bridge_$(word 2,$(subst :, ,$(c)))))
$(patsubst %,$(BUILD)/obj/tests/%.o,fuzz/targets/bridge unit/bridge/bridge_test canaries/ethernet/forgetful_bridge canaries/ethernet/boasting_bridge canaries/ethernet/sulking_bridge): CFLAGS += -I$(BUILD)/messages/bridge
$(patsubst %,$(BUILD)/obj/tests/%.o,fuzz/targets/bridge unit/bridge/bridge_test canaries/ethernet/forgetful_bridge canaries/ethernet/boasting_bridge canaries/ethernet/sulking_bridge): $(BRIDGE_MESSAGE)
$(eval $(call program,tests/canaries/ethernet/patient_motion,tests/canaries/ethernet/patient_motion.c $(HRP3P_MOTION),$(HRP3P_MOTION_MODULES),-Xlinker --wrap=giop_call_await $(HRP3P_LIBRARIES)))
# ... and programs of bioloid.
BIOLOID_CANARIES := patient_door late_controller reckless_controller deaf_controller credulous_cm5 generous_world mighty_world
$(patsubst %,$(BUILD)/obj/tests/canaries/bioloid/%.o,$(BIOLOID_CANARIES)): CFLAGS += -I$(BUILD)/messages/bioloid
$(patsubst %,$(BUILD)/obj/tests/canaries/bioloid/%.o,$(BIOLOID_CANARIES)): $(BIOLOID_MESSAGES)
bioloid_canary = $(eval $(call program,tests/canaries/bioloid/$(1),tests/canaries/bioloid/$(1).c $(patsubst %,targets/bioloid/%.c,$(2)),$(3),-Xlinker --wrap=$(4) $(5) -lxml2 -lrt -lpthread))
$(foreach c,late_controller:joints_advance reckless_controller:joints_start deaf_controller:joints_forget,$(call bioloid_canary,$(word 1,$(subst :, ,$(c))),controller joints,robot motion model channel clock base,$(word 2,$(subst :, ,$(c)))))
$(call bioloid_canary,patient_door,door door_line door_peers script script_run,robot channel clock base,door_take,-llua5.4)
$(call bioloid_canary,credulous_cm5,cm5 cm5_frame serial,robot dynamixel channel clock base,dxl_decode)
$(call bioloid_canary,generous_world,world feet,robot plant model protocol can dynamixel channel clock base,solids_world_step,-lmujoco)
$(call bioloid_canary,mighty_world,world feet,robot plant model protocol can dynamixel channel clock base,servo_step,-lmujoco)
$(foreach p,idle_fault boasting_fault boasting_load,$(eval $(call program,tests/canaries/faults/$(p),tests/canaries/faults/$(p).c,,)))
$(eval $(call program,tests/canaries/faults/clinging_page,tests/canaries/faults/clinging_page.c,channel clock base,-lrt -lpthread))
$(eval $(call program,tests/canaries/faults/clinging_fault,tests/canaries/faults/clinging_fault.c,can base,-lrt -lpthread))
# A lab that never sees a difference between benchmarks; see tests/system/diff.sh.
$(eval $(call program,tests/canaries/lab/blind_diff,tests/canaries/lab/blind_diff.c harness/cli/ukemi.c,$(call rooms,$(LINK_ORDER)) plant walk motion model protocol can dynamixel ethernet channel clock base,-Xlinker --wrap=compare $(HARNESS_LIBRARIES) -lmujoco -lwebp -lwebpmux -lxml2 -lrt -lpthread))
# Programs that use more of their cell than they may, and bystanders; see tests/system/limits.sh, bystanders.sh.
$(eval $(call program,tests/canaries/cell/cell_hog,tests/canaries/cell/cell_hog.c,clock base,-lrt -lpthread))
# Programs that harm their peers or the lab; see tests/system/vacuous.sh.
$(eval $(call program,tests/canaries/cell/bad_habits,tests/canaries/cell/bad_habits.c,clock base,-lrt -lpthread))
$(eval $(call program,tests/canaries/cell/cell_bystander,tests/canaries/cell/cell_bystander.c,,))
# Hostile processes, and what stands around a cell; see tests/system/wall.sh.
$(eval $(call program,tests/canaries/cell/hostile,$(wildcard tests/canaries/cell/hostile*.c),clock base,-lrt -lpthread))
$(eval $(call program,tests/canaries/cell/wall_bystander,tests/canaries/cell/wall_bystander.c,,-lrt))
$(eval $(call program,tests/canaries/cell/bare_place,tests/canaries/cell/bare_place.c,,-lseccomp))

# Faults of the tests on SocketCAN.
$(eval $(call program,tests/vm/interface,tests/vm/interface.c,,))
$(eval $(call program,tests/vm/hold,tests/vm/hold.c,,))
# The Hardware daemon without a lab, for tests/vm/peers.sh.
$(eval $(call program,tests/vm/lone_hardware,tests/vm/lone_hardware.c $(call hubo2_parts,$(HARDWARE_DAEMON)),$(HUBO2_MODULES),$(patsubst %,-Xlinker --wrap=%,channel_open channel_put clock_gettime clock_nanosleep) $(HUBO2_LIBRARIES)))

# Kills the lab at random instants; see tests/system/killed.sh.
$(eval $(call program,tests/kill/assassin,$(patsubst %,tests/kill/%.c,assassin prey scene books found),$(LAB) walk model protocol can dynamixel ethernet channel clock base,$(HARNESS_LIBRARIES) -lxml2 -lrt -lpthread))

# Files wrong in every way; see tests/system/mutants.sh.
$(eval $(call program,tests/mutants/mutants,tests/mutants/mutants.c targets/simulator/robot_check.c,$(LAB) $(UNIT_MODULES),$(filter-out -lcheck -lsubunit,$(UNIT_LIBRARIES))))

# Lets calls of the lab fail, one after the other, by a library loaded into it; see tests/system/failing.sh.
$(eval $(call program,tests/failing/drive,tests/failing/drive.c tests/failing/ledger.c $(patsubst %,tests/kill/%.c,scene found),$(LAB) walk model protocol can dynamixel ethernet channel clock base,$(HARNESS_LIBRARIES) -lxml2 -lrt -lpthread))
# Cuts the power at any instant of a campaign, likewise.
$(eval $(call program,tests/failing/power,tests/failing/power.c tests/failing/ledger.c tests/kill/found.c,$(LAB) walk model protocol can dynamixel ethernet channel clock base,$(HARNESS_LIBRARIES) -lxml2 -lrt -lpthread))
PROGRAMS += $(patsubst %,$(BUILD)/tests/failing/%.so,fail_nth power_log)
# Without a sanitizer, which would want to be loaded first.
$(BUILD)/tests/failing/%.so: tests/failing/%.c $(wildcard tests/failing/*.h) | $(BUILD)/deps-installed
	@mkdir -p $(@D)
	@echo "  LINK $@"
	@$(CC) $(CSTD) $(WARNINGS) $(OPTIMISE) -D_GNU_SOURCE -I. -fPIC -fno-builtin -shared -o $@ $< -ldl

# Preloaded into a daemon, it goes wild; see tests/system/wild.sh. Likewise without a sanitizer.
PROGRAMS += $(BUILD)/tests/canaries/lab/wild.so
$(BUILD)/tests/canaries/lab/wild.so: tests/canaries/lab/wild.c src/base/random.c src/clock/page.h | $(BUILD)/deps-installed
	@mkdir -p $(@D)
	@echo "  LINK $@"
	@$(CC) $(CSTD) $(WARNINGS) $(OPTIMISE) -D_GNU_SOURCE -I. -Isrc -fPIC -shared -o $@ $(filter %.c,$^) -ldl -lm

# Preloaded into programs that know nothing of the lab; doc/reference/shim.md. Without a sanitizer,
# which would want to be loaded first. All names are hidden but those of the calls it replaces, and
# what it has of the clock and the channels makes its system calls past its own syscall().
SHIM := $(BUILD)/lib/libukemi-shim.so
SHIM_PARTS := $(patsubst src/%.c,%,$(filter-out src/shim/host/%,$(wildcard src/shim/*.c src/shim/*/*.c)) src/clock/clock.c src/clock/oscillator.c src/clock/skew.c $(wildcard src/channel/*.c) $(patsubst %,src/can/%.c,can embedded filter line page socket) $(patsubst %,src/base/%.c,elf_program epoch invariant machine_code random shared_page status))
PROGRAMS += $(SHIM)
$(BUILD)/shim/%.o: src/%.c | $(BUILD)/deps-installed
	@mkdir -p $(@D)
	@echo "  CC   $< (shim)"
	@$(CC) $(filter-out $(SANITIZE),$(CFLAGS)) -fPIC -fvisibility=hidden -fexceptions -U_FORTIFY_SOURCE $(if $(filter src/shim/%,$<),-fno-builtin,-Dsyscall=shim_syscall -Dclock_gettime=shim_clock_gettime) -c -o $@ $<
$(SHIM): $(patsubst %,$(BUILD)/shim/%.o,$(SHIM_PARTS))
	@mkdir -p $(@D)
	@echo "  LINK $@"
	@$(CC) -shared -pthread -o $@ $^ -ldl -lm
# Preloaded into programs of a bare cell, where shared memory has no file system of its own; doc/reference/cell.md.
APART := $(BUILD)/lib/libukemi-apart.so
PROGRAMS += $(APART)
$(APART): src/apart/names.c | $(BUILD)/deps-installed
	@mkdir -p $(@D)
	@echo "  LINK $@"
	@$(CC) $(filter-out $(SANITIZE) -MMD -MP,$(CFLAGS)) -fPIC -fvisibility=hidden -shared -o $@ $< -ldl
# Runs a statically linked program in its own process, with the library beside it.
STATIC_HOST := $(BUILD)/lib/static-host
PROGRAMS += $(STATIC_HOST)
$(STATIC_HOST): src/shim/host/static.c | $(BUILD)/deps-installed
	@mkdir -p $(@D)
	@echo "  LINK $@"
	@$(CC) $(filter-out $(SANITIZE) -MMD -MP,$(CFLAGS)) -fPIE -pie -o $@ $<
# Unmodified programs that are run with it; see tests/system/shim.sh.
$(eval $(call program,tests/shim/calls,$(wildcard tests/shim/calls*.c),,-lpthread))
$(eval $(call program,tests/shim/talk,tests/shim/talk.c,,))
$(eval $(call program,tests/shim/spin,tests/shim/spin.c,,-lpthread))
$(eval $(call program,tests/shim/meet,tests/shim/meet.c,,-lpthread))
$(eval $(call program,tests/shim/unsupported,tests/shim/unsupported.c,,-lpthread -lrt))
$(eval $(call program,tests/shim/spin_word,tests/shim/spin_word.c,,-lpthread))
$(eval $(call program,tests/shim/waits,tests/shim/waits.c,,-lpthread))
$(eval $(call program,tests/shim/can_sockets,tests/shim/can_sockets.c,,))
# The same without a dynamic linker. (The linker warns of dlopen, of which there is no use then.)
PROGRAMS += $(patsubst %,$(BUILD)/tests/shim/%-static,calls talk spin_word unsupported)
$(BUILD)/tests/shim/%-static: $(wildcard tests/shim/*.[ch]) | $(BUILD)/deps-installed
	@mkdir -p $(@D)
	@echo "  LINK $@"
	@$(CC) $(filter-out $(SANITIZE) -MMD -MP,$(CFLAGS)) -static -Wl,--no-warnings -o $@ $(wildcard tests/shim/$**.c) -lpthread
