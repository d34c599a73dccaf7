# Builds the programs of targets/pendulum. `ukemi new` puts this into a project of your own.
UKEMI ?= ukemi
# ukemi.pc lies where pkg-config looks, or beside the ukemi that the shell finds.
PKG_CONFIG := PKG_CONFIG_PATH="$$PKG_CONFIG_PATH:$(dir $(shell command -v $(UKEMI)))../lib/pkgconfig" pkg-config
MAKEFLAGS += --no-builtin-rules
CC := cc
CXX := c++
CFLAGS := -O2 -Wall -ffp-contract=off $(shell $(PKG_CONFIG) --cflags ukemi)
LIBS := $(shell $(PKG_CONFIG) --libs ukemi) -lm
TARGET := targets/pendulum

.SECONDARY:
all: $(TARGET)/world $(TARGET)/controller

messages := $(patsubst %.msg,%.h,$(wildcard $(TARGET)/*.msg))
%.h: %.msg
	$(UKEMI) header $< >$@.new && mv $@.new $@
%: %.c $(messages)
	$(CC) $(CFLAGS) -o $@ $< $(LIBS)
%: %.cpp $(messages)
	$(CXX) -std=c++17 $(CFLAGS) -o $@ $< $(LIBS)
%: %.py
	install -m 755 $< $@

clean:
	rm -f $(TARGET)/world $(TARGET)/controller $(messages)
.PHONY: all clean
