#include "harness/cell/cell.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/keyctl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/text.h"
#include "harness/cell/cell_bare.h"
#include "harness/cell/cell_devices.h"
#include "harness/cell/cell_inside.h"
#include "harness/cell/cell_watch.h"
#include "harness/cell/cpu_time.h"

#define LOOK_MS 50       // wall time between two looks of the keeper
#define INIT_NICE (-5)   // the coordinator must outrank the participants on their core
#define WALL_LOOK_MS 200 // wall mode: seldom enough to disturb no latency that matters

int cell_give_up(struct cell *cell, const char *format, ...)
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

static void pin(int core) // a hint for speed: without it results are the same
{
    if (core < 0)
        return;
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(core, &set);
    (void)sched_setaffinity(0, sizeof set, &set);
}

static bool is_dead(int pidfd)
{
    struct pollfd death = {.fd = pidfd, .events = POLLIN};
    return poll(&death, 1, 0) != 0;
}

// The parent's death ends this process; it may have died before that was said, so look once after
// it. A change of users forgets it.
bool cell_dies_with(int parent_pidfd)
{
    return prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && !is_dead(parent_pidfd);
}

// The keeper's priority is not for what it watches. In virtual time those who take turns sleep as
// soon as they have woken the next: SCHED_BATCH lets them, rather than be interrupted.
void cell_init_priority(const struct cell *cell)
{
    (void)sched_setscheduler(0, cell->request->real_time ? SCHED_OTHER : SCHED_BATCH,
                             &(struct sched_param){0});
    pin(cell->request->core);
    (void)setpriority(PRIO_PROCESS, 0, INIT_NICE);
}

