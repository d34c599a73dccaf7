#include "clock/turn_time.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/invariant.h"
#include "clock/futex.h"

static bool read_of_thread(pid_t tid, const char *name, char *text, size_t size)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/%s", (int)tid, name);
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    const ssize_t length = file < 0 ? -1 : read(file, text, size - 1);
    if (file >= 0)
        close(file);
    text[length > 0 ? length : 0] = '\0';
    return length > 0;
}

// False if the thread sleeps, is stopped, or cannot be seen.
static bool is_ready(pid_t tid, int64_t *cpu_ns)
{
    char text[512];
    if (!read_of_thread(tid, "schedstat", text, sizeof text) ||
        sscanf(text, "%" SCNd64, cpu_ns) != 1 || !read_of_thread(tid, "stat", text, sizeof text))
        return false;
    const char *after_name = strrchr(text, ')');
    return after_name != NULL && strncmp(after_name, ") R", 3) == 0;
}

int64_t turn_time_look(struct turn_time *time, pid_t tid, int64_t gap_max_ns)
{
    expects(gap_max_ns > 0);
    int64_t cpu_ns = time->cpu_ns;
    const bool ready = is_ready(tid, &cpu_ns);
    const int64_t now_ns = monotonic_ns();
    int64_t gap_ns = time->looked_ns == 0 ? 0 : now_ns - time->looked_ns;
    if (ready && cpu_ns - time->cpu_ns < gap_ns)
        gap_ns = cpu_ns - time->cpu_ns;
    time->counted_ns += gap_ns < gap_max_ns ? gap_ns : gap_max_ns;
    time->looked_ns = now_ns;
    time->cpu_ns = cpu_ns;
    return time->counted_ns;
}
