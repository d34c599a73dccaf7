#include "clock/clock.h"

#include <fcntl.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/epoch.h"
#include "clock/futex.h"
#include "clock/page.h"

// Longest sleep on words in wall mode before they are looked at again: a writer killed between
// publishing and waking is thereby survived even if nobody kicks its channels.
#define WORD_SLEEP_MAX_NS (100 * 1000000)

struct clk {
    enum clk_mode mode;
    struct clk_page *page; // NULL: stand-alone
    struct clk_slot *slot;
    int64_t epoch_ns; // wall mode
};

// ---- joining ----

static enum status map_page(const char *cell, struct clk_page **page)
{
    char path[4096];
    if (snprintf(path, sizeof path, "%s/%s", cell, CLK_FILE) >= (int)sizeof path)
        return STATUS_NOT_FOUND;
    int file = open(path, O_RDWR | O_CLOEXEC);
    if (file < 0)
        return errno == ENOENT ? STATUS_NOT_FOUND : STATUS_SYSTEM;
    struct stat info;
    void *memory = MAP_FAILED;
    enum status status = STATUS_CORRUPT;
    if (fstat(file, &info) != 0)
        status = STATUS_SYSTEM;
    else if (info.st_size == (off_t)sizeof(struct clk_page)) {
        memory = mmap(NULL, sizeof(struct clk_page), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        status = memory == MAP_FAILED ? STATUS_SYSTEM : STATUS_OK;
    }
    close(file);
    if (status != STATUS_OK)
        return status;
    *page = memory;
    if ((*page)->magic == CLK_PAGE_MAGIC && (*page)->version == CLK_PAGE_VERSION &&
        (*page)->size_B == sizeof(struct clk_page))
        return STATUS_OK;
    munmap(memory, sizeof(struct clk_page));
    return STATUS_CORRUPT;
}

static struct clk_slot *find_slot(struct clk_page *page, const char *name)
{
    uint32_t count = atomic_load(&page->participant_count);
    for (uint32_t i = 0; i < count && i < CLK_PARTICIPANTS_MAX; i++)
        if (strncmp(page->slot[i].name, name, CLK_NAME_MAX) == 0)
            return &page->slot[i];
    return NULL;
}

// Takes the slot's alive mutex, which this thread then holds to its end.
static enum status become_alive(struct clk_slot *slot)
{
    int result = pthread_mutex_trylock(&slot->alive);
    if (result == EOWNERDEAD) // a predecessor whose death the lab has not cleared away
        result = pthread_mutex_consistent(&slot->alive);
    if (result == EBUSY)
        return STATUS_BUSY;
    return result == 0 ? STATUS_OK : STATUS_CORRUPT;
}

// Gives the turn back and sleeps until it is granted again. One wake, one wait.
static void block(struct clk_slot *slot)
{
    atomic_store_explicit(&slot->turn, CLK_TURN_BLOCKED, memory_order_release);
    futex_wake(&slot->turn, 1);
    while (atomic_load_explicit(&slot->turn, memory_order_acquire) != CLK_TURN_GRANTED)
        futex_wait(&slot->turn, CLK_TURN_BLOCKED, NULL);
}

static void join_wall(struct clk *clk)
{
    atomic_store_explicit(&clk->slot->turn, CLK_TURN_BLOCKED, memory_order_release);
    futex_wake(&clk->slot->turn, 1);
    while (atomic_load(&clk->page->started) == 0)
        futex_wait(&clk->page->started, 0, NULL);
    clk->epoch_ns = atomic_load(&clk->page->epoch_ns);
}

static void join_virtual(struct clk *clk)
{
    clk->slot->deadline_ns = atomic_load(&clk->page->now_ns);
    clk->slot->watch_count = 0;
    block(clk->slot);
}

static enum status join_cell(struct clk *clk, const char *cell)
{
    const char *name = getenv("UKEMI_PARTICIPANT");
    if (name == NULL)
        return STATUS_NOT_FOUND;
    enum status status = map_page(cell, &clk->page);
    if (status != STATUS_OK)
        return status;
    clk->slot = find_slot(clk->page, name);
    status = clk->slot == NULL ? STATUS_NOT_FOUND : become_alive(clk->slot);
    if (status != STATUS_OK) {
        munmap(clk->page, sizeof *clk->page);
        return status;
    }
    clk->mode = (enum clk_mode)clk->page->mode;
    if (clk->mode == CLK_VIRTUAL)
        join_virtual(clk);
    else
        join_wall(clk);
    return STATUS_OK;
}

enum status clk_join(struct clk **result)
{
    struct clk *clk = calloc(1, sizeof *clk);
    if (clk == NULL)
        return STATUS_NO_MEMORY;
    const char *cell = getenv("UKEMI_CELL");
    if (cell == NULL) {
        clk->mode = CLK_WALL;
        clk->epoch_ns = epoch_begin_ns();
        *result = clk;
        return STATUS_OK;
    }
    enum status status = join_cell(clk, cell);
    if (status == STATUS_OK)
        *result = clk;
    else
        free(clk);
    return status;
}

enum status clk_adopt(struct clk **result)
{
    const char *cell = getenv("UKEMI_CELL"), *name = getenv("UKEMI_PARTICIPANT");
    if (cell == NULL || name == NULL)
        return STATUS_NOT_FOUND;
    struct clk *clk = calloc(1, sizeof *clk);
    if (clk == NULL)
        return STATUS_NO_MEMORY;
    enum status status = map_page(cell, &clk->page);
    if (status == STATUS_OK) {
        clk->mode = (enum clk_mode)clk->page->mode;
        clk->slot = find_slot(clk->page, name);
        status = clk->slot == NULL ? STATUS_NOT_FOUND : STATUS_OK;
    }
    if (status == STATUS_OK)
        *result = clk;
    else
        free(clk);
    return status;
}

void clk_exec(struct clk *clk)
{
    atomic_store_explicit(&clk->slot->turn, CLK_TURN_EXECUTES, memory_order_release);
}

void clk_exec_failed(struct clk *clk)
{
    atomic_store_explicit(&clk->slot->turn, CLK_TURN_GRANTED, memory_order_release);
}

void clk_leave(struct clk *clk)
{
    if (clk == NULL)
        return;
    if (clk->page != NULL) {
        pthread_mutex_unlock(&clk->slot->alive);
        atomic_store_explicit(&clk->slot->turn, CLK_TURN_ABSENT, memory_order_release);
        futex_wake(&clk->slot->turn, 1);
        munmap(clk->page, sizeof *clk->page);
    }
    free(clk);
}

// ---- time and waiting ----

enum clk_mode clk_mode(const struct clk *clk)
{
    return clk->mode;
}

instant clk_now(const struct clk *clk)
{
    if (clk->mode == CLK_VIRTUAL)
        return instant_ns(atomic_load_explicit(&clk->page->now_ns, memory_order_relaxed));
    return instant_ns(monotonic_ns() - clk->epoch_ns);
}

void clk_sleep_until(struct clk *clk, instant t)
{
    if (clk->mode == CLK_VIRTUAL) {
        if (t.ns <= clk_now(clk).ns)
            return;
        clk->slot->deadline_ns = t.ns;
        clk->slot->watch_count = 0;
        block(clk->slot);
        return;
    }
    int64_t until_ns;
    if (__builtin_add_overflow(t.ns, clk->epoch_ns, &until_ns))
        until_ns = INT64_MAX;
    if (until_ns <= 0)
        return;
    struct timespec until = timespec_of_ns(until_ns);
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) == EINTR)
        continue;
}

