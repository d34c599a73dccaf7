// Clocks and sleeps.
#include <sched.h>
#include <string.h>
#include <sys/time.h>
#include <sys/times.h>
#include <unistd.h>

#include "clock/skew.h"
#include "shim/shim.h"

#define REALTIME_NS (INT64_C(1577836800) * SHIM_NS_PER_S) // 2020-01-01
#define MONOTONIC_NS (1000 * SHIM_NS_PER_S)
#define LOOK_NS 1000 // this much time passes with every shim_looks_max looks at the clock

// A task that has looked so often since it last waited for something spins. From then on what it
// does takes as long as on Linux: else it would spin for longer here than there.
#define SPIN_LOOKED 1000000
#define SPIN_STEP_NS 10000
enum { READ_CLOCK = 5, LOOK = 50, YIELD = 100 }; // how much each is taken for spinning; a try: 1
#define LOOK_SPIN_NS 50
#define YIELD_NS 500

unsigned shim_looks_max = SHIM_LOOKS_MAX;

// ---- times ----

int64_t shim_now_ns(void)
{
    return clk_now(shim.clk).ns;
}

static bool is_cpu_clock(clockid_t id)
{
    return id == CLOCK_PROCESS_CPUTIME_ID || id == CLOCK_THREAD_CPUTIME_ID || id < 0;
}

int64_t shim_base_ns(clockid_t id)
{
    if (id == CLOCK_REALTIME || id == CLOCK_REALTIME_COARSE || id == CLOCK_TAI ||
        id == CLOCK_REALTIME_ALARM)
        return REALTIME_NS + clk_step_ns(shim.clk);
    return is_cpu_clock(id) ? 0 : MONOTONIC_NS;
}

struct timespec shim_timespec(int64_t ns)
{
    return (struct timespec){ns / SHIM_NS_PER_S, ns % SHIM_NS_PER_S};
}

int64_t shim_ns_of(const struct timespec *t)
{
    int64_t ns;
    if (t->tv_sec < 0 || t->tv_nsec < 0 || t->tv_nsec >= SHIM_NS_PER_S)
        return -1;
    if (__builtin_mul_overflow(t->tv_sec, SHIM_NS_PER_S, &ns) ||
        __builtin_add_overflow(ns, t->tv_nsec, &ns))
        return SHIM_NEVER;
    return ns;
}

int64_t shim_after_ns(int64_t ns)
{
    int64_t deadline_ns;
    if (ns < 0)
        return shim_now_ns();
    if (__builtin_add_overflow(shim_now_ns() + SHIM_SLACK_NS, ns, &deadline_ns))
        return SHIM_NEVER;
    return deadline_ns;
}

int64_t shim_after(const struct timespec *t)
{
    return t == NULL ? SHIM_NEVER : shim_after_ns(shim_ns_of(t));
}

int64_t shim_until(clockid_t id, const struct timespec *t)
{
    if (t == NULL)
        return SHIM_NEVER;
    const int64_t ns = shim_ns_of(t) - shim_base_ns(id);
    if (ns <= shim_now_ns())
        return shim_now_ns();
    return ns > SHIM_NEVER - SHIM_SLACK_NS ? SHIM_NEVER : ns + SHIM_SLACK_NS;
}

int64_t shim_left_ns(int64_t deadline_ns)
{
    const int64_t left_ns = deadline_ns - SHIM_SLACK_NS - shim_now_ns();
    return left_ns > 0 ? left_ns : 0;
}

// Lets so much time pass, and others run.
void shim_pass(int64_t ns)
{
    struct shim_wait wait = shim_wait_object(SHIM_NOTHING, shim_now_ns() + ns);
    wait.spin = true;
    (void)shim_block(&wait);
}

static void spin(struct shim_task *task, int64_t cost_ns)
{
    task->spent_ns += cost_ns;
    if (task->spent_ns < SPIN_STEP_NS)
        return;
    const int64_t ns = task->spent_ns;
    task->spent_ns = 0;
    shim_pass(ns);
}

// Where each look is a call to the kernel it takes longer on Linux, too.
static bool is_spinning(struct shim_task *task, unsigned weight)
{
    task->looked += shim_looks_max < SHIM_LOOKS_MAX ? 10 * weight : weight;
    if (task->looked < SPIN_LOOKED)
        return false;
    task->looked = SPIN_LOOKED;
    return true;
}

static int64_t cost_ns(int64_t ns)
{
    return shim_looks_max < SHIM_LOOKS_MAX ? 10 * ns : ns;
}

static void look(unsigned weight)
{
    struct shim_task *task = shim_task();
    if (is_spinning(task, weight))
        spin(task, cost_ns(LOOK_SPIN_NS));
    else if (++shim.page->looks % shim_looks_max == 0)
        shim_pass(LOOK_NS);
}

void shim_look(void)
{
    look(LOOK);
}

