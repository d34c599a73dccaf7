#include "harness/cell/cell_watch.h"

#include <dirent.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "clock/futex.h"
#include "harness/cell/bare_room.h"
#include "harness/cell/cell_family.h"
#include "harness/cell/cell_inside.h"

#define INIT_PID 1
#define GROUP_SAMPLE 32
#define SEGMENTS_MAX 4096 // of which the memory is counted
#define GAP_MAX_NS                                                                                 \
    NS_PER_S // several looks: these themselves take long when there are many processes
#define MB (1024.0 * 1024.0)

struct party { // a process group: of one program of the trial, and what it has started
    int group;
    uint64_t memory_B, written_B;
    unsigned threads;
    struct cell_look largest; // member, by memory
    struct cell_look crowd;   // member with most threads; of equals, the leader
};

struct sum { // over all processes
    unsigned threads;
    double memory_MB;
    unsigned parties;
    struct party party[CELL_SEEN_MAX];
    struct cell_look worker;  // with most CPU time
    struct cell_look spinner; // of those that never wait, with most CPU time
    double spinner_s;         // so much
};

static double look_at_time_s(struct cell_watch *watch)
{
    return 1e-9 * (double)running_time_look(&watch->running, monotonic_ns(), GAP_MAX_NS);
}

void cell_watch_start(struct cell_watch *watch, const struct limits *limits, bool real_time)
{
    *watch = (struct cell_watch){.limits = limits,
                                 .real_time = real_time,
                                 .machine = open("/proc", O_PATH | O_DIRECTORY | O_CLOEXEC)};
    (void)look_at_time_s(watch);
}

void cell_watch_bare(struct cell_watch *watch, int init, const struct bare_place *place)
{
    watch->init = init;
    watch->place = place;
}

// ---- who it is ---------------------------------------------------------------------------------

static struct cell_seen *find_seen(struct cell_watch *watch, int pid)
{
    for (unsigned i = 0; i < watch->seen_count; i++)
        if (watch->seen[i].look.pid == pid)
            return &watch->seen[i];
    return NULL;
}

// When the machine runs short of memory, the kernel takes what we started before anything else.
static void die_first(int pid)
{
    char path[32];
    snprintf(path, sizeof path, "/proc/%d/oom_score_adj", pid);
    int file = open(path, O_WRONLY | O_CLOEXEC);
    if (file >= 0) {
        (void)!write(file, "1000", 4);
        close(file);
    }
}

static struct cell_seen *remember(struct cell_watch *watch, const struct cell_look *look,
                                  double now_s)
{
    struct cell_seen *seen = find_seen(watch, look->pid);
    const bool new = seen == NULL || seen->look.started_ticks != look->started_ticks;
    if (seen == NULL && watch->seen_count == CELL_SEEN_MAX)
        return NULL; // so many processes are over a limit, or short-lived
    if (seen == NULL)
        seen = &watch->seen[watch->seen_count++];
    if (new) {
        *seen = (struct cell_seen){.look = *look, .since_s = now_s};
        die_first(look->pid);
    }
    return seen;
}

// `culprit` NULL: those who did it are gone. `own`: its part of what is used.
static void report_share(struct breach *breach, enum limit limit, const struct cell_look *culprit,
                         double own, double used, double allowed)
{
    if (culprit == NULL || culprit->pid == 0)
        breach_report(breach, limit, NULL, 0, 0, used, allowed);
    else
        breach_report_share(breach, limit, culprit->name, cell_number(culprit->pid),
                            cell_number(culprit->group), own / used, used, allowed);
}

static void report(struct breach *breach, enum limit limit, const struct cell_look *culprit,
                   double used, double allowed)
{
    report_share(breach, limit, culprit, used, used, allowed);
}

// Number in the cell of a process of which the machine's number is known; 0 if it is gone.
static int pid_in_cell(const struct cell_watch *watch, int machine_pid)
{
    char path[32], text[4096];
    snprintf(path, sizeof path, "%d/status", machine_pid);
    (void)cell_read_file(watch->machine, path, text, sizeof text);
    char *numbers = strstr(text, "\nNSpid:\t"); // one for each level, outermost first
    if (numbers == NULL)
        return 0;
    numbers += strlen("\nNSpid:\t");
    numbers[strcspn(numbers, "\n")] = '\0';
    const char *last = strrchr(numbers, '\t');
    return atoi(last == NULL ? numbers : last + 1); // seen from within the cell there is one
}

// ---- one process -------------------------------------------------------------------------------

