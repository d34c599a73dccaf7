// What the kernel says of processes.
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "faults/load.h"

#define NS_PER_S 1000000000

int64_t load_now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * NS_PER_S + now.tv_nsec;
}

double load_elapsed_s(const struct load_page *page)
{
    return (double)(load_now_ns() - page->applied_ns) / NS_PER_S;
}

static bool read_proc(pid_t pid, const char *file, char *text, size_t size)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/%s", pid, file);
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    const ssize_t got = fd < 0 ? -1 : read(fd, text, size - 1); // these files come in one piece
    if (fd >= 0)
        close(fd);
    text[got > 0 ? got : 0] = '\0';
    return got > 0;
}

uint64_t load_stat(pid_t pid, unsigned number)
{
    char text[1024];
    if (!read_proc(pid, "stat", text, sizeof text))
        return 0;
    const char *field = strrchr(text, ')'); // ends the second, the name, which may hold anything
    for (unsigned i = 2; field != NULL && i < number; i++) {
        field = strchr(field, ' ');
        field = field == NULL ? NULL : field + 1;
    }
    return field == NULL ? 0 : strtoull(field, NULL, 10);
}

uint64_t load_number(pid_t pid, const char *file, const char *key)
{
    char text[8192];
    if (!read_proc(pid, file, text, sizeof text))
        return 0;
    const char *place = strstr(text, key);
    return place == NULL ? 0 : strtoull(place + strlen(key), NULL, 10);
}

bool load_struck_there(const struct fault_asked *call, const struct load_page *page)
{
    return call->pid != 0 && load_stat(call->pid, LOAD_STAT_STARTED) == page->struck_started_ticks;
}

int load_real_time_priority(pid_t pid)
{
    struct sched_param parameters;
    const int policy = sched_getscheduler(pid) & ~SCHED_RESET_ON_FORK;
    return policy == SCHED_FIFO && sched_getparam(pid, &parameters) == 0 ? parameters.sched_priority
                                                                         : 0;
}

// Takes the next thread of a listing of /proc/PID/task; 0: there are no more.
static pid_t next_thread(DIR *list)
{
    for (const struct dirent *entry; list != NULL && (entry = readdir(list)) != NULL;) {
        const pid_t tid = (pid_t)strtol(entry->d_name, NULL, 10); // "." and "..": 0
        if (tid > 0)
            return tid;
    }
    return 0;
}

static DIR *open_threads(pid_t pid)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/task", pid);
    return opendir(path);
}

unsigned load_list_threads(pid_t pid, pid_t *tid, unsigned max)
{
    DIR *list = open_threads(pid);
    unsigned count = 0;
    for (pid_t next; (next = next_thread(list)) != 0; count++)
        if (tid != NULL && count < max)
            tid[count] = next;
    if (list != NULL)
        closedir(list);
    return count;
}

unsigned load_threads_at(pid_t pid, int priority)
{
    DIR *list = open_threads(pid);
    unsigned count = 0;
    for (pid_t next; (next = next_thread(list)) != 0;)
        count += load_real_time_priority(next) == priority;
    if (list != NULL)
        closedir(list);
    return count;
}