void shim_touch(int64_t ns)
{
    struct shim_task *task = shim_task();
    int before;
    if (!is_spinning(task, (unsigned)(ns / SHIM_TRY_NS)))
        return;
    (void)NEXT(pthread_setcancelstate)(PTHREAD_CANCEL_DISABLE, &before);
    spin(task, ns);
    (void)NEXT(pthread_setcancelstate)(before, NULL);
}

// ---- clocks ----

PUBLIC int clock_gettime(clockid_t id, struct timespec *t)
{
    if (!shim_on())
        return shim_is_struck() ? shim_struck_clock(id, t) : NEXT(clock_gettime)(id, t);
    if (shim_is_struck() && shim_base_ns(id) > MONOTONIC_NS)
        shim_struck_realtime();
    if (id > CLOCK_TAI) {
        errno = EINVAL;
        return -1;
    }
    look(READ_CLOCK);
    *t = shim_timespec(shim_base_ns(id) + shim_now_ns());
    return 0;
}

// Programs that only want the zone give no place for the time.
static void tell(struct timeval now, struct timeval *t)
{
    if (t != NULL)
        *t = now;
}

PUBLIC int gettimeofday(struct timeval *restrict t, void *restrict zone)
{
    struct timespec now;
    if (zone != NULL)
        *(struct timezone *)zone = (struct timezone){0};
    if (clock_gettime(CLOCK_REALTIME, &now) != 0)
        return -1;
    tell((struct timeval){now.tv_sec, now.tv_nsec / 1000}, t);
    return 0;
}

PUBLIC time_t time(time_t *t)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_REALTIME, &now);
    if (t != NULL)
        *t = now.tv_sec;
    return now.tv_sec;
}

PUBLIC int timespec_get(struct timespec *t, int base)
{
    return base == TIME_UTC && clock_gettime(CLOCK_REALTIME, t) == 0 ? base : 0;
}

// A turn takes no time: what the processor did is what has passed.
PUBLIC clock_t clock(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return now.tv_sec * CLOCKS_PER_SEC + now.tv_nsec / (SHIM_NS_PER_S / CLOCKS_PER_SEC);
}

PUBLIC clock_t times(struct tms *t)
{
    if (!shim_on())
        return NEXT(times)(t);
    const int64_t tick_ns = SHIM_NS_PER_S / sysconf(_SC_CLK_TCK);
    if (t != NULL)
        *t = (struct tms){.tms_utime = shim_now_ns() / tick_ns};
    return (MONOTONIC_NS + shim_now_ns()) / tick_ns;
}

// ---- sleeps ----

// 0, or EINTR with what is left.
static int sleep_until(int64_t deadline_ns, struct timespec *left)
{
    const struct shim_wait wait = shim_wait_object(SHIM_NOTHING, deadline_ns);
    for (;;) { // until the deadline
        const enum shim_woken woken = shim_block(&wait);
        if (woken == SHIM_DEADLINE)
            return 0;
        if (woken != SHIM_INTERRUPTED)
            continue;
        if (left != NULL)
            *left = shim_timespec(shim_left_ns(deadline_ns));
        return EINTR;
    }
}

PUBLIC int clock_nanosleep(clockid_t id, int flags, const struct timespec *t, struct timespec *left)
{
    if (shim_vforked)
        shim_leak("sleeps in a child of vfork");
    if (!shim_on())
        return shim_is_struck() ? shim_struck_sleep(id, flags, t, left)
                                : NEXT(clock_nanosleep)(id, flags, t, left);
    if (shim_ns_of(t) < 0 || id == CLOCK_THREAD_CPUTIME_ID || id > CLOCK_TAI)
        return EINVAL;
    if (flags & TIMER_ABSTIME)
        return sleep_until(shim_until(id, t), NULL);
    return sleep_until(shim_after(t), left);
}

PUBLIC int nanosleep(const struct timespec *t, struct timespec *left)
{
    const int error = clock_nanosleep(CLOCK_MONOTONIC, 0, t, left);
    if (error != 0)
        errno = error;
    return error == 0 ? 0 : -1;
}

PUBLIC int usleep(useconds_t us)
{
    const struct timespec t = shim_timespec((int64_t)us * 1000);
    return nanosleep(&t, NULL);
}

PUBLIC unsigned sleep(unsigned s)
{
    const struct timespec t = {.tv_sec = s};
    struct timespec left = {0};
    if (nanosleep(&t, &left) == 0)
        return 0;
    return (unsigned)left.tv_sec;
}

PUBLIC int sched_yield(void)
{
    if (!shim_on())
        return (int)KERNEL(SYS_sched_yield);
    if (shim_schedule_yield())
        return 0;
    struct shim_task *task = shim_task();
    if (is_spinning(task, YIELD))
        spin(task, cost_ns(YIELD_NS));
    else if (++shim.page->looks % shim_looks_max == 0)
        shim_pass(LOOK_NS);
    shim_pass(0);
    return 0;
}
