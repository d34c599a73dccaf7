// Files of the kernel's that tell of real time, by whatever path a program comes to them: what can
// be said in the trial's time is said so, the rest is a leak.
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "shim/shim.h"

#define TICKS_PER_S 100               // USER_HZ
#define UP_TICKS (1000 * TICKS_PER_S) // when the trial begins
#define STAT_B 1024
#define CPUS_MAX 256
#define STATUS_B 4096

static bool begins(const char *path, const char *with)
{
    return strncmp(path, with, strlen(with)) == 0;
}

bool shim_is_chance_path(const char *path)
{
    return strcmp(path, "/dev/urandom") == 0 || strcmp(path, "/dev/random") == 0;
}

// "stat" of /proc/7/stat and /proc/7/task/8/stat; NULL: it is of no process.
static const char *of_process(const char *path)
{
    if (!begins(path, "/proc/") || path[6] < '0' || path[6] > '9')
        return NULL;
    return strrchr(path, '/') + 1;
}

// Whether a word, as far as the list's words go (`whole`: it alone), is one of a list.
static bool is_one_of(const char *word, const char *const *list, size_t count, bool whole)
{
    for (size_t i = 0; i < count; i++)
        if (whole ? strcmp(word, list[i]) == 0 : begins(word, list[i]))
            return true;
    return false;
}

// Counters of the kernel that no trial determines: of time, and of pages, which depend on what else
// the machine does.
static bool is_counted(const char *path)
{
    static const char *const of_machine[] = {"/proc/schedstat",
                                             "/proc/timer_list",
                                             "/proc/softirqs",
                                             "/proc/interrupts",
                                             "/proc/pressure/",
                                             "/proc/vmstat",
                                             "/proc/driver/rtc",
                                             "/proc/zoneinfo",
                                             "/proc/buddyinfo",
                                             "/proc/diskstats",
                                             "/proc/pagetypeinfo",
                                             "/proc/slabinfo",
                                             "/proc/sys/fs/file",
                                             "/proc/sys/fs/inode",
                                             "/proc/sys/fs/dentry-state",
                                             "/dev/hpet",
                                             "/dev/rtc",
                                             "/dev/ptp",
                                             "/proc/sys/kernel/random/entropy_avail"};
    static const char *const of_a_process[] = {"sched",     "schedstat", "smaps",   "smaps_rollup",
                                               "numa_maps", "io",        "pagemap", "oom_score"};
    const char *const of = of_process(path);
    return is_one_of(path, of_machine, sizeof of_machine / sizeof of_machine[0], false) ||
           (of != NULL &&
            is_one_of(of, of_a_process, sizeof of_a_process / sizeof of_a_process[0], true));
}

static bool tells_time(const char *path)
{
    if (is_counted(path))
        return true;
    if (begins(path, "/sys/devices/system/node/node") && strpbrk(path + 29, "/") != NULL &&
        (strstr(path, "stat") != NULL || strstr(path, "meminfo") != NULL))
        return true;
    return strstr(path, "/rtc/rtc") != NULL;
}

// ---- files with other contents ----

