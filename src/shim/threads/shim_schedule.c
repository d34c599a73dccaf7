// Scheduling: policy, priority, niceness, processors. In virtual time they mean nothing, so
// whatever Linux would grant to root seems to succeed and is read back. The kernel is not asked.
//
// What is asked for is kept on the participant's page, by task: others of its tasks may ask, and a
// program that is executed goes on with it. Processes of others are the kernel's.
#include <pthread.h>
#include <sched.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "shim/shim.h"

#define POLICY_DEADLINE 6 // SCHED_DEADLINE, younger than some headers
#define RESET_ON_FORK 0x40000000
#define PRIORITY_MAX 99
#define NICE_BEST (-20)
#define NICE_WORST 19
#define ROUND_NS 100000000 // of SCHED_RR, as Linux is set

// As in linux/sched/types.h, version 1.
struct attributes {
    uint32_t size;
    uint32_t policy;
    uint64_t flags;
    int32_t nice;
    uint32_t priority;
    uint64_t runtime_ns, deadline_ns, period_ns;
    uint32_t clamp_min, clamp_max;
};
#define ATTRIBUTES_MIN_B 48
#define FLAG_RESET_ON_FORK 1

// ---- whose -------------------------------------------------------------------------------------

// The task of a thread, or of a process by its first; -1: none of this participant.
static int task_of(pid_t id)
{
    for (unsigned i = 0; i < shim.page->task_count && i < SHIM_TASKS_MAX; i++) {
        const struct shim_task *task = &shim.page->task[i];
        const int thread = shim.page->schedule[i].thread;
        if (task->state != SHIM_TASK_FREE && (thread == id || (thread == 0 && task->pid == id)))
            return (int)i;
    }
    return -1;
}

static struct shim_schedule *own(void)
{
    return &shim.page->schedule[shim_own_task()];
}

// NULL: no task of this participant.
static struct shim_schedule *schedule_of(pid_t id)
{
    const int task = id == 0 ? shim_own_task() : task_of(id);
    return task < 0 ? NULL : &shim.page->schedule[task];
}

void shim_schedule_inherit(int task)
{
    struct shim_schedule *child = &shim.page->schedule[task];
    const int self = shim_own_task();
    *child = (struct shim_schedule){0};
    if (self >= 0)
        *child = shim.page->schedule[self];
    child->thread = 0;
    if (child->reset && (child->policy == SCHED_FIFO || child->policy == SCHED_RR)) {
        child->policy = SCHED_OTHER;
        child->priority = 0;
    }
    if (child->reset && child->nice < 0)
        child->nice = 0;
    child->reset = false;
}

void shim_schedule_begin(void)
{
    shim.page->schedule[shim_self].thread = (int)KERNEL(SYS_gettid);
}

// ---- policy and priority -----------------------------------------------------------------------

static bool is_real_time(int policy)
{
    return policy == SCHED_FIFO || policy == SCHED_RR;
}

static bool is_valid(int policy, int priority)
{
    if (is_real_time(policy))
        return priority >= 1 && priority <= PRIORITY_MAX;
    return (policy == SCHED_OTHER || policy == SCHED_BATCH || policy == SCHED_IDLE) &&
           priority == 0;
}

// An error number.
static int set(struct shim_schedule *schedule, int policy, int priority)
{
    if (schedule == NULL)
        return ESRCH;
    if (!is_valid(policy & ~RESET_ON_FORK, priority))
        return EINVAL;
    schedule->policy = policy & ~RESET_ON_FORK;
    schedule->priority = priority;
    schedule->reset = (policy & RESET_ON_FORK) != 0;
    return 0;
}

static int told(int error)
{
    if (error == 0)
        return 0;
    errno = error;
    return -1;
}

PUBLIC int sched_setscheduler(pid_t id, int policy, const struct sched_param *parameters)
{
    if (!shim_on() || (id != 0 && schedule_of(id) == NULL))
        return (int)KERNEL(SYS_sched_setscheduler, id, policy, parameters);
    if (parameters == NULL || id < 0)
        return told(EINVAL);
    return told(set(schedule_of(id), policy, parameters->sched_priority));
}