// The programs must be able to read what they are; the kernel would only say "Permission denied".
static int check_readable(struct cell *cell, const char *shown, const char *path)
{
    int opened = open(shown, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (opened < 0)
        return cell_give_up(cell, "%s: only its owner can read it; chmod -R go+rX it, or --no-wall",
                            path);
    close(opened);
    return 0;
}

// Nothing of the lab's stays: no descriptor but its log and the scratch file, no environment.
void cell_forget_the_lab(const struct cell *cell)
{
    const int scratch = cell->request->scratch;
    if (scratch < 0) {
        (void)syscall(SYS_close_range, 3u, ~0u, 0);
    } else {
        (void)syscall(SYS_close_range, 3u, (unsigned)scratch - 1, 0);
        (void)syscall(SYS_close_range, (unsigned)scratch + 1, ~0u, 0);
        (void)fcntl(scratch, F_SETFD, FD_CLOEXEC);
    }
    for (char **variable = environ; variable != NULL && *variable != NULL; variable++)
        memset(*variable, 0, strlen(*variable));
    (void)clearenv();
}

static void init_main(struct cell *cell, int keeper_pidfd)
{
    cell_init_priority(cell);
    if (sethostname(CELL_HOST, strlen(CELL_HOST)) != 0 || cell_mount_processes(cell) != 0 ||
        cell_raise_loopback(cell) != 0)
        _exit(CELL_NOT_BUILT);
    // Where users are the machine's own, others of the same number would count.
    limits_apply(&cell->request->limits, !cell->rights.users_differ || !cell->request->real_time);
    if (!cell_rights_begin(&cell->rights)) {
        cell_give_up(cell, "cannot give up rights");
        _exit(CELL_NOT_BUILT);
    }
    if (check_readable(cell, CELL_BUILD, cell->request->build_folder) != 0 ||
        check_readable(cell, CELL_TARGET, cell->request->target_folder) != 0 ||
        (cell->request->beside_folder != NULL &&
         check_readable(cell, CELL_BESIDE, cell->request->beside_folder) != 0))
        _exit(CELL_NOT_BUILT);
    if (!cell_dies_with(keeper_pidfd))
        _exit(CELL_NOT_BUILT);
    cell_forget_the_lab(cell);
    (void)prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    atomic_store(&cell->built, true);
    _exit(cell->body(cell->context));
}

void cell_look_last(const struct cell_request *request)
{
    struct cell_watch watch;
    cell_watch_start(&watch, &request->limits, false);
    if (cell_is_bare())
        cell_watch_bare(&watch, getpid(), cell_inside_place());
    (void)cell_watch_look(&watch, request->breach);
}

// ---- the keeper: outside, in the namespaces ---------------------------------------------------

// Until the init has ended, or is ended because a limit is exceeded.
static void look_after(struct cell *cell, struct cell_watch *watch, int init_pidfd)
{
    const struct cell_request *request = cell->request;
    struct pollfd end = {.fd = init_pidfd, .events = POLLIN};
    for (;;) { // ends: at the latest when the cell's running time is over
        const int ended = poll(&end, 1, request->real_time ? WALL_LOOK_MS : LOOK_MS);
        if (ended > 0)
            return;
        const bool blind = ended < 0 && errno != EINTR;
        if (blind || (atomic_load(&cell->built) && cell_watch_look(watch, request->breach)))
            break;
    }
    (void)syscall(SYS_pidfd_send_signal, init_pidfd, SIGKILL, NULL, 0);
}

static void keeper_main(struct cell *cell)
{
    (void)umask(CELL_UMASK);
    setsid(); // the terminal's signals are for the caller
    (void)syscall(SYS_keyctl, KEYCTL_JOIN_SESSION_KEYRING, NULL); // and so are its keys
    int self = (int)syscall(SYS_pidfd_open, getpid(), 0);
    // The death signal is set after the namespaces: a change of credentials clears it.
    if (self < 0 || cell_enter(cell) != 0 || prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 ||
        getppid() != cell->caller)
        _exit(CELL_NOT_BUILT);
    struct cell_watch watch;
    cell_watch_start(&watch, &cell->request->limits, cell->request->real_time);
    pid_t init = fork();
    if (init == 0)
        init_main(cell, self);
    int status = 0, init_pidfd = init < 0 ? -1 : (int)syscall(SYS_pidfd_open, init, 0);
    if (init_pidfd < 0) {
        cell_give_up(cell, "cannot start the cell's init");
        _exit(CELL_NOT_BUILT);
    }
    look_after(cell, &watch, init_pidfd);
    cell->end.held_s = 1e-9 * (double)watch.held.held_ns;
    text_copy(cell->end.held, sizeof cell->end.held, watch.held.name);
    (void)cpu_time_await(init);
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

enum status cell_await_keeper(struct cell *cell, pid_t keeper)
{
    int keeper_status = 0;
    struct rusage used = {0};
    (void)cpu_time_await(keeper);
    while (wait4(keeper, &keeper_status, 0, &used) < 0 && errno == EINTR)
        continue;
    cell->end.cpu_s = seconds(used.ru_utime) + seconds(used.ru_stime);
    if (WIFSIGNALED(keeper_status)) {
        cell->end.signal = WTERMSIG(keeper_status);
        if (cell->end.reason[0] == '\0')
            snprintf(cell->end.reason, sizeof cell->end.reason, "the keeper died by signal %d",
                     cell->end.signal);
    }
    return outcome(cell, keeper_status);
}

static enum status run(struct cell *cell)
{
    const pid_t keeper = fork();
    if (keeper == 0)
        keeper_main(cell);
    if (keeper > 0)
        return cell_await_keeper(cell, keeper);
    cell_give_up(cell, "cannot start the cell's keeper");
    return STATUS_SYSTEM;
}

// Where this machine or user may have no walls.
static enum status run_without(struct cell *cell)
{
    char why[sizeof cell->end.reason];
    const struct cell_request *request = cell->request;
    text_copy(why, sizeof why, cell->end.reason);
    if (request->bare == NULL && !request->no_wall)
        return STATUS_UNSUPPORTED;
    if (!request->no_wall && !request->bare(request, cell->end.reason, sizeof cell->end.reason))
        return STATUS_INVALID;
    const enum status status = cell_run_bare(cell);
    text_copy(cell->end.refused, sizeof cell->end.refused, why);
    return status;
}

enum status cell_run(const struct cell_request *request, int (*body)(void *context), void *context,
                     struct cell_end *end)
{
    *end = (struct cell_end){.exit_code = -1};
    if (!cell_devices_sound(end->reason, sizeof end->reason))
        return STATUS_SYSTEM; // else a program that needs one would be blamed
    struct cell *cell =
        mmap(NULL, sizeof *cell, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (cell == MAP_FAILED)
        return STATUS_NO_MEMORY;
    *cell = (struct cell){.request = request,
                          .body = body,
                          .context = context,
                          .caller = getpid(),
                          .root = geteuid() == 0};
    enum status status = run(cell);
    if (status == STATUS_UNSUPPORTED)
        status = run_without(cell);
    *end = cell->end;
    munmap(cell, sizeof *cell);
    return status;
}
