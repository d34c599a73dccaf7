// An operator program that, a second after it has joined the clock, uses what it must not.
//
//   cell_hog HABIT MARK        MARK is only there to be found in /proc
//
// none: does nothing wrong. bomb: forks without end, as do its children, deaf to every signal.
// threads: starts threads without end. crowd: so do many processes, some each.
// escape: leaves a deaf process in a session of its own behind, then goes on well. memory, memfd,
// segment: take memory of three kinds without end. fill: many files in /dev/shm, tmp: in /tmp.
// file: one file without end. deaf-file: the same, ignoring the signal that ends it. open:
// descriptors without end. flood: writes to its output without end. drip: a megabyte each cycle.
// spin: never waits again. starve: so does a child of it, to which it leaves hardly a processor.
// slow: burns half a second of CPU time in each cycle. outside: writes to files outside the cell;
// says what it could. cut: cuts off the file of a channel that others read.
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "clock/clock.h"

#define CHUNK_B ((size_t)1 << 20)

static char chunk[CHUNK_B];

static void deafen(void)
{
    for (int number = 1; number < NSIG; number++)
        (void)signal(number, SIG_IGN);
}

static void bomb(void)
{
    deafen();
    for (;;)
        (void)!fork();
}

static void escape(void)
{
    if (fork() != 0)
        return;
    setsid();
    if (fork() != 0)
        _exit(0);
    deafen();
    for (;;)
        pause();
}

// What was taken is kept, and the process stays: a program that copes with refusal.
static void memory(void)
{
    for (;;) {
        void *more = malloc(CHUNK_B);
        if (more != NULL)
            memset(more, 1, CHUNK_B);
    }
}

static void *wait_for_ever(void *unused)
{
    (void)pause();
    return unused;
}

static void start_threads(unsigned count)
{
    pthread_attr_t small; // or memory ends first
    pthread_attr_init(&small);
    (void)pthread_attr_setstacksize(&small, 1 << 16);
    for (unsigned i = 0; i < count; i++) {
        pthread_t thread;
        (void)pthread_create(&thread, &small, wait_for_ever, NULL);
    }
    pthread_attr_destroy(&small);
}

// Each in a process group of its own.
static void crowd(void)
{
    for (int i = 0; i < 12; i++)
        if (fork() == 0) {
            (void)setpgid(0, 0);
            start_threads(4);
            (void)pause();
        }
}

static void memfd(void)
{
    for (;;) {
        int file = memfd_create("hog", 0);
        if (file < 0) {
            printf("memfd_create: %s", strerror(errno));
            fflush(stdout);
            abort();
        }
        for (int i = 0; i < 7; i++)
            (void)!write(file, chunk, CHUNK_B);
    }
}

static void segment(void)
{
    for (;;) {
        int id = shmget(IPC_PRIVATE, CHUNK_B, 0600);
        void *more = id < 0 ? (void *)-1 : shmat(id, NULL, 0);
        if (more == (void *)-1)
            continue;
        memset(more, 1, CHUNK_B);
        shmdt(more);
    }
}

static void fill(const char *folder)
{
    for (unsigned i = 0;; i++) {
        char path[64];
        snprintf(path, sizeof path, "%s/hog-%u", folder, i);
        int file = open(path, O_CREAT | O_WRONLY, 0600);
        ssize_t written = file < 0 ? -1 : write(file, chunk, CHUNK_B);
        if (file >= 0)
            close(file);
        if (written != (ssize_t)CHUNK_B)
            return;
    }
}

static void one_file(void)
{
    int file = open("/tmp/hog", O_CREAT | O_WRONLY, 0600);
    for (;;)
        (void)!write(file, chunk, CHUNK_B);
}

static void open_files(void)
{
    while (open("/dev/null", O_RDONLY) >= 0)
        continue;
}

static void flood(void)
{
    memset(chunk, 'x', sizeof chunk);
    for (;;)
        (void)!write(1, chunk, CHUNK_B);
}

static void burn(double cpu_s)
{
    struct timespec used;
    do
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    while ((double)used.tv_sec + 1e-9 * (double)used.tv_nsec < cpu_s);
}

// The child runs on the parent's core when nobody else wants it, which is 5 ms of 100.
static void starve(void)
{
    const struct sched_param none = {0};
    cpu_set_t first;
    CPU_ZERO(&first);
    CPU_SET(0, &first);
    if (sched_setaffinity(0, sizeof first, &first) != 0)
        exit(4);
    if (fork() == 0) {
        if (sched_setscheduler(0, SCHED_IDLE, &none) != 0)
            exit(4);
        burn(1e9);
    }
    for (double cpu_s = 0.1;; cpu_s += 0.1) {
        burn(cpu_s);
        (void)usleep(5000);
    }
}

// The folder of the build is there for all; it and the machine's own files must not change.
static void outside(void)
{
    static const char *const folders[] = {"/", "/usr", "/dev", "/dev/shm/build", "/dev/shm/target"};
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
        char path[64];
        snprintf(path, sizeof path, "%s/ukemi-hog", folders[i]);
        int file = open(path, O_CREAT | O_WRONLY, 0600);
        printf("%s: %s; ", folders[i], file >= 0 ? "written" : strerror(errno));
    }
    fflush(stdout);
    abort(); // so that these words are shown
}

static void cut(void)
{
    char path[256];
    snprintf(path, sizeof path, "%s/channels/state", getenv("UKEMI_CELL"));
    if (truncate(path, 0) != 0)
        exit(4);
}

static void misbehave(const char *habit)
{
    if (strcmp(habit, "cut") == 0)
        cut();
    if (strcmp(habit, "bomb") == 0)
        bomb();
    if (strcmp(habit, "escape") == 0)
        escape();
    if (strcmp(habit, "memory") == 0)
        memory();
    if (strcmp(habit, "memfd") == 0)
        memfd();
    if (strcmp(habit, "segment") == 0)
        segment();
    if (strcmp(habit, "fill") == 0)
        fill("/dev/shm");
    if (strcmp(habit, "tmp") == 0)
        fill("/tmp");
    if (strcmp(habit, "threads") == 0)
        start_threads(1U << 31);
    if (strcmp(habit, "crowd") == 0)
        crowd();
    if (strcmp(habit, "deaf-file") == 0)
        deafen();
    if (strcmp(habit, "file") == 0 || strcmp(habit, "deaf-file") == 0)
        one_file();
    if (strcmp(habit, "open") == 0)
        open_files();
    if (strcmp(habit, "flood") == 0)
        flood();
    if (strcmp(habit, "spin") == 0)
        burn(1e9);
    if (strcmp(habit, "starve") == 0)
        starve();
    if (strcmp(habit, "outside") == 0)
        outside();
}

int main(int argc, char **argv)
{
    struct clk *clk;
    if (argc < 3)
        return 2;
    const char *habit = argv[1];
    if (clk_join(&clk) != STATUS_OK)
        return 3;
    clk_sleep_until(clk, instant_s(1));
    misbehave(habit);
    for (double time_s = 1.01;; time_s += 0.01) {
        clk_sleep_until(clk, instant_s(time_s));
        if (strcmp(habit, "slow") == 0)
            burn(0.5 + 0.5 * (time_s - 1.01) / 0.01);
        if (strcmp(habit, "drip") == 0)
            (void)!write(1, chunk, CHUNK_B);
    }
}
