#include "shim/spin/shim_spin.h"

#include <string.h>
#include <sys/mman.h>

#include "shim/shim.h"
#include "shim/spin/shim_cycle.h"
#include "shim/spin/shim_site.h"

#define STEPS_MAX 6000       // of a loop that is not known: some 10 ms
#define OUTSIDE_STEPS 200000 // until a thread has left the C library
#define STEP_NS 1000
#define LATER_STEP_NS 10000
#define LATER_PARTS 1000 // whoever has spun for long looks more seldom: late by a thousandth
#define GRACE_NS SHIM_NS_PER_S

_Thread_local bool shim_given_time __attribute__((tls_model("initial-exec")));

// What is followed now. Another task may begin to be before this one goes on.
static struct {
    int task;
    bool ends;     // it is only followed out of the C library, and then given time
    unsigned left; // steps
    struct shim_site *lifted;
    struct shim_cycle cycle;
} followed = {.task = -1};

static struct sigaction theirs; // of SIGTRAP

// ---- time passes --------------------------------------------------------------------------------

static void pass(ucontext_t *context, int64_t ns)
{
    struct ucontext_t *const before = shim_answered;
    int cancels;
    shim_answered = context;
    (void)NEXT(pthread_setcancelstate)(PTHREAD_CANCEL_DISABLE, &cancels);
    shim_pass(ns);
    (void)NEXT(pthread_setcancelstate)(cancels, NULL);
    shim_answered = before;
}

static int64_t step_ns(int64_t spun_ns)
{
    const int64_t step_ns = spun_ns < LATER_STEP_NS ? STEP_NS : LATER_STEP_NS;
    return spun_ns / LATER_PARTS > step_ns ? spun_ns / LATER_PARTS : step_ns;
}

static void wait_for(const struct shim_looked_at *memory, ucontext_t *context)
{
    const struct shim_looked_at kept = *memory; // others are followed meanwhile
    const int64_t since_ns = shim_now_ns();
    shim_task()->spins_since = 1 + (uint64_t)since_ns;
    do
        pass(context, step_ns(shim_now_ns() - since_ns));
    while (shim_is_as_looked_at(&kept));
    shim_task()->spins_since = 0;
}

static void give_time(ucontext_t *context)
{
    if (shim_task()->spins_since == 0)
        shim_task()->spins_since = 1 + (uint64_t)shim_now_ns();
    shim_given_time = false; // what this calls is no call of the program's
    pass(context, GRACE_NS);
    shim_given_time = true;
}

void shim_spin_is_over(void)
{
    shim_given_time = false;
    shim_task()->spins_since = 0;
    shim_leak("spins or computes past its turn's limit, then goes on");
}

// ---- following ----------------------------------------------------------------------------------

static bool may_wait(void)
{
    return shim.clk != NULL && shim_self >= 0 && !shim_vforked &&
           (shim.page->turn & ~SHIM_TURN_ENDING) == (uint32_t)shim_self &&
           shim_task()->state == SHIM_TASK_RUNNING;
}

static uint8_t *place_of(const ucontext_t *context)
{
    return (uint8_t *)(uintptr_t)context->uc_mcontext.gregs[REG_RIP];
}

static void set_stepping(ucontext_t *context, bool steps)
{
    const greg_t trap = 1 << 8;
    greg_t *flags = &context->uc_mcontext.gregs[REG_EFL];
    *flags = steps ? *flags | trap : *flags & ~trap;
}

// Wherever the thread does not stand itself.
static void put_back(const uint8_t *place)
{
    if (followed.lifted != NULL && followed.lifted->place != place) {
        shim_site_plant(followed.lifted);
        followed.lifted = NULL;
    }
}

// The thread stands at a place, whose own code shall be there.
static void arrive(const uint8_t *place)
{
    put_back(place);
    if (followed.lifted == NULL && (followed.lifted = shim_site_at(place)) != NULL)
        shim_site_lift(followed.lifted);
}

// The next instruction, and then the trap.
static void go_on(ucontext_t *context)
{
    sigdelset(&context->uc_sigmask, SIGTRAP);
    set_stepping(context, true);
}

static void stop(ucontext_t *context)
{
    if (followed.lifted != NULL) // here: else it was put back
        shim_site_forget(followed.lifted);
    followed.lifted = NULL;
    followed.task = -1;
    set_stepping(context, false);
}

static void begin(unsigned steps)
{
    followed.task = shim_self;
    followed.ends = false;
    followed.left = steps;
    shim_cycle_begin(&followed.cycle);
}

// Nothing but memory ends its loop: it waits for that, and is followed out of the loop then.
// Without memory nothing ends it: it keeps its turn.
static bool closed(ucontext_t *context)
{
    const struct shim_site *site = followed.lifted;
    if (followed.cycle.since.count == 0 || !may_wait())
        return false;
    if (site == NULL)
        site = shim_site_new(place_of(context), followed.cycle.steps);
    else
        shim_site_plant(followed.lifted);
    followed.lifted = NULL;
    followed.task = -1;
    wait_for(&followed.cycle.since, context);
    begin(site == NULL ? STEPS_MAX : shim_site_steps(site));
    arrive(place_of(context));
    return true;
}