// Wall mode: notes a process that has used the CPU for turn_s without waiting once. Whoever never
// waits keeps all below it from running, who then do not wait either: the one with most CPU time
// is it. Sleeping and being stopped count as waiting, and use no CPU time; nor does a process that
// a busy machine gives no core. Threads together may use more than the time that went by.
static void check_waits(const struct cell_watch *watch, struct cell_seen *seen,
                        const struct cell_look *look, double now_s, struct sum *sum)
{
    if (look->waits != seen->look.waits) {
        seen->look = *look;
        seen->since_s = now_s;
        return;
    }
    const uint64_t used_ticks = look->cpu_ticks - seen->look.cpu_ticks;
    const double used_s =
        fmin((double)used_ticks / (double)sysconf(_SC_CLK_TCK), now_s - seen->since_s);
    if (used_s <= watch->limits->turn_s || used_s <= sum->spinner_s)
        return;
    sum->spinner = *look;
    sum->spinner_s = used_s;
}

static void check_process(struct cell_watch *watch, const struct cell_look *look, double now_s,
                          struct sum *sum, struct breach *breach)
{
    struct cell_seen *seen = remember(watch, look, now_s);
    if (look->open_files > watch->limits->open_files)
        report(breach, LIMIT_OPEN_FILES, look, look->open_files, watch->limits->open_files);
    if (!watch->real_time)
        return;
    if (look->held_ns > watch->held.held_ns)
        watch->held = *look;
    if (seen != NULL)
        check_waits(watch, seen, look, now_s, sum);
}

static void add_to_party(struct sum *sum, const struct cell_look *look)
{
    struct party *party = sum->party;
    while (party < sum->party + sum->parties && party->group != look->group)
        party++;
    if (party == sum->party + CELL_SEEN_MAX)
        return;
    if (party == sum->party + sum->parties) {
        *party = (struct party){.group = look->group, .largest = *look, .crowd = *look};
        sum->parties++;
    }
    party->memory_B += look->memory_B;
    party->written_B += look->written_B;
    party->threads += look->threads;
    if (look->memory_B > party->largest.memory_B)
        party->largest = *look;
    if (look->threads > party->crowd.threads ||
        (look->threads == party->crowd.threads && look->pid == look->group))
        party->crowd = *look;
}

// The one with the most memory or, `writes`, with the most that could be in files.
static const struct party *largest_party(const struct sum *sum, bool writes)
{
    const struct party *largest = NULL;
    uint64_t most_B = 0;
    for (unsigned i = 0; i < sum->parties; i++) {
        const struct party *party = &sum->party[i];
        const uint64_t own_B = party->memory_B + (writes ? party->written_B : 0);
        if (own_B >= most_B) {
            most_B = own_B;
            largest = party;
        }
    }
    return largest;
}

static void add(struct sum *sum, const struct cell_look *look)
{
    sum->threads += look->threads;
    sum->memory_MB += (double)look->memory_B / MB;
    add_to_party(sum, look);
    if (look->cpu_ticks >= sum->worker.cpu_ticks)
        sum->worker = *look;
}

// ---- all of them -------------------------------------------------------------------------------

// Numbers of the cell's processes but its init; returns how many there are, of which `pids` holds
// the first CELL_SEEN_MAX.
static unsigned list_processes(const struct cell_watch *watch, int pids[CELL_SEEN_MAX])
{
    unsigned count = 0;
    if (watch->init != 0)
        return family_list(watch->init, pids, CELL_SEEN_MAX);
    DIR *list = opendir("/proc");
    struct dirent *entry;
    while (list != NULL && (entry = readdir(list)) != NULL) {
        int pid = atoi(entry->d_name);
        if (pid > INIT_PID && count++ < CELL_SEEN_MAX)
            pids[count - 1] = pid;
    }
    if (list != NULL)
        closedir(list);
    return count;
}

static const struct party *most_threads(const struct sum *sum)
{
    const struct party *most = NULL;
    for (unsigned i = 0; i < sum->parties; i++)
        if (most == NULL || sum->party[i].threads > most->threads)
            most = &sum->party[i];
    return most;
}

// Of a sample: every further look takes longer.
static void report_processes(struct breach *breach, const int *pids, unsigned count,
                             unsigned allowed)
{
    static struct sum sum; // large
    unsigned seen = 0;
    sum = (struct sum){0};
    // The newest: the target's own processes were there before.
    for (unsigned i = count < CELL_SEEN_MAX ? count : CELL_SEEN_MAX; i > 0 && seen < GROUP_SAMPLE;
         i--) {
        struct cell_look look;
        if (!cell_look_at(pids[i - 1], true, &look))
            continue;
        add_to_party(&sum, &look);
        sum.threads += look.threads;
        seen++;
    }
    const struct party *most = most_threads(&sum);
    report_share(breach, LIMIT_PROCESSES, most == NULL ? NULL : &most->crowd,
                 most == NULL ? 0 : (double)most->threads / sum.threads * count, count, allowed);
}

static void check_threads(const struct cell_watch *watch, const struct sum *sum,
                          struct breach *breach)
{
    const struct party *most = most_threads(sum);
    if (sum->threads > watch->limits->processes && most != NULL)
        report_share(breach, LIMIT_PROCESSES, &most->crowd, most->threads, sum->threads,
                     watch->limits->processes);
}

