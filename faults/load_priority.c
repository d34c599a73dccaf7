// Takes the real-time priority from a process, all its threads.
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "faults/load.h"

static bool note_threads(const struct load_call *call, struct load_page *page)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/task", call->pid);
    DIR *list = opendir(path);
    const struct dirent *entry;
    while (list != NULL && (entry = readdir(list)) != NULL) {
        struct load_thread thread = {.tid = atoi(entry->d_name)};
        struct sched_param parameters;
        if (thread.tid == 0 || page->thread_count == LOAD_THREADS_MAX)
            continue;
        thread.policy = sched_getscheduler(thread.tid);
        if (thread.policy < 0 || sched_getparam(thread.tid, &parameters) != 0)
            continue;
        thread.priority = parameters.sched_priority;
        page->thread[page->thread_count++] = thread;
    }
    if (list != NULL)
        closedir(list);
    return page->thread_count > 0;
}

static enum load_answer drop(const struct load_call *call, struct load_page *page)
{
    page->priority = load_real_time_priority(call->pid);
    if (page->priority == 0 || !note_threads(call, page)) {
        fprintf(stderr, "the process has no real-time priority here to lose\n");
        return LOAD_UNSUPPORTED;
    }
    for (unsigned i = 0; i < page->thread_count; i++) {
        // That flag is not for everybody to take away.
        const int policy = SCHED_OTHER | (page->thread[i].policy & SCHED_RESET_ON_FORK);
        if (sched_setscheduler(page->thread[i].tid, policy, &(struct sched_param){0}) != 0) {
            fprintf(stderr, "thread %d: %s\n", page->thread[i].tid, strerror(errno));
            return LOAD_FAILED;
        }
    }
    return LOAD_DONE;
}

static void restore(const struct load_call *call, struct load_page *page)
{
    for (unsigned i = 0; i < page->thread_count && load_struck_there(call, page); i++) {
        const struct load_thread *thread = &page->thread[i];
        const struct sched_param parameters = {.sched_priority = thread->priority};
        (void)sched_setscheduler(thread->tid, thread->policy, &parameters);
    }
}

static bool is_restored(const struct load_call *call, const struct load_page *page)
{
    return !load_struck_there(call, page) || load_real_time_priority(call->pid) == page->priority;
}

static void effect(const struct load_call *call, const struct load_page *page,
                   struct load_proof *proof)
{
    proof->proven = page->priority > 0;
    for (unsigned i = 0; i < page->thread_count; i++)
        proof->proven = proof->proven && load_real_time_priority(page->thread[i].tid) == 0;
    snprintf(proof->evidence, sizeof proof->evidence,
             "pid %d had SCHED_FIFO %d; its %u thread(s) %s real-time priority", call->pid,
             page->priority, page->thread_count, proof->proven ? "have no" : "still have");
}

const struct load_kind load_priority_drop = {.name = "priority-drop",
                                             .prepare = drop,
                                             .restore = restore,
                                             .is_restored = is_restored,
                                             .effect = effect};
