// What the cell's init has: its memory, descriptors, limits, its share of the processor, its life.
#include "tests/canaries/cell/hostile.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define FIRST_STARTED 2 // by the init: the simulated robot
#define IN_INIT(path) "/proc/1/" path

static int init_pidfd(void)
{
    return (int)syscall(SYS_pidfd_open, INIT, 0);
}

// Lets it go on, where it could be caught.
static bool catches(long request)
{
    const bool caught = passed(ptrace((enum __ptrace_request)request, INIT, NULL, NULL));
    if (caught && request == PTRACE_ATTACH)
        (void)waitpid(INIT, NULL, __WALL);
    (void)ptrace(PTRACE_DETACH, INIT, NULL, NULL);
    return caught;
}

static bool attach(void)
{
    return catches(PTRACE_ATTACH);
}

static bool seize(void)
{
    return catches(PTRACE_SEIZE);
}

static bool forge(void)
{
    return opens(IN_INIT("mem"), O_RDWR);
}

static bool vm_write(void)
{
    static char byte;
    struct iovec one = {&byte, 1};
    return passed(syscall(SYS_process_vm_writev, INIT, &one, 1L, &one, 1L, 0L));
}

// A file of init's that can be read and is not empty.
static bool reads(const char *path)
{
    char text[64];
    int file = open(path, O_RDONLY | O_CLOEXEC);
    return file >= 0 && read(file, text, sizeof text) > 0;
}

static bool environment(void)
{
    return reads(IN_INIT("environ"));
}

static bool maps(void)
{
    return reads(IN_INIT("maps"));
}

static bool stack(void)
{
    return reads(IN_INIT("syscall"));
}

static bool list(const char *path)
{
    DIR *folder = opendir(path);
    return folder != NULL && readdir(folder) != NULL;
}

static bool descriptors(void)
{
    return list(IN_INIT("fd"));
}

static bool root(void)
{
    return list(IN_INIT("root/"));
}

static bool folder(void)
{
    return list(IN_INIT("cwd/"));
}

static bool program(void)
{
    return opens(IN_INIT("exe"), O_RDONLY);
}

// As `steal` of the audit: the database's descriptors, the machine's /proc.
static bool steal(void)
{
    int self = init_pidfd();
    for (int i = 0; self >= 0 && i < 64; i++)
        if (passed(syscall(SYS_pidfd_getfd, self, i, 0))) {
            habit_say("descriptor %d", i);
            return true;
        }
    return false;
}

static bool output(void)
{
    int file = open(IN_INIT("fd/1"), O_WRONLY | O_CLOEXEC);
    return file >= 0 && dprintf(file, "PASS\nPASS  forged by the target\n") > 0;
}

static bool input(void)
{
    return opens(IN_INIT("fd/0"), O_RDONLY);
}

static bool enter(const char *name)
{
    char path[64];
    snprintf(path, sizeof path, IN_INIT("ns/%s"), name);
    int space = open(path, O_RDONLY | O_CLOEXEC);
    return space >= 0 && passed(setns(space, 0));
}

