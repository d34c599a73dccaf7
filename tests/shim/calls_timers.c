// Timers that count what nobody has taken yet, or that were armed too late.
#include <signal.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "tests/shim/calls.h"

#define PERIOD_NS 50000000
#define PERIOD_S 0.05

static timer_t paced;
static volatile sig_atomic_t calls, missed;

static void tick(int number)
{
    (void)number;
    calls++;
    missed += timer_getoverrun(paced);
}

static sigset_t blocked(int number)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, number);
    NEED(sigprocmask(SIG_BLOCK, &set, NULL) == 0);
    return set;
}

static double begin(int number)
{
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = number};
    const struct itimerspec often = {.it_value = {.tv_nsec = PERIOD_NS},
                                     .it_interval = {.tv_nsec = PERIOD_NS}};
    NEED(timer_create(CLOCK_MONOTONIC, &event, &paced) == 0);
    const double begin_s = now_s();
    NEED(timer_settime(paced, 0, &often, NULL) == 0);
    return begin_s;
}

// While its signal is blocked a timer counts: one call stands for four expirations.
static void counts_while_blocked(int number)
{
    const struct sigaction action = {.sa_handler = tick};
    const sigset_t set = blocked(number);
    calls = missed = 0;
    NEED(sigaction(number, &action, NULL) == 0);
    const double begin_s = begin(number);
    usleep(9 * PERIOD_NS / 2000);
    NEED(sigprocmask(SIG_UNBLOCK, &set, NULL) == 0);
    NEED(calls == 1 && missed >= 3); // a busy machine's clock goes on meanwhile
    NEED(TOOK(begin_s, 4.5 * PERIOD_S));
    NEED(timer_delete(paced) == 0);
}

// A loop that is paced by a timer misses what it is too slow for, and goes on in step.
static void paces_a_loop(void)
{
    const sigset_t set = blocked(SIGRTMIN);
    siginfo_t info;
    const double begin_s = begin(SIGRTMIN);
    NEED(sigwaitinfo(&set, &info) == SIGRTMIN && info.si_code == SI_TIMER);
    usleep(7 * PERIOD_NS / 2000);
    NEED(sigwaitinfo(&set, &info) == SIGRTMIN);
    NEED(timer_getoverrun(paced) >= 2 && info.si_overrun >= 2);
    NEED(sigwaitinfo(&set, &info) == SIGRTMIN);
    NEED(TOOK(begin_s, 5 * PERIOD_S));
    NEED(timer_delete(paced) == 0);
}

static void overruns(void)
{
    counts_while_blocked(SIGRTMIN + 1);
    counts_while_blocked(SIGUSR1);
    paces_a_loop();
}

// Armed so long ago, with this period: how often it has expired at the first look, at once.
static void armed_in_the_past(clockid_t clock, double past_s, double period_s, uint64_t expected)
{
    struct timespec now;
    uint64_t expired = 0;
    const int file = timerfd_create(clock, TFD_NONBLOCK);
    NEED(file >= 0 && clock_gettime(clock, &now) == 0);
    const struct itimerspec t = {
        .it_value = {now.tv_sec - (time_t)past_s, now.tv_nsec},
        .it_interval = {(time_t)period_s, (long)(period_s * 1e9) % 1000000000}};
    NEED(timerfd_settime(file, TFD_TIMER_ABSTIME, &t, NULL) == 0);
    NEED(read(file, &expired, sizeof expired) == sizeof expired && expired == expected);
    NEED(read(file, &expired, sizeof expired) == -1);
    close(file);
}

static void past(void)
{
    const double begin_s = now_s();
    uint64_t expired = 0;
    struct timespec now;
    armed_in_the_past(CLOCK_MONOTONIC, 10, 4, 3);
    armed_in_the_past(CLOCK_REALTIME, 10, 4, 3);
    armed_in_the_past(CLOCK_BOOTTIME, 10, 0, 1);
    NEED(now_s() - begin_s < 1);
    const int file = timerfd_create(CLOCK_MONOTONIC, 0);
    NEED(clock_gettime(CLOCK_MONOTONIC, &now) == 0);
    const double now_then_s = (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
    const struct itimerspec t = {.it_value = {now.tv_sec - 1, now.tv_nsec},
                                 .it_interval = {.tv_nsec = 300000000}};
    NEED(timerfd_settime(file, TFD_TIMER_ABSTIME, &t, NULL) == 0);
    NEED(read(file, &expired, sizeof expired) == sizeof expired && expired == 4);
    NEED(read(file, &expired, sizeof expired) == sizeof expired && expired == 1);
    NEED(TOOK(now_then_s, 0.2));
    close(file);
}

const struct subject timer_subjects[] = {{"overruns", overruns}, {"past", past}, {NULL, NULL}};
