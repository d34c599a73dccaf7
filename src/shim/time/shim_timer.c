// Timers: timerfd is an eventfd that the waits feed; the others raise their signal themselves.
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "shim/shim.h"

#define TIMERS_MAX 256

enum kind { UNUSED, DESCRIPTOR, ALARM, POSIX };

// Of this process. The turn keeps its threads apart.
static struct timer {
    enum kind kind;
    int descriptor;
    clockid_t clock;
    int64_t next_ns, period_ns; // of the trial; next 0: disarmed
    bool past;        // next_ns was past when it was asked for, so that it is not late by the slack
    uint64_t overrun; // of the signal that was sent last: expirations since it was
    uint64_t told;    // of the one before
    struct sigevent event;
} timers[TIMERS_MAX] = {{.kind = ALARM}}; // setitimer and alarm: the first

// ---- firing ----

struct call {
    void (*function)(union sigval);
    union sigval value;
};

static void *run(void *argument)
{
    const struct call call = *(struct call *)argument;
    free(argument);
    call.function(call.value);
    return NULL;
}

static void start_thread(const struct sigevent *event)
{
    struct call *call = malloc(sizeof *call);
    pthread_t thread;
    if (call == NULL)
        return;
    *call = (struct call){event->sigev_notify_function, event->sigev_value};
    if (pthread_create(&thread, event->sigev_notify_attributes, run, call) == 0)
        pthread_detach(thread);
    else
        free(call);
}

static bool sends(const struct timer *timer, int number)
{
    return timer->kind == POSIX && timer->event.sigev_notify != SIGEV_THREAD &&
           timer->event.sigev_notify != SIGEV_NONE && timer->event.sigev_signo == number;
}

static unsigned used = 1; // of the table

