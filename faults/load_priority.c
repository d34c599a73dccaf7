// Takes the real-time priority from a process, all its threads.
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "faults/load.h"

// How the kernel schedules a thread now; false: it has ended.
static bool look_at(pid_t tid, struct load_thread *thread)
{
    struct sched_param parameters;
    *thread = (struct load_thread){.tid = tid, .policy = sched_getscheduler(tid)};
    if (thread->policy < 0 || sched_getparam(tid, &parameters) != 0)
        return false;
    thread->priority = parameters.sched_priority;
    return true;
}

static bool note_threads(const struct fault_asked *call, struct load_page *page)
{
    pid_t tid[LOAD_THREADS_MAX];
    const unsigned count = load_list_threads(call->pid, tid, LOAD_THREADS_MAX);
    for (unsigned i = 0; i < count && i < LOAD_THREADS_MAX; i++) {
        struct load_thread thread;
        if (look_at(tid[i], &thread))
            page->thread[page->thread_count++] = thread;
    }
    return page->thread_count > 0;
}

static enum fault_exit drop(const struct fault_asked *call, struct load_page *page)
{
    page->priority = load_real_time_priority(call->pid);
    if (page->priority == 0 || !note_threads(call, page)) {
        fprintf(stderr, "the process has no real-time priority here to lose\n");
        return FAULT_UNSUPPORTED;
    }
    for (unsigned i = 0; i < page->thread_count; i++) {
        // That flag is not for everybody to take away.
        const int policy = SCHED_OTHER | (page->thread[i].policy & SCHED_RESET_ON_FORK);
        if (sched_setscheduler(page->thread[i].tid, policy, &(struct sched_param){0}) != 0) {
            fprintf(stderr, "thread %d: %s\n", page->thread[i].tid, strerror(errno));
            return FAULT_FAILED;
        }
    }
    return FAULT_DONE;
}

static void restore(const struct fault_asked *call, struct load_page *page)
{
    for (unsigned i = 0; i < page->thread_count && load_struck_there(call, page); i++) {
        const struct load_thread *thread = &page->thread[i];
        const struct sched_param parameters = {.sched_priority = thread->priority};
        (void)sched_setscheduler(thread->tid, thread->policy, &parameters);
    }
}

static bool is_restored(const struct fault_asked *call, const struct load_page *page)
{
    for (unsigned i = 0; i < page->thread_count && load_struck_there(call, page); i++) {
        const struct load_thread *before = &page->thread[i];
        struct load_thread now;
        if (look_at(before->tid, &now) &&
            (now.policy != before->policy || now.priority != before->priority))
            return false;
    }
    return true;
}

static void effect(const struct fault_asked *call, const struct load_page *page,
                   struct load_proof *proof)
{
    // All that there are, also those begun since, or too many to be noted.
    const unsigned threads = load_list_threads(call->pid, NULL, 0);
    const unsigned ordinary = load_threads_at(call->pid, 0);
    proof->proven = page->priority > 0 && threads > 0 && ordinary == threads;
    snprintf(proof->evidence, sizeof proof->evidence,
             "pid %d had SCHED_FIFO %d; its %u thread(s) %s real-time priority", call->pid,
             page->priority, threads, proof->proven ? "have no" : "still have");
}

const struct load_kind load_priority_drop = {
    .prepare = drop, .restore = restore, .is_restored = is_restored, .effect = effect};
