// A small lab for tests of the clock: forks real processes as participants, reaps them in the
// coordinator's poll hook, and keeps a trace in shared memory to which they append lines, "6
// balance wakes\n" (milliseconds, name, what).
#pragma once

#include <check.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "folder.h"

#include "base/random.h"
#include "clock/coordinator.h"

#define MEMBERS_MAX 8
#define THREADS_MAX 3
#define WORDS_MAX 4
#define TRACE_SIZE 65536

#define require(call) ck_assert_str_eq(status_name(call), "OK")

struct shared { // by all processes of a test
    char trace[TRACE_SIZE];
    size_t length;
    int64_t base_ns; // times in the trace count from here
    _Atomic uint64_t word[WORDS_MAX];
};

struct thread { // of a member, beside its first
    const char *name;
    void (*main)(struct clk *clk);
};

struct member {
    const char *name;
    void (*main)(struct clk *clk);
    void (*before)(void); // called in the new process before it joins, or NULL
    unsigned thread_count;
    struct thread thread[THREADS_MAX];
    unsigned number;
    volatile pid_t pid; // 0: not running
};

struct lab {
    char cell[64];
    struct clk_coordinator *coordinator;
    unsigned member_count;
    struct member member[MEMBERS_MAX];
};

static struct shared *shared;
static _Thread_local const char *my_name;

static inline void note(const struct clk *clk, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    size_t left = TRACE_SIZE - shared->length;
    char *end = shared->trace + shared->length;
    int used =
        snprintf(end, left, "%g %s ", (double)(clk_now(clk).ns - shared->base_ns) * 1e-6, my_name);
    used += vsnprintf(end + used, left - (size_t)used, format, arguments);
    used += snprintf(end + used, left - (size_t)used, "\n");
    shared->length += (size_t)used;
    va_end(arguments);
}

// A word as a channel's head: `seen` is what it was when last looked at. Word i has the
// coordinator's id i + 1.
static inline struct clk_watch watch_word(unsigned i, uint64_t seen, enum clk_mode mode)
{
    return (struct clk_watch){
        .word = &shared->word[i], .seen = seen, .id = mode == CLK_VIRTUAL ? i + 1 : CLK_WATCH_NONE};
}

static inline struct member *add(struct lab *lab, const char *name, int priority, bool follower,
                                 void (*function)(struct clk *))
{
    struct member *member = &lab->member[lab->member_count++];
    *member = (struct member){.name = name, .main = function};
    require(clk_coordinator_add(lab->coordinator, name, priority, follower, &member->number));
    return member;
}

static inline void add_thread(struct lab *lab, struct member *member, const char *name,
                              int priority, void (*function)(struct clk *))
{
    member->thread[member->thread_count++] = (struct thread){name, function};
    require(clk_coordinator_add_thread(lab->coordinator, member->number, name, priority));
}

static inline void *run_thread(void *argument)
{
    const struct thread *thread = argument;
    struct clk *clk = NULL;
    my_name = thread->name;
    if (clk_join_thread(my_name, &clk) != STATUS_OK)
        _exit(1);
    thread->main(clk);
    return NULL;
}

static inline void launch_threads(struct member *member)
{
    for (unsigned i = 0; i < member->thread_count; i++) {
        pthread_t id;
        if (pthread_create(&id, NULL, run_thread, &member->thread[i]) != 0)
            _exit(1);
    }
}

static inline void launch(struct lab *lab, struct member *member)
{
    (void)lab;
    sigset_t all,
        before; // a stress test's timer signal must not strike between fork and the note of the pid
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, &before);
    member->pid = fork();
    if (member->pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        signal(SIGALRM, SIG_DFL);
        my_name = member->name;
        setenv("UKEMI_PARTICIPANT", my_name, 1);
        sigprocmask(SIG_SETMASK, &before, NULL);
        if (member->before != NULL)
            member->before();
        launch_threads(member);
        struct clk *clk = NULL;
        if (clk_join(&clk) != STATUS_OK)
            _exit(1);
        member->main(clk);
        _exit(0);
    }
    sigprocmask(SIG_SETMASK, &before, NULL);
}

