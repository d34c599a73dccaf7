// What every program of a cell does at its start: look at its command line, open channels, load its
// robot's files, join the clock.
//
// Each failure is logged to standard error with the remedy. Initialisation only, not real-time.
#pragma once

#include <stddef.h>

#include "channel/channel.h"
#include "clock/clock.h"

#ifdef __cplusplus
extern "C" {
#endif

// The first thing a program without options and arguments does: names it in messages as log_program
// does. INVALID: it was given an argument. `argv` must stay valid.
enum status participant_begin(int argc, char **argv) MUST_CHECK;

// Opens a channel of the cell and checks that frames of frame_size_B fit. Errors as channel_open,
// and TOO_LARGE if the target file gives the channel too small frames.
enum status participant_channel(const char *name, enum channel_role role, size_t frame_size_B,
                                struct channel **channel) MUST_CHECK;

// Asks for real-time scheduling at the priority that the lab says (UKEMI_PRIORITY, from
// target.yaml), which the kernel may refuse, and joins the clock (see clk_join). Errors as
// clk_join.
enum status participant_join(struct clk **clk) MUST_CHECK;

// The same of a thread that target.yaml names (clk_join_thread), at the thread's priority
// (UKEMI_THREADS). By the thread itself, before its process joins. Errors as clk_join_thread.
enum status participant_join_thread(const char *thread, struct clk **clk) MUST_CHECK;

// A stamp for the trace fields of a message (message/message.h): now, or 0 where the environment
// said UKEMI_ENV_PROBES=off at participant_join. Real-time safe.
instant participant_stamp(const struct clk *clk);

#ifdef __cplusplus
}
#endif
