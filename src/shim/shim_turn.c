// Whose turn it is among the threads and children of this program, and waiting for the clock.
//
// All is a function of what the tasks do: the turn goes to whoever has been ready the longest, and
// no two tasks ever run at a time.
#include <fcntl.h>
#include <linux/futex.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "shim/shim.h"
#include "shim/spin/shim_spin.h"

#define GLANCE_NS 5000000       // so often a waiting task looks whether the running one has died
#define GLANCE_ENDING_NS 100000 // when that one has said that it ends
#define TASK_MASK (~SHIM_TURN_ENDING)

_Thread_local int shim_self __attribute__((tls_model("initial-exec"))) = -1;

// Somebody has written over the page, so nobody knows whose turn it is. The program ends here, in
// the same way each time, whatever memory is behind the page.
static _Noreturn void page_is_spoiled(void)
{
    char line[160];
    const int length =
        snprintf(line, sizeof line,
                 "ukemi-shim: %s: somebody has written over its page in the cell's shared memory\n",
                 shim.name);
    KERNEL(SYS_write, STDERR_FILENO, line, length);
    abort();
}

static struct shim_task *task_at(int number)
{
    if (number < 0 || number >= SHIM_TASKS_MAX)
        page_is_spoiled();
    return &shim.page->task[number];
}

static unsigned task_count(void)
{
    const unsigned count = shim.page->task_count;
    if (count > SHIM_TASKS_MAX)
        page_is_spoiled();
    return count;
}

static uint64_t io_head(void)
{
    return atomic_load_explicit(channel_head(shim.io), memory_order_acquire);
}

// ---- choosing ----

static bool is_ready(const struct shim_task *task, uint64_t head, int64_t now_ns)
{
    return task->deadline_ns <= now_ns ||
           (task->io && (task->seen != head || task->events != shim.page->events)) ||
           (task->sleeper != 0 && shim_meet_is_woken(task->sleeper));
}

static void make_ready(struct shim_task *task)
{
    task->state = SHIM_TASK_READY;
    task->ticket = ++shim.page->tickets;
}

// The task that has been ready the longest; -1: none is.
static int choose(void)
{
    const uint64_t head = io_head();
    const int64_t now_ns = shim_now_ns();
    int best = -1;
    for (unsigned i = 0; i < task_count(); i++) {
        struct shim_task *task = task_at((int)i);
        if (task->state == SHIM_TASK_BLOCKED && is_ready(task, head, now_ns))
            make_ready(task);
        if (task->state == SHIM_TASK_READY && !task->stopped &&
            (best < 0 || task->ticket < task_at(best)->ticket))
            best = (int)i;
    }
    return best;
}

// ---- the clock ----

// Programs that answer each other at once would do so for ever without time passing. A turn that
// comes without time having passed is a hop. So many are free; more take as long as on Linux.
#define HOPS_MAX 2000
#define HOP_NS SHIM_SLACK_NS

static bool has_hopped_for_long(void)
{
    return shim.page->hops >= HOPS_MAX;
}

// Those that are long ago are forgotten, one for each time that one takes.
static void count_hop(int64_t before_ns)
{
    struct shim_page *const page = shim.page;
    const int64_t now_ns = shim_now_ns();
    const uint64_t past = (uint64_t)(now_ns - page->hopped_ns) / HOP_NS;
    page->hops = past < page->hops ? page->hops - past : 0;
    page->hopped_ns += (int64_t)past * HOP_NS;
    if (now_ns == before_ns)
        page->hops++;
}

// All tasks are blocked: until the first of them has something to do.
static void wait_for_clock(void)
{
    int64_t earliest_ns = SHIM_NEVER;
    bool io = false;
    for (unsigned i = 0; i < task_count(); i++) {
        const struct shim_task *task = task_at((int)i);
        if (task->state != SHIM_TASK_BLOCKED || task->stopped)
            continue;
        io |= task->io != 0 || task->sleeper != 0; // another program's waking is a frame, too
        if (task->deadline_ns < earliest_ns)
            earliest_ns = task->deadline_ns;
    }
    struct clk_watch watch = channel_watch(shim.io);
    watch.seen = io_head();
    shim.page->looks = 0;
    shim.page->puts = 0;
    if (has_hopped_for_long())
        clk_sleep_until(shim.clk, instant_ns(shim_now_ns() + HOP_NS));
    const int64_t before_ns = shim_now_ns();
    if (clk_wait(shim.clk, &watch, io ? 1 : 0, instant_ns(earliest_ns)) == STATUS_SYSTEM)
        shim_leak("the clock cannot be waited for");
    count_hop(before_ns);
}