static inline void start(struct lab *lab, struct member *member)
{
    launch(lab, member);
    require(clk_coordinator_await(lab->coordinator, member->number, duration_s(20)));
}

static inline void start_all(struct lab *lab)
{
    for (unsigned i = 0; i < lab->member_count; i++)
        start(lab, &lab->member[i]);
    clk_coordinator_start(lab->coordinator);
}

// One look at a member's process; reports what happened to it. Returns false if nothing did.
static inline bool look_at(struct lab *lab, struct member *member, int flags)
{
    int status;
    sigset_t all, before;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, &before);
    bool changed = member->pid != 0 && waitpid(member->pid, &status, flags) == member->pid;
    if (changed && (WIFEXITED(status) || WIFSIGNALED(status)))
        member->pid = 0;
    sigprocmask(SIG_SETMASK, &before, NULL);
    if (!changed)
        return false;
    if (WIFSTOPPED(status))
        clk_coordinator_stopped(lab->coordinator, member->number);
    else if (WIFCONTINUED(status))
        clk_coordinator_continued(lab->coordinator, member->number);
    else
        clk_coordinator_left(lab->coordinator, member->number);
    return true;
}

static inline void poll_members(void *context)
{
    struct lab *lab = context;
    for (unsigned i = 0; i < lab->member_count; i++)
        look_at(lab, &lab->member[i], WNOHANG | WUNTRACED | WCONTINUED);
}

// Sends a signal and waits until it has taken effect, as the lab's faults do.
static inline void strike(struct lab *lab, struct member *member, int sign)
{
    kill(member->pid, sign);
    ck_assert(look_at(lab, member, WUNTRACED | WCONTINUED));
}

static inline void run_to_ms(struct lab *lab, int64_t ms)
{
    unsigned culprit = 99;
    require(clk_coordinator_run_until(lab->coordinator, instant_ns(ms * 1000000), &culprit));
}

static inline void open_lab(struct lab *lab, enum clk_mode mode)
{
    memset(lab, 0, sizeof *lab);
    make_folder(lab->cell, sizeof lab->cell);
    setenv("UKEMI_CELL", lab->cell, 1);
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    ck_assert_ptr_ne(shared, MAP_FAILED);
    require(clk_coordinator_create(lab->cell, mode, &lab->coordinator));
    clk_coordinator_on_poll(lab->coordinator, poll_members, lab);
    for (unsigned i = 0; i < WORDS_MAX; i++) {
        uint32_t id;
        require(clk_coordinator_watch(lab->coordinator, &shared->word[i], &id));
        ck_assert_uint_eq(id, mode == CLK_VIRTUAL ? i + 1 : CLK_WATCH_NONE);
    }
}

static inline void close_lab(struct lab *lab)
{
    for (unsigned i = 0; i < lab->member_count; i++)
        if (lab->member[i].pid != 0) {
            kill(lab->member[i].pid, SIGKILL);
            waitpid(lab->member[i].pid, NULL, 0);
        }
    clk_coordinator_destroy(lab->coordinator);
    munmap(shared, sizeof *shared);
    char page[80];
    snprintf(page, sizeof page, "%s/clock", lab->cell);
    unlink(page);
    rmdir(lab->cell);
}

// Compares the trace with the story and forgets it.
static inline void expect_story(const char *story)
{
    ck_assert_str_eq(shared->trace, story);
    shared->length = 0;
    shared->trace[0] = '\0';
}

// A participant that publishes, waits and sleeps at random, but the same in each run.
static inline void meet_randomly(struct clk *clk)
{
    struct random_stream stream;
    random_start(&stream, 5, my_name);
    for (;;) {
        unsigned mine = (unsigned)(random_bits(&stream) % WORDS_MAX);
        note(clk, "runs");
        if (random_bits(&stream) % 2 == 0)
            shared->word[mine]++;
        struct clk_watch watches[2] = {watch_word(0, shared->word[0], CLK_VIRTUAL),
                                       watch_word(mine, shared->word[mine], CLK_VIRTUAL)};
        duration patience = duration_us((int64_t)(random_bits(&stream) % 5000) + 1);
        enum status status = clk_wait(clk, watches, 2, instant_add(clk_now(clk), patience));
        note(clk, "%s", status_name(status));
    }
}
