// What every fault program is made of: a table of kinds, each with what it does for each action.
//
//   PROGRAM apply|effect|undo|settled KIND [pid=PID] [bus=NAME] tag=N seed=N [key=value...]
//
// The lab calls it so, in the cell, with the pidfd of the process that is struck as descriptor 3.
// It prints one line, "proven=0|1 [left=PID] evidence=WORDS". The line becomes part of the trial's
// history: no wall times in it.
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#define FAULT_PIDFD 3

enum fault_exit {
    FAULT_DONE = 0, // proven or not
    FAULT_CALLED_WRONGLY = 2,
    FAULT_FAILED = 3,      // the kernel, or what is to be struck, refused
    FAULT_UNSUPPORTED = 4, // this machine cannot
};

struct fault_asked {
    const char *kind;
    const void *own;  // of the kind's entry
    pid_t pid;        // that is struck; 0: none, or it is gone
    unsigned tag;     // of this fault in the trial
    const char *cell; // folder of shared memory, NULL: none
    void *place;      // of struct fault_place, open; NULL: the program has none
    int word_count;
    char *const *word; // "key=value"; owned by main
};

typedef enum fault_exit fault_act(const struct fault_asked *asked);

struct fault_entry {
    const char *kind;                           // as in the catalogue; NULL ends a table
    fault_act *apply, *undo, *effect, *settled; // NULL: it is never asked that
    const void *own;                            // for its functions
};

enum fault_needs { // what a program cannot do without
    FAULT_NEEDS_PID = 1,
    FAULT_NEEDS_CELL = 2, // UKEMI_CELL, the cell's folder
};

// What all acts of a program act on.
struct fault_place {
    void *(*open)(const struct fault_asked *asked); // NULL: it has reported why not
    void (*close)(void *place);
};

// To be returned by main.
int fault_main(int argc, char **argv, unsigned needs, const struct fault_entry *entries);
int fault_main_at(int argc, char **argv, unsigned needs, const struct fault_entry *entries,
                  const struct fault_place *place);

// Prints the line. left: a process that it has left at work, 0: none.
void fault_prove(bool proven, pid_t left, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// The line for `settled`: what was taken out has not acted since. Returns FAULT_DONE.
enum fault_exit fault_prove_settled(bool taken, uint64_t hit_when_taken, uint64_t hit);

// For parameters that each may be right. Returns FAULT_CALLED_WRONGLY.
enum fault_exit fault_no_sense(const struct fault_asked *asked);

// Value of `key`, or NULL if the lab did not say it: this kind of fault has no such parameter. All
// defaults are in faults/*.yaml.
const char *fault_find(const struct fault_asked *asked, const char *key);

// The value of one that this kind has. Without it the program says so, and ends with 2.
const char *fault_text(const struct fault_asked *asked, const char *key);

// The same as a number, which may be written 0x60; the lab has checked its range.
double fault_number(const struct fault_asked *asked, const char *key);

// A number, or what makes no difference if this kind of fault has none of that name.
double fault_number_or(const struct fault_asked *asked, const char *key, double neutral);
