// What the benchmark of channels compares: one table of functions for each way of getting a frame
// from one process to others. README.md.
//
// A process is one end of one mechanism. It is started anew for each setting, in a world of its own
// (world.h), and killed when that is over: so nothing is closed. What goes wrong ends the process
// with a message (bench_fail).
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define READERS_MAX 8
#define FRAME_SIZE_MAX_B (64 * 1024)
#define WORLD_FOLDER "/dev/shm" // private to each setting, empty at its start

enum mechanism_kind {
    MECHANISM_FLOOR,  // no message passing: what the machine can do
    MECHANISM_OURS,   // the channels of src/channel
    MECHANISM_KERNEL, // of the kernel: one queue for each reader
    MECHANISM_PEER,   // a publish/subscribe framework
};

struct mechanism {
    const char *name;
    enum mechanism_kind kind;
    const char *package; // Debian package it needs and that was not there to build with; NULL: none

    // In the process that starts the others: what must be there first, for frames of up to
    // size_max_B. NULL: nothing.
    void (*prepare)(unsigned readers, size_t size_max_B);
    void *(*open_writer)(unsigned readers);
    void *(*open_reader)(unsigned reader); // 0, 1 ... readers - 1
    // One frame to all readers. Called only when all of them have had the one before.
    void (*send)(void *writer, const void *frame, size_t size_B);
    // Blocks for the next frame; what it returns stays valid until `done`, without one until the
    // next call. *size_B: its size.
    const void *(*receive)(void *reader, size_t *size_B);
    // The reader has looked at all it wanted of the frame, after it took the time: what is lent is
    // given back. NULL: a copy of the reader's own.
    void (*done)(void *reader);
};

// A framework's mechanism, of functions that each have the member's name; and one whose package was
// not there.
#define PEER(label, ...)                                                                           \
    {                                                                                              \
        .name = (label), .kind = MECHANISM_PEER, .open_writer = open_writer,                       \
        .open_reader = open_reader, .send = send_frame, .receive = receive, ##__VA_ARGS__          \
    }
#define PEER_WITHOUT(label, packages)                                                              \
    {                                                                                              \
        .name = (label), .kind = MECHANISM_PEER, .package = (packages)                             \
    }

// Of the frames of one block, in the order in which they are tabulated.
extern const struct mechanism mechanism_futex, mechanism_futex_timed, mechanism_ukemi,
    mechanism_pipe, mechanism_seqpacket, mechanism_mqueue, mechanism_iceoryx, mechanism_zeromq,
    mechanism_lcm, mechanism_dds;
#define MECHANISM_COUNT 10
extern const struct mechanism *const mechanisms[MECHANISM_COUNT];
#define MECHANISM_FLOOR_INDEX 0 // of mechanism_futex: what all others are compared with

// Ends this process with a message, and errno's text if that is not 0.
_Noreturn void bench_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

// Memory of this process, zero. Never given back.
void *bench_new(size_t size_B);

// Memory shared with processes forked later; zero. Never given back.
void *bench_shared(size_t size_B);