// Memory of System V segments, which outlive their processes; `creator`: of the largest.
static double segments_MB(const struct cell_watch *watch, int *creator)
{
    char line[512];
    double sum_B = 0;
    unsigned long long largest_B = 0;
    FILE *list = fopen("/proc/sysvipc/shm", "re");
    *creator = 0;
    for (int i = 0; list != NULL && i < SEGMENTS_MAX && fgets(line, sizeof line, list) != NULL;
         i++) {
        unsigned long long rss_B = 0;
        int pid;
        if (sscanf(line, "%*d %*d %*o %*u %d %*d %*u %*u %*u %*u %*u %*u %*u %*u %llu", &pid,
                   &rss_B) != 2)
            continue;
        sum_B += (double)rss_B;
        if (rss_B > largest_B) {
            largest_B = rss_B;
            *creator = pid;
        }
    }
    if (list != NULL)
        (void)fclose(list); // only read
    *creator = *creator == 0 ? 0 : pid_in_cell(watch, *creator);
    return sum_B / MB;
}

static void report_memory(struct breach *breach, const struct party *largest, double used_MB,
                          double allowed_MB)
{
    report_share(breach, LIMIT_MEMORY, largest == NULL ? NULL : &largest->largest,
                 largest == NULL ? 0 : (double)largest->memory_B / MB, used_MB, allowed_MB);
}

static void check_memory(struct cell_watch *watch, const struct sum *sum, struct breach *breach)
{
    int pid = 0;
    struct cell_look creator;
    const double allowed_MB = watch->limits->memory_MB;
    // A bare cell has no such segments, and others' are none of its.
    const double segments = watch->init != 0 ? 0 : segments_MB(watch, &pid);
    const double used_MB = sum->memory_MB + segments;
    if (used_MB <= allowed_MB)
        return;
    if (segments > sum->memory_MB)
        report(breach, LIMIT_MEMORY,
               pid != 0 && cell_look_at(pid, true, &creator) ? &creator : NULL, used_MB,
               allowed_MB);
    else
        report_memory(breach, largest_party(sum, false), used_MB, allowed_MB);
}

static double used_in_MB(const char *folder)
{
    struct statvfs disk;
    if (statvfs(folder, &disk) != 0)
        return 0;
    return (double)(disk.f_blocks - disk.f_bfree) * (double)disk.f_frsize / MB;
}

static void check_used(const struct cell_watch *watch, const struct sum *sum, double used_MB,
                       struct breach *breach)
{
    const double allowed_MB = LIMITS_FOLDER_FACTOR * watch->limits->file_MB;
    const struct party *writer = largest_party(sum, true);
    const double written_MB =
        writer == NULL ? 0 : (double)(writer->memory_B + writer->written_B) / MB;
    if (used_MB > allowed_MB) // whoever has written a fair part is to blame; else those are gone
        report(breach, LIMIT_FILES, written_MB > used_MB / 2 ? &writer->largest : NULL, used_MB,
               allowed_MB);
}

static void check_files(const struct cell_watch *watch, const struct sum *sum,
                        struct breach *breach)
{
    if (watch->place != NULL) {
        check_used(watch, sum, bare_place_used_MB(watch->place), breach);
        (void)bare_room_ended(watch->place, breach);
        return;
    }
    check_used(watch, sum, used_in_MB("/dev/shm"), breach);
    check_used(watch, sum, used_in_MB("/tmp"), breach);
}

bool cell_watch_look(struct cell_watch *watch, struct breach *breach)
{
    const struct limits *limits = watch->limits;
    const double now_s = look_at_time_s(watch);
    struct sum sum = {0};
    struct cell_look look;
    int pids[CELL_SEEN_MAX];
    const unsigned count = list_processes(watch, pids);
    if (count > limits->processes) { // quickly: every further look takes longer
        report_processes(breach, pids, count, limits->processes);
        return true;
    }
    for (unsigned i = 0; i < count; i++) {
        if (!cell_look_at(pids[i], false, &look))
            continue;
        add(&sum, &look);
        check_process(watch, &look, now_s, &sum, breach);
    }
    check_threads(watch, &sum, breach);
    check_memory(watch, &sum, breach);
    check_files(watch, &sum, breach);
    if (sum.spinner_s > 0)
        report(breach, LIMIT_TURN, &sum.spinner, sum.spinner_s, limits->turn_s);
    if (now_s > limits->wall_s)
        report_share(breach, LIMIT_RUNNING_TIME, &sum.worker,
                     (double)sum.worker.cpu_ticks / (double)sysconf(_SC_CLK_TCK), now_s,
                     limits->wall_s);
    return atomic_load(&breach->limit) != LIMIT_NONE;
}
