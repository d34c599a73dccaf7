// The taps of a target: what programs that know nothing of our channels say on sockets and on
// standard output becomes frames of the history (doc/reference/taps.md).
//
// In virtual time one participant runs at a time. What it says in its turn is read when it has
// given the turn back, and stamped with the time of the turn, so that a history depends on nothing
// else. What is read during a turn, because a socket holds little, waits for the turn's end.
//
// Used in the cell's init, by one thread.
#pragma once

#include "clock/clock.h"
#include "harness/history/history.h"
#include "harness/packs/watch.h"
#include "harness/trial/supervise/output.h"

struct target;

#define TAPS_FOLDER "taps" // of the sockets, in the cell's folder

struct taps; // opaque; owned by the caller

// Adds one topic per tap to the history, and opens the sockets: those in a folder of `cell`, and
// ports of the loopback. NO_MEMORY, FULL, SYSTEM with `reason`.
enum status taps_create(const char *cell, const struct target *target, enum clk_mode mode,
                        struct history *history, struct taps **taps, char *reason,
                        size_t size) MUST_CHECK;
void taps_free(struct taps *taps); // NULL is allowed

// A line that a process has printed (supervisor_request.heard).
void taps_hear(struct taps *taps, const struct output_line *line);

// Takes out of the sockets what is there, so that nobody waits for room in them.
void taps_drain(struct taps *taps, instant now);

// The same, and appends all of it to the history, tap by tap, and shows it to the watch. NO_MEMORY,
// FULL.
enum status taps_record(struct taps *taps, instant now, struct watch *watch) MUST_CHECK;

// The channel of a tap that was sent more than `allowed_MB` in all, and how much; NULL: none was.
const char *taps_flooded(const struct taps *taps, double allowed_MB, double *used_MB);

// Whether since the last call there is more room in a socket, for which somebody may wait.
bool taps_made_room(struct taps *taps);
