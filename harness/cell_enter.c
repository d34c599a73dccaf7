// Into the cell's namespaces, done by its keeper.
//
// A caller that is root gives root up first: the cell's programs are nobody to the machine, and the
// limit of processes, which does not bind root, binds them.
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "harness/cell_private.h"

#define NOBODY 65534
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

static int enter_user_namespace(struct cell *cell)
{
    char users[64], groups[64];
    snprintf(users, sizeof users, "0 %u 1", geteuid());
    snprintf(groups, sizeof groups, "0 %u 1", getegid());
    if (unshare(CLONE_NEWUSER) != 0 || write_text("/proc/self/setgroups", "deny") != 0 ||
        write_text("/proc/self/uid_map", users) != 0 ||
        write_text("/proc/self/gid_map", groups) != 0) {
        cell->refused = true;
        return cell_give_up(cell, "not root, and a user namespace is refused");
    }
    return 0;
}

static int enter_namespaces(struct cell *cell)
{
    const int all = CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWNS;
    if (unshare(all) == 0)
        return 0;
    if (errno == EPERM && !cell->give_up_root) {
        if (enter_user_namespace(cell) != 0)
            return -1;
        if (unshare(all) == 0)
            return 0;
    }
    cell->refused = true;
    return cell_give_up(cell, "PID, network, IPC and mount namespaces are refused");
}

static int take_folder(struct cell *cell, const char *path, int *folder)
{
    struct mount_attr read_only = {.attr_set =
                                       MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV};
    *folder = open_tree(AT_FDCWD, path, OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | AT_RECURSIVE);
    if (*folder < 0 ||
        mount_setattr(*folder, "", AT_EMPTY_PATH | AT_RECURSIVE, &read_only, sizeof read_only) != 0)
        return cell_give_up(cell, "%s: cannot be shown to the cell", path);
    return 0;
}

static int take_folders(struct cell *cell, struct cell_folders *folders)
{
    if (take_folder(cell, cell->request->build_folder, &folders->build) != 0)
        return -1;
    return take_folder(cell, cell->request->target_folder, &folders->target);
}

static int check_readable(struct cell *cell, int folder, const char *path)
{
    int opened = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (opened < 0 || faccessat(folder, ".", X_OK, AT_EACCESS) != 0)
        return cell_give_up(cell, "%s: only its owner can read it", path);
    close(opened);
    return 0;
}

static int become_nobody(struct cell *cell, const struct cell_folders *folders)
{
    if (!limits_keep_real_time() && cell->request->real_time)
        return cell_give_up(cell, "the right to real-time priority goes with root");
    // The change makes this process undumpable, and its files in /proc root's.
    if (setgroups(0, NULL) != 0 || setresgid(NOBODY, NOBODY, NOBODY) != 0 ||
        setresuid(NOBODY, NOBODY, NOBODY) != 0 || prctl(PR_SET_DUMPABLE, 1) != 0)
        return cell_give_up(cell, "cannot give up root");
    if (check_readable(cell, folders->build, cell->request->build_folder) != 0)
        return -1;
    return check_readable(cell, folders->target, cell->request->target_folder);
}

int cell_enter(struct cell *cell, struct cell_folders *folders)
{
    // It must see the cell whatever the cell does. Where this is refused, so it is to the programs.
    const struct sched_param parameters = {.sched_priority = KEEPER_PRIORITY};
    (void)setpriority(PRIO_PROCESS, 0, KEEPER_NICE);
    (void)sched_setscheduler(0, SCHED_FIFO, &parameters);
    if (cell->give_up_root) { // folders first: nobody may not reach them by their paths
        if (take_folders(cell, folders) != 0 || become_nobody(cell, folders) != 0 ||
            enter_user_namespace(cell) != 0)
            return -1;
        return enter_namespaces(cell);
    }
    if (enter_namespaces(cell) != 0)
        return -1;
    return take_folders(cell, folders);
}
