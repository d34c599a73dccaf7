# The library for controllers, and what is delivered: make install, uninstall, deb.
#
#   make install PREFIX=/usr/local DESTDIR=    LIBDIR=$(PREFIX)/lib
#
# The lab finds its parts beside its own bin/, so a tree may be moved as a whole:
#   bin/ukemi                      the lab
#   lib/libukemi*.so.N             libraries for controllers; lib/pkgconfig/ukemi*.pc, include/ukemi/
#   lib/ukemi/                     programs of targets and faults; lib/ and python/, which every cell shows
#   share/ukemi/                   targets, scenarios, faults, reports
#   lib/systemd/user/              a service and a timer for nights
#   share/man/man1/ukemi*.1, share/doc/ukemi/
#   share/bash-completion/completions/ukemi, share/zsh/site-functions/_ukemi

SO_VERSION := 0
PREFIX ?= /usr/local
LIBDIR ?= $(PREFIX)/lib
DESTDIR ?=

# ---- libraries -----------------------------------------------------------------------------------------------------------
# Without a sanitizer, as the shim. Only what their maps name can be seen.
#   libukemi          clock and channels, for controllers
#   libukemi-robot    what a humanoid's daemons are told by their clients; needs libukemi
#   libukemi-motion   trajectories, quadratic programs, stacks of tasks, walking patterns: numbers in, numbers out
SHARED := ukemi ukemi-robot ukemi-motion
so = $(BUILD)/lib/lib$(1).so.$(SO_VERSION)
LIBRARY := $(call so,ukemi)
LIBRARIES := $(foreach l,$(SHARED),$(call so,$(l)))
PARTS_ukemi := $(patsubst src/%.c,%,src/clock/clock.c src/clock/oscillator.c src/clock/skew.c $(filter-out src/channel/tamper.c,$(wildcard src/channel/*.c)) src/robot/participant.c $(patsubst %,src/base/%.c,epoch invariant log status text))
PARTS_ukemi-robot := robot/robot robot/robot_joints
PARTS_ukemi-motion := $(patsubst src/%.c,%,$(wildcard $(patsubst %,src/motion/%*.c,trajectory extremal waypoints path knee) src/qp/*.c src/task/*.c src/walk/*/*.c src/walk/*/*/*.c) $(patsubst %,src/model/%.c,robot_model model_file leg_ik urdf xml) $(patsubst %,src/base/%.c,epoch invariant log status text trouble file_kind))
LIBS_ukemi-robot := $(LIBRARY)
LIBS_ukemi-motion := -lxml2 -lm
HEADERS_ukemi := base/status.h base/time.h clock/clock.h channel/channel.h robot/participant.h
HEADERS_ukemi-robot := message/message.h robot/joints.h robot/robot.h robot/robot.hpp
HEADERS_ukemi-motion := $(patsubst %,motion/%.h,extremal trajectory waypoints path knee) qp/qp.h qp/hierarchy.h task/kinematics.h task/stack.h model/robot_model.h walk/generator/walkgen.h
HEADERS := $(foreach l,$(SHARED),$(HEADERS_$(l)))
PYTHON := $(patsubst %,$(BUILD)/python/%.py,ukemi ukemi_history ukemi_robot)
LINKS := $(patsubst %,$(BUILD)/lib/lib%.so,$(SHARED))
PROGRAMS += $(LIBRARIES) $(LINKS) $(PYTHON)
$(BUILD)/pic/%.o: src/%.c | $(BUILD)/deps-installed
	@mkdir -p $(@D)
	@echo "  CC   $< (library)"
	@$(CC) $(filter-out $(SANITIZE),$(CFLAGS)) -fPIC -c -o $@ $<
# The same numbers as in the lab's own programs.
$(patsubst %,$(BUILD)/pic/%,model/%.o qp/%.o task/%.o walk/%.o): CFLAGS += -O3
define library
$(call so,$(1)): $(patsubst %,$(BUILD)/pic/%.o,$(PARTS_$(1))) src/$(1).map $(filter $(BUILD)/%,$(LIBS_$(1)))
	@mkdir -p $$(@D)
	@echo "  LINK $$@"
	@$$(CC) -shared -pthread -Wl,-soname,$$(@F) -Wl,--version-script=src/$(1).map -Wl,-z,defs,-z,relro -o $$@ $$(filter %.o,$$^) $(LIBS_$(1))
endef
$(foreach l,$(SHARED),$(eval $(call library,$(l))))
$(LINKS): %.so: %.so.$(SO_VERSION)
	@ln -sf $(<F) $@
$(PYTHON): $(BUILD)/%: src/%
	@mkdir -p $(@D)
	@cp $< $@
-include $(shell find $(BUILD)/pic -name '*.d' 2>/dev/null)

# ---- install -------------------------------------------------------------------------------------------------------------
DELIVERED := $(filter $(BUILD)/targets/% $(BUILD)/faults/%,$(PROGRAMS))
DATA := $(sort $(filter-out %.c %.h,$(shell find targets scenarios faults reports ! -type d ! -path '*/__pycache__/*')) $(wildcard targets/pendulum/*.c))
# Pages lie as they do here, so that their links hold; with them what they link to outside of doc/.
PAGES := README.md NEWS.md CONTRIBUTING.md LICENSE harness/store/schema.sql $(wildcard tests/bench/channels/README.md tests/bench/channels/*.svg) $(sort $(shell find doc ! -type d))
to := $(DESTDIR)$(PREFIX)
libraries := $(DESTDIR)$(LIBDIR)
manual := $(to)/share/man/man1
# A cell shows /usr and lib/ukemi: elsewhere programs need the libraries there, too.
shown := $(filter /usr/lib%,$(LIBDIR))

# pc NAME LIBRARY DESCRIPTION REQUIRES: a shell command that writes it.
pc = printf '%s\n' 'prefix=$${pcfiledir}/$(shell realpath -m --relative-to=$(LIBDIR)/pkgconfig $(PREFIX))' \
	    'libdir=$${pcfiledir}/..' 'includedir=$${prefix}/include' '' 'Name: $(1)' 'Description: $(3)' 'Version: $(VERSION)' \
	    $(if $(4),'Requires: $(4)') 'Cflags: -I$${includedir}/ukemi' 'Libs: -L$${libdir} -l$(2)' >"$(libraries)/pkgconfig/$(1).pc"

.PHONY: install uninstall deb
install: $(BUILD)/bin/ukemi $(DELIVERED) $(LIBRARIES) $(LINKS) $(SHIM) $(APART) $(STATIC_HOST) $(PYTHON)
	@umask 022; set -e; \
	install -d "$(to)/bin" "$(libraries)/pkgconfig" "$(to)/lib/ukemi/lib" "$(to)/share/ukemi" "$(to)/share/doc/ukemi" "$(manual)"; \
	install -m 755 $(BUILD)/bin/ukemi "$(to)/bin"; \
	for program in $(patsubst $(BUILD)/%,%,$(DELIVERED)); do install -D -m 755 "$(BUILD)/$$program" "$(to)/lib/ukemi/$$program"; done; \
	install -m 644 $(LIBRARIES) "$(libraries)"; \
	for library in $(SHARED); do ln -sf lib$$library.so.$(SO_VERSION) "$(libraries)/lib$$library.so"; done; \
	install -m 755 $(STATIC_HOST) "$(to)/lib/ukemi/lib"; \
	install -m 644 $(SHIM) $(APART) $(if $(shown),,$(LIBRARIES)) "$(to)/lib/ukemi/lib"; \
	install -d "$(to)/lib/ukemi/python"; \
	install -m 644 $(PYTHON) "$(to)/lib/ukemi/python"; \
	for header in $(HEADERS); do install -D -m 644 "src/$$header" "$(to)/include/ukemi/$$header"; done; \
	cp --parents $(DATA) "$(to)/share/ukemi"; \
	cp --parents $(PAGES) "$(to)/share/doc/ukemi"; \
	scripts/man-pages "$(manual)"; \
	install -D -m 644 scripts/completion/ukemi.bash "$(to)/share/bash-completion/completions/ukemi"; \
	install -d "$(to)/lib/systemd/user"; \
	for unit in service timer; do sed 's,@PREFIX@,$(PREFIX),' scripts/systemd/ukemi-night@.$$unit >"$(to)/lib/systemd/user/ukemi-night@.$$unit"; done; \
	install -D -m 644 scripts/completion/_ukemi "$(to)/share/zsh/site-functions/_ukemi"; \
	$(call pc,ukemi,ukemi,Clock and channels of controllers that the lab Ukemi tests); \
	$(call pc,ukemi-robot,ukemi-robot,What a humanoid is told by its clients,ukemi); \
	$(call pc,ukemi-trajectory,ukemi-motion,Motions of joints in the least time within bounds,ukemi); \
	$(call pc,ukemi-qp,ukemi-motion,Quadratic programs and hierarchies of them,ukemi); \
	$(call pc,ukemi-task,ukemi-motion,Stacks of tasks of a robot,ukemi); \
	$(call pc,ukemi-walkgen,ukemi-motion,Walking pattern generator,ukemi)

uninstall:
	@rm -rf "$(to)/bin/ukemi" "$(to)/lib/ukemi" "$(to)/include/ukemi" "$(to)/share/ukemi" "$(to)/share/doc/ukemi" \
	    "$(to)/share/bash-completion/completions/ukemi" "$(to)/share/zsh/site-functions/_ukemi" \
	    "$(to)"/lib/systemd/user/ukemi-night@.* "$(manual)/ukemi.1" "$(manual)"/ukemi-*.1 "$(libraries)"/libukemi.so* "$(libraries)"/libukemi-*.so* \
	    "$(libraries)/pkgconfig/ukemi.pc" "$(libraries)"/pkgconfig/ukemi-*.pc

# ---- Debian packages -----------------------------------------------------------------------------------------------------
deb: $(BUILD)/bin/ukemi $(DELIVERED) $(LIBRARIES) $(SHIM) $(APART) $(STATIC_HOST)
	+@BUILD=$(BUILD) VERSION=$(VERSION) scripts/deb
