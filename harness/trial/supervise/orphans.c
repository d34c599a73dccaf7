#include "harness/trial/supervise/orphans.h"

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define END_STEPS 1000                // of a millisecond
#define ENVIRONMENT_MAX_B (128 << 10) // looked at

struct family {
    int parent; // 0: there is no such process
    int group;
};

static struct family family_of(int pid)
{
    char path[32], line[512] = "";
    struct family family = {0, 0};
    snprintf(path, sizeof path, "/proc/%d/stat", pid);
    FILE *file = fopen(path, "re");
    if (file == NULL)
        return family;
    const char *end = fgets(line, sizeof line, file) != NULL ? strrchr(line, ')') : NULL;
    if (end == NULL || sscanf(end, ") %*c %d %d", &family.parent, &family.group) != 2)
        family = (struct family){0, 0};
    (void)fclose(file); // only read
    return family;
}

// Whether it was started with `variable`, which is NAME=VALUE.
static bool was_given(int pid, const char *variable)
{
    static char environment[ENVIRONMENT_MAX_B + 1];
    char path[32];
    size_t length = 0;
    snprintf(path, sizeof path, "/proc/%d/environ", pid);
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return false;
    ssize_t got = 1;
    while (got > 0 && length < ENVIRONMENT_MAX_B) {
        got = read(file, environment + length, ENVIRONMENT_MAX_B - length);
        length += got > 0 ? (size_t)got : 0;
    }
    close(file);
    environment[length] = '\0';
    for (size_t at = 0; at < length; at += strlen(environment + at) + 1)
        if (strcmp(environment + at, variable) == 0)
            return true;
    return false;
}

bool orphan_end(int pid, orphan_spared *spare, const void *context)
{
    if (pid <= 1 || family_of(pid).parent != getpid() || spare(context, pid))
        return false;
    (void)kill(pid, SIGKILL);
    return waitpid(pid, NULL, WNOHANG) != pid;
}

// Whether one of them is left. Their parents' ends make orphans of more.
static bool end_some(const char *variable, int group, orphan_spared *spare, const void *context)
{
    bool left = false;
    DIR *processes = opendir("/proc");
    for (const struct dirent *entry; processes != NULL && (entry = readdir(processes)) != NULL;) {
        const int pid = isdigit((unsigned char)entry->d_name[0]) ? atoi(entry->d_name) : 0;
        if (pid > 1 && (family_of(pid).group == group || was_given(pid, variable)))
            left |= orphan_end(pid, spare, context);
    }
    if (processes != NULL)
        closedir(processes);
    return left;
}

void orphans_end(const char *participant, int group, orphan_spared *spare, const void *context)
{
    char variable[128];
    snprintf(variable, sizeof variable, "UKEMI_PARTICIPANT=%s", participant);
    for (int i = 0; i < END_STEPS && end_some(variable, group, spare, context); i++)
        poll(NULL, 0, 1);
}
