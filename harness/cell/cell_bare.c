#include "harness/cell/cell_bare.h"

#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/text.h"
#include "harness/cell/cell_family.h"
#include "harness/cell/cell_fence.h"
#include "harness/cell/cell_watch.h"
#include "harness/cell/cpu_time.h"

#define LOOK_MS 50
#define WALL_LOOK_MS 200
#define CHILDREN_MAX 64 // of the caller

// ---- the init ----------------------------------------------------------------------------------

static _Noreturn void give_up(struct cell *cell, const char *why)
{
    cell_give_up(cell, "%s", why);
    _exit(CELL_NOT_BUILT);
}

static _Noreturn void init_main(struct cell *cell, int guard_pidfd)
{
    cell_init_priority(cell);
    if (prctl(PR_SET_CHILD_SUBREAPER, 1) != 0)
        give_up(cell, "cannot become the reaper of its programs");
    limits_apply(&cell->request->limits, false); // others of this user would count
    cell->rights = (struct cell_rights){.wall = !cell->request->no_wall, .bare = true};
    if (!cell_rights_begin(&cell->rights))
        give_up(cell, "cannot give up rights");
    cell->end.filtered = cell_rights_filtered();
    if (chdir(cell->place->scrap) != 0)
        give_up(cell, "cannot enter the cell's folder");
    cell->end.fenced = cell_fence(cell->place->folder);
    if (!cell_dies_with(guard_pidfd))
        _exit(CELL_NOT_BUILT);
    cell_forget_the_lab(cell);
    atomic_store(&cell->built, true);
    _exit(cell->body(cell->context));
}

// ---- the guard ---------------------------------------------------------------------------------

static bool exceeds(struct cell_watch *watch, struct breach *breach)
{
    const bool frozen = cell_watch_freeze(watch);
    const bool breached = cell_watch_look(watch, breach);
    if (frozen && !breached)
        cell_watch_thaw(watch);
    return breached;
}

// Until the init has ended, or is ended: the lab is gone, or a limit is exceeded.
static void look_after(struct cell *cell, struct cell_watch *watch, int init_pidfd, int caller)
{
    const struct cell_request *request = cell->request;
    struct pollfd end[2] = {{.fd = init_pidfd, .events = POLLIN}, {.fd = caller, .events = POLLIN}};
    for (;;) { // ends: at the latest when the cell's running time is over
        const int ended = poll(end, 2, request->real_time ? WALL_LOOK_MS : LOOK_MS);
        if (end[0].revents != 0 && ended > 0)
            return;
        if (ended > 0 || (ended < 0 && errno != EINTR) ||
            (atomic_load(&cell->built) && exceeds(watch, request->breach)))
            break;
    }
    (void)syscall(SYS_pidfd_send_signal, init_pidfd, SIGKILL, NULL, 0);
}

static void watch_cell(struct cell *cell, pid_t init, int init_pidfd, int caller)
{
    struct cell_watch watch;
    int status = 0;
    cell_watch_start(&watch, &cell->request->limits, cell->request->real_time);
    cell_watch_bare(&watch, init, cell->place);
    look_after(cell, &watch, init_pidfd, caller);
    cell->end.held_s = 1e-9 * (double)watch.held.held_ns;
    text_copy(cell->end.held, sizeof cell->end.held, watch.held.name);
    (void)cpu_time_await(init);
    while (waitpid(init, &status, 0) < 0 && errno == EINTR)
        continue;
    cell->end.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    cell->end.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

static _Noreturn void guard_main(struct cell *cell, int caller)
{
    setsid(); // the terminal's signals are for the caller
    cell_keeper_priority();
    cell_inside_begin(cell->place);
    (void)umask(CELL_UMASK);
    const int self = (int)syscall(SYS_pidfd_open, getpid(), 0);
    if (self < 0 || prctl(PR_SET_CHILD_SUBREAPER, 1) != 0)
        give_up(cell, "cannot become the reaper of the cell");
    const pid_t init = fork();
    if (init == 0)
        init_main(cell, self);
    const int init_pidfd = init < 0 ? -1 : (int)syscall(SYS_pidfd_open, init, 0);
    if (init_pidfd < 0)
        cell_give_up(cell, "cannot start the cell's init");
    else
        watch_cell(cell, init, init_pidfd, caller);
    family_end(NULL, 0);
    bare_place_remove(cell->place);
    _exit(init_pidfd < 0 ? CELL_NOT_BUILT : 0);
}

// ---- the caller --------------------------------------------------------------------------------

// What the guard, if it was killed, has left to this process.
static void clear_up(const struct cell *cell, const pid_t *own, unsigned own_count)
{
    family_end(own, own_count);
    bare_place_remove(cell->place);
    close(cell->place->lock);
}

static enum status run_in_place(struct cell *cell, int caller)
{
    pid_t own[CHILDREN_MAX];
    int reaps = 0;
    (void)prctl(PR_GET_CHILD_SUBREAPER, &reaps);
    (void)prctl(PR_SET_CHILD_SUBREAPER, 1);
    const unsigned own_count = family_children(own, CHILDREN_MAX);
    const pid_t guard = fork();
    if (guard == 0)
        guard_main(cell, caller);
    if (guard < 0)
        cell_give_up(cell, "cannot start the cell's guard");
    const enum status status = guard < 0 ? STATUS_SYSTEM : cell_await_keeper(cell, guard);
    clear_up(cell, own, own_count);
    (void)prctl(PR_SET_CHILD_SUBREAPER, (unsigned long)reaps);
    return status;
}

enum status cell_run_bare(struct cell *cell)
{
    char why[sizeof cell->end.reason / 2];
    cell->end = (struct cell_end){.exit_code = -1, .bare = true};
    cell->refused = false;
    cell->place =
        mmap(NULL, sizeof *cell->place, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (cell->place == MAP_FAILED)
        return STATUS_NO_MEMORY;
    const int caller = (int)syscall(SYS_pidfd_open, getpid(), 0);
    enum status status = STATUS_UNSUPPORTED;
    if (caller < 0)
        cell_give_up(cell, "pidfd");
    else if (!bare_place_make(cell->request, cell->place, why, sizeof why))
        snprintf(cell->end.reason, sizeof cell->end.reason,
                 "no folder for shared memory: %sgive /dev/shm 64 MB (docker run --shm-size=64m)",
                 why);
    else
        status = run_in_place(cell, caller);
    if (caller >= 0)
        close(caller);
    munmap(cell->place, sizeof *cell->place);
    return status;
}