static bool any_changed(const struct clk_watch *watches, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (atomic_load_explicit(watches[i].word, memory_order_acquire) != watches[i].seen)
            return true;
    return false;
}

static enum status wait_virtual(struct clk *clk, const struct clk_watch *watches, size_t n,
                                instant deadline)
{
    for (size_t i = 0; i < n; i++)
        if (watches[i].id == CLK_WATCH_NONE)
            return STATUS_INVALID;
    if (any_changed(watches, n))
        return STATUS_OK;
    if (deadline.ns <= clk_now(clk).ns)
        return STATUS_TIMEOUT;
    struct clk_slot *slot = clk->slot;
    slot->deadline_ns = deadline.ns;
    slot->watch_count = (uint32_t)n;
    for (size_t i = 0; i < n; i++)
        slot->watch[i] = (struct clk_page_watch){.seen = watches[i].seen, .id = watches[i].id};
    block(slot);
    return any_changed(watches, n) ? STATUS_OK : STATUS_TIMEOUT;
}

// Blocks while all words are as seen, until t (CLOCK_MONOTONIC). Most waits are for one word, which
// has a call of its own that costs less.
static long block_on_words(const struct clk_watch *watches, size_t n, const struct timespec *t)
{
    struct futex_waitv words[CLK_WATCHES_MAX];
    if (n == 1)
        return futex_wait_until(watches[0].word, (uint32_t)watches[0].seen, t);
    for (size_t i = 0; i < n; i++)
        words[i] = futex_expect(watches[i].word, (uint32_t)watches[i].seen);
    return futex_wait_any(words, (unsigned)n, t);
}

