#include "harness/trial/supervise/stuck.h"

// Each of its tasks could end a process.
static bool is_process_stuck(const struct stuck_task *task, unsigned count, int pid)
{
    bool found = false;
    for (unsigned i = 0; i < count; i++) {
        if (task[i].pid != pid)
            continue;
        found = true;
        if (!task[i].stuck)
            return false;
    }
    return found;
}

static bool can_go_on(const struct stuck_task *all, unsigned count, const struct stuck_task *task)
{
    if (task->for_gone)
        return false;
    if (task->owner >= 0)
        return !all[task->owner].stuck;
    return task->child == 0 || !is_process_stuck(all, count, task->child);
}

// Of those that may be stuck, all are taken to be, until one is found that can go on.
void stuck_find(struct stuck_task *task, unsigned count)
{
    bool changed = true;
    for (unsigned i = 0; i < count; i++)
        task[i].stuck =
            task[i].waits && (task[i].for_gone || task[i].owner >= 0 || task[i].child > 0);
    while (changed) {
        changed = false;
        for (unsigned i = 0; i < count; i++)
            if (task[i].stuck && can_go_on(task, count, &task[i])) {
                task[i].stuck = false;
                changed = true;
            }
    }
}
