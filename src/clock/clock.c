#include "clock/clock.h"

#include <fcntl.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <stdio.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "base/epoch.h"
#include "base/invariant.h"
#include "clock/futex.h"
#include "clock/page.h"
#include "clock/skew.h"

// Longest sleep on words in wall mode before they are looked at again: a writer killed between
// publishing and waking is thereby survived even if nobody kicks its channels.
#define WORD_SLEEP_MAX_NS (100 * 1000000)

struct clk {
    enum clk_mode mode;
    struct clk_page *page; // NULL: stand-alone
    struct clk_slot *slot;
    bool thread;      // not the process's first
    int64_t epoch_ns; // wall mode
    bool monotonic;   // its clock does not step
    const struct clk_page_skew *skew;
    bool oscillates; // as the page said when it joined
    struct clk_oscillator oscillator;
};

// How a stand-alone clock goes: right.
static const struct clk_page_skew no_skew;

// Whose clock is wrong looks at it again after so long.
#define SKEWED_SLEEP_MAX_NS 1000000

// ---- joining ----

// `process`: the slot of the process, whose clock all its threads go by.
static void take_slot(struct clk *clk, const struct clk_slot *process)
{
    clk->mode = (enum clk_mode)clk->page->mode;
    clk->skew = &process->skew;
    clk->oscillates = process->oscillates != 0;
    clk->oscillator = process->oscillator;
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
    clk->slot->rests = 0; // whoever was here before may have died while it rested
    block(clk->slot);
}

// `thread`: NULL for the process itself.
static struct clk_slot *find_slot(struct clk_page *page, const char *process, const char *thread)
{
    char name[CLK_NAME_MAX];
    if (thread == NULL)
        return clk_page_slot(page, process);
    return clk_page_thread_name(name, process, thread) ? clk_page_slot(page, name) : NULL;
}

static enum status join_cell(struct clk *clk, const char *cell, const char *thread)
{
    const char *name = getenv("UKEMI_PARTICIPANT");
    if (name == NULL)
        return STATUS_NOT_FOUND;
    enum status status = clk_page_map(cell, &clk->page);
    if (status != STATUS_OK)
        return status;
    const struct clk_slot *process = clk_page_slot(clk->page, name);
    clk->slot = find_slot(clk->page, name, thread);
    const bool found = process != NULL && clk->slot != NULL;
    status = found ? become_alive(clk->slot) : STATUS_NOT_FOUND;
    if (status != STATUS_OK) {
        munmap(clk->page, sizeof *clk->page);
        return status;
    }
    take_slot(clk, process);
    if (clk->mode == CLK_VIRTUAL)
        join_virtual(clk);
    else
        join_wall(clk);
    return STATUS_OK;
}

static enum status join(const char *thread, struct clk **result)
{
    struct clk *clk = calloc(1, sizeof *clk);
    if (clk == NULL)
        return STATUS_NO_MEMORY;
    const char *cell = getenv("UKEMI_CELL");
    clk->thread = thread != NULL;
    clk->skew = &no_skew;
    if (cell == NULL) {
        clk->mode = CLK_WALL;
        clk->epoch_ns = thread == NULL ? epoch_begin_ns() : epoch_ns();
        *result = clk;
        return STATUS_OK;
    }
    enum status status = join_cell(clk, cell, thread);
    if (status == STATUS_OK)
        *result = clk;
    else
        free(clk);
    return status;
}

enum status clk_join(struct clk **result)
{
    return join(NULL, result);
}

enum status clk_join_thread(const char *thread, struct clk **result)
{
    return join(thread, result);
}

enum status clk_adopt(struct clk **result)
{
    const char *cell = getenv("UKEMI_CELL"), *name = getenv("UKEMI_PARTICIPANT");
    if (cell == NULL || name == NULL)
        return STATUS_NOT_FOUND;
    struct clk *clk = calloc(1, sizeof *clk);
    if (clk == NULL)
        return STATUS_NO_MEMORY;
    enum status status = clk_page_map(cell, &clk->page);
    if (status == STATUS_OK) {
        clk->slot = clk_page_slot(clk->page, name);
        if (clk->slot != NULL)
            take_slot(clk, clk->slot);
        else
            status = STATUS_NOT_FOUND;
    }
    if (status == STATUS_OK)
        *result = clk;
    else
        free(clk);
    return status;
}

