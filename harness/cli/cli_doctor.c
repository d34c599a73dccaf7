// What this machine can do. Every probe does the thing itself, in a child that undoes it by ending.
#include <asm/hwcap2.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/cell/cell.h"
#include "harness/cell/cell_devices.h"
#include "base/text.h"
#include "harness/cli/cli.h"
#include "harness/cli/cli_doctor.h"
#include "harness/trial/supervise/shims.h"
#include "harness/store/machine.h"
#include "harness/store/version.h"

#define HISTORY_SPACE_B (2ull << 30)

// Runs a probe in a child; 0 is yes, else the errno of what failed.
static int in_child(int (*probe)(void))
{
    pid_t pid = fork();
    if (pid == 0)
        _exit(probe());
    int status = 0;
    if (pid < 0 || waitpid(pid, &status, 0) != pid)
        return errno;
    return WIFEXITED(status) ? WEXITSTATUS(status) : EFAULT;
}

static int probe_namespaces(void)
{
    int spaces = CLONE_NEWPID | CLONE_NEWNS | CLONE_NEWNET | CLONE_NEWIPC;
    return unshare(spaces) == 0 || unshare(spaces | CLONE_NEWUSER) == 0 ? 0 : errno;
}

static int probe_user_namespace(void)
{
    return unshare(CLONE_NEWUSER) == 0 ? 0 : errno;
}

static int probe_pidfd(void)
{
    return syscall(SYS_pidfd_open, getpid(), 0) >= 0 ? 0 : errno;
}

static int probe_fifo(void)
{
    struct sched_param parameter = {.sched_priority = 49};
    return sched_setscheduler(0, SCHED_FIFO, &parameter) == 0 ? 0 : errno;
}

static int probe_mlock(void)
{
    return mlockall(MCL_CURRENT | MCL_FUTURE) == 0 ? 0 : errno;
}

static int probe_can(void)
{
    char why[160];
    if (link_possible(LINK_SOCKETCAN, why, sizeof why))
        return 0;
    int fd = socket(PF_CAN, SOCK_RAW, 1);
    return fd >= 0 ? EPERM : errno;
}

static int probe_cores(void)
{
    return machine_info().cores >= 2 ? 0 : EAGAIN;
}

static int probe_gnuplot(void)
{
    int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (nowhere < 0 || dup2(nowhere, STDOUT_FILENO) < 0 || dup2(nowhere, STDERR_FILENO) < 0)
        return errno;
    execlp("gnuplot", "gnuplot", "--version", (char *)NULL);
    return errno;
}

static int probe_programs(void)
{
    char path[2 * PATH_MAX_LENGTH];
    snprintf(path, sizeof path, "%s/targets/simulator/simulator", cli_build);
    return access(path, X_OK) == 0 ? 0 : errno;
}

// Loaded whole, outside a cell, where it does nothing.
static int probe_shim(void)
{
    char path[2 * PATH_MAX_LENGTH];
    snprintf(path, sizeof path, "%s/" SHIM_LIBRARY, cli_build);
    if (access(path, R_OK) != 0)
        return errno;
    return dlopen(path, RTLD_NOW | RTLD_LOCAL) != NULL ? 0 : ELIBBAD;
}

#ifndef PR_SET_SYSCALL_USER_DISPATCH
#define PR_SET_SYSCALL_USER_DISPATCH 59
#define PR_SYS_DISPATCH_ON 1
#endif
// All of the memory is let through: nothing is handed over.
static int probe_dispatch(void)
{
    return prctl(PR_SET_SYSCALL_USER_DISPATCH, PR_SYS_DISPATCH_ON, 0, ~0ul, 0) == 0 ? 0 : errno;
}

// Loads statically linked programs. The kernel says by AT_HWCAP2 whether programs may write FS.
static int probe_static(void)
{
    char path[2 * PATH_MAX_LENGTH];
    snprintf(path, sizeof path, "%s/lib/" SHIM_HOST, cli_build);
    if (access(path, X_OK) != 0)
        return errno;
    return getauxval(AT_HWCAP2) & HWCAP2_FSGSBASE ? probe_dispatch() : ENOTSUP;
}

static void counter_is_hidden(int number)
{
    (void)number;
    _exit(0);
}

// Reads the processor's time stamp counter where that is to fail. Some virtual machines let it be
// read all the same.
static int probe_counter(void)
{
    uint32_t low, high;
    if (signal(SIGSEGV, counter_is_hidden) == SIG_ERR ||
        prctl(PR_SET_TSC, PR_TSC_SIGSEGV, 0, 0, 0) != 0)
        return errno;
    __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
    return ENOTSUP;
}

static int probe_data(void)
{
    char path[2 * PATH_MAX_LENGTH];
    snprintf(path, sizeof path, "%s/scenarios", cli_root);
    return access(path, R_OK) == 0 ? 0 : errno;
}

static int probe_space(void)
{
    struct statvfs disk;
    if (statvfs(".", &disk) != 0)
        return errno;
    return (unsigned long long)disk.f_bavail * disk.f_frsize >= HISTORY_SPACE_B ? 0 : ENOSPC;
}

