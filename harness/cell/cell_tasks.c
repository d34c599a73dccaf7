#include "harness/cell/cell_tasks.h"

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/cell/cell_look.h"

#define PLENTY 8192 // nobody has so many: where the limit is higher they need no counting
#define CGROUPS "/sys/fs/cgroup"

// ---- of this user ------------------------------------------------------------------------------

static long tasks_of_user(void)
{
    long count = 0;
    DIR *list = opendir("/proc");
    for (const struct dirent *entry; list != NULL && (entry = readdir(list)) != NULL;) {
        struct stat about;
        struct cell_look look;
        if (isdigit((unsigned char)entry->d_name[0]) &&
            fstatat(dirfd(list), entry->d_name, &about, 0) == 0 && about.st_uid == getuid() &&
            cell_look_at((int)strtol(entry->d_name, NULL, 10), true, &look))
            count += look.threads;
    }
    if (list != NULL)
        closedir(list);
    return count;
}

// The kernel does not bind root.
static long free_of_user(void)
{
    struct rlimit limit;
    if (geteuid() == 0 || getrlimit(RLIMIT_NPROC, &limit) != 0 || limit.rlim_cur > PLENTY)
        return -1;
    const long left = (long)limit.rlim_cur - tasks_of_user();
    return left < 0 ? 0 : left;
}

// ---- of its control groups ---------------------------------------------------------------------

static long number_in(const char *folder, const char *name)
{
    char path[PATH_MAX], text[64];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    if (cell_read_file(AT_FDCWD, path, text, sizeof text) == 0 || !isdigit((unsigned char)text[0]))
        return -1; // "max"
    return strtol(text, NULL, 10);
}

static long lesser(long a, long b)
{
    return a < 0 ? b : b < 0 ? a : a < b ? a : b;
}

// Of the group and all above it, as far as they can be seen from here.
static long free_below(const char *root, const char *group)
{
    char folder[PATH_MAX];
    long least = -1;
    int length = snprintf(folder, sizeof folder, "%s%s", root, group);
    while (length > 0 && length < (int)sizeof folder) {
        const long most = number_in(folder, "pids.max"), now = number_in(folder, "pids.current");
        if (most >= 0 && now >= 0)
            least = lesser(least, most > now ? most - now : 0);
        char *end = strrchr(folder + strlen(root), '/');
        if (end == NULL)
            break;
        *end = '\0';
    }
    return least;
}

// Lines of /proc/self/cgroup: "0::/user.slice" of the second version, "7:pids:/docker/1f" of the
// first.
static long free_of_groups(void)
{
    char text[4096];
    long least = -1;
    (void)cell_read_file(AT_FDCWD, "/proc/self/cgroup", text, sizeof text);
    for (char *rest = text, *line; (line = strsep(&rest, "\n")) != NULL;) {
        const char *second = strstr(line, "::"), *first = strstr(line, ":pids:");
        if (second != NULL)
            least = lesser(least, free_below(CGROUPS, second + strlen("::")));
        if (first != NULL)
            least = lesser(least, free_below(CGROUPS "/pids", first + strlen(":pids:")));
    }
    return least;
}

long cell_tasks_free(const char **by)
{
    const long of_user = free_of_user(), of_groups = free_of_groups();
    *by = of_groups >= 0 && of_groups == lesser(of_user, of_groups)
              ? "the pids limit of its control group: docker run --pids-limit=-1"
              : "ulimit -u";
    return lesser(of_user, of_groups);
}
