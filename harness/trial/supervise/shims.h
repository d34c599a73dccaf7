// The lab's side of shimmed programs (doc/reference/shim.md): whether they can run here, and what
// the lab itself says on their channel `io`.
#pragma once

#include "harness/files/scenario.h"
#include "harness/trial/wire/wiring.h"
#include "harness/trial/supervise/orphans.h"
#include "message/io.h"

#define SHIM_LIBRARY "lib/libukemi-shim.so" // below the build folder

// Whether the processes of the target can take part in this mode. UNSUPPORTED, with `reason`: one
// takes no part in virtual time, or is to be shimmed and has no dynamic linker. In the cell.
enum status shims_check(const struct target *target, enum clk_mode mode, char *reason,
                        size_t size) MUST_CHECK;

// A shimmed process has ended: so do the processes it has left behind, which were the same
// participant. Its page says which; what it says is a target's word, so that only orphans are
// touched, and none that `spare` knows. False: somebody has written over it. In the cell's init.
bool shims_end_children(const char *participant, orphan_spared *spare, const void *context);

// Virtual mode: says on `io`, if there is that channel, what has happened to a participant. Who
// waits for input and output looks again.
void shims_tell(const struct target *target, const struct wiring *wiring, enum io_call call,
                const char *participant, instant now);
