// Shared by the lab's side of the machine's floor and the loops that its processes run.
#pragma once

#include <stdatomic.h>

#include "harness/machine/machine_floor.h"

struct floor_shared {
    struct machine_floor_request request;
    _Atomic uint32_t ready; // processes that have begun
    _Atomic uint32_t stop;
    _Atomic uint32_t word;   // changes when the loop wakes its partner
    _Atomic int64_t sent_ns; // when it did
    _Atomic uint64_t sent;   // the sample it did it in
    struct floor_record record;
};

// Each is the whole life of a process: until shared->stop, or the request's limit.
void floor_loop(struct floor_shared *shared);
void floor_partner(struct floor_shared *shared);
void floor_sampler(struct floor_shared *shared, unsigned core);