// Signals that wait for a thread of this process alone.
static uint64_t pending_of_thread(pid_t thread)
{
    char path[48], text[2048];
    snprintf(path, sizeof path, "/proc/self/task/%d/status", (int)thread);
    const int file = (int)KERNEL(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
    const long got = file < 0 ? 0 : KERNEL(SYS_read, file, text, sizeof text - 1);
    if (file >= 0)
        KERNEL(SYS_close, file);
    text[got > 0 ? got : 0] = '\0';
    const char *const at = strstr(text, "SigPnd:");
    return at == NULL ? 0 : strtoull(at + 7, NULL, 16);
}

static bool waits_for_thread(const struct timer *timer)
{
    return timer->event.sigev_notify == SIGEV_THREAD_ID &&
           timer->event._sigev_un._tid != (pid_t)KERNEL(SYS_gettid);
}

// Whether the signal that it has sent waits to be taken. The kernel does not say whose signal it
// is: where two timers send the same one, each is sent.
static bool is_pending(const struct timer *timer)
{
    const int number = timer->event.sigev_signo;
    unsigned senders = 0;
    uint64_t pending = 0;
    if (!sends(timer, number) || number < 1 || number > 64)
        return false;
    if (waits_for_thread(timer))
        pending = pending_of_thread(timer->event._sigev_un._tid);
    else
        KERNEL(SYS_rt_sigpending, &pending, sizeof pending);
    if ((pending & UINT64_C(1) << (number - 1)) == 0)
        return false;
    for (unsigned i = 0; i < used; i++)
        senders += sends(&timers[i], number);
    return senders == 1;
}

static void raise_signal(const struct timer *timer)
{
    siginfo_t info = {.si_signo = timer->event.sigev_signo, .si_code = SI_TIMER};
    info.si_timerid = (int)(timer - timers);
    const long pid = KERNEL(SYS_getpid);
    info.si_value = timer->event.sigev_value;
    if (timer->event.sigev_notify == SIGEV_THREAD)
        start_thread(&timer->event);
    else if (timer->event.sigev_notify == SIGEV_THREAD_ID)
        KERNEL(SYS_rt_tgsigqueueinfo, pid, timer->event._sigev_un._tid, info.si_signo, &info);
    else if (timer->event.sigev_notify == SIGEV_SIGNAL)
        KERNEL(SYS_rt_sigqueueinfo, pid, info.si_signo, &info);
}

// So many expirations are due; when the next one is.
static uint64_t pass(struct timer *timer)
{
    uint64_t ticks = 1;
    if (timer->period_ns == 0) {
        timer->next_ns = 0;
        return ticks;
    }
    ticks += (uint64_t)((shim_now_ns() - timer->next_ns) / timer->period_ns);
    timer->next_ns += (int64_t)ticks * timer->period_ns + (timer->past ? SHIM_SLACK_NS : 0);
    timer->past = false;
    return ticks;
}

static void fire(struct timer *timer)
{
    const uint64_t ticks = pass(timer);
    if (timer->kind == POSIX && is_pending(timer)) { // it is sent once, and then only counts
        timer->overrun += ticks;
        return;
    }
    timer->told = timer->overrun;
    timer->overrun = ticks - 1;
    if (timer->kind == DESCRIPTOR)
        KERNEL(SYS_write, timer->descriptor, &ticks, sizeof ticks);
    else if (timer->kind == ALARM)
        KERNEL(SYS_kill, KERNEL(SYS_getpid), SIGALRM);
    else
        raise_signal(timer);
    shim_nudge();
}

// What the kernel says when the signal is taken, not when it is sent.
void shim_timer_taken(siginfo_t *info)
{
    const unsigned number = info->si_code == SI_TIMER ? (unsigned)info->si_timerid : 0;
    if (number > 0 && number < used && timers[number].kind == POSIX)
        info->si_overrun = (int)timers[number].overrun;
}

int64_t shim_timers(void)
{
    int64_t earliest_ns = shim_is_struck() ? shim_faults_pass() : SHIM_NEVER;
    for (unsigned i = 0; i < used; i++) {
        struct timer *timer = &timers[i];
        if (timer->kind != UNUSED && timer->next_ns != 0 && timer->next_ns <= shim_now_ns())
            fire(timer);
        if (timer->kind != UNUSED && timer->next_ns != 0 && timer->next_ns < earliest_ns)
            earliest_ns = timer->next_ns;
    }
    return earliest_ns;
}

// ---- the table ----

static struct timer *new_timer(enum kind kind, clockid_t clock)
{
    for (unsigned i = 1; i < TIMERS_MAX; i++) {
        if (timers[i].kind != UNUSED)
            continue;
        timers[i] = (struct timer){.kind = kind, .clock = clock, .descriptor = -1};
        if (i >= used)
            used = i + 1;
        return &timers[i];
    }
    errno = EMFILE;
    return NULL;
}

static struct timer *timer_of(int descriptor)
{
    for (unsigned i = 1; i < used; i++)
        if (timers[i].kind == DESCRIPTOR && timers[i].descriptor == descriptor)
            return &timers[i];
    return NULL;
}

bool shim_timer_closed(int descriptor)
{
    struct timer *timer = timer_of(descriptor);
    if (timer != NULL)
        timer->kind = UNUSED;
    return timer != NULL;
}

// The parent goes on feeding the descriptors that both have.
void shim_timers_forget(void)
{
    memset(timers + 1, 0, sizeof timers - sizeof timers[0]);
    timers[0].next_ns = 0;
    shim_faults_forget();
}

static void tell(const struct timer *timer, struct itimerspec *t)
{
    if (t == NULL)
        return;
    const int64_t left_ns = timer->next_ns - shim_now_ns();
    *t = (struct itimerspec){.it_interval = shim_timespec(timer->period_ns)};
    if (timer->next_ns != 0)
        t->it_value = shim_timespec(left_ns > 0 ? left_ns : 1);
}

static int set(struct timer *timer, bool absolute, const struct itimerspec *new,
               struct itimerspec *old)
{
    const int64_t value_ns = shim_ns_of(&new->it_value), period_ns = shim_ns_of(&new->it_interval);
    if (value_ns < 0 || period_ns < 0) {
        errno = EINVAL;
        return -1;
    }
    tell(timer, old);
    timer->period_ns = period_ns;
    timer->next_ns = 0;
    timer->overrun = timer->told = 0;
    const int64_t from_ns = value_ns - shim_base_ns(timer->clock);
    timer->past = absolute && value_ns > 0 && from_ns <= shim_now_ns();
    if (timer->past) // all expirations since then count
        timer->next_ns = from_ns;
    else if (value_ns > 0)
        timer->next_ns =
            absolute ? shim_until(timer->clock, &new->it_value) : shim_after_ns(value_ns);
    if (value_ns > 0 && timer->next_ns == 0) // at the very beginning
        timer->next_ns = 1;
    return 0;
}

// At once, also for whoever does not wait for it.
static void fire_if_past(struct timer *timer)
{
    if (timer->past)
        fire(timer);
}

// ---- timerfd ----

PUBLIC int timerfd_create(clockid_t id, int flags)
{
    if (!shim_on())
        return (int)KERNEL(SYS_timerfd_create, id, flags);
    struct timer *timer = new_timer(DESCRIPTOR, id);
    if (timer == NULL)
        return -1;
    const int own =
        (flags & TFD_NONBLOCK ? EFD_NONBLOCK : 0) | (flags & TFD_CLOEXEC ? EFD_CLOEXEC : 0);
    timer->descriptor = (int)KERNEL(SYS_eventfd2, 0, own);
    if (timer->descriptor < 0)
        timer->kind = UNUSED;
    return timer->descriptor;
}

PUBLIC int timerfd_settime(int descriptor, int flags, const struct itimerspec *new,
                           struct itimerspec *old)
{
    struct timer *timer = shim_on() ? timer_of(descriptor) : NULL;
    if (timer == NULL)
        return (int)KERNEL(SYS_timerfd_settime, descriptor, flags, new, old);
    if (set(timer, flags & TFD_TIMER_ABSTIME, new, old) != 0)
        return -1;
    // What it has counted is void.
    const struct timespec zero = {0};
    struct {
        int descriptor;
        short events, ready;
    } ask = {descriptor, 1, 0};
    uint64_t dropped;
    if (KERNEL(SYS_ppoll, &ask, 1, &zero, NULL, 0) > 0)
        KERNEL(SYS_read, descriptor, &dropped, sizeof dropped);
    fire_if_past(timer);
    return 0;
}

PUBLIC int timerfd_gettime(int descriptor, struct itimerspec *t)
{
    const struct timer *timer = shim_on() ? timer_of(descriptor) : NULL;
    if (timer == NULL)
        return (int)KERNEL(SYS_timerfd_gettime, descriptor, t);
    tell(timer, t);
    return 0;
}

// ---- setitimer, alarm ----

static struct timespec of_timeval(struct timeval t)
{
    return (struct timespec){t.tv_sec, t.tv_usec * 1000};
}

static struct timeval timeval_of(struct timespec t)
{
    return (struct timeval){t.tv_sec, t.tv_nsec / 1000};
}

PUBLIC int setitimer(__itimer_which_t which, const struct itimerval *restrict new,
                     struct itimerval *restrict old)
{
    if (!shim_on())
        return (int)KERNEL(SYS_setitimer, which, new, old);
    if (which != ITIMER_REAL) {
        shim_leak("setitimer: timers of processor time do not run");
        return 0;
    }
    struct itimerspec was, next = {.it_value = {0}};
    if (new != NULL)
        next = (struct itimerspec){of_timeval(new->it_interval), of_timeval(new->it_value)};
    if (set(&timers[0], false, &next, &was) != 0)
        return -1;
    if (old != NULL)
        *old = (struct itimerval){timeval_of(was.it_interval), timeval_of(was.it_value)};
    return 0;
}

PUBLIC int getitimer(__itimer_which_t which, struct itimerval *t)
{
    struct itimerspec now;
    if (!shim_on() || which != ITIMER_REAL)
        return (int)KERNEL(SYS_getitimer, which, t);
    tell(&timers[0], &now);
    *t = (struct itimerval){timeval_of(now.it_interval), timeval_of(now.it_value)};
    return 0;
}

PUBLIC unsigned alarm(unsigned s)
{
    const struct itimerval new = {.it_value = {.tv_sec = s}};
    struct itimerval old = {0};
    (void)setitimer(ITIMER_REAL, &new, &old);
    const time_t left_s = old.it_value.tv_sec + (old.it_value.tv_usec >= 500000);
    return left_s == 0 && old.it_value.tv_usec > 0 ? 1 : (unsigned)left_s;
}

PUBLIC useconds_t ualarm(useconds_t us, useconds_t period_us)
{
    const struct itimerval new = {.it_value = {us / 1000000, us % 1000000},
                                  .it_interval = {period_us / 1000000, period_us % 1000000}};
    struct itimerval old = {0};
    (void)setitimer(ITIMER_REAL, &new, &old);
    return (useconds_t)(old.it_value.tv_sec * 1000000 + old.it_value.tv_usec);
}

// ---- timer_create ----

// What the program gets is the number in the table, so that NULL is no timer.
static struct timer *posix_timer(timer_t id)
{
    const uintptr_t number = (uintptr_t)id;
    if (number > 0 && number < used && timers[number].kind == POSIX)
        return &timers[number];
    errno = EINVAL;
    return NULL;
}

PUBLIC int timer_create(clockid_t id, struct sigevent *restrict event, timer_t *restrict result)
{
    if (!shim_on())
        return NEXT(timer_create)(id, event, result);
    if (id == CLOCK_PROCESS_CPUTIME_ID || id == CLOCK_THREAD_CPUTIME_ID || id < 0)
        shim_leak("timer_create: timers of processor time do not run");
    struct timer *timer = new_timer(POSIX, id);
    if (timer == NULL)
        return -1;
    *result = (timer_t)(uintptr_t)(timer - timers);
    timer->event.sigev_signo = SIGALRM;
    timer->event.sigev_value.sival_ptr = *result;
    if (event != NULL)
        timer->event = *event;
    return 0;
}

PUBLIC int timer_settime(timer_t id, int flags, const struct itimerspec *restrict new,
                         struct itimerspec *restrict old)
{
    if (!shim_on())
        return NEXT(timer_settime)(id, flags, new, old);
    struct timer *timer = posix_timer(id);
    if (timer == NULL || set(timer, flags & TIMER_ABSTIME, new, old) != 0)
        return -1;
    fire_if_past(timer);
    return 0;
}

PUBLIC int timer_gettime(timer_t id, struct itimerspec *t)
{
    if (!shim_on())
        return NEXT(timer_gettime)(id, t);
    const struct timer *timer = posix_timer(id);
    if (timer != NULL)
        tell(timer, t);
    return timer == NULL ? -1 : 0;
}

PUBLIC int timer_getoverrun(timer_t id)
{
    if (!shim_on())
        return NEXT(timer_getoverrun)(id);
    const struct timer *timer = posix_timer(id);
    if (timer == NULL)
        return -1;
    return (int)(is_pending(timer) ? timer->told : timer->overrun);
}

PUBLIC int timer_delete(timer_t id)
{
    if (!shim_on())
        return NEXT(timer_delete)(id);
    struct timer *timer = posix_timer(id);
    if (timer != NULL)
        timer->kind = UNUSED;
    return timer == NULL ? -1 : 0;
}
