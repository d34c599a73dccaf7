// The lab's side of the clock: creates the cell's clock page, registers participants and words, and
// in virtual mode is the discrete-event scheduler. Not real-time; one coordinator per cell, used by
// one thread (the cell's init).
//
// The order is a function of the participants' own deadlines and of published words alone: at each
// instant the runnable participants are granted one at a time, higher priority first, then lower
// participant number, until all are blocked; then time advances to the earliest deadline. A
// *follower* (the simulated world) is granted first whenever time has advanced, so that everybody
// else finds the world up to date; besides at its own deadline, if it has one.
//
// Nothing here can hang on a participant: a grant ends when the participant blocks, leaves, dies or
// is stopped. Death and stop are learnt from the robust `alive` word and from the poll hook
// (below), which is called at least every CLK_POLL_MS of wall time while a grant is out.
#pragma once

#include <stdatomic.h>
#include <stdbool.h>

#include "clock/clock.h"
#include "clock/oscillator.h"

#define CLK_PARTICIPANTS_MAX 128
#define CLK_WORDS_MAX 512
#define CLK_POLL_MS 10

struct clk_coordinator; // opaque; owned by the caller

enum clk_participant_state {
    CLK_ABSENT,  // registered, not joined (not started yet, or between death and restart)
    CLK_BLOCKED, // waits for a deadline or a word
    CLK_GRANTED, // is running (virtual mode)
    CLK_STOPPED, // stopped from outside (SIGSTOP): not waited for, not granted
};

// Creates the clock page CELL/clock. Errors: SYSTEM, NO_MEMORY, UNSUPPORTED (no futex_waitv: Linux
// before 5.16).
enum status clk_coordinator_create(const char *cell, enum clk_mode mode,
                                   struct clk_coordinator **coordinator) MUST_CHECK;
void clk_coordinator_destroy(struct clk_coordinator *coordinator);

// Called while a grant is out, when interrupted by a signal or every CLK_POLL_MS: reap children
// here and report what happened by clk_coordinator_left/stopped/continued.
void clk_coordinator_on_poll(struct clk_coordinator *coordinator, void (*poll)(void *context),
                             void *context);

// Called after each grant, whatever has become of the participant. NULL: not.
void clk_coordinator_on_return(struct clk_coordinator *coordinator, void (*returned)(void *context),
                               void *context);

// Called while a grant of a process, or of one of its threads, has been out for long: after
// CLK_LONG_MS of its time (clock/turn_time.h), and whenever that has doubled. `last`: at its limit.
// True: the process has been asked to give its turn back, and gets a quarter of the limit more.
#define CLK_LONG_MS 30
void clk_coordinator_on_long(struct clk_coordinator *coordinator,
                             bool (*outlasts)(void *context, unsigned number, bool last),
                             void *context);

// How much time one grant may take (clock/turn_time.h) before clk_coordinator_run_until gives up,
// and the end of a process that has died or left in its turn before it is no longer waited for
// (base/running_time.h). 10 s unless set.
void clk_coordinator_grant_limit(struct clk_coordinator *coordinator, duration limit);

// Registers a participant before it is started; its number is the order of registration. `priority`
// as in the target file. FULL when CLK_PARTICIPANTS_MAX are registered.
enum status clk_coordinator_add(struct clk_coordinator *coordinator, const char *name, int priority,
                                bool follower, unsigned *number) MUST_CHECK;

// A thread of the process `process`, which was registered before and is not a follower: a
// participant that comes and goes with it. What is said of the process from here on (await, left,
// stopped, continued, state) holds for its threads. FULL; INVALID: its name is too long.
enum status clk_coordinator_add_thread(struct clk_coordinator *coordinator, unsigned process,
                                       const char *name, int priority) MUST_CHECK;

// The clock of participant `number` goes by this oscillator. Before it is started.
void clk_coordinator_oscillator(struct clk_coordinator *coordinator, unsigned number,
                                const struct clk_oscillator *oscillator);

