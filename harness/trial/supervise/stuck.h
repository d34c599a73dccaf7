// Who waits in a circle: pure. A task is stuck if each of those who could bring what it waits for
// is stuck, or gone.
#pragma once

#include <stdbool.h>

#define STUCK_TASKS_MAX 512

// Of a task of a shimmed program.
struct stuck_task {
    int process;   // number of the participant
    int pid;       // of the child it is, in the cell
    int thread;    // number to the kernel
    bool waits;    // for good
    bool for_gone; // for a lock whose owner has ended
    int owner;     // index of the task that has the lock, or is joined; -1: it is not known
    int child;     // pid of the process whose end it waits for; 0: none
    bool stuck;    // the answer
};

void stuck_find(struct stuck_task *task, unsigned count);
