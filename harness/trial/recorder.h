// The recorder: reads every new frame of every recorded channel of the cell into the history, in
// the target's order of channels.
#pragma once

#include "harness/history/history.h"
#include "harness/packs/watch.h"
#include "harness/trial/wire/interposed.h"
#include "harness/trial/stamps.h"

struct scenario;
struct target;

struct recorder; // opaque; owned by the caller

// Adds one topic per recorded channel to the history and opens the channels in the folder `cell`
// (wiring has created them). Of an interposed channel it records both sides.
enum status recorder_create(const char *cell, const struct target *target,
                            const struct interposed *interposed, struct history *history,
                            struct recorder **recorder) MUST_CHECK;
void recorder_free(struct recorder *recorder);

// Appends all unread frames and shows each to the watch; `now` is the trial's time. A frame stands
// at the time of the turn that put it; in real time at its stamp, unless that is not between two
// looks. A stamp that is not so is noted (harness/history/foul.h). Frames that
// were overwritten before they could be read are missing from the history, which their numbers show
// and a struct loss_event before the next frame explains: the judge makes that an ERROR. NO_MEMORY,
// FULL, CORRUPT with `reason` in words.
//
// UNSUPPORTED: a shimmed program has said on `io` that something about it is not virtual.
enum status recorder_read(struct recorder *recorder, instant now, struct watch *watch, char *reason,
                          size_t size) MUST_CHECK;

// Whose stamps may be other than the time in this trial (stamps.h); those are looked at after each
// turn.
void recorder_mind_clocks(struct recorder *recorder, const struct scenario *scenario,
                          const struct target *target, enum clk_mode mode, uint64_t seed);

// How far ahead the lab has made the clock of a process of the target; else all are right.
void recorder_go_by(struct recorder *recorder,
                    int64_t (*error_ns)(void *context, const char *process, instant time),
                    void *context);

// Virtual mode, after each turn: notes when what it has put was put. `other`: the process whose
// turn it was, if it was not the simulated world. What this finds wrong, recorder_read says.
void recorder_turn(struct recorder *recorder, instant now, const char *other);

// Whose channel recorder_read found CORRUPT; "": not known.
const char *recorder_spoiled(const struct recorder *recorder);

// Looks at all channels: whether one is not in order, though it may not look so to who reads what
// comes. recorder_spoiled then says whose.
bool recorder_finds_spoiled(struct recorder *recorder);

// Whether there is something to be read after each turn: a channel `io`, on which much may be said
// at one instant, or wrong clocks; and only that.
bool recorder_hears_io(const struct recorder *recorder);
enum status recorder_read_io(struct recorder *recorder, instant now,
                             struct watch *watch) MUST_CHECK;