// ---- the turn ----

static void wake_all(void)
{
    KERNEL(SYS_futex, &shim.page->turn, FUTEX_WAKE, INT_MAX);
}

// Of a task: whom its turn wakes. Others that have the same one sleep again.
static uint32_t wake_bit(int number)
{
    return UINT32_C(1) << ((unsigned)number % 32);
}

static void give(int number)
{
    task_at(number)->state = SHIM_TASK_RUNNING;
    atomic_store_explicit(&shim.page->turn, (uint32_t)number, memory_order_release);
    KERNEL(SYS_futex, &shim.page->turn, FUTEX_WAKE_BITSET, INT_MAX, NULL, NULL, wake_bit(number));
}

static void forget_process(int pid, int as)
{
    const int self = shim_self;
    shim_meet_forget(pid);
    for (unsigned i = 0; i < task_count(); i++)
        if (task_at((int)i)->pid == pid)
            task_at((int)i)->state = SHIM_TASK_FREE;
    shim_self = as; // as whom it is recorded
    shim_record(IO_CHILD, pid, NULL, 0);
    shim_self = self;
}

// The process that had the turn is dead, or has stopped itself. One of those who see that takes the
// turn; who, makes no difference to what follows.
static bool bury(uint32_t turn)
{
    const int dead = (int)(turn & TASK_MASK), pid = task_at(dead)->pid;
    if (task_at(dead)->stopped)
        return shim_process_is_stopped(pid) &&
               atomic_compare_exchange_strong(&shim.page->turn, &turn, (uint32_t)shim_self);
    if (pid == (int)KERNEL(SYS_getpid) || pid == task_at(0)->pid || !shim_process_is_dead(pid))
        return false;
    // With the main process the participant has ended, and the lab ends the others, one by one: who
    // of them sees that is chance.
    if (shim_process_is_dead(task_at(0)->pid))
        return false;
    if (!atomic_compare_exchange_strong(&shim.page->turn, &turn, (uint32_t)shim_self))
        return false;
    forget_process(pid, dead);
    return true;
}

// A task may run on whose turn this is; when all are blocked the one that finds that out waits.
static void pass_on(void)
{
    for (;;) { // ends: the clock grants when somebody is ready
        const int next = choose();
        if (next >= 0) {
            if (next == shim_self)
                task_at(next)->state = SHIM_TASK_RUNNING;
            else
                give(next);
            return;
        }
        wait_for_clock();
    }
}

static void await_turn(void)
{
    for (;;) { // until it is given
        uint32_t turn = atomic_load_explicit(&shim.page->turn, memory_order_acquire);
        if ((turn & TASK_MASK) == (uint32_t)shim_self)
            return;
        const int64_t glance_ns = turn & SHIM_TURN_ENDING ? GLANCE_ENDING_NS : GLANCE_NS;
        struct timespec glance;
        KERNEL(SYS_clock_gettime, CLOCK_MONOTONIC, &glance);
        glance = shim_timespec(shim_ns_of(&glance) + glance_ns);
        const long slept = KERNEL(SYS_futex, &shim.page->turn, FUTEX_WAIT_BITSET, turn, &glance,
                                  NULL, wake_bit(shim_self));
        if (slept < 0 && errno == ETIMEDOUT && bury(turn)) {
            pass_on();
            continue;
        }
    }
}

// ---- blocking ----

struct shim_wait shim_wait_io(int64_t deadline_ns)
{
    return (struct shim_wait){
        .deadline_ns = deadline_ns, .io = true, .seen = io_head(), .events = shim.page->events};
}

struct shim_wait shim_wait_object(struct shim_object object, int64_t deadline_ns)
{
    struct shim_wait wait = shim_wait_io(deadline_ns);
    wait.io = false;
    wait.object = object;
    wait.ticket = shim_is_shared(&object) ? shim_meet_ticket() : 0;
    return wait;
}

