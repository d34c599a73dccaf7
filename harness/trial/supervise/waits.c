#include "harness/trial/supervise/waits.h"

#include <fcntl.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "harness/cell/cell_inside.h"
#include "harness/files/target/target.h"
#include "harness/history/wait.h"
#include "harness/trial/supervise/stuck.h"
#include "shim/page.h"

#define SCHEMA_WAIT "wait_event"
#define RECORDED_MAX 64
#define LINE_B 512

struct waits {
    const struct supervisor *supervisor;
    unsigned count;
    bool looked; // at a page
    bool all;    // no process can go on by itself
    struct stuck_task task[STUCK_TASKS_MAX];
    struct shim_awaited awaited[STUCK_TASKS_MAX];
    unsigned number[STUCK_TASKS_MAX]; // on its page
    struct shim_page page;            // a copy of the one that is read
};

// ---- what the pages say ------------------------------------------------------------------------

static bool is_blocked(const struct shim_task *task)
{
    return task->state == SHIM_TASK_BLOCKED && !task->stopped;
}

// A lock of a file is asked for again and again. Handlers of signals give no lock back.
static bool waits_for_good(const struct shim_task *task)
{
    const uint32_t kind = task->awaited.kind;
    const bool lock = kind == SHIM_AWAITS_FILE_LOCK || kind == SHIM_AWAITS_MUTEX ||
                      kind == SHIM_AWAITS_RWLOCK || kind == SHIM_AWAITS_SPIN;
    return is_blocked(task) && task->awaited.for_good && (lock || task->deadline_ns == INT64_MAX);
}

static void add_task(struct waits *waits, unsigned process, unsigned number)
{
    const struct shim_task *task = &waits->page.task[number];
    if (task->state == SHIM_TASK_FREE || waits->count == STUCK_TASKS_MAX)
        return;
    waits->number[waits->count] = number;
    waits->awaited[waits->count] = task->awaited;
    waits->task[waits->count++] = (struct stuck_task){.process = (int)process,
                                                      .pid = task->pid,
                                                      .thread = waits->page.schedule[number].thread,
                                                      .waits = waits_for_good(task),
                                                      .owner = -1};
    waits->all &= waits_for_good(task);
}

static void read_page(struct waits *waits, unsigned process)
{
    char path[PATH_MAX_LENGTH];
    snprintf(path, sizeof path, "%s/shim-%s", cell_folder(),
             supervisor_config(waits->supervisor, process)->name);
    const int file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    const bool known =
        file >= 0 && pread(file, &waits->page, sizeof waits->page, 0) == sizeof waits->page &&
        waits->page.magic == SHIM_PAGE_MAGIC && waits->page.version == SHIM_PAGE_VERSION;
    if (file >= 0)
        close(file);
    waits->all &= known;
    waits->looked |= known;
    for (unsigned i = 0; known && i < SHIM_TASKS_MAX && i < waits->page.task_count; i++)
        add_task(waits, process, i);
}

static void read_pages(struct waits *waits)
{
    waits->all = true;
    for (unsigned i = 0; i < supervisor_count(waits->supervisor); i++) {
        const struct process_config *process = supervisor_config(waits->supervisor, i);
        if (supervisor_state(waits->supervisor, i) == PROCESS_STATE_ENDED)
            continue;
        if (process->clock == PROCESS_CLOCK_SHIM)
            read_page(waits, i);
        else
            waits->all = false;
    }
}

// ---- who has what ------------------------------------------------------------------------------

static int task_of_thread(const struct waits *waits, int thread)
{
    for (unsigned i = 0; i < waits->count; i++)
        if (waits->task[i].thread == thread)
            return (int)i;
    return -1;
}

