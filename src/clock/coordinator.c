#include "clock/coordinator.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/invariant.h"
#include "base/text.h"
#include "clock/coordinator_private.h"

#define GRANT_LIMIT_DEFAULT_NS ((int64_t)10 * NS_PER_S)

// ---- creation ----

static enum status create_page(const char *cell, enum clk_mode mode, struct clk_page **page)
{
    char path[4096], temporary[4096];
    if (snprintf(path, sizeof path, "%s/%s", cell, CLK_FILE) >= (int)sizeof path ||
        snprintf(temporary, sizeof temporary, "%s/.%s.%d", cell, CLK_FILE, (int)getpid()) >=
            (int)sizeof temporary)
        return STATUS_INVALID;
    int file = open(temporary, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (file < 0)
        return STATUS_SYSTEM;
    void *memory = MAP_FAILED;
    // All memory is taken here: where there is none left, later would be a SIGBUS.
    if (posix_fallocate(file, 0, sizeof(struct clk_page)) == 0)
        memory = mmap(NULL, sizeof(struct clk_page), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    if (memory == MAP_FAILED) {
        unlink(temporary);
        return STATUS_SYSTEM;
    }
    *page = memory;
    (*page)->magic = CLK_PAGE_MAGIC;
    (*page)->version = CLK_PAGE_VERSION;
    (*page)->size_B = sizeof(struct clk_page);
    (*page)->mode = mode;
    if (rename(temporary, path) == 0)
        return STATUS_OK;
    munmap(memory, sizeof(struct clk_page));
    unlink(temporary);
    return STATUS_SYSTEM;
}

enum status clk_coordinator_create(const char *cell, enum clk_mode mode,
                                   struct clk_coordinator **result)
{
    if (futex_wait_any(NULL, 0, NULL) < 0 && errno == ENOSYS)
        return STATUS_UNSUPPORTED;
    struct clk_coordinator *coordinator = calloc(1, sizeof *coordinator);
    if (coordinator == NULL)
        return STATUS_NO_MEMORY;
    coordinator->mode = mode;
    coordinator->grant_limit_ns = GRANT_LIMIT_DEFAULT_NS;
    coordinator->suspect = SUSPECT_NONE;
    enum status status = create_page(cell, mode, &coordinator->page);
    if (status == STATUS_OK)
        *result = coordinator;
    else
        free(coordinator);
    return status;
}

void clk_coordinator_destroy(struct clk_coordinator *coordinator)
{
    if (coordinator == NULL)
        return;
    munmap(coordinator->page, sizeof *coordinator->page);
    free(coordinator);
}

void clk_coordinator_on_poll(struct clk_coordinator *coordinator, void (*poll)(void *context),
                             void *context)
{
    coordinator->poll = poll;
    coordinator->poll_context = context;
}

void clk_coordinator_on_return(struct clk_coordinator *coordinator, void (*returned)(void *context),
                               void *context)
{
    coordinator->returned = returned;
    coordinator->returned_context = context;
}

void clk_coordinator_on_long(struct clk_coordinator *coordinator,
                             bool (*outlasts)(void *context, unsigned number, bool last),
                             void *context)
{
    coordinator->outlasts = outlasts;
    coordinator->outlasts_context = context;
}

void clk_coordinator_grant_limit(struct clk_coordinator *coordinator, duration limit)
{
    expects(limit.ns > 0);
    coordinator->grant_limit_ns = limit.ns;
}

// Only while nobody holds it: before the process starts, or after it has ended.
static void reset_alive(struct clk_slot *slot)
{
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
    pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
    memset(&slot->alive, 0, sizeof slot->alive);
    pthread_mutex_init(&slot->alive, &attributes);
    pthread_mutexattr_destroy(&attributes);
}

static enum status add(struct clk_coordinator *coordinator, const char *name,
                       struct participant participant, unsigned *number)
{
    // Its own number, if it is a process; a thread's process is there already.
    expects(participant.process <= coordinator->participant_count);
    if (coordinator->participant_count == CLK_PARTICIPANTS_MAX)
        return STATUS_FULL;
    if (strlen(name) >= CLK_NAME_MAX)
        return STATUS_INVALID;
    *number = coordinator->participant_count++;
    participant.ran_at_ns = CLK_NEVER_RAN;
    coordinator->participant[*number] = participant;
    struct clk_slot *slot = &coordinator->page->slot[*number];
    text_copy(slot->name, sizeof slot->name, name);
    slot->follower = participant.follower;
    reset_alive(slot);
    atomic_store(&coordinator->page->participant_count, coordinator->participant_count);
    guard_adopt(coordinator, *number);
    return STATUS_OK;
}

enum status clk_coordinator_add(struct clk_coordinator *coordinator, const char *name, int priority,
                                bool follower, unsigned *number)
{
    const struct participant process = {
        .priority = priority, .follower = follower, .process = coordinator->participant_count};
    return add(coordinator, name, process, number);
}

enum status clk_coordinator_add_thread(struct clk_coordinator *coordinator, unsigned process,
                                       const char *name, int priority)
{
    char full_name[CLK_NAME_MAX];
    unsigned number;
    const struct participant thread = {.priority = priority, .process = process};
    invariant(!coordinator_participant(coordinator, process)->follower);
    return clk_page_thread_name(full_name, coordinator->page->slot[process].name, name)
               ? add(coordinator, full_name, thread, &number)
               : STATUS_INVALID;
}

void clk_coordinator_oscillator(struct clk_coordinator *coordinator, unsigned number,
                                const struct clk_oscillator *oscillator)
{
    expects(!coordinator_participant(coordinator, number)->admitted);
    expects(coordinator->participant[number].process == number); // threads go by their process's
    expects(oscillator->wander_phase >= 0 && oscillator->wander_phase <= 1);
    struct clk_slot *slot = &coordinator->page->slot[number];
    slot->oscillator = *oscillator;
    slot->oscillates = 1;
    guard_adopt(coordinator, number);
}

enum status clk_coordinator_watch(struct clk_coordinator *coordinator, const _Atomic uint64_t *word,
                                  uint32_t *id)
{
    expects(word != NULL);
    *id = CLK_WATCH_NONE;
    if (coordinator->mode == CLK_WALL)
        return STATUS_OK;
    if (coordinator->word_count == CLK_WORDS_MAX)
        return STATUS_FULL;
    coordinator->word[coordinator->word_count++] = word;
    *id = coordinator->word_count; // 1, 2 ...: 0 is CLK_WATCH_NONE
    return STATUS_OK;
}

// ---- what the supervisor reports ----

static void leave(struct clk_coordinator *coordinator, unsigned number)
{
    struct participant *participant = coordinator_participant(coordinator, number);
    struct clk_slot *slot = &coordinator->page->slot[number];
    participant->departures++;
    participant->admitted = false;
    participant->stopped = false;
    participant->waiting.known = false;
    participant->odd_looks = 0;
    participant->ran_at_ns = CLK_NEVER_RAN;
    atomic_store(&slot->turn, CLK_TURN_ABSENT);
    reset_alive(slot); // whatever the dead process has left in it
}

void clk_coordinator_left(struct clk_coordinator *coordinator, unsigned number)
{
    // Threads leave with their process, and are never said to.
    expects(coordinator_participant(coordinator, number)->process == number);
    for (unsigned i = 0; i < coordinator->participant_count; i++)
        if (coordinator->participant[i].process == number)
            leave(coordinator, i);
}

static void set_stopped(struct clk_coordinator *coordinator, unsigned number, bool stopped)
{
    expects(coordinator_participant(coordinator, number)->process == number);
    for (unsigned i = 0; i < coordinator->participant_count; i++)
        if (coordinator->participant[i].process == number)
            coordinator->participant[i].stopped = stopped;
}

void clk_coordinator_stopped(struct clk_coordinator *coordinator, unsigned number)
{
    set_stopped(coordinator, number, true);
}

void clk_coordinator_continued(struct clk_coordinator *coordinator, unsigned number)
{
    set_stopped(coordinator, number, false);
}

// ---- what the lab asks ----

const char *clk_coordinator_missing(const struct clk_coordinator *coordinator, unsigned number)
{
    for (unsigned i = 0; i < coordinator->participant_count; i++)
        if (coordinator->participant[i].process == number &&
            atomic_load(&coordinator->page->slot[i].turn) == CLK_TURN_ABSENT)
            return coordinator->page->slot[i].name;
    return NULL;
}

enum clk_mode clk_coordinator_mode(const struct clk_coordinator *coordinator)
{
    return coordinator->mode;
}

instant clk_coordinator_now(const struct clk_coordinator *coordinator)
{
    if (coordinator->mode == CLK_VIRTUAL)
        return instant_ns(coordinator->now_ns);
    return instant_ns(coordinator->started ? monotonic_ns() - coordinator->epoch_ns : 0);
}

enum clk_participant_state clk_coordinator_state(const struct clk_coordinator *coordinator,
                                                 unsigned number)
{
    invariant(number < coordinator->participant_count);
    const struct participant *participant = &coordinator->participant[number];
    enum clk_turn turn = atomic_load(&coordinator->page->slot[number].turn);
    if (!participant->admitted || turn == CLK_TURN_ABSENT)
        return CLK_ABSENT;
    if (participant->stopped)
        return CLK_STOPPED;
    for (unsigned i = 0; i < coordinator->participant_count; i++)
        if (coordinator->participant[i].process == number && coordinator->participant[i].admitted &&
            atomic_load(&coordinator->page->slot[i].turn) == CLK_TURN_GRANTED)
            return CLK_GRANTED;
    return CLK_BLOCKED;
}

unsigned clk_coordinator_ran(const struct clk_coordinator *coordinator)
{
    expects(coordinator->mode == CLK_VIRTUAL);
    invariant(coordinator->ran < coordinator->participant_count);
    return coordinator->participant[coordinator->ran].process;
}

uint64_t clk_coordinator_grants(const struct clk_coordinator *coordinator)
{
    return coordinator->grants;
}