void shim_wait_again(struct shim_wait *wait)
{
    wait->seen = io_head();
    wait->events = shim.page->events;
}

struct shim_awaited shim_awaits(enum shim_awaited_kind kind, int number, const void *address)
{
    return (struct shim_awaited){
        .kind = kind, .number = number, .address = (uint64_t)address, .since_ns = shim_now_ns()};
}

static void sleep_as(const struct shim_wait *wait, int64_t until_ns, bool io)
{
    struct shim_task *task = task_at(shim_self);
    task->deadline_ns = until_ns;
    task->io = io;
    task->seen = wait->io ? wait->seen : io_head(); // only signals may interest it
    task->events = wait->io ? wait->events : shim.page->events;
    task->object = wait->object;
    task->sleeper = shim_is_shared(&wait->object) ? shim_meet_begin(wait) : 0;
    task->woken = 0;
    task->awaited = wait->awaited;
    task->awaited.for_good = wait->deadline_ns == SHIM_NEVER || wait->awaited.for_good;
    if (!wait->spin)
        task->looked = 0;
    task->ticket = ++shim.page->tickets;
    task->state = SHIM_TASK_BLOCKED;
    pass_on();
    await_turn();
    if (task->sleeper != 0)
        task->woken = shim_meet_end(task->sleeper);
    task->sleeper = 0;
    task->object = SHIM_NOTHING;
}

// Timers that are due fire meanwhile.
static enum shim_woken block(const struct shim_wait *wait, bool io)
{
    const int64_t timer_ns = shim_timers(), frame_ns = wait->io ? shim_can_pass() : SHIM_NEVER;
    int64_t until_ns = timer_ns < wait->deadline_ns ? timer_ns : wait->deadline_ns;
    if (frame_ns < until_ns)
        until_ns = frame_ns;
    if (wait->io && shim_watches && shim_now_ns() + SHIM_WATCH_NS < until_ns)
        until_ns = shim_now_ns() + SHIM_WATCH_NS;
    sleep_as(wait, until_ns, io || (shim_is_struck() && shim_faults_hold()));
    shim_timers();
    (void)shim_can_pass();
    return shim_now_ns() >= wait->deadline_ns ? SHIM_DEADLINE : SHIM_WOKEN;
}

// No handler runs before the turn is ours.
static enum shim_woken block_with_signals(const struct shim_wait *wait)
{
    sigset_t all, before;
    sigfillset(&all);
    sigdelset(&all, SIGSYS);
    KERNEL(SYS_rt_sigprocmask, SIG_SETMASK, &all, &before, sizeof(uint64_t));
    const sigset_t *mask = wait->mask != NULL ? wait->mask : &before;
    enum shim_woken woken = SHIM_INTERRUPTED;
    if (!shim_signal_pending(mask, &shim_restarts)) {
        woken = block(wait, true);
        if (shim_signal_pending(mask, &shim_restarts))
            woken = SHIM_INTERRUPTED;
    }
    if (woken == SHIM_INTERRUPTED && wait->mask != NULL) // they run here
        KERNEL(SYS_rt_sigprocmask, SIG_SETMASK, mask, NULL, sizeof(uint64_t));
    KERNEL(SYS_rt_sigprocmask, SIG_SETMASK, &before, NULL, sizeof(uint64_t));
    return woken;
}

enum shim_woken shim_block(const struct shim_wait *wait)
{
    const int error = errno;
    const enum shim_woken woken = shim_handles_signals() || wait->mask != NULL
                                      ? block_with_signals(wait)
                                      : block(wait, wait->io);
    if (wait->object.space == 0) // what waits for an object sees to that itself
        pthread_testcancel();
    errno = error;
    return woken;
}

// Also one that is to look for signals, and has not had its turn for that yet.
static bool waits_for(const struct shim_task *task, const struct shim_object *object)
{
    return (task->state == SHIM_TASK_BLOCKED || task->state == SHIM_TASK_READY) &&
           shim_is_same(&task->object, object);
}

