// Windows in which a core of this machine stood still and nobody who runs on it is to blame: the
// host had taken it away, or the kernel kept interrupts off. Samples that such a window touches are
// reported apart.
//
// Instants are CLOCK_MONOTONIC. A list has a fixed size and no pointers, so it may lie in shared
// memory; one process writes it. Pure; adding is real-time safe.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define STALLS_MAX 1024

struct stall {
    int64_t begin_ns, end_ns;
};

struct stall_list {
    uint32_t count, padding;
    uint64_t happened; // windows added; more than count where they touched or the list was full
    int64_t total_ns;  // length of all windows of the list
    struct stall window[STALLS_MAX]; // ascending, apart from each other
};

// Adds a window that does not begin before the last one. One that touches the last one joins it.
// When the list is full the last window grows until it holds the new one: what is not known for
// sure to be the target's doing is not blamed on it.
void stall_list_add(struct stall_list *list, int64_t begin_ns, int64_t end_ns);

// Whether a window of the list has an instant in common with [from, to].
bool stall_list_touches(const struct stall_list *list, int64_t from_ns, int64_t to_ns);

// What a sampler of one core knows when it wakes, which it should do at fixed instants.
struct stall_wake {
    int64_t seen_ns;   // when it was last seen running
    int64_t due_ns;    // when it should have woken
    int64_t woke_ns;   // when it did
    int64_t queued_ns; // how long since seen_ns it was ready and others ran (the kernel's account)
};

// The part of its being late that no other process explains; not negative.
int64_t stall_unexplained_ns(const struct stall_wake *wake);

// Adds the window since the sampler was last seen if the unexplained part is over the threshold.
// The window begins then, not when the wake-up was due: a core may have been gone some time by that
// instant. Returns whether it was.
bool stall_list_judge(struct stall_list *list, const struct stall_wake *wake, int64_t threshold_ns);

// For a sampler that nothing outranks: adds the window since it was last seen if it was late by
// more than the threshold, whoever ran meanwhile, but no more than longest_ns. A kernel without
// preemption lets a thread of its own finish what it is at; when the kernel stops real-time
// processes that used up their share, they wait for much longer, and that is their own doing.
// Returns whether it was.
bool stall_list_judge_held(struct stall_list *list, const struct stall_wake *wake,
                           int64_t threshold_ns, int64_t longest_ns);
