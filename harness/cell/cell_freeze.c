// Who forks faster than anybody can look is stopped before.
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "harness/cell/cell_watch.h"

#define CROWD_FACTOR 2 // times the processes that a cell may have: so many new ones are suspect

// 0: the kernel does not say.
static unsigned tasks_of_machine(void)
{
    char text[128];
    unsigned tasks = 0;
    if (cell_read_file(AT_FDCWD, "/proc/loadavg", text, sizeof text) > 0)
        sscanf(text, "%*s %*s %*s %*u/%u", &tasks);
    return tasks;
}

// A group whose leader lives in this session is of a program that the cell has started.
static void signal_groups(const struct cell_watch *watch, int number)
{
    for (unsigned i = 0; i < watch->seen_count; i++) {
        const struct cell_look *look = &watch->seen[i].look;
        if (look->pid == look->group && look->group != getpgrp() &&
            getsid(look->group) == getsid(0) && getpgid(look->group) == look->group)
            (void)kill(-look->group, number);
    }
}

bool cell_watch_freeze(struct cell_watch *watch)
{
    const unsigned before = watch->tasks;
    watch->tasks = tasks_of_machine();
    if (before == 0 || watch->tasks < before + CROWD_FACTOR * watch->limits->processes)
        return false;
    (void)kill(watch->init, SIGSTOP); // first: it is not to see the others stop
    signal_groups(watch, SIGSTOP);
    return true;
}

void cell_watch_thaw(const struct cell_watch *watch)
{
    signal_groups(watch, SIGCONT);
    (void)kill(watch->init, SIGCONT);
}