PUBLIC int sched_getscheduler(pid_t id)
{
    const struct shim_schedule *schedule = shim_on() ? schedule_of(id) : NULL;
    if (schedule == NULL)
        return (int)KERNEL(SYS_sched_getscheduler, id);
    return schedule->policy | (schedule->reset ? RESET_ON_FORK : 0);
}

PUBLIC int sched_setparam(pid_t id, const struct sched_param *parameters)
{
    struct shim_schedule *schedule = shim_on() ? schedule_of(id) : NULL;
    if (schedule == NULL || parameters == NULL)
        return (int)KERNEL(SYS_sched_setparam, id, parameters);
    const int reset = schedule->reset ? RESET_ON_FORK : 0;
    return told(set(schedule, schedule->policy | reset, parameters->sched_priority));
}

PUBLIC int sched_getparam(pid_t id, struct sched_param *parameters)
{
    const struct shim_schedule *schedule = shim_on() ? schedule_of(id) : NULL;
    if (schedule == NULL || parameters == NULL)
        return (int)KERNEL(SYS_sched_getparam, id, parameters);
    *parameters = (struct sched_param){.sched_priority = schedule->priority};
    return 0;
}

PUBLIC int sched_rr_get_interval(pid_t id, struct timespec *t)
{
    const struct shim_schedule *schedule = shim_on() ? schedule_of(id) : NULL;
    if (schedule == NULL || t == NULL)
        return (int)KERNEL(SYS_sched_rr_get_interval, id, t);
    *t = shim_timespec(schedule->policy == SCHED_RR ? ROUND_NS : 0);
    return 0;
}

// ---- deadlines ---------------------------------------------------------------------------------

// An error number. As the kernel: runtime <= deadline <= period, and no period is the deadline.
static int set_deadline(struct shim_schedule *schedule, const struct attributes *asked)
{
    const uint64_t period_ns = asked->period_ns == 0 ? asked->deadline_ns : asked->period_ns;
    if (asked->runtime_ns < 1024 || asked->runtime_ns > asked->deadline_ns ||
        asked->deadline_ns > period_ns || period_ns > INT64_MAX)
        return EINVAL;
    schedule->policy = POLICY_DEADLINE;
    schedule->priority = 0;
    schedule->runtime_ns = asked->runtime_ns;
    schedule->deadline_ns = asked->deadline_ns;
    schedule->period_ns = period_ns;
    schedule->since_ns = shim_now_ns();
    return 0;
}

static int set_attributes(struct shim_schedule *schedule, const struct attributes *asked)
{
    int error = 0;
    if (asked->policy == POLICY_DEADLINE)
        error = set_deadline(schedule, asked);
    else
        error = set(schedule, (int)asked->policy, (int)asked->priority);
    if (error != 0)
        return error;
    schedule->reset = (asked->flags & FLAG_RESET_ON_FORK) != 0;
    if (asked->policy == SCHED_OTHER || asked->policy == SCHED_BATCH)
        schedule->nice = asked->nice < NICE_BEST    ? NICE_BEST
                         : asked->nice > NICE_WORST ? NICE_WORST
                                                    : asked->nice;
    return 0;
}

// Younger C libraries declare them.
PUBLIC int shim_sched_setattr(pid_t id, const void *asked, unsigned flags)
{
    struct shim_schedule *schedule = shim_on() ? schedule_of(id) : NULL;
    struct attributes own_copy = {0};
    if (schedule == NULL || asked == NULL || flags != 0)
        return (int)KERNEL(SYS_sched_setattr, id, asked, flags);
    memcpy(&own_copy, asked, ATTRIBUTES_MIN_B);
    return told(set_attributes(schedule, &own_copy));
}

