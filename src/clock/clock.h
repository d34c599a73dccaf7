// The clock: every wait of every process of a cell goes through here.
//
// Wall mode: CLOCK_MONOTONIC. Virtual mode: a discrete-event scheduler over processes; the caller
// blocks, the coordinator (clock/coordinator.h, run by the lab) advances time to the earliest
// deadline and grants one participant at a time. Same calls, same binaries, same code paths in both
// modes.
//
// A process finds its cell in the environment (set by the supervisor):
//   UKEMI_CELL         folder of the cell's shared memory (clock page, channels/, buses/)
//   UKEMI_PARTICIPANT  name of this participant, as registered by the lab
// Without UKEMI_CELL, clk_join gives a stand-alone wall clock whose epoch is the call itself.
//
// One clk per thread, used by that thread. A process is one participant; each further thread that
// waits by the clock is one more (clk_join_thread). After joining nothing here allocates, locks or
// touches files.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "base/time.h"

#ifdef __cplusplus
extern "C" {
#endif

#define CLK_WATCHES_MAX 8 // words one participant may wait on at once
#define CLK_WATCH_NONE 0  // id of a word the coordinator does not look at (always, in wall mode)

enum clk_mode { CLK_WALL, CLK_VIRTUAL };

// What is waited for. A program does not look at it, so C++ need not know that it is atomic.
#ifdef __cplusplus
typedef uint64_t clk_word;
#else
typedef _Atomic uint64_t clk_word;
#endif

struct clk; // opaque; owned by the caller from clk_join to clk_leave

// Something to wait for: a 64-bit word in shared memory whose low 32 bits change with every
// publication (the head word of a channel). Filled by channel_watch().
struct clk_watch {
    const clk_word *word; // mapped in this process, read-only is enough
    uint64_t seen;        // wait while *word == seen
    uint32_t id;          // the lab's number for this word (virtual mode)
};

// Joins the cell's clock. In virtual mode this blocks until the first grant, so a process is ready,
// in the supervisor's eyes, when it has done its initialisation and calls clk_join. In wall mode it
// marks the participant ready and blocks until the lab starts the trial. Errors: NOT_FOUND
// (participant not registered, no such cell), BUSY (a live process has joined under this name),
// CORRUPT, SYSTEM, NO_MEMORY.
enum status clk_join(struct clk **clk) MUST_CHECK;

// A further thread of the process joins, as target.yaml names it (`threads`). It has its own turns
// and deadlines, and its process's oscillator. Blocks as clk_join does: threads are created before
// the process calls clk_join, for the lab takes a process for ready when all of them have joined.
// In virtual mode one thread runs at a time, so none may wait for another but by the clock, nor
// hold a lock while it waits. Errors as clk_join; NOT_FOUND: target.yaml names no such thread.
enum status clk_join_thread(const char *thread, struct clk **clk) MUST_CHECK;

// A further process of a participant that has joined in virtual mode (a child that executed a
// program): the same clock. It may wait only while the participant has the turn and no other of its
// processes does. Errors as clk_join.
enum status clk_adopt(struct clk **clk) MUST_CHECK;

// The participant is about to execute another program, which will join in its place: the lab waits
// for that as it waits for a turn. If it could not be executed: all is as before.
void clk_exec(struct clk *clk);
void clk_exec_failed(struct clk *clk);

// Leaves the clock for good and frees clk. A process that exits or dies without it leaves all the
// same; a thread that returns while its process goes on must leave first, and do no more.
void clk_leave(struct clk *clk);

enum clk_mode clk_mode(const struct clk *clk);
// Virtual time: whether this participant goes first at every instant (a follower,
// clock/coordinator.h).
bool clk_goes_first(const struct clk *clk);

// Time since the start of the trial, by this process's clock. Real-time safe.
instant clk_now(const struct clk *clk);

// What this process's clock shows at an instant of the trial, and the trial's time now: for those
// who stamp what comes and goes, as a network's interface does. Real-time safe.
int64_t clk_local_ns(const struct clk *clk, int64_t true_ns);
instant clk_true_now(const struct clk *clk);

// Blocks until t; returns at once if t has passed (in virtual mode too: no grant is spent).
// Real-time safe.
void clk_sleep_until(struct clk *clk, instant t);

// Blocks until one of the words differs from what was seen, or the deadline. n <= CLK_WATCHES_MAX;
// n == 0 sleeps. OK: a word changed (or had changed already: returns at once); TIMEOUT: the
// deadline came first (a follower: or its turn came); SYSTEM: the kernel refused; INVALID: n too
// large, or in virtual mode a word without an id. Real-time safe.
enum status clk_wait(struct clk *clk, const struct clk_watch *watches, size_t n,
                     instant deadline) MUST_CHECK;

// As clk_wait, of a follower that has nothing to do before then: until a word changes or the
// deadline comes it does not go first at each instant, which costs a grant each. Real-time safe.
enum status clk_rest(struct clk *clk, const struct clk_watch *watches, size_t n,
                     instant deadline) MUST_CHECK;

// A periodic loop: instants start + k * period.
struct clk_period {
    instant next; // the instant the loop waits for next
    duration period;
};

// First tick is the first start + k * period that is not before now.
struct clk_period clk_period_start(const struct clk *clk, instant start, duration period);

// Sleeps until the next tick and returns how many ticks were missed (0 when on time). Missed ticks
// are skipped, never run late in a burst. Real-time safe.
uint64_t clk_period_wait(struct clk *clk, struct clk_period *period);

// Makes the calling process real-time in wall mode: mlockall, stack prefault, SCHED_FIFO at
// `priority` (1..99). To be called before clk_join: who becomes real-time only when the trial has
// started must first get a turn among all others, which on a loaded machine takes most of a second.
// Nothing in virtual mode, or if no clock is found (clk_join says so). DENIED when the kernel
// refuses; the caller may go on without. INVALID.
enum status clk_realtime(int priority) MUST_CHECK;

#ifdef __cplusplus
}
#endif
