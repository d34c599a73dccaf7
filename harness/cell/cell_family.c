#include "harness/cell/cell_family.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/cell/cell_look.h"

#define ROUNDS_MAX 5000 // of 2 ms
#define STOPS_MAX 200   // rounds in which they are stopped only

struct kin {
    pid_t pid, parent, group;
    bool dead; // not yet reaped
};

struct kins {
    struct kin *one;
    unsigned count, room;
};

// ---- who there is ------------------------------------------------------------------------------

static bool look_at(int processes, const char *name, struct kin *kin)
{
    char path[300], text[512], state;
    unsigned threads;
    snprintf(path, sizeof path, "%s/stat", name);
    (void)cell_read_file(processes, path, text, sizeof text);
    const char *end = strrchr(text, ')'); // the name before it may hold anything
    if (end == NULL ||
        sscanf(end, ") %c %d %d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %u", &state,
               &kin->parent, &kin->group, &threads) != 4)
        return false;
    kin->pid = (pid_t)strtol(name, NULL, 10);
    kin->dead = (state == 'Z' || state == 'X') && threads <= 1; // else its first thread alone is
    return true;
}

static bool add(struct kins *kins, const struct kin *kin)
{
    if (kins->count == kins->room) {
        const unsigned room = kins->room == 0 ? 512 : 2 * kins->room;
        struct kin *more = realloc(kins->one, room * sizeof *more);
        if (more == NULL)
            return false;
        kins->one = more;
        kins->room = room;
    }
    kins->one[kins->count++] = *kin;
    return true;
}

// All processes that can be seen. The caller frees them.
static struct kins all_processes(void)
{
    struct kins all = {0};
    struct kin kin;
    bool room = true;
    DIR *list = opendir("/proc");
    for (const struct dirent *entry; list != NULL && room && (entry = readdir(list)) != NULL;)
        if (entry->d_name[0] >= '1' && entry->d_name[0] <= '9' &&
            look_at(dirfd(list), entry->d_name, &kin))
            room = add(&all, &kin);
    if (list != NULL)
        closedir(list);
    return all;
}

static bool is_in(const pid_t *pids, unsigned count, pid_t pid)
{
    for (unsigned i = 0; i < count; i++)
        if (pids[i] == pid)
            return true;
    return false;
}

static int by_parent(const void *one, const void *other)
{
    const struct kin *a = one, *b = other;
    return (a->parent > b->parent) - (a->parent < b->parent);
}

