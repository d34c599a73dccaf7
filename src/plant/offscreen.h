// OpenGL without a screen, by EGL. The library is looked for when it is needed: who draws no
// pictures needs none. Not real-time.
#pragma once

#include "base/status.h"

struct offscreen; // opaque

// Makes the calling thread's context. UNSUPPORTED, reported: the machine has none. NO_MEMORY.
enum status offscreen_open(struct offscreen **offscreen) MUST_CHECK;
void offscreen_close(struct offscreen *offscreen); // NULL is allowed