// 0: nobody, or it cannot be read.
static int thread_that_has(const struct stuck_task *task, const struct shim_awaited *awaited)
{
    char path[64];
    int owner = 0;
    const uint64_t at = awaited->address + (awaited->kind == SHIM_AWAITS_MUTEX
                                                ? offsetof(pthread_mutex_t, __data.__owner)
                                                : offsetof(pthread_rwlock_t, __data.__cur_writer));
    snprintf(path, sizeof path, "/proc/%d/mem", task->pid);
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file >= 0 && pread(file, &owner, sizeof owner, (off_t)at) != sizeof owner)
        owner = 0;
    if (file >= 0)
        close(file);
    return owner;
}

static bool is_gone(int thread)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d", thread);
    return access(path, F_OK) != 0;
}

static void find_owner(struct waits *waits, unsigned i)
{
    struct stuck_task *task = &waits->task[i];
    const struct shim_awaited *awaited = &waits->awaited[i];
    if (awaited->kind == SHIM_AWAITS_MUTEX || awaited->kind == SHIM_AWAITS_RWLOCK) {
        const int thread = thread_that_has(task, awaited);
        task->owner = thread > 0 ? task_of_thread(waits, thread) : -1;
        task->for_gone = thread > 0 && task->owner < 0 && is_gone(thread);
    } else if (awaited->kind == SHIM_AWAITS_CHILD && awaited->number > 0) {
        task->child = awaited->number;
    } else if (awaited->kind == SHIM_AWAITS_THREAD) {
        for (unsigned j = 0; j < waits->count; j++)
            if (waits->task[j].process == task->process &&
                waits->number[j] == (unsigned)awaited->number)
                task->owner = (int)j;
    }
}

// ---- words -------------------------------------------------------------------------------------

static const char *name_of(const struct waits *waits, unsigned i)
{
    return supervisor_config(waits->supervisor, (unsigned)waits->task[i].process)->name;
}

static void name_task(const struct waits *waits, unsigned i, char *text, size_t size)
{
    snprintf(text, size, "%.24s (pid %d%s)", name_of(waits, i), waits->task[i].pid,
             waits->task[i].thread != waits->task[i].pid ? ", a thread" : "");
}

// The file that a process has mapped there; false: none, it is its own memory.
static bool file_at(int pid, uint64_t address, char *text, size_t size)
{
    char path[64], line[LINE_B], rights[5], name[LINE_B];
    unsigned long from, end, offset;
    bool found = false;
    snprintf(path, sizeof path, "/proc/%d/maps", pid);
    FILE *const maps = fopen(path, "re");
    while (maps != NULL && !found && fgets(line, sizeof line, maps) != NULL) {
        name[0] = '\0';
        if (sscanf(line, "%lx-%lx %4s %lx %*s %*s %511[^\n]", &from, &end, rights, &offset, name) <
                4 ||
            address < from || address >= end)
            continue;
        found = rights[3] == 's';
        snprintf(text, size, " at %.48s+%#lx", name, offset + (unsigned long)(address - from));
        break;
    }
    if (maps != NULL)
        (void)fclose(maps);
    return found;
}

// What a descriptor is of; pipes and sockets have numbers that no trial determines.
static void name_descriptor(int pid, int descriptor, char *text, size_t size)
{
    char path[64], target[128];
    snprintf(path, sizeof path, "/proc/%d/fd/%d", pid, descriptor);
    const ssize_t length = readlink(path, target, sizeof target - 1);
    target[length > 0 ? length : 0] = '\0';
    const bool numbered = strncmp(target, "pipe:", 5) == 0 || strncmp(target, "socket:", 7) == 0;
    if (numbered)
        target[strcspn(target, ":")] = '\0';
    snprintf(text, size, "descriptor %d%s%.60s", descriptor, target[0] != '\0' ? ", " : "", target);
}

