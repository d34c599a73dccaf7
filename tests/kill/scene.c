// The assassin's own world, and what is left in it.
#include "tests/kill/assassin.h"

#include <dirent.h>
#include <errno.h>
#include <net/if.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clock/futex.h"

#define PATIENCE_S 10
#define GAP_MAX_NS 100000000 // several slices of any wait here

static char mounts_before[1 << 16];
static bool awaited_ended;
static int awaited_status;

static size_t read_text(const char *path, char *text, size_t size)
{
    FILE *file = fopen(path, "r");
    size_t length = file == NULL ? 0 : fread(text, 1, size - 1, file);
    if (file != NULL)
        fclose(file);
    text[length] = '\0';
    return length;
}

static void write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    if (file == NULL)
        return;
    fputs(text, file);
    fclose(file);
}

static int enter_namespaces(void)
{
    const int all = CLONE_NEWPID | CLONE_NEWNS | CLONE_NEWNET | CLONE_NEWIPC;
    char users[64], groups[64];
    if (unshare(all) == 0)
        return 0;
    snprintf(users, sizeof users, "0 %u 1", geteuid());
    snprintf(groups, sizeof groups, "0 %u 1", getegid());
    if (unshare(CLONE_NEWUSER) != 0)
        return -1;
    write_text("/proc/self/setgroups", "deny");
    write_text("/proc/self/uid_map", users);
    write_text("/proc/self/gid_map", groups);
    return unshare(all);
}

int scene_enter(void)
{
    if (enter_namespaces() != 0)
        return -1;
    pid_t parent = getpid(), child = fork();
    int status = 0;
    if (child < 0)
        return -1;
    if (child > 0) {
        while (waitpid(child, &status, 0) < 0 && errno == EINTR)
            continue;
        _exit(WIFEXITED(status) ? WEXITSTATUS(status) : 3);
    }
    (void)parent; // in another PID namespace now: getppid() says 0
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0 ||
        mount("tmpfs", "/dev/shm", "tmpfs", 0, "mode=1777") != 0 ||
        mount("proc", "/proc", "proc", 0, NULL) != 0)
        return -1;
    read_text("/proc/self/mountinfo", mounts_before, sizeof mounts_before);
    return 0;
}

bool scene_has_ended(pid_t pid, int *status)
{
    int ended;
    for (pid_t any; (any = waitpid(-1, &ended, WNOHANG)) > 0;)
        if (any == pid) {
            awaited_ended = true;
            awaited_status = ended;
        }
    if (!awaited_ended)
        return false;
    awaited_ended = false;
    *status = awaited_status;
    return true;
}

// The first process but this one, as "name (pid)"; false: there is none.
static bool find_other(char *text, size_t size)
{
    DIR *listing = opendir("/proc");
    bool found = false;
    for (struct dirent *entry; listing != NULL && !found && (entry = readdir(listing)) != NULL;) {
        char path[300], name[64];
        found = atoi(entry->d_name) > 1;
        if (!found)
            continue;
        snprintf(path, sizeof path, "/proc/%s/comm", entry->d_name);
        read_text(path, name, sizeof name);
        snprintf(text, size, "%.*s (%.20s)", (int)strcspn(name, "\n"), name, entry->d_name);
    }
    if (listing != NULL)
        closedir(listing);
    return found;
}

bool patience_over(struct running_time *wait)
{
    return running_time_look(wait, monotonic_ns(), GAP_MAX_NS) > (int64_t)PATIENCE_S * NS_PER_S;
}

bool scene_wait_until_empty(void)
{
    struct running_time wait = {0};
    char other[128];
    while (!patience_over(&wait)) {
        while (waitpid(-1, NULL, WNOHANG) > 0)
            continue;
        if (!find_other(other, sizeof other))
            return true;
        usleep(1000);
    }
    complain("after %d s a process is left: %s", PATIENCE_S, other);
    return false;
}

// Calls each entry of a folder that `allowed` does not know a leak.
static unsigned count_entries(const char *folder, bool (*allowed)(const char *name))
{
    DIR *listing = opendir(folder);
    unsigned count = 0;
    for (struct dirent *entry; listing != NULL && (entry = readdir(listing)) != NULL;) {
        if (entry->d_name[0] == '.' || allowed(entry->d_name))
            continue;
        complain("left: %s/%s", folder, entry->d_name);
        count++;
    }
    if (listing != NULL)
        closedir(listing);
    return count;
}

static bool nothing(const char *name)
{
    (void)name;
    return false;
}

// The database, its histories, and what SQLite keeps beside it until it is opened next.
static bool of_results(const char *name)
{
    return strncmp(name, "u.db", 4) == 0;
}

// Called by its hash, or whole and not yet called so: CAMPAIGN-SQUARE-TRIAL.mcap, which the next
// run removes (count_strays).
static bool of_histories(const char *name)
{
    unsigned campaign, square, number;
    int length = 0;
    if (sscanf(name, "%u-%u-%u.mcap%n", &campaign, &square, &number, &length) == 3 && length > 0)
        return name[length] == '\0';
    return strspn(name, "0123456789abcdef") == 32 && strcmp(name + 32, ".mcap") == 0;
}

// Files, and the folder of the pages of single trials: there if a trial failed, as on a busy
// machine one in real time may.
static bool of_report(const char *name)
{
    const char *ending = strrchr(name, '.');
    return strcmp(name, "trials") == 0 || (ending != NULL && strcmp(ending, ".part") != 0);
}

static unsigned count_interfaces(void)
{
    struct if_nameindex *all = if_nameindex();
    unsigned count = 0;
    for (unsigned i = 0; all != NULL && all[i].if_name != NULL; i++)
        if (strcmp(all[i].if_name, "lo") != 0) {
            complain("left: interface %s", all[i].if_name);
            count++;
        }
    if_freenameindex(all);
    return count;
}

// Each of these files has a line of titles and one per object.
static unsigned count_ipc_objects(void)
{
    static const char *const list[] = {"/proc/sysvipc/shm", "/proc/sysvipc/sem",
                                       "/proc/sysvipc/msg"};
    unsigned count = 0;
    for (unsigned i = 0; i < 3; i++) {
        char text[4096];
        read_text(list[i], text, sizeof text);
        const char *line = strchr(text, '\n');
        if (line != NULL && line[1] != '\0') {
            complain("left: an object in %s", list[i]);
            count++;
        }
    }
    return count;
}

unsigned scene_count_leaks(const struct scene *scene)
{
    static char mounts[sizeof mounts_before], histories[PATH_SIZE + 16];
    unsigned count = 0;
    read_text("/proc/self/mountinfo", mounts, sizeof mounts);
    if (strcmp(mounts, mounts_before) != 0) {
        complain("left: a mount");
        count++;
    }
    snprintf(histories, sizeof histories, "%s/u.db-histories", scene->results);
    count += count_entries("/dev/shm", nothing) + count_entries(scene->temporary, nothing);
    count += count_entries(scene->results, of_results) + count_entries(histories, of_histories);
    count += count_entries(scene->report, of_report);
    return count + count_interfaces() + count_ipc_objects();
}
