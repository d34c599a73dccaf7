// The machine's devices that every cell shows to its programs. Not real-time.
#pragma once

#include <stdbool.h>
#include <stddef.h>

// Their paths, then NULL.
extern const char *const cell_devices[];

// Whether each is the device that its name says; else why not, and what to do. Nothing is opened.
bool cell_devices_sound(char *why, size_t size);
