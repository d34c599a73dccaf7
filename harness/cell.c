#include "harness/cell.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <net/if.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define SHARED_MEMORY_OPTIONS "size=512m,mode=0755"
#define TEMPORARY_OPTIONS "size=64m,mode=1777"
#define FILE_SIZE_MAX_B ((rlim_t)512 << 20)
#define PROCESSES_LIMIT 256 // of the cell's user; counts only in a user namespace
#define EXIT_NOT_BUILT 125  // of the init and the keeper; the reason is in shared memory
#define INIT_NICE (-5)      // the coordinator must outrank the participants on their core

struct cell { // one per cell_run, in memory shared with keeper and init
    const struct cell_request *request;
    int (*body)(void *context);
    void *context;
    pid_t caller;
    bool refused; // this machine or user may not do it
    struct cell_end end;
};

static int give_up(struct cell *cell, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static int give_up(struct cell *cell, const char *format, ...)
{
    int error = errno;
    cell->refused = cell->refused || error == EPERM;
    va_list arguments;
    va_start(arguments, format);
    int used = vsnprintf(cell->end.reason, sizeof cell->end.reason, format, arguments);
    va_end(arguments);
    if (used >= 0 && used < (int)sizeof cell->end.reason)
        snprintf(cell->end.reason + used, sizeof cell->end.reason - (size_t)used, ": %s",
                 strerror(error));
    return -1;
}

// ---- the init: inside ------------------------------------------------------------------------

static int mount_folder(struct cell *cell, int folder, const char *path)
{
    char source[64];
    snprintf(source, sizeof source, "/proc/self/fd/%d", folder);
    if (mkdir(path, 0755) != 0 || mount(source, path, NULL, MS_BIND | MS_REC, NULL) != 0)
        return give_up(cell, "cannot show a folder to the cell as %s", path);
    return 0;
}

static int build_mounts(struct cell *cell)
{
    const struct cell_request *request = cell->request;
    if (mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0)
        return give_up(cell, "cannot make the mounts private");
    int build = open(request->build_folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (build < 0)
        return give_up(cell, "%s: the folder with the programs", request->build_folder);
    int target = open(request->target_folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (target < 0)
        return give_up(cell, "%s: the target's folder", request->target_folder);
    if (mount("tmpfs", "/dev/shm", "tmpfs", MS_NOSUID | MS_NODEV, SHARED_MEMORY_OPTIONS) != 0)
        return give_up(cell, "cannot mount a private /dev/shm");
    if (mkdir(CELL_FOLDER, 0755) != 0 || mkdir(CELL_FOLDER "/channels", 0755) != 0 ||
        mkdir(CELL_FOLDER "/buses", 0755) != 0)
        return give_up(cell, "cannot make " CELL_FOLDER);
    if (mount_folder(cell, build, CELL_BUILD) != 0 || mount_folder(cell, target, CELL_TARGET) != 0)
        return -1;
    close(build);
    close(target);
    if (mount("tmpfs", "/tmp", "tmpfs", MS_NOSUID | MS_NODEV, TEMPORARY_OPTIONS) != 0)
        return give_up(cell, "cannot mount a private /tmp");
    if (mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL) != 0)
        return give_up(cell, "cannot mount the cell's own /proc");
    if (chdir("/tmp") != 0)
        return give_up(cell, "cannot enter /tmp");
    return 0;
}

static int raise_loopback(struct cell *cell)
{
    int sock = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    struct ifreq request = {.ifr_name = "lo", .ifr_flags = IFF_UP | IFF_RUNNING};
    int result = sock < 0 ? -1 : ioctl(sock, SIOCSIFFLAGS, &request);
    if (sock >= 0)
        close(sock);
    return result == 0 ? 0 : give_up(cell, "cannot raise the cell's loopback interface");
}

static void set_limits(void) // best effort: they protect the machine, not the result
{
    struct rlimit file_size = {FILE_SIZE_MAX_B, FILE_SIZE_MAX_B};
    struct rlimit processes = {PROCESSES_LIMIT, PROCESSES_LIMIT};
    struct rlimit core = {0, 0};
    (void)setrlimit(RLIMIT_FSIZE, &file_size);
    (void)setrlimit(RLIMIT_CORE, &core);
    (void)setrlimit(RLIMIT_NPROC, &processes);
    (void)setpriority(PRIO_PROCESS, 0, INIT_NICE);
}

static bool is_dead(int pidfd)
{
    struct pollfd death = {.fd = pidfd, .events = POLLIN};
    return poll(&death, 1, 0) != 0;
}

static void init_main(struct cell *cell, int keeper_pidfd)
{
    // The parent's death ends this process; it may have died before that was said, so look once
    // after it.
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || is_dead(keeper_pidfd))
        _exit(EXIT_NOT_BUILT);
    (void)syscall(SYS_close_range, 3u, ~0u, CLOSE_RANGE_CLOEXEC);
    if (build_mounts(cell) != 0 || raise_loopback(cell) != 0)
        _exit(EXIT_NOT_BUILT);
    set_limits();
    _exit(cell->body(cell->context));
}

// ---- the keeper: outside, in the namespaces ---------------------------------------------------

static int write_text(const char *path, const char *text)
{
    int file = open(path, O_WRONLY | O_CLOEXEC);
    if (file < 0)
        return -1;
    ssize_t written = write(file, text, strlen(text));
    close(file);
    return written == (ssize_t)strlen(text) ? 0 : -1;
}

static int enter_user_namespace(struct cell *cell)
{
    char users[64], groups[64];
    snprintf(users, sizeof users, "0 %u 1", geteuid());
    snprintf(groups, sizeof groups, "0 %u 1", getegid());
    if (unshare(CLONE_NEWUSER) != 0 || write_text("/proc/self/setgroups", "deny") != 0 ||
        write_text("/proc/self/uid_map", users) != 0 ||
        write_text("/proc/self/gid_map", groups) != 0) {
        cell->refused = true;
        return give_up(cell, "not root, and a user namespace is refused");
    }
    return 0;
}

static int enter_namespaces(struct cell *cell)
{
    const int all = CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWNS;
    if (unshare(all) == 0)
        return 0;
    if (errno == EPERM) {
        if (enter_user_namespace(cell) != 0)
            return -1;
        if (unshare(all) == 0)
            return 0;
    }
    cell->refused = true;
    return give_up(cell, "PID, network, IPC and mount namespaces are refused");
}

static void pin(int core) // a hint for speed: without it results are the same
{
    if (core < 0)
        return;
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(core, &set);
    (void)sched_setaffinity(0, sizeof set, &set);
}

static void keeper_main(struct cell *cell)
{
    setsid(); // the terminal's signals are for the caller
    pin(cell->request->core);
    int self = (int)syscall(SYS_pidfd_open, getpid(), 0);
    // The death signal is set after the namespaces: a change of credentials clears it.
    if (self < 0 || enter_namespaces(cell) != 0 || prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 ||
        getppid() != cell->caller)
        _exit(EXIT_NOT_BUILT);
    pid_t init = fork();
    if (init == 0)
        init_main(cell, self);
    int status = 0;
    if (init < 0) {
        give_up(cell, "cannot start the cell's init");
        _exit(EXIT_NOT_BUILT);
    }
    while (waitpid(init, &status, 0) < 0 && errno == EINTR)
        continue;
    cell->end.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    cell->end.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    _exit(0);
}

// ---- the caller --------------------------------------------------------------------------------

static double seconds(struct timeval time)
{
    return (double)time.tv_sec + 1e-6 * (double)time.tv_usec;
}

static enum status outcome(const struct cell *cell, int keeper_status)
{
    if (cell->end.reason[0] != '\0')
        return cell->refused ? STATUS_UNSUPPORTED : STATUS_SYSTEM;
    return WIFEXITED(keeper_status) && WEXITSTATUS(keeper_status) == 0 ? STATUS_OK : STATUS_SYSTEM;
}

enum status cell_run(const struct cell_request *request, int (*body)(void *context), void *context,
                     struct cell_end *end)
{
    *end = (struct cell_end){.exit_code = -1};
    struct cell *cell =
        mmap(NULL, sizeof *cell, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (cell == MAP_FAILED)
        return STATUS_NO_MEMORY;
    *cell = (struct cell){.request = request, .body = body, .context = context, .caller = getpid()};
    pid_t keeper = fork();
    if (keeper == 0)
        keeper_main(cell);
    enum status status = STATUS_SYSTEM;
    if (keeper < 0) {
        give_up(cell, "cannot start the cell's keeper");
    } else {
        int keeper_status = 0;
        struct rusage used = {0};
        while (wait4(keeper, &keeper_status, 0, &used) < 0 && errno == EINTR)
            continue;
        cell->end.cpu_s = seconds(used.ru_utime) + seconds(used.ru_stime);
        if (WIFSIGNALED(keeper_status)) {
            cell->end.signal = WTERMSIG(keeper_status);
            if (cell->end.reason[0] == '\0')
                snprintf(cell->end.reason, sizeof cell->end.reason, "the keeper died by signal %d",
                         cell->end.signal);
        }
        status = outcome(cell, keeper_status);
    }
    *end = cell->end;
    munmap(cell, sizeof *cell);
    return status;
}

static int nothing(void *context)
{
    (void)context;
    return 0;
}

bool cell_possible(char *why, size_t size)
{
    struct cell_request request = {.build_folder = "/", .target_folder = "/", .core = -1};
    struct cell_end end;
    enum status status = cell_run(&request, nothing, NULL, &end);
    snprintf(why, size, "%s", status == STATUS_OK ? "" : end.reason);
    return status == STATUS_OK;
}
