# The library for controllers, and what is delivered: make install, uninstall, deb.
#
#   make install PREFIX=/usr/local DESTDIR=    LIBDIR=$(PREFIX)/lib
#
# The lab finds its parts beside its own bin/, so a tree may be moved as a whole:
#   bin/ukemi                      the lab
#   lib/libukemi.so.N              clock and channels, for controllers; lib/pkgconfig/ukemi.pc, include/ukemi/
#   lib/ukemi/                     programs of targets and faults; lib/ and python/, which every cell shows
#   share/ukemi/                   targets, scenarios, faults, reports
#   share/man/man1/ukemi.1, share/doc/ukemi/
#   share/bash-completion/completions/ukemi, share/zsh/site-functions/_ukemi

SO_VERSION := 0
PREFIX ?= /usr/local
LIBDIR ?= $(PREFIX)/lib
DESTDIR ?=

# ---- libukemi ------------------------------------------------------------------------------------------------------------
# Without a sanitizer, as the shim. Only what src/ukemi.map names can be seen.
LIBRARY := $(BUILD)/lib/libukemi.so.$(SO_VERSION)
LIBRARY_PARTS := $(patsubst src/%.c,%,src/clock/clock.c src/clock/oscillator.c src/clock/skew.c $(filter-out src/channel/tamper.c,$(wildcard src/channel/*.c)) src/robot/participant.c $(patsubst %,src/base/%.c,epoch log status text))
HEADERS := base/status.h base/time.h clock/clock.h channel/channel.h robot/participant.h
PYTHON := $(BUILD)/python/ukemi.py $(BUILD)/python/ukemi_history.py
PROGRAMS += $(LIBRARY) $(BUILD)/lib/libukemi.so $(PYTHON)
$(BUILD)/pic/%.o: src/%.c | $(BUILD)/deps-installed
	@mkdir -p $(@D)
	@echo "  CC   $< (library)"
	@$(CC) $(filter-out $(SANITIZE),$(CFLAGS)) -fPIC -c -o $@ $<
$(LIBRARY): $(patsubst %,$(BUILD)/pic/%.o,$(LIBRARY_PARTS)) src/ukemi.map
	@mkdir -p $(@D)
	@echo "  LINK $@"
	@$(CC) -shared -pthread -Wl,-soname,$(@F) -Wl,--version-script=src/ukemi.map -Wl,-z,defs,-z,relro -o $@ $(filter %.o,$^)
$(BUILD)/lib/libukemi.so: $(LIBRARY)
	@ln -sf $(<F) $@
$(PYTHON): $(BUILD)/%: src/%
	@mkdir -p $(@D)
	@cp $< $@
-include $(shell find $(BUILD)/pic -name '*.d' 2>/dev/null)

# ---- install -------------------------------------------------------------------------------------------------------------
DELIVERED := $(filter $(BUILD)/targets/% $(BUILD)/faults/%,$(PROGRAMS))
DATA := $(sort $(filter-out %.c %.h,$(shell find targets scenarios faults reports ! -type d ! -path '*/__pycache__/*')) $(wildcard targets/pendulum/*.c))
to := $(DESTDIR)$(PREFIX)
libraries := $(DESTDIR)$(LIBDIR)
# A cell shows /usr and lib/ukemi: elsewhere programs need the library there, too.
shown := $(filter /usr/lib%,$(LIBDIR))

.PHONY: install uninstall deb
install: $(BUILD)/bin/ukemi $(DELIVERED) $(LIBRARY) $(BUILD)/lib/libukemi.so $(SHIM) $(APART) $(STATIC_HOST) $(PYTHON)
	@umask 022; set -e; \
	install -d "$(to)/bin" "$(libraries)/pkgconfig" "$(to)/lib/ukemi/lib" "$(to)/share/ukemi" "$(to)/share/doc/ukemi"; \
	install -m 755 $(BUILD)/bin/ukemi "$(to)/bin"; \
	for program in $(patsubst $(BUILD)/%,%,$(DELIVERED)); do install -D -m 755 "$(BUILD)/$$program" "$(to)/lib/ukemi/$$program"; done; \
	install -m 644 $(LIBRARY) "$(libraries)"; \
	ln -sf $(notdir $(LIBRARY)) "$(libraries)/libukemi.so"; \
	install -m 755 $(STATIC_HOST) "$(to)/lib/ukemi/lib"; \
	install -m 644 $(SHIM) $(APART) $(if $(shown),,$(LIBRARY)) "$(to)/lib/ukemi/lib"; \
	install -d "$(to)/lib/ukemi/python"; \
	install -m 644 $(PYTHON) "$(to)/lib/ukemi/python"; \
	for header in $(HEADERS); do install -D -m 644 "src/$$header" "$(to)/include/ukemi/$$header"; done; \
	cp --parents $(DATA) "$(to)/share/ukemi"; \
	install -D -m 644 doc/man/ukemi.1 "$(to)/share/man/man1/ukemi.1"; \
	install -D -m 644 scripts/completion/ukemi.bash "$(to)/share/bash-completion/completions/ukemi"; \
	install -D -m 644 scripts/completion/_ukemi "$(to)/share/zsh/site-functions/_ukemi"; \
	cp -r README.md NEWS.md doc/*.md doc/explanation doc/how-to doc/reference "$(to)/share/doc/ukemi"; \
	printf '%s\n' 'prefix=$${pcfiledir}/$(shell realpath -m --relative-to=$(LIBDIR)/pkgconfig $(PREFIX))' \
	    'libdir=$${pcfiledir}/..' 'includedir=$${prefix}/include' '' 'Name: ukemi' \
	    'Description: Clock and channels of controllers that the lab Ukemi tests' 'Version: $(VERSION)' \
	    'Cflags: -I$${includedir}/ukemi' 'Libs: -L$${libdir} -lukemi' >"$(libraries)/pkgconfig/ukemi.pc"

uninstall:
	@rm -rf "$(to)/bin/ukemi" "$(to)/lib/ukemi" "$(to)/include/ukemi" "$(to)/share/ukemi" "$(to)/share/doc/ukemi" \
	    "$(to)/share/man/man1/ukemi.1" "$(to)/share/bash-completion/completions/ukemi" "$(to)/share/zsh/site-functions/_ukemi" "$(libraries)/libukemi.so" "$(libraries)/$(notdir $(LIBRARY))" "$(libraries)/pkgconfig/ukemi.pc"

# ---- Debian packages -----------------------------------------------------------------------------------------------------
deb: $(BUILD)/bin/ukemi $(DELIVERED) $(LIBRARY) $(SHIM) $(APART) $(STATIC_HOST)
	+@BUILD=$(BUILD) VERSION=$(VERSION) scripts/deb