PUBLIC int shim_sched_getattr(pid_t id, void *answer, unsigned size, unsigned flags)
{
    const struct shim_schedule *schedule = shim_on() ? schedule_of(id) : NULL;
    if (schedule == NULL || answer == NULL || size < ATTRIBUTES_MIN_B || flags != 0)
        return (int)KERNEL(SYS_sched_getattr, id, answer, size, flags);
    const bool periodic = schedule->policy == POLICY_DEADLINE;
    const struct attributes told_ = {.size = ATTRIBUTES_MIN_B,
                                     .policy = (uint32_t)schedule->policy,
                                     .flags = schedule->reset ? FLAG_RESET_ON_FORK : 0,
                                     .nice = schedule->nice,
                                     .priority = (uint32_t)schedule->priority,
                                     .runtime_ns = periodic ? schedule->runtime_ns : 0,
                                     .deadline_ns = periodic ? schedule->deadline_ns : 0,
                                     .period_ns = periodic ? schedule->period_ns : 0};
    memcpy(answer, &told_, ATTRIBUTES_MIN_B);
    return 0;
}

bool shim_schedule_yield(void)
{
    const struct shim_schedule *schedule = own();
    if (schedule->policy != POLICY_DEADLINE)
        return false;
    const int64_t period_ns = (int64_t)schedule->period_ns;
    const int64_t past_ns = shim_now_ns() - schedule->since_ns;
    const int64_t next_ns = schedule->since_ns + (past_ns / period_ns + 1) * period_ns;
    const struct shim_wait wait = shim_wait_object(SHIM_NOTHING, next_ns);
    while (shim_block(&wait) == SHIM_WOKEN)
        continue;
    return true;
}

// ---- niceness ----------------------------------------------------------------------------------

static struct shim_schedule *process_of(__priority_which_t which, id_t who)
{
    return shim_on() && which == PRIO_PROCESS ? schedule_of((pid_t)who) : NULL;
}

PUBLIC int setpriority(__priority_which_t which, id_t who, int nice)
{
    struct shim_schedule *schedule = process_of(which, who);
    if (schedule == NULL)
        return (int)KERNEL(SYS_setpriority, which, who, nice);
    schedule->nice = nice < NICE_BEST ? NICE_BEST : nice > NICE_WORST ? NICE_WORST : nice;
    return 0;
}

PUBLIC int getpriority(__priority_which_t which, id_t who)
{
    const struct shim_schedule *schedule = process_of(which, who);
    return schedule == NULL ? NEXT(getpriority)(which, who) : schedule->nice;
}

PUBLIC int nice(int more)
{
    if (!shim_on())
        return NEXT(nice)(more);
    (void)setpriority(PRIO_PROCESS, 0, own()->nice + more);
    return own()->nice;
}

// ---- processors --------------------------------------------------------------------------------

// Of a machine that has as many as the program wants.
static int set_processors(struct shim_schedule *schedule, size_t size_B, const cpu_set_t *set)
{
    uint64_t asked[SHIM_PROCESSOR_WORDS] = {0}, any = 0;
    memcpy(asked, set, size_B < sizeof asked ? size_B : sizeof asked);
    for (size_t i = 0; i < SHIM_PROCESSOR_WORDS; i++)
        any |= asked[i];
    if (any == 0)
        return EINVAL;
    memcpy(schedule->processors, asked, sizeof asked);
    schedule->pinned = true;
    return 0;
}

static int get_processors(const struct shim_schedule *schedule, size_t size_B, cpu_set_t *set)
{
    memset(set, 0, size_B);
    memcpy(set, schedule->processors,
           size_B < sizeof schedule->processors ? size_B : sizeof schedule->processors);
    return 0;
}

PUBLIC int sched_setaffinity(pid_t id, size_t size_B, const cpu_set_t *set)
{
    struct shim_schedule *schedule = shim_on() ? schedule_of(id) : NULL;
    if (schedule == NULL || set == NULL)
        return (int)KERNEL(SYS_sched_setaffinity, id, size_B, set);
    return told(set_processors(schedule, size_B, set));
}

PUBLIC int sched_getaffinity(pid_t id, size_t size_B, cpu_set_t *set)
{
    const struct shim_schedule *schedule = shim_on() ? schedule_of(id) : NULL;
    if (schedule == NULL || !schedule->pinned || set == NULL)
        return NEXT(sched_getaffinity)(id, size_B, set);
    return get_processors(schedule, size_B, set);
}

// ---- threads -----------------------------------------------------------------------------------

