// Finding a process of the lab by its place in the tree, and killing it by its pidfd.
#include "tests/kill/assassin.h"

#include <dirent.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define PROCESSES_MAX 512
#define SLICE_MS 10

struct process {
    pid_t pid, parent;
    char name[32];
};

struct tree {
    unsigned count;
    struct process process[PROCESSES_MAX];
};

const char *prey_name(enum prey prey)
{
    static const char *const name[] = {"orchestrator", "reporter", "worker",    "writer", "keeper",
                                       "init",         "fault",    "simulator", "daemon"};
    return name[prey];
}

static bool read_process(const char *number, struct process *process)
{
    char path[64], line[512];
    snprintf(path, sizeof path, "/proc/%.20s/stat", number);
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return false;
    bool read = fgets(line, sizeof line, file) != NULL;
    fclose(file);
    char *open = read ? strchr(line, '(') : NULL, *close = read ? strrchr(line, ')') : NULL;
    char state;
    if (open == NULL || close == NULL || sscanf(close + 1, " %c %d", &state, &process->parent) != 2)
        return false;
    process->pid = atoi(number);
    snprintf(process->name, sizeof process->name, "%.*s", (int)(close - open - 1), open + 1);
    return state != 'Z' && state != 'X';
}

static void look(struct tree *tree)
{
    tree->count = 0;
    DIR *listing = opendir("/proc");
    for (struct dirent *entry; listing != NULL && (entry = readdir(listing)) != NULL;)
        if (entry->d_name[0] >= '1' && entry->d_name[0] <= '9' && tree->count < PROCESSES_MAX &&
            read_process(entry->d_name, &tree->process[tree->count]))
            tree->count++;
    if (listing != NULL)
        closedir(listing);
}

static const struct process *find(const struct tree *tree, pid_t pid)
{
    for (unsigned i = 0; i < tree->count; i++)
        if (tree->process[i].pid == pid)
            return &tree->process[i];
    return NULL;
}

// Steps from the orchestrator down to the process; -1: it is not below it.
static int depth(const struct tree *tree, const struct process *process, pid_t orchestrator)
{
    for (int steps = 0; process != NULL && steps < 16; steps++) {
        if (process->pid == orchestrator)
            return steps;
        process = find(tree, process->parent);
    }
    return -1;
}

static bool is_below(const struct tree *tree, const struct process *process, pid_t ancestor)
{
    return depth(tree, process, ancestor) >= 0;
}

// Whether it has a file without a name open in the folder of the histories.
static bool writes_history(pid_t pid)
{
    char path[64], target[PATH_SIZE];
    snprintf(path, sizeof path, "/proc/%d/fd", pid);
    DIR *listing = opendir(path);
    bool writes = false;
    for (struct dirent *entry; listing != NULL && !writes && (entry = readdir(listing)) != NULL;) {
        ssize_t length = readlinkat(dirfd(listing), entry->d_name, target, sizeof target - 1);
        target[length < 0 ? 0 : length] = '\0';
        writes = strstr(target, "-histories/") != NULL;
    }
    if (listing != NULL)
        closedir(listing);
    return writes;
}

static bool plots(const struct tree *tree, pid_t orchestrator)
{
    for (unsigned i = 0; i < tree->count; i++)
        if (tree->process[i].parent == orchestrator &&
            strcmp(tree->process[i].name, "gnuplot") == 0)
            return true;
    return false;
}

// The tree: orchestrator, workers, keepers, inits, programs.
static bool is_prey(const struct tree *tree, const struct process *process, pid_t orchestrator,
                    enum prey prey)
{
    int steps = depth(tree, process, orchestrator);
    bool lab = strcmp(process->name, "ukemi") == 0;
    switch (prey) {
    case PREY_ORCHESTRATOR:
        return steps == 0;
    case PREY_REPORTER:
        return steps == 0 && plots(tree, orchestrator);
    case PREY_WORKER:
        return steps == 1 && lab;
    case PREY_WRITER:
        return steps == 1 && lab && writes_history(process->pid);
    case PREY_KEEPER:
        return steps == 2;
    case PREY_INIT:
        return steps == 3;
    case PREY_FAULT:
        return steps == 4 && strcmp(process->name, "process") == 0;
    case PREY_SIMULATOR:
        return steps == 4 && strcmp(process->name, "simulator") == 0;
    default:
        return steps == 4 && strcmp(process->name, "process") != 0 &&
               strcmp(process->name, "simulator") != 0;
    }
}

static int open_process(pid_t pid)
{
    return (int)syscall(SYS_pidfd_open, pid, 0);
}

// Opens everything below `ancestor`.
static unsigned open_below(const struct tree *tree, pid_t ancestor, struct pollfd *below)
{
    unsigned count = 0;
    for (unsigned i = 0; i < tree->count; i++) {
        int pidfd =
            is_below(tree, &tree->process[i], ancestor) ? open_process(tree->process[i].pid) : -1;
        if (pidfd >= 0)
            below[count++] = (struct pollfd){.fd = pidfd, .events = POLLIN};
    }
    return count;
}

static unsigned wait_for_ends(struct pollfd *below, unsigned count)
{
    struct running_time wait = {0};
    bool over = false;
    unsigned left = 0;
    for (unsigned i = 0; i < count; i++) { // pidfds become readable when their processes end
        bool ended;
        while (!(ended = poll(&below[i], 1, over ? 0 : SLICE_MS) == 1) && !over)
            over = patience_over(&wait);
        left += !ended;
        close(below[i].fd);
    }
    return left;
}

bool prey_kill(enum prey prey, pid_t orchestrator, unsigned *left, double *gone_s)
{
    static struct tree tree;
    static struct pollfd below[PROCESSES_MAX];
    look(&tree);
    *left = 0;
    unsigned found = 0, candidate[PROCESSES_MAX];
    for (unsigned i = 0; i < tree.count; i++)
        if (is_prey(&tree, &tree.process[i], orchestrator, prey))
            candidate[found++] = i;
    if (found == 0)
        return false;
    const struct process process = tree.process[candidate[(unsigned)rand() % found]];
    int pidfd = open_process(process.pid);
    look(&tree); // the number may have become another process's before it was opened
    const struct process *now = find(&tree, process.pid);
    bool same = now != NULL && is_prey(&tree, now, orchestrator, prey);
    unsigned count = pidfd >= 0 && same ? open_below(&tree, process.pid, below) : 0;
    bool killed =
        pidfd >= 0 && same && syscall(SYS_pidfd_send_signal, pidfd, SIGKILL, NULL, 0) == 0;
    if (pidfd >= 0)
        close(pidfd);
    // Without a kill they are only closed.
    for (unsigned i = 0; !killed && i < count; i++)
        close(below[i].fd);
    const double killed_s = now_s();
    if (killed)
        *left = wait_for_ends(below, count);
    *gone_s = now_s() - killed_s;
    return killed;
}