static bool enter_each(void)
{
    static const char *const names[] = {"user", "mnt", "pid", "net", "ipc", "uts", "cgroup"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (enter(names[i])) {
            habit_say("%s", names[i]);
            return true;
        }
    return false;
}

static bool enter_all(void)
{
    int self = init_pidfd();
    return self >= 0 && passed(setns(self, CLONE_NEWNS));
}

// What init has is set again: where that works, so does less.
static bool limit(__rlimit_resource_t resource)
{
    struct rlimit present;
    if (prlimit(INIT, resource, NULL, &present) != 0)
        return passed(-1);
    return passed(prlimit(INIT, resource, &present, NULL));
}

static bool limit_cpu(void)
{
    return limit(RLIMIT_CPU);
}

static bool starve(void)
{
    return limit(RLIMIT_AS);
}

static bool limit_files(void)
{
    return limit(RLIMIT_NOFILE);
}

static bool slow_down(void)
{
    return passed(setpriority(PRIO_PROCESS, INIT, 19));
}

static bool demote(void)
{
    return passed(sched_setscheduler(INIT, SCHED_BATCH, &(struct sched_param){0}));
}

static bool demote_more(void)
{
    struct {
        unsigned size, policy;
        unsigned long long flags;
        int nice;
        unsigned priority;
        unsigned long long runtime, deadline, period;
    } idle = {.size = sizeof idle, .policy = SCHED_IDLE};
    return passed(syscall(SYS_sched_setattr, INIT, &idle, 0));
}

static bool move(void)
{
    cpu_set_t all;
    CPU_ZERO(&all);
    CPU_SET(0, &all);
    return passed(sched_setaffinity(INIT, sizeof all, &all));
}

static bool slow_disk(void)
{
    return passed(syscall(SYS_ioprio_set, 1 /* of a process */, INIT, 3 << 13 /* idle */));
}

static bool compare(void)
{
    return passed(syscall(SYS_kcmp, getpid(), INIT, 0 /* files */, 0L, 0L));
}

static bool move_memory(void)
{
    unsigned long from = 1, to = 1;
    return passed(syscall(SYS_migrate_pages, INIT, 2L, &from, &to));
}

static bool look_at_pages(void)
{
    void *page = (void *)environment;
    int where = 0;
    return passed(syscall(SYS_move_pages, INIT, 1L, &page, NULL, &where, 0));
}

static bool advise(void)
{
    static char byte;
    struct iovec one = {&byte, 1};
    return passed(syscall(SYS_process_madvise, init_pidfd(), &one, 1L, 20 /* cold */, 0));
}

static bool release(void)
{
    return worked(syscall(SYS_process_mrelease, init_pidfd(), 0)); // EINVAL: it is not dying
}

static bool limits_list(void)
{
    return opens(IN_INIT("oom_score_adj"), O_WRONLY);
}

static bool groups(void)
{
    return opens(IN_INIT("uid_map"), O_WRONLY);
}

static bool slack(void)
{
    int file = open(IN_INIT("timerslack_ns"), O_WRONLY | O_CLOEXEC);
    return file >= 0 && write(file, "50000", 5) > 0;
}

static bool autogroup(void)
{
    return opens(IN_INIT("autogroup"), O_WRONLY);
}

static bool clear_pages(void)
{
    return opens(IN_INIT("clear_refs"), O_WRONLY);
}

// Has any signal an effect? Whether the call returns 0 tells nothing: the kernel drops what init
// does not handle. Where the init cannot be seen, one that is stopped ends the trial otherwise.
static bool unwell(void)
{
    char text[256] = "", *end;
    poll(NULL, 0, 5);
    int file = open("/proc/1/stat", O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return kill(INIT, 0) != 0 && errno == ESRCH;
    if (read(file, text, sizeof text - 1) <= 0)
        return true;
    end = strrchr(text, ')');
    return end == NULL || strchr("TtXZ", end[2]) != NULL;
}

static bool signals(void)
{
    for (int number = 1; number < NSIG; number++) {
        (void)kill(INIT, number);
        (void)syscall(SYS_tgkill, INIT, INIT, number);
        (void)sigqueue(INIT, number, (union sigval){0});
        (void)syscall(SYS_pidfd_send_signal, init_pidfd(), number, NULL, 0);
    }
    return unwell();
}

static bool owned_signals(void)
{
    int ends[2];
    if (pipe(ends) != 0)
        return false;
    (void)fcntl(ends[0], F_SETSIG, SIGKILL);
    (void)fcntl(ends[0], F_SETOWN, INIT);
    (void)fcntl(ends[0], F_SETFL, O_ASYNC);
    (void)!write(ends[1], "x", 1);
    return unwell();
}

static bool timer_signals(void)
{
    struct sigevent event = {
        .sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGKILL, ._sigev_un = {._tid = INIT}};
    timer_t timer;
    return worked(timer_create(CLOCK_MONOTONIC, &event, &timer)) || unwell();
}

// The simulated robot is the lab's, too: what it says is the truth.
static int simulator(void)
{
    for (int process = 2; process < 100; process++) {
        char path[64], name[32] = "";
        snprintf(path, sizeof path, "/proc/%d/comm", process);
        FILE *file = fopen(path, "r");
        const bool found = file != NULL && fgets(name, sizeof name, file) != NULL &&
                           strcmp(name, "simulator\n") == 0;
        if (file != NULL)
            (void)fclose(file);
        if (found)
            return process;
    }
    return FIRST_STARTED; // hidden
}

static bool opens_of_simulator(const char *name, int flags)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/%s", simulator(), name);
    return opens(path, flags);
}

static bool change_robot(void)
{
    return opens_of_simulator("mem", O_RDWR);
}

static bool speak_as_robot(void)
{
    return opens_of_simulator("fd/1", O_WRONLY);
}

static bool end_robot(void)
{
    return worked(kill(simulator(), 0));
}

static bool slow_robot(void)
{
    return worked(setpriority(PRIO_PROCESS, (id_t)simulator(), 19));
}

static bool limit_robot(void)
{
    return worked(
        prlimit(simulator(), RLIMIT_CPU, &(struct rlimit){RLIM_INFINITY, RLIM_INFINITY}, NULL));
}

const struct habit habits_of_init[] = {
    {"robots", "robot-memory", change_robot},
    {"robots", "robot-output", speak_as_robot},
    {"robots2", "robot-end", end_robot},
    {"robots2", "robot-nice", slow_robot},
    {"robots2", "robot-limit", limit_robot},
    {"init", "attach", attach},
    {"init", "seize", seize},
    {"init", "forge", forge},
    {"init", "vm-write", vm_write},
    {"init", "environ", environment},
    {"init", "maps", maps},
    {"init", "syscall", stack},
    {"init", "fd", descriptors},
    {"init", "root", root},
    {"init", "cwd", folder},
    {"init", "exe", program},
    {"init", "steal", steal},
    {"init", "stdout", output},
    {"init", "stdin", input},
    {"init", "setns", enter_each},
    {"init", "setns-all", enter_all},
    {"init", "kcmp", compare},
    {"init", "migrate", move_memory},
    {"init", "move-pages", look_at_pages},
    {"init", "madvise", advise},
    {"init", "mrelease", release},
    {"init", "oom-score", limits_list},
    {"init", "uid-map", groups},
    {"init", "timerslack", slack},
    {"init", "autogroup", autogroup},
    {"init", "clear-refs", clear_pages},
    {"init2", "limit-cpu", limit_cpu},
    {"init2", "starve", starve},
    {"init2", "limit-files", limit_files},
    {"init2", "nice", slow_down},
    {"init2", "scheduler", demote},
    {"init2", "sched-attr", demote_more},
    {"init2", "affinity", move},
    {"init2", "ioprio", slow_disk},
    {"init2", "signals", signals},
    {"init2", "sigio", owned_signals},
    {"init2", "timer", timer_signals},
    {0},
};
