// Into the cell's namespaces, done by its keeper.
//
// First a mount namespace in which the cell's file systems are built, then the cell's own user
// namespace and the rest: what was mounted outside of a user namespace cannot be changed within.
// Whose the programs are:
//
//   the lab is         virtual time                        real time
//   root               two users of a user namespace,      the same two, without user namespace:
//                      nobody and another to the machine   only the machine's capabilities give
//                                                          real-time priority
//   an ordinary user   that user, in a user namespace of its own, where it has the number that
//                      programs of root's cells have: what a target sees of itself is the same
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/cell/cell_private.h"

#define PROGRAM_USER_WITHIN 1000 // in the user namespace; root's init is 0
#define KEEPER_NICE (-10)
#define KEEPER_PRIORITY 99

static int write_text(const char *path, const char *text)
{
    int file = open(path, O_WRONLY | O_CLOEXEC);
    if (file < 0)
        return -1;
    ssize_t written = write(file, text, strlen(text));
    close(file);
    return written == (ssize_t)strlen(text) ? 0 : -1;
}

// A user namespace in which the caller is the user `within`, and nobody else is anybody.
static int enter_own_user_namespace(struct cell *cell, unsigned within)
{
    char users[64], groups[64];
    snprintf(users, sizeof users, "%u %u 1", within, geteuid());
    snprintf(groups, sizeof groups, "%u %u 1", within, getegid());
    if (unshare(CLONE_NEWUSER) != 0) {
        cell->refused = true;
        return cell_give_up(cell, "not root, and a user namespace is refused");
    }
    if (write_text("/proc/self/setgroups", "deny") != 0 ||
        write_text("/proc/self/uid_map", users) != 0 ||
        write_text("/proc/self/gid_map", groups) != 0)
        return cell_give_up(cell, "the user of a namespace cannot be set");
    return 0;
}

// In a helper that stays outside: only there somebody may say who the others are within.
static _Noreturn void map_users(pid_t keeper, int entered)
{
    char path[64], map[96], word;
    snprintf(map, sizeof map, "0 %d 1\n%d %d 1\n", CELL_INIT_USER, PROGRAM_USER_WITHIN,
             CELL_PROGRAM_USER);
    if (read(entered, &word, 1) != 1)
        _exit(1);
    snprintf(path, sizeof path, "/proc/%d/uid_map", keeper);
    const bool users = write_text(path, map) == 0;
    snprintf(path, sizeof path, "/proc/%d/gid_map", keeper);
    _exit(users && write_text(path, map) == 0 ? 0 : 1);
}

// A user namespace of two users, of which the caller becomes the first.
static int enter_shared_user_namespace(struct cell *cell)
{
    int entered[2], status = -1;
    const pid_t keeper = getpid();
    if (pipe2(entered, O_CLOEXEC) != 0)
        return cell_give_up(cell, "no pipe");
    const pid_t helper = fork();
    if (helper == 0) {
        close(entered[1]);
        map_users(keeper, entered[0]);
    }
    close(entered[0]);
    const bool entered_it = helper > 0 && unshare(CLONE_NEWUSER) == 0;
    const int error = errno;
    const bool told = entered_it && write(entered[1], "", 1) == 1;
    close(entered[1]);
    while (helper > 0 && waitpid(helper, &status, 0) < 0 && errno == EINTR)
        continue;
    if (!entered_it) {
        cell->refused = helper > 0;
        errno = error;
        return cell_give_up(cell, "a user namespace is refused");
    }
    if (!told || status != 0 || setgroups(0, NULL) != 0 || setresgid(0, 0, 0) != 0 ||
        setresuid(0, 0, 0) != 0)
        return cell_give_up(cell, "the users of a namespace cannot be set");
    return 0;
}

// The cell's users; for an ordinary one, a second namespace within that of the mounts.
static int enter_user_namespace(struct cell *cell)
{
    const bool root = cell->root;
    cell->rights = (struct cell_rights){
        .wall = true, .users_differ = root, .program = CELL_PROGRAM_USER, .init = CELL_INIT_USER};
    if (!root)
        return enter_own_user_namespace(cell, PROGRAM_USER_WITHIN);
    if (cell->request->real_time) {
        cell->rights.nice = !limits_keep_real_time();
        return 0;
    }
    cell->rights.init = 0;
    cell->rights.program = PROGRAM_USER_WITHIN;
    return enter_shared_user_namespace(cell);
}

void cell_keeper_priority(void)
{
    const struct sched_param parameters = {.sched_priority = KEEPER_PRIORITY};
    (void)setpriority(PRIO_PROCESS, 0, KEEPER_NICE);
    (void)sched_setscheduler(0, SCHED_FIFO, &parameters);
}

int cell_enter(struct cell *cell)
{
    const bool wall = !cell->request->no_wall;
    cell_keeper_priority();
    if (!cell->root && enter_own_user_namespace(cell, 0) != 0)
        return -1;
    if (unshare(CLONE_NEWNS) != 0) {
        cell->refused = errno != ENOSPC && errno != ENOMEM; // those are this machine's trouble
        return cell_give_up(cell, "a mount namespace is refused");
    }
    if (cell_mount(cell) != 0 || (wall && enter_user_namespace(cell) != 0))
        return -1;
    const int rest = CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWCGROUP;
    if (unshare(rest | CLONE_NEWNS) != 0) {
        cell->refused = errno != ENOSPC && errno != ENOMEM;
        return cell_give_up(cell, "PID, network, IPC and mount namespaces are refused");
    }
    return 0;
}
