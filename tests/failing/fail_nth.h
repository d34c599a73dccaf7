// What the library that makes calls fail (fail_nth.c, loaded into the lab by LD_PRELOAD) and the
// program that says which (drive.c) share: one file, mapped by all processes of one run.
#pragma once

#include <stdatomic.h>
#include <stdint.h>

#define FAIL_FILE "UKEMI_FAIL_FILE" // environment: where the file lies

enum fail_family {
    FAIL_MEMORY,  // malloc and its like, mmap
    FAIL_OPEN,    // open, fopen, opendir, access, stat ...
    FAIL_READ,    // read, pread, fread, fgets ...
    FAIL_WRITE,   // write, fsync, ftruncate, fflush, fclose, rename, mkdir ...
    FAIL_PROCESS, // fork, pipe2, dup2, namespaces ...
    FAIL_LOCK,    // fcntl
    FAIL_FAMILIES
};

// Processes of one run by their distance from the command: a campaign's worker is 1, its cell's
// keeper 2, its init 3, what that starts is 4 until it is another program.
#define FAIL_GENERATIONS 6

#define FAIL_PLACES_MAX 65536
#define FAIL_FRAMES 16

struct fail_place {
    _Atomic uint64_t stack; // hash of the addresses that led to the call; 0: free
    uint32_t family, generation;
    uint64_t number; // the first such call among its family and generation, from 1
    char call[24];
    void *frame[FAIL_FRAMES];
};

enum fail_mode { FAIL_NEVER, FAIL_ONCE, FAIL_FOR_GOOD };

struct fail_table {
    // what shall fail; the driver says it
    uint32_t mode, family, generation;
    uint32_t note_places;
    uint64_t number;
    // what happened
    _Atomic uint32_t tripped; // calls that failed
    _Atomic uint64_t count[FAIL_FAMILIES][FAIL_GENERATIONS];
    _Atomic uint32_t places_used;
    struct fail_place place[FAIL_PLACES_MAX]; // by hash, open addressing
};
