#include "harness/campaign/core.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "base/text.h"

#define SAMPLE_NS 40000000 // over which load is looked at: some ticks of any kernel
#define BUSY_SHARE 0.5

// ---- what the user says -------------------------------------------------------------------------

static void tell_cores(const cpu_set_t *set, char *words, size_t size)
{
    for (int core = 0; core < CPU_SETSIZE; core++) {
        int last = core;
        if (!CPU_ISSET(core, set))
            continue;
        while (last + 1 < CPU_SETSIZE && CPU_ISSET(last + 1, set))
            last++;
        text_add(words, size, last > core ? " %d-%d" : " %d", core, last);
        core = last;
    }
}

// "0,2-3". False: it is no such list.
static bool read_list(const char *text, cpu_set_t *set)
{
    CPU_ZERO(set);
    for (char *end; isdigit((unsigned char)*text); text = end + 1) {
        const unsigned long first = strtoul(text, &end, 10);
        unsigned long last = first;
        if (*end == '-' && isdigit((unsigned char)end[1]))
            last = strtoul(end + 1, &end, 10);
        if (last < first || last >= CPU_SETSIZE || (*end != ',' && *end != '\0'))
            return false;
        for (unsigned long core = first; core <= last; core++)
            CPU_SET(core, set);
        if (*end == '\0')
            return true;
    }
    return false;
}

bool core_choose(const char *text, struct core_choice *choice, char *words, size_t size)
{
    cpu_set_t mine;
    *choice = (struct core_choice){.given = strcmp(text, "auto") != 0};
    if (sched_getaffinity(0, sizeof mine, &mine) != 0) // more cores than a set holds
        CPU_ZERO(&mine);
    choice->none = strcmp(text, "none") == 0;
    choice->among = mine;
    if (!choice->given || choice->none)
        return true;
    if (!read_list(text, &choice->among)) {
        snprintf(words, size, "is neither auto, nor none, nor a list of cores such as 0,2-3");
        return false;
    }
    cpu_set_t both;
    CPU_AND(&both, &choice->among, &mine);
    if (CPU_EQUAL(&both, &choice->among))
        return true;
    snprintf(words, size, "this process may not use all of these cores; name some of");
    tell_cores(&mine, words, size);
    return false;
}

// ---- what is free -------------------------------------------------------------------------------

// Whether more runs on the machine than this process: else nothing needs to be sampled.
static bool others_run(void)
{
    unsigned running = 1;
    FILE *load = fopen("/proc/loadavg", "re");
    if (load == NULL)
        return false;
    if (fscanf(load, "%*s %*s %*s %u/", &running) != 1)
        running = 1;
    (void)fclose(load); // only read
    return running > 1;
}

// Of each core the time that it has been idle and not, in ticks; false: not known.
static bool read_ticks(uint64_t idle[CPU_SETSIZE], uint64_t all[CPU_SETSIZE])
{
    char line[512];
    FILE *file = fopen("/proc/stat", "re");
    if (file == NULL)
        return false;
    while (fgets(line, sizeof line, file) != NULL) {
        char *at;
        if (strncmp(line, "cpu", 3) != 0 || !isdigit((unsigned char)line[3]))
            continue;
        const unsigned long core = strtoul(line + 3, &at, 10);
        for (unsigned i = 0; i < 8 && core < CPU_SETSIZE; i++) { // user to steal
            const uint64_t ticks = strtoull(at, &at, 10);
            all[core] += ticks;
            idle[core] += i == 3 || i == 4 ? ticks : 0; // waiting for a disk is idle, too
        }
    }
    (void)fclose(file); // only read
    return true;
}

static void find_busy(cpu_set_t *busy)
{
    static uint64_t idle[2][CPU_SETSIZE], all[2][CPU_SETSIZE];
    const struct timespec sample = {.tv_nsec = SAMPLE_NS};
    CPU_ZERO(busy);
    if (!others_run() || !read_ticks(idle[0], all[0]) || nanosleep(&sample, NULL) != 0 ||
        !read_ticks(idle[1], all[1]))
        return;
    for (unsigned core = 0; core < CPU_SETSIZE; core++)
        if ((double)(idle[1][core] - idle[0][core]) <
            (1 - BUSY_SHARE) * (double)(all[1][core] - all[0][core]))
            CPU_SET(core, busy);
}

// The machine's folder for locks of what its programs share; every user may write there.
#define LOCKS "/run/lock"

// The lock's file, which stays: whoever removed it could let two labs lock two files of one name.
// Another user's is opened as it is, since the kernel refuses to create over it. -1: errno says
// why.
static int open_lock(int core)
{
    char path[64];
    snprintf(path, sizeof path, LOCKS "/ukemi-core-%d", core);
    int lock = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (lock < 0 && errno == ENOENT)
        lock = open(path, O_RDONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644);
    if (lock < 0 && errno == EEXIST) // another lab was quicker
        lock = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    return lock;
}

// Where there is no such folder: an abstract socket's name is held by one process at a time, but is
// seen in its network namespace alone.
static bool claim_name(int core)
{
    struct sockaddr_un name = {.sun_family = AF_UNIX};
    const int length =
        snprintf(name.sun_path + 1, sizeof name.sun_path - 1, "ukemi/core/%d", core) + 1;
    const int held = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (held >= 0 &&
        bind(held, (struct sockaddr *)&name,
             (socklen_t)(offsetof(struct sockaddr_un, sun_path) + (size_t)length)) == 0)
        return true;
    if (held >= 0)
        close(held);
    return false;
}

// Until this process ends, however it does: the kernel lets go of either.
static bool claim(int core)
{
    const int lock = open_lock(core);
    if (lock < 0)
        return claim_name(core);
    if (flock(lock, LOCK_EX | LOCK_NB) == 0)
        return true;
    close(lock);
    return false;
}

int core_after(const struct core_choice *choice, int core)
{
    if (core < 0 || CPU_COUNT(&choice->among) == 0)
        return -1;
    do
        core = (core + 1) % CPU_SETSIZE;
    while (!CPU_ISSET(core, &choice->among));
    return core;
}

// From a core of its own choice on, so that labs that see nothing of each other spread.
static int any_core(const struct core_choice *choice)
{
    uint16_t drawn = 0;
    if (getrandom(&drawn, sizeof drawn, GRND_NONBLOCK) < 0)
        drawn = (uint16_t)getpid();
    return core_after(choice, drawn % CPU_SETSIZE);
}

int core_claim(const struct core_choice *choice)
{
    static int last = -1;
    static bool looked;
    static cpu_set_t busy;
    const int first = last >= 0 ? core_after(choice, last) : any_core(choice);
    if (choice->none || first < 0)
        return -1;
    if (!looked)
        find_busy(&busy);
    looked = true;
    for (int pass = 0; pass < 2; pass++) {
        int core = first;
        do {
            if ((pass > 0 || !CPU_ISSET(core, &busy)) && claim(core))
                return last = core;
            core = core_after(choice, core);
        } while (core != first);
    }
    return last = first;
}