void clk_exec(struct clk *clk)
{
    expects(clk->slot != NULL);
    atomic_store_explicit(&clk->slot->turn, CLK_TURN_EXECUTES, memory_order_release);
}

void clk_exec_failed(struct clk *clk)
{
    expects(clk->slot != NULL);
    atomic_store_explicit(&clk->slot->turn, CLK_TURN_GRANTED, memory_order_release);
}

void clk_leave(struct clk *clk)
{
    expects(clk == NULL || (clk->page == NULL) == (clk->slot == NULL));
    if (clk == NULL)
        return;
    if (clk->page != NULL) {
        // Of a process the lab awaits the end. A thread must not be taken for dead before it has
        // said that it leaves: its process goes on.
        if (!clk->thread)
            pthread_mutex_unlock(&clk->slot->alive);
        atomic_store_explicit(&clk->slot->turn, CLK_TURN_ABSENT, memory_order_release);
        if (clk->thread)
            pthread_mutex_unlock(&clk->slot->alive);
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

bool clk_goes_first(const struct clk *clk)
{
    return clk->mode == CLK_VIRTUAL && clk->slot->follower != 0;
}

static int64_t true_now_ns(const struct clk *clk)
{
    invariant(clk->mode == CLK_WALL || clk->page != NULL); // alone, time is the wall's
    if (clk->mode == CLK_VIRTUAL)
        return atomic_load_explicit(&clk->page->now_ns, memory_order_relaxed);
    return monotonic_ns() - clk->epoch_ns;
}

bool clk_is_wrong(const struct clk *clk)
{
    return atomic_load_explicit(&clk->skew->active, memory_order_relaxed) != 0;
}

int64_t clk_error_ns(const struct clk *clk)
{
    const int64_t now_ns = true_now_ns(clk);
    return clk_local_ns(clk, now_ns) - now_ns;
}

int64_t clk_step_ns(const struct clk *clk)
{
    return clk_is_wrong(clk) ? atomic_load(&clk->skew->step_ns) : 0;
}

uint64_t clk_skew_tag(const struct clk *clk)
{
    return atomic_load(&clk->skew->tag);
}

void clk_is_monotonic(struct clk *clk)
{
    clk->monotonic = true;
}

static bool is_own(const struct clk *clk)
{
    return __builtin_expect(clk->oscillates || clk_is_wrong(clk), 0);
}

int64_t clk_local_ns(const struct clk *clk, int64_t true_ns)
{
    int64_t local_ns =
        clk->oscillates ? clk_oscillator_local_ns(&clk->oscillator, true_ns) : true_ns;
    if (clk_is_wrong(clk))
        local_ns += clk_skew_local_ns(clk->skew, !clk->monotonic, true_ns) - true_ns;
    return local_ns;
}

instant clk_true_now(const struct clk *clk)
{
    return instant_ns(true_now_ns(clk));
}

instant clk_now(const struct clk *clk)
{
    const int64_t now_ns = true_now_ns(clk);
    return instant_ns(is_own(clk) ? clk_local_ns(clk, now_ns) : now_ns);
}

// By the trial's time, as all that follows.
static void sleep_until(struct clk *clk, instant t)
{
    if (clk->mode == CLK_VIRTUAL) {
        if (t.ns <= true_now_ns(clk))
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
    if (deadline.ns <= true_now_ns(clk))
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
        int64_t now_ns = true_now_ns(clk);
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

static enum status wait_until(struct clk *clk, const struct clk_watch *watches, size_t n,
                              instant deadline)
{
    if (n == 0) {
        sleep_until(clk, deadline);
        return STATUS_TIMEOUT;
    }
    return clk->mode == CLK_VIRTUAL ? wait_virtual(clk, watches, n, deadline)
                                    : wait_wall(clk, watches, n, deadline);
}

static int64_t cpu_now_ns(void)
{
    struct timespec used;
    (void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
    return used.tv_sec * INT64_C(1000000000) + used.tv_nsec;
}

// A turn that takes longer, by a fault: it ends with this wait.
static void spend(struct clk *clk)
{
    if (!clk_is_wrong(clk))
        return;
    struct clk_page_skew *skew = &clk->slot->skew;
    const int64_t busy_ns = atomic_load(&skew->busy_ns);
    const uint64_t most = atomic_load(&skew->turns_max);
    if (busy_ns <= 0 || (most > 0 && atomic_load(&skew->turns) >= most))
        return;
    atomic_fetch_add(&skew->turns, 1);
    if (clk->mode == CLK_VIRTUAL) {
        sleep_until(clk, instant_ns(true_now_ns(clk) + busy_ns));
        return;
    }
    const int64_t until_ns = cpu_now_ns() + busy_ns;
    while (cpu_now_ns() < until_ns)
        continue;
}

// When the process's own clock shows a time, as it goes now; later than now_ns.
static int64_t shows_at_ns(const struct clk *clk, int64_t now_ns, int64_t local_ns)
{
    int64_t until_ns = clk->oscillates && local_ns != INT64_MAX
                           ? clk_oscillator_true_ns(&clk->oscillator, local_ns)
                           : local_ns;
    if (clk_is_wrong(clk)) {
        until_ns = clk_skew_true_ns(clk->skew, !clk->monotonic, until_ns);
        if (until_ns > now_ns + SKEWED_SLEEP_MAX_NS)
            until_ns = now_ns + SKEWED_SLEEP_MAX_NS;
    }
    // Wrong by little after a fault: nearer with each look.
    return until_ns > now_ns ? until_ns : now_ns + 1 + (local_ns - clk_local_ns(clk, now_ns)) / 2;
}

// By a clock of its own, until it shows the deadline; it may be put right, or go wrong in another
// way, meanwhile.
static enum status wait_by_own_clock(struct clk *clk, const struct clk_watch *watches, size_t n,
                                     instant deadline)
{
    while (is_own(clk)) { // ends: with the fault, or when the deadline has come
        if (clk_now(clk).ns >= deadline.ns && !any_changed(watches, n))
            return STATUS_TIMEOUT;
        const int64_t until_ns = shows_at_ns(clk, true_now_ns(clk), deadline.ns);
        const enum status status = wait_until(clk, watches, n, instant_ns(until_ns));
        if (status != STATUS_TIMEOUT)
            return status;
    }
    return wait_until(clk, watches, n, deadline);
}

enum status clk_wait(struct clk *clk, const struct clk_watch *watches, size_t n, instant deadline)
{
    if (n > CLK_WATCHES_MAX)
        return STATUS_INVALID;
    if (!is_own(clk))
        return wait_until(clk, watches, n, deadline);
    spend(clk);
    return wait_by_own_clock(clk, watches, n, deadline);
}

enum status clk_rest(struct clk *clk, const struct clk_watch *watches, size_t n, instant deadline)
{
    expects(clk->slot != NULL); // alone, nobody goes first
    clk->slot->rests = 1;
    const enum status status = clk_wait(clk, watches, n, deadline);
    clk->slot->rests = 0;
    return status;
}

void clk_sleep_until(struct clk *clk, instant t)
{
    (void)!clk_wait(clk, NULL, 0, t);
}

// ---- periodic loops ----

struct clk_period clk_period_start(const struct clk *clk, instant start, duration period)
{
    expects(period.ns > 0);
    int64_t late_ns = clk_now(clk).ns - start.ns;
    int64_t ticks = late_ns <= 0 ? 0 : (late_ns + period.ns - 1) / period.ns;
    return (struct clk_period){.next = instant_ns(start.ns + ticks * period.ns), .period = period};
}

uint64_t clk_period_wait(struct clk *clk, struct clk_period *period)
{
    expects(period->period.ns > 0);
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
    if (clk_page_map(cell, &page) != STATUS_OK)
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