unsigned shim_wake(struct shim_object object, unsigned n)
{
    unsigned woken = 0;
    if (shim_is_shared(&object))
        return shim_meet_wake(object, n);
    while (woken < n) {
        struct shim_task *first = NULL;
        for (unsigned i = 0; i < task_count(); i++) {
            struct shim_task *task = task_at((int)i);
            if (waits_for(task, &object) && (first == NULL || task->ticket < first->ticket))
                first = task;
        }
        if (first == NULL)
            return woken;
        first->object = SHIM_NOTHING;
        first->woken = 1;
        if (first->state == SHIM_TASK_BLOCKED)
            make_ready(first);
        woken++;
    }
    return woken;
}

unsigned shim_requeue(struct shim_object from, struct shim_object to, unsigned n)
{
    unsigned moved = 0;
    if (shim_is_shared(&from))
        return shim_meet_requeue(from, to, n);
    for (unsigned i = 0; i < task_count() && moved < n; i++)
        if (waits_for(task_at((int)i), &from)) {
            task_at((int)i)->object = to;
            moved++;
        }
    return moved;
}

bool shim_was_woken(void)
{
    return task_at(shim_self)->woken != 0;
}

unsigned shim_sleepers(struct shim_object object)
{
    unsigned count = 0;
    if (shim_is_shared(&object))
        return shim_meet_count(object);
    for (unsigned i = 0; i < task_count(); i++)
        count += waits_for(task_at((int)i), &object);
    return count;
}

void shim_nudge(void)
{
    shim.page->events++;
}

// ---- tasks ----

int shim_task_new(void)
{
    for (int i = 0; i < SHIM_TASKS_MAX; i++) {
        struct shim_task *task = task_at(i);
        if ((unsigned)i < task_count() && task->state != SHIM_TASK_FREE)
            continue;
        if ((unsigned)i >= task_count())
            shim.page->task_count = (uint32_t)i + 1;
        *task = (struct shim_task){.pid = (int)KERNEL(SYS_getpid)};
        shim_schedule_inherit(i);
        make_ready(task);
        return i;
    }
    return -1;
}

static int process; // 0: not asked for yet

int shim_process(void)
{
    if (process == 0)
        process = (int)KERNEL(SYS_getpid);
    return process;
}

void shim_task_begin(int number)
{
    shim_self = number;
    process = 0;
    task_at(number)->pid = shim_process();
    shim_schedule_begin();
    await_turn();
    task_at(number)->begun = 1;
}

void shim_task_drop(int number)
{
    task_at(number)->state = SHIM_TASK_FREE;
}

void shim_task_stir(int number)
{
    if (task_at(number)->state == SHIM_TASK_BLOCKED)
        make_ready(task_at(number));
}

void shim_task_end(void)
{
    if (shim_given_time)
        shim_spin_is_over();
    task_at(shim_self)->state = SHIM_TASK_FREE;
    pass_on();
    shim_self = -1;
}

bool shim_alone(void)
{
    for (unsigned i = 0; i < task_count(); i++)
        if ((int)i != shim_self && task_at((int)i)->state != SHIM_TASK_FREE)
            return false;
    return true;
}

// ---- processes ----

void shim_task_is(int number, pid_t pid)
{
    task_at(number)->pid = pid;
}

struct shim_task *shim_task(void)
{
    return task_at(shim_self);
}

int shim_participant(void)
{
    return task_at(0)->pid;
}

bool shim_is_main(void)
{
    return shim_participant() == (int)KERNEL(SYS_getpid);
}

static int task_of(pid_t pid)
{
    for (unsigned i = 0; i < task_count(); i++)
        if (task_at((int)i)->pid == pid && task_at((int)i)->state != SHIM_TASK_FREE)
            return (int)i;
    return -1;
}

bool shim_is_child(pid_t pid)
{
    return task_of(pid) >= 0;
}

bool shim_bury_child(pid_t pid)
{
    const int task = task_of(pid);
    if (task < 0 || !shim_process_is_dead(pid))
        return false;
    forget_process(pid, task);
    return true;
}

// The others look more often what has become of this process.
static void announce_end(void)
{
    atomic_fetch_or(&shim.page->turn, SHIM_TURN_ENDING);
    wake_all();
}

void shim_process_ends(void)
{
    if (!shim_is_main() && (shim.page->turn & TASK_MASK) == (uint32_t)shim_self)
        announce_end();
}

void shim_turn_stops(void)
{
    make_ready(task_at(shim_self));
    announce_end();
}

void shim_turn_returns(void)
{
    await_turn();
}
