// When frames of a channel were put, by the lab's time: whatever their writers say. In virtual time
// the lab looks after each turn, in which no time passes.
#pragma once

#include "base/time.h"
#include "channel/channel.h"

struct put_times { // of a channel; all zero at first
    uint64_t seen; // its head, after the last turn
    unsigned first, count;
    struct {
        uint64_t number; // the newest frame after this turn
        instant time;
    } turn[CHANNEL_SLOTS_MAX]; // since its frames were read last; a ring of those that put
                               // something
};

// After a turn. True: something was put.
bool put_times_look(struct put_times *times, const struct channel *channel, instant now);

// In the order of their numbers: false if it was not seen to be put in a turn.
bool put_times_find(struct put_times *times, uint64_t number, instant *time);
