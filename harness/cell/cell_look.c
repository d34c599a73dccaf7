#include "harness/cell/cell_look.h"

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

size_t cell_read_file(int folder, const char *name, char *text, size_t size)
{
    int file = openat(folder, name, O_RDONLY | O_CLOEXEC);
    size_t used = 0;
    while (file >= 0 && used < size - 1) { // each turn reads a byte or more, or ends
        ssize_t got = read(file, text + used, size - 1 - used);
        if (got <= 0)
            break;
        used += (size_t)got;
    }
    if (file >= 0)
        close(file);
    text[used] = '\0';
    return used;
}

// The number behind a key of a file of lines "key: number".
static uint64_t number_of(const char *text, const char *key)
{
    const char *place = strstr(text, key);
    return place == NULL ? 0 : strtoull(place + strlen(key), NULL, 10);
}

// Fields 2 to 22 of proc(5); the name may hold anything, a parenthesis too.
static void look_at_stat(int folder, struct cell_look *look)
{
    char text[1024];
    unsigned long long user = 0, system = 0, started = 0;
    (void)cell_read_file(folder, "stat", text, sizeof text);
    const char *name = strchr(text, '('), *end = strrchr(text, ')');
    if (name == NULL || end == NULL)
        return;
    snprintf(look->name, sizeof look->name, "%.*s", (int)(end - name - 1), name + 1);
    sscanf(end + 1,
           " %*c %*d %d %*d %*d %*d %*u %*u %*u %*u %*u %llu %llu %*d %*d %*d %*d %u %*d %llu",
           &look->group, &user, &system, &look->threads, &started);
    look->cpu_ticks = user + system;
    look->started_ticks = started;
}

// The file of a process tells only what its first thread has done.
static uint64_t waits_of_threads(int folder)
{
    uint64_t waits = 0;
    int tasks = openat(folder, "task", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *list = tasks < 0 ? NULL : fdopendir(tasks);
    if (list == NULL) {
        if (tasks >= 0)
            close(tasks);
        return 0;
    }
    for (struct dirent *entry = readdir(list); entry != NULL; entry = readdir(list)) {
        char name[300], text[4096];
        if (!isdigit((unsigned char)entry->d_name[0]))
            continue;
        snprintf(name, sizeof name, "%s/status", entry->d_name);
        if (cell_read_file(dirfd(list), name, text, sizeof text) > 0)
            waits += number_of(text, "\nvoluntary_ctxt_switches:");
    }
    closedir(list);
    return waits;
}

static void look_at_status(int folder, struct cell_look *look)
{
    char text[4096];
    (void)cell_read_file(folder, "status", text, sizeof text);
    look->memory_B = 1024 * (number_of(text, "\nRssAnon:") + number_of(text, "\nRssShmem:") +
                             number_of(text, "\nVmSwap:") + number_of(text, "\nVmPTE:"));
    look->waits = look->threads > 1 ? waits_of_threads(folder)
                                    : number_of(text, "\nvoluntary_ctxt_switches:");
}

static void look_at_files(int folder, struct cell_look *look)
{
    int files = openat(folder, "fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *list = files < 0 ? NULL : fdopendir(files);
    if (list == NULL) {
        if (files >= 0)
            close(files);
        return;
    }
    for (struct dirent *entry = readdir(list); entry != NULL; entry = readdir(list)) {
        struct stat file;
        if (!isdigit((unsigned char)entry->d_name[0]))
            continue;
        look->open_files++;
        if (fstatat(dirfd(list), entry->d_name, &file, 0) == 0 && S_ISREG(file.st_mode) &&
            file.st_nlink == 0)
            look->memory_B += (uint64_t)file.st_blocks * 512;
    }
    closedir(list);
}

bool cell_look_at(int pid, bool briefly, struct cell_look *look)
{
    char path[32], text[512];
    *look = (struct cell_look){.pid = pid};
    snprintf(path, sizeof path, "/proc/%d", pid);
    int folder = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0)
        return false;
    look_at_stat(folder, look);
    if (!briefly) {
        look_at_status(folder, look);
        if (cell_read_file(folder, "io", text, sizeof text) > 0)
            look->written_B = number_of(text, "wchar:");
        if (cell_read_file(folder, "schedstat", text, sizeof text) > 0)
            sscanf(text, "%*u %" SCNu64, &look->held_ns);
        look_at_files(folder, look);
    }
    close(folder);
    return look->threads > 0;
}