static void describe_awaited(const struct waits *waits, unsigned i, char *text, size_t size)
{
    static const char *const of[SHIM_AWAITS_KINDS] = {
        [SHIM_AWAITS_OTHER] = "something",       [SHIM_AWAITS_MUTEX] = "a mutex",
        [SHIM_AWAITS_RWLOCK] = "a rwlock",       [SHIM_AWAITS_SPIN] = "a spin lock",
        [SHIM_AWAITS_BARRIER] = "a barrier",     [SHIM_AWAITS_CONDITION] = "a condition",
        [SHIM_AWAITS_SEMAPHORE] = "a semaphore", [SHIM_AWAITS_WORD] = "a word (futex)",
        [SHIM_AWAITS_THREAD] = "a thread's end", [SHIM_AWAITS_SIGNAL] = "a signal"};
    const struct shim_awaited *awaited = &waits->awaited[i];
    const uint32_t kind = awaited->kind < SHIM_AWAITS_KINDS ? awaited->kind : SHIM_AWAITS_OTHER;
    char where[100] = "";
    if (kind == SHIM_AWAITS_CHILD && awaited->number > 0)
        snprintf(text, size, "the end of its child %d", awaited->number);
    else if (kind == SHIM_AWAITS_CHILD)
        snprintf(text, size, "the end of a child");
    else if (kind == SHIM_AWAITS_SET || kind == SHIM_AWAITS_QUEUE)
        snprintf(text, size, "System V %s %d", kind == SHIM_AWAITS_SET ? "semaphores" : "messages",
                 awaited->number);
    else if (kind == SHIM_AWAITS_DESCRIPTOR || kind == SHIM_AWAITS_FILE_LOCK) {
        name_descriptor(waits->task[i].pid, awaited->number, where, sizeof where);
        snprintf(text, size, "%s%s", kind == SHIM_AWAITS_FILE_LOCK ? "the lock of " : "", where);
    } else {
        if (awaited->address != 0 &&
            !file_at(waits->task[i].pid, awaited->address, where, sizeof where))
            where[0] = '\0';
        snprintf(text, size, "%s%s", of[kind], where);
    }
}

static void describe(const struct waits *waits, unsigned i, char *text, size_t size)
{
    char who[56], what[112], holder[56] = "";
    const struct stuck_task *task = &waits->task[i];
    name_task(waits, i, who, sizeof who);
    describe_awaited(waits, i, what, sizeof what);
    if (task->owner >= 0 && waits->awaited[i].kind != SHIM_AWAITS_THREAD)
        name_task(waits, (unsigned)task->owner, holder, sizeof holder);
    snprintf(text, size, "%s for %s%s%s", who, what,
             task->for_gone      ? ", whose owner has ended"
             : holder[0] != '\0' ? ", held by "
                                 : "",
             holder);
}

// ---- recording ---------------------------------------------------------------------------------

static enum status record(const struct waits *waits, struct history *history)
{
    unsigned topic = 0, recorded = 0;
    enum status status = history_add_topic(history, TOPIC_WAIT, SCHEMA_WAIT, &topic);
    for (unsigned i = 0; i < waits->count && status == STATUS_OK; i++) {
        const struct stuck_task *task = &waits->task[i];
        struct wait_event event = {.time = instant_ns(waits->awaited[i].since_ns),
                                   .stuck = task->stuck,
                                   .task = waits->number[i],
                                   .pid = task->pid};
        if ((!task->stuck && !waits->all) || recorded == RECORDED_MAX)
            continue;
        text_copy(event.process, sizeof event.process, name_of(waits, i));
        describe(waits, i, event.words, sizeof event.words);
        recorded++;
        status = history_append(history, topic, 0, event.time, &event, sizeof event);
    }
    return status;
}

enum status waits_record(const struct supervisor *supervisor, struct history *history)
{
    struct waits *const waits = calloc(1, sizeof *waits);
    if (waits == NULL)
        return STATUS_NO_MEMORY;
    waits->supervisor = supervisor;
    read_pages(waits);
    for (unsigned i = 0; i < waits->count; i++)
        if (waits->task[i].waits)
            find_owner(waits, i);
    stuck_find(waits->task, waits->count);
    const enum status status = waits->looked ? record(waits, history) : STATUS_OK;
    free(waits);
    return status;
}
