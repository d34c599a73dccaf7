// The lab's side of shimmed programs (doc/reference/shim.md): whether they can run here, and what
// the lab itself says on their channel `io`.
#pragma once

#include "harness/cell/cell.h"
#include "harness/trial/wire/wiring.h"
#include "harness/trial/supervise/orphans.h"
#include "message/io.h"
#include "shim/page.h"

struct scenario;
struct target;

#define SHIM_LIBRARY "lib/libukemi-shim.so" // below the build folder

// Whether this program, named as in target.yaml, is one into which no library can be preloaded. It
// runs within SHIMS_HOST then. In the cell. What cannot be read and what is a script is not.
bool shims_is_static(const char *program);
#define SHIMS_HOST CELL_BUILD "/lib/" SHIM_HOST

// Whether the processes of the target can take part in this mode. UNSUPPORTED, with `reason`: one
// takes no part in virtual time, or a fault of its calls or clock would not reach it in real time.
// In the cell.
enum status shims_check(const struct target *target, const struct scenario *scenario,
                        enum clk_mode mode, char *reason, size_t size) MUST_CHECK;

// A shimmed process has ended: so do the processes it has left behind, which were the same
// participant. Its page says which; what it says is a target's word, so that only orphans are
// touched, and none that `spare` knows. False: somebody has written over it. In the cell's init.
bool shims_end_children(const char *participant, orphan_spared *spare, const void *context);

// Asks whoever of the participant has its turn, for long, to look whether it spins at memory
// (src/shim/spin/shim_spin.h); `last`: to let time pass in any case. pidfd: of its process. False:
// it cannot be asked. In the cell's init.
bool shims_ask(const char *participant, int pidfd, bool last);
// Whether one of its threads has spun all the time since then. As its page says.
bool shims_spins(const char *participant, instant since);

// Virtual mode: says on `io`, if there is that channel, what has happened to a participant. Who
// waits for input and output looks again.
void shims_tell(const struct target *target, const struct wiring *wiring, enum io_call call,
                const char *participant, instant now);
