// A line behind a pseudo-terminal: programs that know serial ports alone, the vendor's SDK for
// instance, are its host. In real time.
#pragma once

#include <stddef.h>

#include "dynamixel/line.h"

struct dxl_pty; // opaque; owned by the caller, from dxl_pty_open to dxl_pty_close

// Makes a pseudo-terminal, and `path` a link to it. The line stays the caller's. SYSTEM (errno:
// EEXIST if there is such a file), NO_MEMORY, FULL (the line has no port left).
enum status dxl_pty_open(const char *path, struct dxl_line *line, struct dxl_pty **pty) MUST_CHECK;
// Removes the link, too.
void dxl_pty_close(struct dxl_pty *pty);

// What was written into the terminal goes out on the line from `now` on; what the line's host has
// heard comes back. Call it before and after each dxl_line_advance to `now`.
void dxl_pty_carry(struct dxl_pty *pty, instant now);
// Waits until there is something to carry, at most so long in real time, and not long while an
// answer may come. For less than a second.
void dxl_pty_await(struct dxl_pty *pty, instant now, duration at_most);