// The descriptor is that of a file with these contents from now on.
static bool replace(int descriptor, const char *text, size_t size_B)
{
    const long flags = KERNEL(SYS_fcntl, descriptor, F_GETFD);
    const int file =
        (int)KERNEL(SYS_openat, AT_FDCWD, "/dev/shm", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    const bool replaced =
        file >= 0 && KERNEL(SYS_write, file, text, size_B) == (long)size_B &&
        KERNEL(SYS_lseek, file, 0, SEEK_SET) == 0 &&
        KERNEL(SYS_dup3, file, descriptor, flags & FD_CLOEXEC ? O_CLOEXEC : 0) >= 0;
    if (file >= 0)
        KERNEL(SYS_close, file);
    return replaced;
}

// Whether the others sleep just now, or are about to, is a matter of luck.
static int state_in_trial(int state, long pid)
{
    return strchr("RSD", state) == NULL ? state : pid == KERNEL(SYS_getpid) ? 'R' : 'S';
}

// What a process alone has in memory, in kB, as the kernel counts it page by page: other figures
// are sums of each processor's, and late. -1: it is not to be known.
static long anonymous_kB(long pid)
{
    static const char field[] = "\nAnonymous:";
    char path[48], text[STAT_B];
    snprintf(path, sizeof path, "/proc/%ld/smaps_rollup", pid);
    const int file = (int)KERNEL(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
    const long got = file < 0 ? -1 : KERNEL(SYS_read, file, text, sizeof text - 1);
    if (file >= 0)
        KERNEL(SYS_close, file);
    text[got > 0 ? got : 0] = '\0';
    const char *const at = strstr(text, field);
    return at == NULL ? -1 : strtol(at + sizeof field - 1, NULL, 10);
}

long shim_resident_kB(long pid, long real_kB)
{
    const long own_kB = anonymous_kB(pid);
    return shim_resident(own_kB < 0 ? real_kB : own_kB);
}

static long page_kB(void)
{
    return sysconf(_SC_PAGESIZE) / 1024;
}

// What the fields of proc(5) show that are of real time; -1: this one is not.
static long field_in_trial(int field, long real, long now_ticks, long pid)
{
    switch (field) {
    case 10: // faults of pages
    case 11:
    case 12:
    case 13:
    case 15: // processor time in the kernel, of its children
    case 16:
    case 17:
    case 39: // processor
    case 42: // waited for disks
    case 43:
    case 44:
        return 0;
    case 14: // processor time is the time that has passed
        return now_ticks;
    case 22: // begin
        return UP_TICKS;
    case 24: // resident memory
        return shim_resident_kB(pid, real * page_kB()) / page_kB();
    default:
        return -1;
    }
}

static size_t rewrite(char *to, size_t room_B, const char *from)
{
    const long now_ticks = (long)(shim_now_ns() / (SHIM_NS_PER_S / TICKS_PER_S));
    const long pid = strtol(from, NULL, 10);
    const char *rest = strrchr(from, ')'); // of the name, which may hold anything
    if (rest == NULL || strlen(rest) < 4)
        return 0;
    size_t used_B = (size_t)(rest + 1 - from);
    memcpy(to, from, used_B);
    used_B += (size_t)snprintf(to + used_B, room_B - used_B, " %c", state_in_trial(rest[2], pid));
    rest += 3;
    for (int field = 4; *rest == ' '; field++) {
        const int length = (int)strcspn(rest + 1, " \n");
        const long value = field_in_trial(field, strtol(rest + 1, NULL, 10), now_ticks, pid);
        used_B +=
            (size_t)(value < 0 ? snprintf(to + used_B, room_B - used_B, " %.*s", length, rest + 1)
                               : snprintf(to + used_B, room_B - used_B, " %ld", value));
        rest += 1 + length;
        if (used_B + 32 > room_B)
            return 0;
    }
    to[used_B++] = '\n';
    return used_B;
}

static bool replace_stat(int descriptor)
{
    char real[STAT_B], text[STAT_B];
    const long got = KERNEL(SYS_pread64, descriptor, real, sizeof real - 1, 0);
    if (got <= 0)
        return got == 0; // it has ended
    real[got] = '\0';
    const size_t size_B = rewrite(text, sizeof text, real);
    return size_B > 0 && replace(descriptor, text, size_B);
}

// The process whose file this is.
static long pid_of(int descriptor)
{
    char link[48], path[PATH_MAX];
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    const long length = KERNEL(SYS_readlinkat, AT_FDCWD, link, path, sizeof path - 1);
    path[length > 0 ? length : 0] = '\0';
    return begins(path, "/proc/") ? strtol(path + 6, NULL, 10) : 0;
}

static bool replace_statm(int descriptor)
{
    char real[STAT_B], text[STAT_B];
    long total, resident, shared, code, library, data;
    const long got = KERNEL(SYS_pread64, descriptor, real, sizeof real - 1, 0);
    if (got <= 0)
        return got == 0; // it has ended
    real[got] = '\0';
    if (sscanf(real, "%ld %ld %ld %ld %ld %ld", &total, &resident, &shared, &code, &library,
               &data) != 6)
        return false;
    resident = shim_resident_kB(pid_of(descriptor), resident * page_kB()) / page_kB();
    const int size_B = snprintf(text, sizeof text, "%ld %ld 0 %ld %ld %ld 0\n", total, resident,
                                code, library, data);
    return replace(descriptor, text, (size_t)size_B);
}

// What of a line of /proc/PID/status is of real time; -1: nothing.
static long status_in_trial(const char *line, long pid)
{
    static const char *const luck[] = {"RssFile:",
                                       "RssShmem:",
                                       "VmPTE:",
                                       "VmSwap:",
                                       "voluntary_ctxt_switches:",
                                       "nonvoluntary_ctxt_switches:"};
    static const char *const memory[] = {"VmHWM:", "VmRSS:", "RssAnon:"};
    for (size_t i = 0; i < sizeof luck / sizeof luck[0]; i++)
        if (begins(line, luck[i]))
            return 0;
    for (size_t i = 0; i < sizeof memory / sizeof memory[0]; i++)
        if (begins(line, memory[i]))
            return shim_resident_kB(pid, strtol(strchr(line, ':') + 1, NULL, 10));
    return -1;
}

static size_t rewrite_line(char *to, size_t room_B, const char *line, int length, long pid)
{
    const int name_B = (int)strcspn(line, ":\n") + 1;
    if (begins(line, "State:"))
        return (size_t)snprintf(to, room_B, "State:\t%s\n",
                                state_in_trial(line[7], pid) == 'R'   ? "R (running)"
                                : state_in_trial(line[7], pid) == 'S' ? "S (sleeping)"
                                : line[7] == 'Z'                      ? "Z (zombie)"
                                                                      : "T (stopped)");
    if (begins(line, "SigQ:")) // of all that the user has
        return (size_t)snprintf(to, room_B, "SigQ:\t0/0\n");
    const long value = status_in_trial(line, pid);
    if (value < 0)
        return (size_t)snprintf(to, room_B, "%.*s\n", length, line);
    return (size_t)snprintf(to, room_B, "%.*s\t%8ld%s\n", name_B, line, value,
                            line[0] == 'V' || line[0] == 'R' ? " kB" : "");
}

static bool replace_status(int descriptor)
{
    char real[STATUS_B], text[STATUS_B];
    size_t used_B = 0;
    const long got = KERNEL(SYS_pread64, descriptor, real, sizeof real - 1, 0),
               pid = pid_of(descriptor);
    if (got <= 0)
        return got == 0; // it has ended
    real[got] = '\0';
    for (const char *line = real; *line != '\0';) {
        const int length = (int)strcspn(line, "\n");
        used_B += rewrite_line(text + used_B, sizeof text - used_B, line, length, pid);
        if (used_B >= sizeof text)
            return false;
        line += length + (line[length] == '\n');
    }
    return replace(descriptor, text, used_B);
}

static bool replace_uuid(int descriptor)
{
    unsigned char b[16];
    char text[40];
    shim_chance_fill(b, sizeof b);
    b[6] = (unsigned char)((b[6] & 0x0f) | 0x40); // RFC 4122, version 4
    b[8] = (unsigned char)((b[8] & 0x3f) | 0x80);
    const int size_B = snprintf(
        text, sizeof text, "%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-%02x%02x%02x%02x%02x%02x\n",
        b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9], b[10], b[11], b[12], b[13],
        b[14], b[15]);
    return replace(descriptor, text, (size_t)size_B);
}

// How long the machine has run, and how busy it is: not at all.
static bool replace_uptime(int descriptor)
{
    char text[64];
    const int64_t up_ns = UP_TICKS * (SHIM_NS_PER_S / TICKS_PER_S) + shim_now_ns();
    const int size_B =
        snprintf(text, sizeof text, "%lld.%02lld 0.00\n", (long long)(up_ns / SHIM_NS_PER_S),
                 (long long)(up_ns % SHIM_NS_PER_S / (SHIM_NS_PER_S / 100)));
    return replace(descriptor, text, (size_t)size_B);
}

static bool replace_load(int descriptor)
{
    static const char text[] = "0.00 0.00 0.00 1/1 1\n";
    return replace(descriptor, text, sizeof text - 1);
}

static bool replace_memory(int descriptor)
{
    char text[512];
    const long total_kB = sysconf(_SC_PHYS_PAGES) * (sysconf(_SC_PAGESIZE) / 1024);
    const int size_B = snprintf(text, sizeof text,
                                "MemTotal: %ld kB\nMemFree: %ld kB\nMemAvailable: %ld kB\n"
                                "Buffers: 0 kB\nCached: 0 kB\nSwapCached: 0 kB\nSwapTotal: 0 kB\n"
                                "SwapFree: 0 kB\nShmem: 0 kB\nSReclaimable: 0 kB\n"
                                "Hugepagesize: 2048 kB\n",
                                total_kB, total_kB / 2, total_kB / 2);
    return replace(descriptor, text, (size_t)size_B);
}

static bool replace_machine(int descriptor)
{
    char text[CPUS_MAX * 32 + 256];
    const long count = sysconf(_SC_NPROCESSORS_ONLN);
    const long begin_s = (long)(shim_base_ns(CLOCK_REALTIME) / SHIM_NS_PER_S);
    int used_B = snprintf(text, sizeof text, "cpu  0 0 0 0 0 0 0 0 0 0\n");
    for (long i = 0; i < count && i < CPUS_MAX; i++)
        used_B += snprintf(text + used_B, sizeof text - (size_t)used_B,
                           "cpu%ld 0 0 0 0 0 0 0 0 0 0\n", i);
    used_B += snprintf(text + used_B, sizeof text - (size_t)used_B,
                       "intr 0\nctxt 0\nbtime %ld\nprocesses 1\nprocs_running 1\n"
                       "procs_blocked 0\nsoftirq 0 0 0 0 0 0 0 0 0 0 0\n",
                       begin_s - UP_TICKS / TICKS_PER_S);
    return replace(descriptor, text, (size_t)used_B);
}

// ---- looking ----

// NULL: it stays as it is.
static bool (*replacement_of(const char *path))(int)
{
    static const struct {
        const char *path;
        bool (*replace)(int descriptor);
    } known[] = {{"/proc/uptime", replace_uptime},
                 {"/proc/loadavg", replace_load},
                 {"/proc/stat", replace_machine},
                 {"/proc/meminfo", replace_memory},
                 {"/proc/sys/kernel/random/uuid", replace_uuid}};
    const char *const of = of_process(path);
    if (of != NULL && strcmp(of, "stat") == 0)
        return replace_stat;
    if (of != NULL && strcmp(of, "statm") == 0)
        return replace_statm;
    if (of != NULL && strcmp(of, "status") == 0)
        return replace_status;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strcmp(path, known[i].path) == 0)
            return known[i].replace;
    return NULL;
}

void shim_opened(int descriptor)
{
    char link[48], path[PATH_MAX];
    const int error = errno;
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    const long length = KERNEL(SYS_readlinkat, AT_FDCWD, link, path, sizeof path - 1);
    path[length > 0 ? length : 0] = '\0';
    bool (*const replacement)(int) = replacement_of(path);
    const bool seen = replacement != NULL ? !replacement(descriptor) : tells_time(path);
    if (shim_is_chance_path(path) && !shim_chance_opened(descriptor))
        shim_leak("opens too many files of chance at a time");
    if (seen)
        shim_leak("opens %s, which no trial determines", path);
    errno = error;
}