// Registers a word that participants may wait on. `word` must stay mapped while the coordinator
// lives. The returned id is stored by the lab in the channel (channel_set_watch) so that
// channel_watch can name it. Wall mode: the id is CLK_WATCH_NONE, which tells writers to wake
// sleepers by futex; any other id tells them that the coordinator looks. FULL beyond CLK_WORDS_MAX.
enum status clk_coordinator_watch(struct clk_coordinator *coordinator, const _Atomic uint64_t *word,
                                  uint32_t *id) MUST_CHECK;

// After the lab has started participant `number` as a process: waits until it and its threads have
// joined, for at most `patience` of time during which the machine ran. They join at the present
// virtual instant, and take part only from this call on, whatever the wall time at which they were
// ready. Start a process only after clk_coordinator_left has been called for its predecessor. DEAD:
// it left or died first; TIMEOUT: neither happened.
enum status clk_coordinator_await(struct clk_coordinator *coordinator, unsigned number,
                                  duration patience) MUST_CHECK;

// The first of the process and its threads that has not joined, by its name on the clock page;
// NULL: all have.
const char *clk_coordinator_missing(const struct clk_coordinator *coordinator, unsigned number);

// Wall mode: sets the epoch and releases all that have joined. Virtual mode: nothing (time 0 begins
// with the first run).
void clk_coordinator_start(struct clk_coordinator *coordinator);

// Virtual mode: runs until every live participant is blocked on a deadline later than t, and the
// clock shows t. Everything due at t itself has run on return. Wall mode: sleeps until t, calling
// the poll hook. TIMEOUT: participant *culprit did not block within the grant limit, or blocked and
// woke without end while no time passed: it livelocks. A thread's process is named. DEAD: *culprit
// left the clock and its process, of which the poll hook should have known, did not end within the
// limit. CORRUPT: *culprit's slot was written over by another; or what only the coordinator writes
// was, by *culprit or by one that misled it (clk_coordinator_spoiler). `culprit` may be NULL.
enum status clk_coordinator_run_until(struct clk_coordinator *coordinator, instant t,
                                      unsigned *culprit) MUST_CHECK;

enum clk_mode clk_coordinator_mode(const struct clk_coordinator *coordinator);
// Wall mode: a participant that has joined is BLOCKED, whatever it does.
instant clk_coordinator_now(const struct clk_coordinator *coordinator);
enum clk_participant_state clk_coordinator_state(const struct clk_coordinator *coordinator,
                                                 unsigned number);
// Whether somebody has written over what only the coordinator writes, or what another participant
// said: the page's header, its times, what participants are and wait for, how their clocks go,
// whether they live, and places that nobody has. The coordinator goes by copies of its own.
bool clk_coordinator_is_spoiled(struct clk_coordinator *coordinator);
// Who did that, as the number of a process; false: more than one may have. The simulated world, a
// follower, is trusted.
bool clk_coordinator_spoiler(const struct clk_coordinator *coordinator, unsigned *number);
// The lab itself has changed how clocks go (clock/skew.h): that is no spoiling.
void clk_coordinator_adopt(struct clk_coordinator *coordinator);
// How far the clock of participant `number` is ahead of the trial's time, as the lab has made it.
int64_t clk_coordinator_error_ns(const struct clk_coordinator *coordinator, unsigned number,
                                 instant time);
// Virtual mode: the number of the process that was granted last.
unsigned clk_coordinator_ran(const struct clk_coordinator *coordinator);
uint64_t
clk_coordinator_grants(const struct clk_coordinator *coordinator); // grants handed out so far

// What the supervisor saw of participant `number`'s process. left: dead or exited (a later restart
// joins anew); stopped: SIGSTOP took effect; continued: SIGCONT did. A stopped participant's
// deadlines pass; when continued it is runnable at once if its deadline has passed.
void clk_coordinator_left(struct clk_coordinator *coordinator, unsigned number);
void clk_coordinator_stopped(struct clk_coordinator *coordinator, unsigned number);
void clk_coordinator_continued(struct clk_coordinator *coordinator, unsigned number);
