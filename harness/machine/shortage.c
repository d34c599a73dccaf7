#include "harness/machine/shortage.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#define LINE_MAX_B 512

// The number behind `key` in a file of lines "KEY NUMBER". False: it is not there.
static bool number_of(const char *path, const char *key, uint64_t *number)
{
    char line[LINE_MAX_B];
    bool found = false;
    const size_t length = strlen(key);
    FILE *file = fopen(path, "re");
    while (file != NULL && !found && fgets(line, sizeof line, file) != NULL) {
        found = strncmp(line, key, length) == 0 && line[length] == ' ';
        if (found)
            *number = strtoull(line + length, NULL, 10);
    }
    if (file != NULL)
        (void)fclose(file); // only read
    return found;
}

// A line of /proc/self/cgroup: "4:memory:/PATH" of the first version, "0::/PATH" of the second. The
// root of a namespace is mounted where that of the machine would be.
static bool kills_of_group(char *line, uint64_t *kills)
{
    char file[PATH_MAX];
    char *controllers = strchr(line, ':');
    char *path = controllers == NULL ? NULL : strchr(controllers + 1, ':');
    if (path == NULL)
        return false;
    *path++ = '\0';
    path[strcspn(path, "\n")] = '\0';
    if (strcmp(controllers + 1, "memory") == 0) {
        snprintf(file, sizeof file, "/sys/fs/cgroup/memory%s/memory.oom_control", path);
        return number_of(file, "oom_kill", kills);
    }
    if (controllers[1] != '\0')
        return false;
    snprintf(file, sizeof file, "/sys/fs/cgroup%s/memory.events", path);
    return number_of(file, "oom_kill", kills);
}

uint64_t shortage_oom_kills(void)
{
    char line[LINE_MAX_B];
    uint64_t kills = 0;
    bool found = false;
    FILE *groups = fopen("/proc/self/cgroup", "re");
    while (groups != NULL && !found && fgets(line, sizeof line, groups) != NULL)
        found = kills_of_group(line, &kills);
    if (groups != NULL)
        (void)fclose(groups); // only read
    if (!found)
        (void)number_of("/proc/vmstat", "oom_kill", &kills);
    return kills;
}

// Root may start as many processes as it likes.
static bool is_below(__rlimit_resource_t resource, double wanted)
{
    struct rlimit limit;
    return getrlimit(resource, &limit) == 0 && limit.rlim_max != RLIM_INFINITY &&
           (double)limit.rlim_max < wanted;
}

bool shortage_of_limits(unsigned processes, unsigned open_files, unsigned file_MB, char *words,
                        size_t size)
{
    const char *option = is_below(RLIMIT_NOFILE, open_files)                   ? "-n"
                         : is_below(RLIMIT_FSIZE, 1048576.0 * file_MB)         ? "-f"
                         : geteuid() != 0 && is_below(RLIMIT_NPROC, processes) ? "-u"
                                                                               : NULL;
    if (option != NULL)
        snprintf(words, size, "the limit `ulimit %s` is below what the trial may use; raise it",
                 option);
    return option != NULL;
}
