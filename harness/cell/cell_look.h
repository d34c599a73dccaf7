// One look at one process, through the /proc of its cell. Private to the cell's watch.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cell_look {
    int pid, group; // process and process group
    char name[48];  // of its program
    uint64_t started_ticks;
    unsigned threads, open_files;
    uint64_t memory_B;  // anonymous, shared, swapped, and of files that only a descriptor keeps
    uint64_t waits;     // how often it waited by itself, all its threads together
    uint64_t cpu_ticks; // user and system
    uint64_t written_B; // to files of all kinds
    uint64_t held_ns;   // how long its first thread was ready to run and had no processor
};

// False if there is no such process (any more). Takes no lock that the process can hold: one that
// forks without end keeps the lock of its memory, so environment and maps cannot be read.
// `briefly`: leaves out open_files, memory_B, waits, written_B, held_ns.
bool cell_look_at(int pid, bool briefly, struct cell_look *look);

// Reads a file of /proc below the open folder; returns its length, 0 if it cannot be read.
size_t cell_read_file(int folder, const char *name, char *text, size_t size);
