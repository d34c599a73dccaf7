// Private to src/clock: the layout of the clock page CELL/clock, shared by the coordinator and all
// participants.
//
// The coordinator trusts nothing in here that a participant can write: it keeps names, priorities
// and the time itself, and clamps counts and numbers it reads.
#pragma once

#include <pthread.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "clock/clock.h"
#include "clock/coordinator.h"
#include "clock/oscillator.h"

#define CLK_PAGE_MAGIC 0x6b636f6c63696d75U // "umiclock"
#define CLK_PAGE_VERSION 6
#define CLK_NAME_MAX 48
#define CLK_FILE "clock"

// Whose turn it is. Only the participant waits for GRANTED; only the coordinator waits for the
// others, so one futex word serves both directions.
enum clk_turn {
    CLK_TURN_ABSENT,   // not joined, or left
    CLK_TURN_BLOCKED,  // the participant waits for a grant (wall mode: has joined)
    CLK_TURN_GRANTED,  // the participant runs
    CLK_TURN_EXECUTES, // it runs, and executes a program that is to join in its place
};

struct clk_page_watch {
    uint64_t seen;
    uint32_t id;
    uint32_t padding;
};

// See skew.h. `version` is odd while the rest changes.
struct clk_page_skew {
    _Atomic uint32_t active, version;
    _Atomic int64_t step_ns, rate_ppb, since_ns;
    _Atomic uint64_t tag;
    _Atomic int64_t busy_ns;
    _Atomic uint64_t turns_max, turns, turns_at_end; // of those that take longer; 0: all
};

struct clk_slot {
    alignas(
        64) char name[CLK_NAME_MAX]; // written once by the coordinator before the process starts
    uint32_t follower;
    uint32_t oscillates; // 1: by this, likewise written once; 0: by the trial's time
    struct clk_oscillator oscillator;
    alignas(64) _Atomic uint32_t turn; // enum clk_turn
    uint32_t watch_count; // what the participant waits for; written before turn becomes BLOCKED
    int64_t deadline_ns;
    struct clk_page_watch watch[CLK_WATCHES_MAX];
    uint32_t rests; // 1: a follower that is not to go first until its deadline, or a word changes
    // Robust, process-shared; held by the participant from join to its end. The kernel marks it
    // when the owner dies.
    alignas(64) pthread_mutex_t alive;
    alignas(64) struct clk_page_skew skew;
};

struct clk_page {
    uint64_t magic;
    uint32_t version;
    uint32_t size_B;
    uint32_t mode;                      // enum clk_mode
    _Atomic uint32_t participant_count; // slots in use
    alignas(64) _Atomic int64_t now_ns; // virtual mode: the time
    _Atomic int64_t epoch_ns;           // wall mode: CLOCK_MONOTONIC at the start
    _Atomic uint32_t started; // wall mode: 1 when epoch_ns is valid; participants wait here
    struct clk_slot slot[CLK_PARTICIPANTS_MAX];
};

// Maps the page of a cell; the caller unmaps. NOT_FOUND, CORRUPT, SYSTEM.
enum status clk_page_map(const char *cell, struct clk_page **page) MUST_CHECK;
// The participant's name of a thread of a process: "PROCESS/THREAD". False: it is too long.
bool clk_page_thread_name(char name[CLK_NAME_MAX], const char *process, const char *thread);
// NULL: there is no such participant.
struct clk_slot *clk_page_slot(struct clk_page *page, const char *name);

// What a wrong clock shows at a moment of the trial's time, and the first moment at which it shows
// a time; INT64_MAX: never as it goes. `steps`: its step counts, too.
int64_t clk_skew_local_ns(const struct clk_page_skew *skew, bool steps, int64_t true_ns);
int64_t clk_skew_true_ns(const struct clk_page_skew *skew, bool steps, int64_t local_ns);

// The word in which the kernel reports the owner's death: glibc keeps a mutex's lock word first (it
// is part of its ABI).
static inline _Atomic uint32_t *clk_alive_word(struct clk_slot *slot)
{
    return (_Atomic uint32_t *)&slot->alive.__data.__lock;
}