// Of `all`, in the order of parents: the first child of this one, or who comes after it.
static unsigned first_child(const struct kins *all, pid_t parent)
{
    unsigned low = 0, high = all->count;
    while (low < high) {
        const unsigned middle = low + (high - low) / 2;
        if (all->one[middle].parent < parent)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// Living descendants, generation by generation. The caller frees them. Sorted first, as who looks
// for long among thousands is outrun by them.
static struct kins descendants(pid_t ancestor, const pid_t *spared, unsigned spared_count)
{
    struct kins all = all_processes(), family = {0};
    pid_t parent = ancestor;
    bool room = true;
    if (all.count > 0)
        qsort(all.one, all.count, sizeof all.one[0], by_parent);
    for (unsigned done = 0; room; parent = family.one[done++].pid) {
        for (unsigned i = first_child(&all, parent);
             i < all.count && all.one[i].parent == parent && room; i++)
            if (!all.one[i].dead && !is_in(spared, spared_count, all.one[i].pid))
                room = add(&family, &all.one[i]);
        if (done == family.count)
            break;
    }
    free(all.one);
    return family;
}

unsigned family_list(pid_t ancestor, pid_t *pids, unsigned max)
{
    struct kins family = descendants(ancestor, NULL, 0);
    const unsigned count = family.count;
    for (unsigned i = 0; i < count && i < max; i++)
        pids[i] = family.one[i].pid;
    free(family.one);
    return count;
}

unsigned family_tasks(pid_t spared, pid_t *tasks, unsigned max)
{
    struct kins family = descendants(getpid(), &spared, 1);
    unsigned count = 0;
    for (unsigned i = 0; i < family.count; i++) {
        char path[40];
        snprintf(path, sizeof path, "/proc/%d/task", family.one[i].pid);
        DIR *list = opendir(path);
        for (const struct dirent *entry; list != NULL && (entry = readdir(list)) != NULL;)
            if (entry->d_name[0] != '.' && count++ < max)
                tasks[count - 1] = (pid_t)strtol(entry->d_name, NULL, 10);
        if (list != NULL)
            closedir(list);
    }
    free(family.one);
    return count;
}

unsigned family_children(pid_t *pids, unsigned max)
{
    struct kins all = all_processes();
    unsigned count = 0;
    for (unsigned i = 0; i < all.count && count < max; i++)
        if (all.one[i].parent == getpid())
            pids[count++] = all.one[i].pid;
    free(all.one);
    return count;
}

// ---- their end ---------------------------------------------------------------------------------

// Kills the groups of these. All at once: nobody outruns that, unless he makes groups of his own.
// Who descends from a cell cannot be in a group outside, since groups do not reach beyond sessions,
// and the guard is in one of its own.
static void kill_groups(const struct kins *family)
{
    const int processes = open("/proc", O_PATH | O_DIRECTORY | O_CLOEXEC);
    pid_t killed = 0;
    for (unsigned i = 0; i < family->count; i++) {
        const struct kin *kin = &family->one[i];
        struct kin now;
        char name[16];
        snprintf(name, sizeof name, "%d", kin->pid);
        if (kin->group > 1 && kin->group != killed && kin->group != getpgrp() &&
            look_at(processes, name, &now) && now.parent == kin->parent &&
            now.group == kin->group) {
            killed = kin->group;
            (void)kill(-killed, SIGKILL);
        }
    }
    if (processes >= 0)
        close(processes);
}

// A number may have gone to another process since it was looked at: then its parent is another.
static void strike(const struct kin *kin, int number)
{
    char name[16];
    struct kin now;
    const struct rlimit none = {0, 0};
    const int processes = open("/proc", O_PATH | O_DIRECTORY | O_CLOEXEC);
    const int pidfd = (int)syscall(SYS_pidfd_open, kin->pid, 0);
    snprintf(name, sizeof name, "%d", kin->pid);
    if (pidfd >= 0 && processes >= 0 && look_at(processes, name, &now) &&
        now.parent == kin->parent) {
        (void)prlimit(kin->pid, RLIMIT_NPROC, &none, NULL); // it starts nothing more
        (void)syscall(SYS_pidfd_send_signal, pidfd, number, NULL, 0);
    }
    if (pidfd >= 0)
        close(pidfd);
    if (processes >= 0)
        close(processes);
}

static void reap(const struct kins *family, bool all)
{
    for (unsigned i = 0; i < family->count; i++)
        if (family->one[i].parent == getpid())
            (void)waitpid(family->one[i].pid, NULL, WNOHANG);
    while (all && waitpid(-1, NULL, WNOHANG) > 0)
        continue;
}

// Whoever forks without end outruns one who kills one by one: so groups are killed, and of who is
// left all are stopped first, until there are no more than before, and killed then.
void family_end(const pid_t *spared, unsigned spared_count)
{
    unsigned before = 0;
    bool kills = false;
    for (unsigned round = 0; round < ROUNDS_MAX; round++) {
        struct kins family = descendants(getpid(), spared, spared_count);
        kills |= family.count <= before || round >= STOPS_MAX;
        before = family.count;
        if (spared_count == 0)
            kill_groups(&family);
        for (unsigned i = 0; i < family.count; i++)
            strike(&family.one[i], kills ? SIGKILL : SIGSTOP);
        if (kills && family.count > 0)
            poll(NULL, 0, 2);
        reap(&family, spared_count == 0);
        free(family.one);
        if (before == 0)
            return;
    }
}
