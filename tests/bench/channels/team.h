// A team: the processes of one mechanism in one setting, a writer and its readers, and what they
// share. They idle until the stage gives them a block of frames; all that other mechanisms do
// meanwhile is theirs alone.
#pragma once

#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "tests/bench/channels/mechanism.h"

#define BLOCK_FRAMES_MAX 512
#define PERIOD_NS 1000000 // 1 kHz

// Which cores its processes run on, and how.
struct placement {
    int core[2]; // the writer's; and that of every other reader, beginning with the first
    bool fifo;
};

// In shared memory, made before its processes.
struct team {
    const struct mechanism *mechanism;
    struct placement placement;
    unsigned readers;
    // The block in hand: written before the semaphores are raised.
    _Atomic uint32_t block;
    uint32_t frames;
    size_t size_B;
    int64_t start_ns;
    int64_t patience_ns; // a frame that takes longer is lost
    sem_t writer_go, writer_done;
    _Atomic uint32_t
        waited; // periods in which nothing was sent, since a reader still lacked the frame before
    _Atomic uint32_t wrong;                                    // frames that did not come whole
    _Atomic int64_t latency_ns[READERS_MAX][BLOCK_FRAMES_MAX]; // 0: has not come
};

// Starts the processes, for frames of up to size_max_B; they die with the caller. False: a fork
// failed.
bool team_start(struct team *team, size_t size_max_B);

// Sends a block of frames at 1 kHz and waits until all have come, or nothing comes any more. How
// many have come to all readers; their latencies are in latency_ns until the next block.
uint32_t team_block(struct team *team, size_t size_B, uint32_t frames, int64_t patience_ns);

// From the stamp in frame `number` of the last block until its last reader had it; 0: it never came
// to all.
int64_t team_latency_ns(const struct team *team, uint32_t number);
