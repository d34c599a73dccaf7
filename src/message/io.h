// What shimmed programs do to each other: the messages of the channel `io` (src/shim).
#pragma once

#include <stdint.h>

#include "base/time.h"

#define IO_CHANNEL "io"
#define IO_CHANNEL_SLOTS 64
// A program puts at most so many frames without giving the lab a chance to read them.
#define IO_BURST_MAX 32

#define IO_STRUCK_WORDS "fault %u" // its tag

enum io_call {
    IO_WRITE,
    IO_SEND,
    IO_CONNECT,
    IO_ACCEPT,
    IO_SHUTDOWN,
    IO_CLOSE,
    IO_ROOM, // read, which makes room for somebody who waits to write
    IO_KILL, // a signal was sent; descriptor: to whom
    IO_FORK, // descriptor: the child
    IO_EXEC,
    IO_CHILD,  // a child has ended
    IO_END,    // the lab: the participant has ended, and its descriptors are closed
    IO_FAULT,  // the lab: a fault has struck or was undone; look for signals
    IO_LEAK,   // something here is not virtual; words: what
    IO_STRUCK, // a fault strikes a call; size and hash: what the program sends; words: which fault
    IO_WAKE,   // tasks of other programs, which wait at shared memory; descriptor: how many
};

struct io_message {
    instant time;
    uint64_t count; // of this participant's messages
    uint64_t hash;  // of the bytes; 0: of none
    uint32_t call;  // enum io_call
    int32_t descriptor;
    uint32_t size_B;
    uint32_t task; // number of the thread or child; 0: the main thread
    char participant[48];
    char words[64];
};
