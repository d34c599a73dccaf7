// Shared by the parts of tests/shim/calls.
#pragma once

#include <stdbool.h>

struct subject {
    const char *name; // NULL ends a table
    void (*check)(void);
};
extern const struct subject thread_subjects[], process_subjects[], library_subjects[],
    machine_subjects[], shared_subjects[], timer_subjects[], stop_subjects[], stack_subjects[];

// Ends the program, with the line, unless it holds.
#define NEED(condition) need(condition, #condition, __LINE__)
void need(bool holds, const char *what, int line);

double now_s(void);
// Whether so much time has passed since: in virtual time to a millisecond. A busy machine's own
// time is judged by half, since it may pass between the start of a timer and `since_s`.
// A system call by an instruction of our own.
long raw_call(long number, long a, long b);
bool took(double since_s, double expected_s);
#define TOOK took
