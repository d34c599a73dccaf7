// Threads and processes that spin at a plain word in memory, without any call: who they are is the
// first argument. Each prints how long it took in all; `for-ever` and its like never end.
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define SPINS_US 20000
#define ROUNDS 200

static volatile int word, other;
static _Atomic int lock;
static volatile double number;

static double now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void *set_later(void *argument)
{
    usleep(SPINS_US);
    *(volatile int *)argument = 1;
    number = 1;
    atomic_store(&lock, 0);
    return NULL;
}

static void beside(void (*spin)(void))
{
    pthread_t thread;
    pthread_create(&thread, NULL, set_later, (void *)&word);
    spin();
    pthread_join(thread, NULL);
}

// ---- ways to spin -------------------------------------------------------------------------------

static void plain(void)
{
    while (word == 0)
        continue;
}

static void paused(void)
{
    while (word == 0)
        __builtin_ia32_pause();
}

static int __attribute__((noinline)) is_set(const volatile int *of)
{
    return *of != 0;
}

static void called(void)
{
    while (!is_set(&word))
        continue;
}

static void backing_off(void)
{
    for (unsigned wait = 1; word == 0; wait = wait < 64 ? 2 * wait : wait)
        for (unsigned i = 0; i < wait; i++)
            __builtin_ia32_pause();
}

static void exchanged(void)
{
    while (atomic_exchange(&lock, 1) != 0)
        continue;
}

static void compared(void)
{
    for (int none = 0; !atomic_compare_exchange_weak(&lock, &none, 1); none = 0)
        continue;
}

static void real(void)
{
    while (number < 0.5)
        continue;
}

// How often depends on the machine: no trial determines it.
static void counted(void)
{
    while (word == 0)
        other++;
}

static void for_ever(void)
{
    while (word < 2)
        continue;
}

static void counting_for_ever(void)
{
    while (word < 2)
        other++;
}

static void nothing_for_ever(void)
{
    for (;;)
        continue;
}

// ---- rounds -------------------------------------------------------------------------------------

static void *answer(void *argument)
{
    for (int i = 0; i < ROUNDS; i++) {
        while (word != 2 * i + 1)
            continue;
        word = 2 * i + 2;
    }
    return argument;
}

static void rounds(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, answer, NULL);
    for (int i = 0; i < ROUNDS; i++) {
        word = 2 * i + 1;
        while (word != 2 * i + 2)
            continue;
    }
    pthread_join(thread, NULL);
}

static void child(void)
{
    volatile int *const shared =
        mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    const pid_t pid = fork();
    if (pid == 0) {
        while (*shared == 0)
            continue;
        _exit(0);
    }
    usleep(SPINS_US);
    *shared = 1;
    waitpid(pid, NULL, 0);
}

static void on_alarm(int signal)
{
    word = signal;
}

static void alarmed(void)
{
    const struct itimerval once = {.it_value.tv_usec = SPINS_US};
    signal(SIGALRM, on_alarm);
    setitimer(ITIMER_REAL, &once, NULL);
    plain();
}

static void computing(void)
{
    volatile unsigned sum = 0;
    for (unsigned i = 0; i < 300000000; i++)
        sum += i ^ (unsigned)word;
}

// A second thread spins to the end, and others go on.
static void *spin_on(void *argument)
{
    for_ever();
    return argument;
}

static void beside_one(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, spin_on, NULL);
    for (int i = 0; i < 20; i++)
        usleep(1000);
    word = 2;
    pthread_join(thread, NULL);
}

static const struct {
    const char *name;
    void (*spin)(void);
    int alone; // no other thread sets the word
} ways[] = {{"plain", plain, 0},
            {"paused", paused, 0},
            {"called", called, 0},
            {"backing-off", backing_off, 0},
            {"exchanged", exchanged, 0},
            {"compared", compared, 0},
            {"real", real, 0},
            {"counted", counted, 0},
            {"rounds", rounds, 1},
            {"child", child, 1},
            {"alarmed", alarmed, 1},
            {"computing", computing, 1},
            {"beside-one", beside_one, 1},
            {"for-ever", for_ever, 0},
            {"counting-for-ever", counting_for_ever, 0},
            {"nothing-for-ever", nothing_for_ever, 0}};

int main(int argc, char **argv)
{
    const double from_s = now_s();
    atomic_store(&lock, 1);
    for (size_t i = 0; argc > 1 && i < sizeof ways / sizeof ways[0]; i++)
        if (strcmp(argv[1], ways[i].name) == 0) {
            if (ways[i].alone)
                ways[i].spin();
            else
                beside(ways[i].spin);
            printf("%s: after %.4f s\n", ways[i].name, now_s() - from_s);
            return 0;
        }
    return 2;
}