static void leave_library(ucontext_t *context)
{
    if (followed.left == 0) {
        stop(context);
    } else if (shim_site_is_ours(place_of(context))) {
        followed.left--;
        go_on(context);
    } else {
        stop(context);
        if (may_wait())
            give_time(context);
    }
}

static void follow(ucontext_t *context, uint64_t fs)
{
    arrive(place_of(context));
    if (followed.task != shim_self) {
        stop(context);
        return;
    }
    if (followed.ends) {
        leave_library(context);
        return;
    }
    enum shim_cycle_step step = shim_cycle_step(&followed.cycle, context, fs);
    if (step == SHIM_CYCLE_CLOSED) {
        if (!closed(context)) {
            stop(context);
            return;
        }
        step = shim_cycle_step(&followed.cycle, context, fs);
    }
    if (step == SHIM_CYCLE_LOST || (followed.left == 0 && followed.lifted == NULL)) {
        stop(context);
        return;
    }
    followed.left -= followed.left > 0;
    go_on(context);
}

// ---- signals ------------------------------------------------------------------------------------

// To whoever has the turn, from the thread that the lab's signal has reached.
static void forward(siginfo_t info)
{
    const uint32_t turn = shim.page->turn;
    const struct shim_task *task = &shim.page->task[turn % SHIM_TASKS_MAX];
    if (turn >= SHIM_TASKS_MAX || (info.si_value.sival_int & SHIM_ASKED_AGAIN) || !task->listens)
        return;
    info.si_value.sival_int |= SHIM_ASKED_AGAIN;
    KERNEL(SYS_rt_tgsigqueueinfo, task->pid, task->thread, SIGSYS, &info);
}

static void look(ucontext_t *context, uint64_t fs, bool last)
{
    if (shim_given_time) { // again, as it goes on
        give_time(context);
        return;
    }
    begin(last ? OUTSIDE_STEPS : STEPS_MAX);
    followed.ends = last;
    follow(context, fs);
}

bool shim_spin_asked(const siginfo_t *info, ucontext_t *context, uint64_t fs)
{
    const int asked = info->si_value.sival_int & ~SHIM_ASKED_AGAIN;
    if (info->si_code != SI_QUEUE || (asked != SHIM_ASKED_LOOK && asked != SHIM_ASKED_LAST))
        return false;
    const int error = errno;
    if (shim.clk != NULL && may_wait())
        look(context, fs, asked == SHIM_ASKED_LAST);
    else if (shim.clk != NULL)
        forward(*info);
    errno = error;
    return true;
}

// As if we were not there.
static void pass_on(int number, siginfo_t *info, ucontext_t *context)
{
    if (theirs.sa_flags & SA_SIGINFO) {
        theirs.sa_sigaction(number, info, context);
    } else if (theirs.sa_handler == SIG_IGN && info->si_code <= 0) {
        return;
    } else if (theirs.sa_handler != SIG_DFL && theirs.sa_handler != SIG_IGN) {
        theirs.sa_handler(number);
    } else {
        static const struct sigaction none = {.sa_handler = SIG_DFL};
        (void)NEXT(sigaction)(number, &none, NULL);
        (void)KERNEL(SYS_tgkill, KERNEL(SYS_getpid), KERNEL(SYS_gettid), number);
    }
}

// A known loop is about to begin, if the thread does not pass through it.
static void found(struct shim_site *site, ucontext_t *context, uint64_t fs)
{
    context->uc_mcontext.gregs[REG_RIP] = (greg_t)(uintptr_t)site->place;
    begin(shim_site_steps(site));
    follow(context, fs);
}

void shim_spin_trap(int number, siginfo_t *info, ucontext_t *context, uint64_t fs)
{
    const int error = errno;
    struct shim_site *const site =
        info->si_code == SI_KERNEL ? shim_site_at(place_of(context) - 1) : NULL;
    if (site != NULL)
        found(site, context, fs);
    else if (info->si_code == TRAP_TRACE)
        follow(context, fs);
    else
        pass_on(number, info, context);
    errno = error;
}

int shim_take_trap(const struct sigaction *action, struct sigaction *old)
{
    if (old != NULL)
        *old = theirs;
    if (action != NULL)
        theirs = *action;
    return 0;
}

void shim_spin_begin(void (*handler)(int, siginfo_t *, void *))
{
    const struct sigaction action = {.sa_sigaction = handler,
                                     .sa_flags = SA_SIGINFO | SA_NODEFER | SA_ONSTACK | SA_RESTART};
    (void)NEXT(sigaction)(SIGTRAP, &action, NULL);
}

void shim_spin_listens(bool listens)
{
    if (shim_self < 0 || shim.page == NULL || shim_vforked)
        return;
    shim_task()->thread = (int32_t)KERNEL(SYS_gettid);
    shim_task()->listens = listens;
}
