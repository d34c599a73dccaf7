// poll, select, epoll: ask the kernel without blocking, then wait by the clock.
#include <poll.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>

#include "shim/shim.h"

static const struct timespec zero;

// Asks the kernel without blocking: what is ready, 0, or -1.
typedef int ask_kernel(void *question);

// Asks until something is ready, a signal handler has run or the deadline is over. A question
// without time makes time pass if it is put again and again. first: of the descriptors; -1: not
// known.
static int await(ask_kernel *ask, void *question, int64_t deadline_ns, bool at_once,
                 const sigset_t *mask, int first)
{
    if (at_once) {
        shim_look();
        shim_timers();
        return ask(question);
    }
    const struct shim_awaited awaited = shim_awaits(SHIM_AWAITS_DESCRIPTOR, first, NULL);
    for (bool last = false;;) {
        struct shim_wait wait = shim_wait_io(deadline_ns);
        wait.awaited = awaited;
        wait.mask = mask;
        const int got = ask(question);
        if (got != 0 || last) {
            shim_touch(SHIM_CALL_NS);
            return got;
        }
        const enum shim_woken woken = shim_block(&wait);
        if (woken == SHIM_INTERRUPTED) {
            errno = EINTR;
            return -1;
        }
        last = woken == SHIM_DEADLINE;
    }
}

static int64_t deadline_of_ms(int ms)
{
    return ms < 0 ? SHIM_NEVER : shim_after_ns((int64_t)ms * 1000000);
}

static bool is_zero(const struct timespec *t)
{
    return t != NULL && t->tv_sec == 0 && t->tv_nsec == 0;
}

// ---- poll ----

struct poll_question {
    struct pollfd *descriptors;
    nfds_t count;
};

static int ask_poll(void *question)
{
    const struct poll_question *poll = question;
    return (int)KERNEL(SYS_ppoll, poll->descriptors, poll->count, &zero, NULL, 0);
}

int shim_await(int descriptor, short events, int64_t deadline_ns)
{
    struct pollfd one = {.fd = descriptor, .events = events};
    struct poll_question question = {&one, 1};
    for (;;) {
        const int got = await(ask_poll, &question, deadline_ns, false, NULL, descriptor);
        if (got > 0)
            return 0;
        if (got < 0 && errno == EINTR && shim_restarts)
            continue;
        errno = got == 0 ? EAGAIN : errno;
        return -1;
    }
}

static int first_of(const struct pollfd *descriptors, nfds_t count)
{
    return count > 0 ? descriptors[0].fd : -1;
}

PUBLIC int poll(struct pollfd *descriptors, nfds_t count, int ms)
{
    if (!shim_on())
        return (int)KERNEL(SYS_poll, descriptors, count, ms);
    struct poll_question question = {descriptors, count};
    return await(ask_poll, &question, deadline_of_ms(ms), ms == 0, NULL,
                 first_of(descriptors, count));
}

PUBLIC int __poll_chk(struct pollfd *descriptors, nfds_t count, int ms, size_t size_B);
PUBLIC int __poll_chk(struct pollfd *descriptors, nfds_t count, int ms, size_t size_B)
{
    (void)size_B;
    return poll(descriptors, count, ms);
}

PUBLIC int ppoll(struct pollfd *descriptors, nfds_t count, const struct timespec *t,
                 const sigset_t *mask)
{
    if (!shim_on())
        return NEXT(ppoll)(descriptors, count, t, mask);
    if (t != NULL && shim_ns_of(t) < 0) {
        errno = EINVAL;
        return -1;
    }
    struct poll_question question = {descriptors, count};
    return await(ask_poll, &question, shim_after(t), is_zero(t), mask,
                 first_of(descriptors, count));
}

PUBLIC int __ppoll_chk(struct pollfd *descriptors, nfds_t count, const struct timespec *t,
                       const sigset_t *mask, size_t size_B);
PUBLIC int __ppoll_chk(struct pollfd *descriptors, nfds_t count, const struct timespec *t,
                       const sigset_t *mask, size_t size_B)
{
    (void)size_B;
    return ppoll(descriptors, count, t, mask);
}

// ---- select ----

#define SETS 3                      // read, write, exceptions
#define SET_B (16 * sizeof(fd_set)) // programs with more descriptors than FD_SETSIZE do that