static struct shim_schedule *schedule_of_thread(pthread_t id)
{
    const int task = shim_on() ? shim_thread_task(id) : -1;
    return task < 0 ? NULL : &shim.page->schedule[task];
}

PUBLIC int pthread_setschedparam(pthread_t id, int policy, const struct sched_param *parameters)
{
    struct shim_schedule *schedule = schedule_of_thread(id);
    if (schedule == NULL)
        return NEXT(pthread_setschedparam)(id, policy, parameters);
    return set(schedule, policy, parameters->sched_priority);
}

PUBLIC int pthread_getschedparam(pthread_t id, int *restrict policy,
                                 struct sched_param *restrict parameters)
{
    const struct shim_schedule *schedule = schedule_of_thread(id);
    if (schedule == NULL)
        return NEXT(pthread_getschedparam)(id, policy, parameters);
    *policy = schedule->policy;
    *parameters = (struct sched_param){.sched_priority = schedule->priority};
    return 0;
}

PUBLIC int pthread_setschedprio(pthread_t id, int priority)
{
    struct shim_schedule *schedule = schedule_of_thread(id);
    if (schedule == NULL)
        return NEXT(pthread_setschedprio)(id, priority);
    return set(schedule, schedule->policy | (schedule->reset ? RESET_ON_FORK : 0), priority);
}

PUBLIC int pthread_setaffinity_np(pthread_t id, size_t size_B, const cpu_set_t *set)
{
    struct shim_schedule *schedule = schedule_of_thread(id);
    return schedule == NULL ? NEXT(pthread_setaffinity_np)(id, size_B, set)
                            : set_processors(schedule, size_B, set);
}

PUBLIC int pthread_getaffinity_np(pthread_t id, size_t size_B, cpu_set_t *set)
{
    const struct shim_schedule *schedule = schedule_of_thread(id);
    if (schedule == NULL || !schedule->pinned)
        return NEXT(pthread_getaffinity_np)(id, size_B, set);
    return get_processors(schedule, size_B, set);
}

// All of what the C library would not do by the kernel's scheduler.
static int copy_rest(pthread_attr_t *to, const pthread_attr_t *from)
{
    int detached = PTHREAD_CREATE_JOINABLE;
    size_t stack_B = 0, guard_B = 0;
    void *stack = NULL;
    sigset_t mask;
    const int error = pthread_attr_init(to);
    if (error != 0)
        return error;
    (void)pthread_attr_getdetachstate(from, &detached);
    (void)pthread_attr_setdetachstate(to, detached);
    (void)pthread_attr_getguardsize(from, &guard_B);
    (void)pthread_attr_setguardsize(to, guard_B);
    (void)pthread_attr_getstack(from, &stack, &stack_B);
    if ((uintptr_t)stack + stack_B != 0) // it has one of its own
        (void)pthread_attr_setstack(to, stack, stack_B);
    else if (stack_B != 0)
        (void)pthread_attr_setstacksize(to, stack_B);
    if (pthread_attr_getsigmask_np(from, &mask) == 0)
        (void)pthread_attr_setsigmask_np(to, &mask);
    return 0;
}

static bool asks_for_processors(const pthread_attr_t *attributes, cpu_set_t *set)
{
    return pthread_attr_getaffinity_np(attributes, sizeof *set, set) == 0 &&
           CPU_COUNT(set) < CPU_SETSIZE;
}

int shim_schedule_attributes(int task, const pthread_attr_t *from, pthread_attr_t *rest)
{
    struct shim_schedule *schedule = &shim.page->schedule[task];
    struct sched_param parameters = {0};
    int inherits = PTHREAD_INHERIT_SCHED, policy = SCHED_OTHER, error = 0;
    cpu_set_t processors;
    (void)pthread_attr_getinheritsched(from, &inherits);
    (void)pthread_attr_getschedpolicy(from, &policy);
    (void)pthread_attr_getschedparam(from, &parameters);
    if (inherits == PTHREAD_EXPLICIT_SCHED)
        error = set(schedule, policy, parameters.sched_priority);
    if (error == 0 && asks_for_processors(from, &processors))
        error = set_processors(schedule, sizeof processors, &processors);
    return error != 0 ? error : copy_rest(rest, from);
}
