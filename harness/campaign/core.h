// Which core a trial runs on. On the virtual clock one process of a trial runs at a time: on one
// core the next goes on at once, on several each turn wakes a core that sleeps, which takes up to
// ten times as long. Results are the same on any.
#pragma once

#include <sched.h>
#include <stdbool.h>
#include <stddef.h>

struct core_choice {
    bool given; // by the user
    bool none;  // pin nothing
    cpu_set_t among;
};

// "auto": any that this process may use; "none"; or a list, as in "0,2-3". False: `words` say what
// is wrong with the text, as the end of a message; *choice is undefined.
bool core_choose(const char *text, struct core_choice *choice, char *words, size_t size);

// The next of those cores that no other trial has claimed and that is not busy; if there is none, a
// busy one; if all are claimed, one of them by turns. -1: none, or not known. A claim ends with
// this process.
//
// Claims are seen by all users and labs of a machine that share its folder /run/lock; where it has
// none, within a network namespace. Labs of two containers see each other's load.
int core_claim(const struct core_choice *choice);

// Of those cores the one after that; -1 after -1.
int core_after(const struct core_choice *choice, int core);