struct select_question {
    int count;
    size_t size_B;
    fd_set *set[SETS];
    unsigned char asked[SETS][SET_B];
};

static void copy_sets(struct select_question *select, bool back)
{
    for (int i = 0; i < SETS; i++) {
        if (select->set[i] == NULL)
            continue;
        if (back)
            memcpy(select->set[i], select->asked[i], select->size_B);
        else
            memcpy(select->asked[i], select->set[i], select->size_B);
    }
}

// An answer overwrites the question.
static int ask_select(void *question)
{
    struct select_question *select = question;
    struct timespec nothing = zero;
    copy_sets(select, true);
    return (int)KERNEL(SYS_pselect6, select->count, select->set[0], select->set[1], select->set[2],
                       &nothing, NULL);
}

static int select_until(int count, fd_set *sets[SETS], int64_t deadline_ns, bool at_once,
                        const sigset_t *mask)
{
    struct select_question question = {.count = count, .set = {sets[0], sets[1], sets[2]}};
    question.size_B = ((size_t)count + 63) / 64 * 8;
    if (count < 0 || question.size_B > SET_B) {
        errno = EINVAL;
        return -1;
    }
    copy_sets(&question, false);
    return await(ask_select, &question, deadline_ns, at_once, mask, -1);
}

PUBLIC int pselect(int count, fd_set *restrict r, fd_set *restrict w, fd_set *restrict e,
                   const struct timespec *restrict t, const sigset_t *restrict mask)
{
    if (!shim_on())
        return NEXT(pselect)(count, r, w, e, t, mask);
    if (t != NULL && shim_ns_of(t) < 0) {
        errno = EINVAL;
        return -1;
    }
    fd_set *sets[SETS] = {r, w, e};
    return select_until(count, sets, shim_after(t), is_zero(t), mask);
}

PUBLIC int select(int count, fd_set *restrict r, fd_set *restrict w, fd_set *restrict e,
                  struct timeval *restrict t)
{
    if (!shim_on())
        return (int)KERNEL(SYS_select, count, r, w, e, t);
    if (t != NULL && (t->tv_sec < 0 || t->tv_usec < 0)) {
        errno = EINVAL;
        return -1;
    }
    fd_set *sets[SETS] = {r, w, e};
    if (t == NULL)
        return select_until(count, sets, SHIM_NEVER, false, NULL);
    const int64_t ns = t->tv_sec > SHIM_NEVER / SHIM_NS_PER_S - 1
                           ? SHIM_NEVER
                           : t->tv_sec * SHIM_NS_PER_S + t->tv_usec * 1000;
    const int64_t deadline_ns = shim_after_ns(ns);
    const int got = select_until(count, sets, deadline_ns, ns == 0, NULL);
    const struct timespec left = shim_timespec(shim_left_ns(deadline_ns)); // as Linux does
    *t = (struct timeval){left.tv_sec, left.tv_nsec / 1000};
    return got;
}

// ---- epoll ----

struct epoll_question {
    int descriptor, most;
    struct epoll_event *events;
};

static int ask_epoll(void *question)
{
    const struct epoll_question *epoll = question;
    return (int)KERNEL(SYS_epoll_pwait, epoll->descriptor, epoll->events, epoll->most, 0, NULL, 0);
}

PUBLIC int epoll_pwait(int descriptor, struct epoll_event *events, int most, int ms,
                       const sigset_t *mask)
{
    if (!shim_on())
        return NEXT(epoll_pwait)(descriptor, events, most, ms, mask);
    struct epoll_question question = {descriptor, most, events};
    return await(ask_epoll, &question, deadline_of_ms(ms), ms == 0, mask, descriptor);
}

PUBLIC int epoll_wait(int descriptor, struct epoll_event *events, int most, int ms)
{
    return epoll_pwait(descriptor, events, most, ms, NULL);
}

PUBLIC int epoll_pwait2(int descriptor, struct epoll_event *events, int most,
                        const struct timespec *t, const sigset_t *mask)
{
    if (!shim_on())
        return NEXT(epoll_pwait2)(descriptor, events, most, t, mask);
    struct epoll_question question = {descriptor, most, events};
    return await(ask_epoll, &question, shim_after(t), is_zero(t), mask, descriptor);
}
