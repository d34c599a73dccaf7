#include "harness/cell/limits.h"

#include <stdio.h>
#include <sys/resource.h>

// Running time of a trial (base/running_time.h): to start and to end, and per simulated second.
// Sanitizers are 50 times slower than the fifty-fold speed of virtual mode.
#define WALL_FIXED_S 120
#define WALL_PER_VIRTUAL_S 10
#define WALL_PER_REAL_S 2
#define CPU_GRACE_S 30 // the lab looks at running time first

#define KERNEL_FACTOR 2 // see limits.h

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SHADOW_MEMORY true // terabytes of address space that are never used
#else
#define SHADOW_MEMORY false
#endif

static const struct {
    const char *name, *unit;
} names[LIMIT_COUNT] = {
    [LIMIT_NONE] = {"none", ""},
    [LIMIT_PROCESSES] = {"processes", "processes"},
    [LIMIT_OPEN_FILES] = {"open files", "descriptors"},
    [LIMIT_MEMORY] = {"memory", "MB"},
    [LIMIT_FILES] = {"files", "MB"},
    [LIMIT_OUTPUT] = {"output", "MB"},
    [LIMIT_TURN] = {"turn", "s"},
    [LIMIT_RUNNING_TIME] = {"running time", "s"},
    [LIMIT_SHARED_FILES] = {"shared files", "cut off"},
    [LIMIT_SHARED_PAGES] = {"shared pages", "written over"},
    [LIMIT_ROOM] = {"room", "MB"},
};

const char *limit_name(enum limit limit)
{
    return (unsigned)limit < LIMIT_COUNT ? names[limit].name : "unknown";
}

const char *limit_unit(enum limit limit)
{
    return (unsigned)limit < LIMIT_COUNT ? names[limit].unit : "";
}

const struct limits limits_default = {.processes = LIMITS_PROCESSES,
                                      .open_files = LIMITS_OPEN_FILES,
                                      .memory_MB = LIMITS_MEMORY_MB,
                                      .file_MB = LIMITS_FILE_MB,
                                      .output_MB = LIMITS_OUTPUT_MB,
                                      .turn_s = LIMITS_TURN_S};

double limits_wall_s(const struct limits *limits, double duration_s, bool real_time)
{
    if (limits->wall_s > 0)
        return limits->wall_s;
    return WALL_FIXED_S + duration_s * (real_time ? WALL_PER_REAL_S : WALL_PER_VIRTUAL_S);
}

// Lowers a limit; one that is lower already stays.
static void lower(__rlimit_resource_t resource, rlim_t soft, rlim_t hard)
{
    struct rlimit present;
    if (getrlimit(resource, &present) != 0)
        return;
    hard = present.rlim_max < hard ? present.rlim_max : hard; // RLIM_INFINITY is the highest
    soft = hard < soft ? hard : soft;
    (void)setrlimit(resource, &(struct rlimit){soft, hard});
}

void limits_apply(const struct limits *limits, bool processes)
{
    const rlim_t number = (rlim_t)limits->processes * KERNEL_FACTOR;
    const rlim_t descriptors = (rlim_t)limits->open_files * KERNEL_FACTOR;
    const rlim_t file_B = (rlim_t)limits->file_MB << 20;
    const rlim_t memory_B = ((rlim_t)limits->memory_MB << 20) * KERNEL_FACTOR;
    const rlim_t cpu_s = (rlim_t)limits->wall_s + CPU_GRACE_S;
    if (processes)
        lower(RLIMIT_NPROC, number, number);
    lower(RLIMIT_NOFILE, descriptors, descriptors);
    lower(RLIMIT_FSIZE, file_B, file_B);
    lower(RLIMIT_CPU, cpu_s, cpu_s + CPU_GRACE_S); // by SIGXCPU, which says so, before SIGKILL
    lower(RLIMIT_CORE, 0, 0);
    if (!SHADOW_MEMORY)
        lower(RLIMIT_DATA, memory_B, memory_B);
}

bool limits_keep_real_time(void)
{
    const struct rlimit memory = {RLIM_INFINITY, RLIM_INFINITY}, priority = {99, 99};
    const struct rlimit nice = {40, 40}; // 20 - nice: as low as -20
    (void)setrlimit(RLIMIT_NICE, &nice);
    return setrlimit(RLIMIT_MEMLOCK, &memory) == 0 && setrlimit(RLIMIT_RTPRIO, &priority) == 0;
}

void breach_report(struct breach *breach, enum limit limit, const char *process, int pid, int group,
                   double used, double allowed)
{
    breach_report_share(breach, limit, process, pid, group, 1, used, allowed);
}

void breach_report_share(struct breach *breach, enum limit limit, const char *process, int pid,
                         int group, double share, double used, double allowed)
{
    int unclaimed = 0;
    if (!atomic_compare_exchange_strong(&breach->claimed, &unclaimed, 1))
        return;
    snprintf(breach->process, sizeof breach->process, "%s",
             process != NULL ? process : "a process that is gone");
    breach->pid = pid;
    breach->group = group;
    breach->share = share;
    breach->used = used;
    breach->allowed = allowed;
    atomic_store(&breach->limit, limit);
}