static enum status wait_wall(struct clk *clk, const struct clk_watch *watches, size_t n,
                             instant deadline)
{
    for (;;) { // until the deadline; sleeps in slices
        if (any_changed(watches, n))
            return STATUS_OK;
        int64_t now_ns = clk_now(clk).ns;
        if (now_ns >= deadline.ns)
            return STATUS_TIMEOUT;
        int64_t slice_ns = deadline.ns - now_ns;
        if (slice_ns > WORD_SLEEP_MAX_NS)
            slice_ns = WORD_SLEEP_MAX_NS;
        struct timespec until = timespec_of_ns(clk->epoch_ns + now_ns + slice_ns);
        if (block_on_words(watches, n, &until) < 0 && errno != EAGAIN && errno != EINTR &&
            errno != ETIMEDOUT)
            return STATUS_SYSTEM;
    }
}

enum status clk_wait(struct clk *clk, const struct clk_watch *watches, size_t n, instant deadline)
{
    if (n > CLK_WATCHES_MAX)
        return STATUS_INVALID;
    if (n == 0) {
        clk_sleep_until(clk, deadline);
        return STATUS_TIMEOUT;
    }
    return clk->mode == CLK_VIRTUAL ? wait_virtual(clk, watches, n, deadline)
                                    : wait_wall(clk, watches, n, deadline);
}

// ---- periodic loops ----

struct clk_period clk_period_start(const struct clk *clk, instant start, duration period)
{
    int64_t late_ns = clk_now(clk).ns - start.ns;
    int64_t ticks = late_ns <= 0 ? 0 : (late_ns + period.ns - 1) / period.ns;
    return (struct clk_period){.next = instant_ns(start.ns + ticks * period.ns), .period = period};
}

uint64_t clk_period_wait(struct clk *clk, struct clk_period *period)
{
    clk_sleep_until(clk, period->next);
    int64_t late_ns = clk_now(clk).ns - period->next.ns;
    int64_t missed = late_ns > 0 ? late_ns / period->period.ns : 0;
    period->next.ns += (missed + 1) * period->period.ns;
    return (uint64_t)missed;
}

// ---- real-time set-up ----

static void prefault_stack(void)
{
    volatile unsigned char page[256 * 1024];
    for (size_t i = 0; i < sizeof page; i += 4096)
        page[i] = 0;
}

// Whether the clock this process would join is real time.
static bool joins_real_time(void)
{
    const char *cell = getenv("UKEMI_CELL");
    if (cell == NULL)
        return true; // stand-alone
    struct clk_page *page;
    if (map_page(cell, &page) != STATUS_OK)
        return false;
    const bool real_time = page->mode == CLK_WALL;
    munmap(page, sizeof *page);
    return real_time;
}

enum status clk_realtime(int priority)
{
    if (priority < 1 || priority > 99)
        return STATUS_INVALID;
    if (!joins_real_time())
        return STATUS_OK;
    if (mlockall(MCL_CURRENT | MCL_FUTURE) != 0)
        return STATUS_DENIED;
    prefault_stack();
    struct sched_param parameter = {.sched_priority = priority};
    return sched_setscheduler(0, SCHED_FIFO, &parameter) == 0 ? STATUS_OK : STATUS_DENIED;
}