static const struct {
    const char *name;
    int (*probe)(void);
    bool needed;         // without it no trial runs
    const char *without; // what happens then
} probes[] = {
    {"namespaces of a cell (pid, mount, net, ipc)", probe_namespaces, false,
     "cells are bare, see below"},
    {"user namespaces (walls without root)", probe_user_namespace, false,
     "without root cells are bare"},
    {"pidfd (faults hit exactly one process)", probe_pidfd, true, "a kernel from 5.3 on is needed"},
    {"programs of the target", probe_programs, true, "build them: make"},
    {"shim (dynamically linked programs in virtual time: threads, children, sockets)", probe_shim,
     false, "targets with `clock: shim` are skipped; build it: make"},
    {"syscall user dispatch (shimmed programs: system calls past the C library)", probe_dispatch,
     false, "such calls of shimmed programs go unseen; Linux 5.11 has it"},
    {"statically linked programs in virtual time", probe_static, false,
     "their trials are skipped; Linux 5.11, a processor with FSGSBASE and `make` are needed"},
    {"time stamp counter (shimmed programs with SHIM_COUNTER, and those in Go)", probe_counter,
     false, "their trials are skipped; a processor that hides it is needed"},
    {"scenarios and targets", probe_data, true,
     "set UKEMI_ROOT to the folder that holds scenarios/ and targets/"},
    {"SCHED_FIFO (wall-clock trials)", probe_fifo, false,
     "wall-clock trials run without real-time priority"},
    {"locked memory (wall-clock trials)", probe_mlock, false, "wall-clock trials may page"},
    {"PF_CAN and vcan (trials use SocketCAN)", probe_can, false,
     "trials use the embedded bus, with the same results; SocketCAN tests are skipped; "
     "modprobe can-raw vcan"},
    {"two cores or more", probe_cores, false,
     "one trial at a time; the determinism check uses one core"},
    {"gnuplot", probe_gnuplot, false, "reports have no plots: apt-get install gnuplot-nox"},
    {"2 GB of disk for histories", probe_space, false, "histories may not be kept"},
};

// No errno says what is wrong with one.
static bool print_devices(void)
{
    char why[sizeof((struct cell_end *)0)->reason];
    const bool sound = cell_devices_sound(why, sizeof why);
    printf("  %s%-4s%s devices of a cell (",
           cli_colour(stdout, sound ? VERDICT_PASS : VERDICT_FAIL), sound ? "yes" : "no",
           cli_plain(stdout));
    for (size_t i = 0; cell_devices[i] != NULL; i++)
        printf("%s%s", i == 0 ? "" : ", ", cell_devices[i]);
    printf(")%s%s\n", sound ? "" : ": ", sound ? "" : why);
    return sound;
}

// What a cell's limits rest on here; see doc/reference/cell.md.
static bool print_limits(void)
{
    bool possible = true, bare = false;
    const struct limits limits = limits_default;
    printf("limits of a cell, unless the target sets them: %u processes, %u open files per "
           "process, %u MB of memory, %u MB a file, %u MB of output of each, %.0f s a turn\n",
           limits.processes, limits.open_files, limits.memory_MB, limits.file_MB, limits.output_MB,
           limits.turn_s);
    for (int real_time = 0; real_time <= 1; real_time++) {
        struct cell_ability ability;
        const char *clock = real_time ? "wall clock" : "virtual clock";
        enum verdict verdict = cell_ability(real_time, &ability) ? VERDICT_PASS : VERDICT_SKIP;
        possible &= ability.possible;
        bare |= ability.bare;
        if (ability.possible && ability.bare) {
            printf("  %sno  %s %s: a bare cell; it lacks ", cli_colour(stdout, verdict),
                   cli_plain(stdout), clock);
            text_print(stdout, ability.lacks, " ");
            putchar('\n');
            continue;
        }
        if (!ability.possible)
            printf("  %sno  %s %s: no cell: %s\n", cli_colour(stdout, VERDICT_SKIP),
                   cli_plain(stdout), clock, ability.why);
        else
            printf("  %s%-4s%s %s: a wall; processes limited by %s\n", cli_colour(stdout, verdict),
                   verdict == VERDICT_PASS ? "yes" : "no", cli_plain(stdout), clock,
                   ability.processes_by);
    }
    if (bare || !possible)
        doctor_explain_bare();
    return possible;
}

int cli_doctor(const struct cli_line *line)
{
    (void)line; // no words, no options
    struct machine_info machine = machine_info();
    struct build_info build = build_info();
    printf("machine  %s, %d cores, %s, %s\n", machine.cpu_model, machine.cores, machine.kernel,
           geteuid() == 0 ? "root" : "ordinary user");
    printf("         %d MB, preemption %s, clock source %s, governor %s, real-time limit %s%s\n",
           machine.memory_MB, machine.preemption, machine.clock_source, machine.governor,
           machine.rt_limit, machine.hypervisor ? ", virtual" : "");
    printf("lab      %s, %s, libc %s, MuJoCo %s, SQLite %s\n", build.lab_revision, build.compiler,
           build.libc, build.mujoco, build.sqlite);
    enum exit_code code = print_devices() ? EXIT_PASS : EXIT_LAB;
    fflush(stdout);
    for (size_t i = 0; i < sizeof probes / sizeof probes[0]; i++) {
        int problem = in_child(probes[i].probe);
        enum verdict verdict = problem == 0       ? VERDICT_PASS
                               : probes[i].needed ? VERDICT_FAIL
                                                  : VERDICT_SKIP;
        printf("  %s%-4s%s %s", cli_colour(stdout, verdict), problem == 0 ? "yes" : "no",
               cli_plain(stdout), probes[i].name);
        if (problem != 0)
            printf(": %s; %s", strerror(problem), probes[i].without);
        putchar('\n');
        if (verdict == VERDICT_FAIL)
            code = EXIT_LAB;
    }
    if (!print_limits())
        code = EXIT_LAB;
    return code;
}
