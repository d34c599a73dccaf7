// Two programs that know nothing of the lab meet at shared memory, which each has elsewhere.
//
//   meet first|second    hand over to each other by each means; the second says how late it was
//   meet holder|heir     the holder has a robust mutex for good; the heir says when it got it
//
// Exit status 1: something is not as it should be, with the line.
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define KEY 4711
#define ROUNDS 20
#define PERIOD_US 10000
#define PERIOD_S 0.01
#define LATE_S 0.0002 // each sleep is late by the slack

#define NEED(condition) need(condition, #condition, __LINE__)
static void need(bool holds, const char *what, int line)
{
    if (holds)
        return;
    printf("line %d: %s (errno %d)\n", line, what, errno);
    exit(1);
}

static struct shared {
    pthread_mutex_t mutex;
    pthread_cond_t condition;
    uint32_t word;
    int ready, number;
    double time_s; // when the first did the last thing
} * shared;

static double now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void map(size_t pages_before)
{
    const int file = shm_open("/meet", O_RDWR | O_CREAT, 0600);
    NEED(file >= 0 && ftruncate(file, 4096) == 0);
    if (pages_before > 0)
        NEED(mmap(NULL, pages_before * 4096, PROT_READ, MAP_SHARED | MAP_ANONYMOUS, -1, 0) !=
             MAP_FAILED);
    shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    NEED(shared != MAP_FAILED);
}

static void make(void)
{
    pthread_mutexattr_t mutex;
    pthread_condattr_t condition;
    pthread_mutexattr_init(&mutex);
    pthread_mutexattr_setpshared(&mutex, PTHREAD_PROCESS_SHARED);
    pthread_mutexattr_setrobust(&mutex, PTHREAD_MUTEX_ROBUST);
    pthread_condattr_init(&condition);
    pthread_condattr_setpshared(&condition, PTHREAD_PROCESS_SHARED);
    NEED(pthread_mutex_init(&shared->mutex, &mutex) == 0);
    NEED(pthread_cond_init(&shared->condition, &condition) == 0);
    shared->ready = 1;
}

// ---- one means each: the first's part, and the second's ----

static sem_t *semaphore;
static int set_id, queue_id;
static struct text {
    long kind;
    double time_s;
} text = {.kind = 1};

static void post(void)
{
    NEED(sem_post(semaphore) == 0);
}
static void take(void)
{
    NEED(sem_wait(semaphore) == 0);
}

static void signal_condition(void)
{
    NEED(pthread_mutex_lock(&shared->mutex) == 0);
    shared->number++;
    NEED(pthread_cond_signal(&shared->condition) == 0);
    NEED(pthread_mutex_unlock(&shared->mutex) == 0);
}
static void await_condition(void)
{
    static int seen;
    NEED(pthread_mutex_lock(&shared->mutex) == 0);
    while (shared->number == seen)
        NEED(pthread_cond_wait(&shared->condition, &shared->mutex) == 0);
    seen = shared->number;
    NEED(pthread_mutex_unlock(&shared->mutex) == 0);
}

static void wake_word(void)
{
    __atomic_add_fetch(&shared->word, 1, __ATOMIC_SEQ_CST);
    (void)syscall(SYS_futex, &shared->word, FUTEX_WAKE, 1, NULL, NULL, 0);
}
static void wait_word(void)
{
    static uint32_t seen;
    while (__atomic_load_n(&shared->word, __ATOMIC_SEQ_CST) == seen)
        (void)syscall(SYS_futex, &shared->word, FUTEX_WAIT, seen, NULL, NULL, 0);
    seen++;
}

static void change(short by)
{
    struct sembuf operation = {.sem_op = by};
    NEED(semop(set_id, &operation, 1) == 0);
}
static void raise_set(void)
{
    change(1);
}
static void lower_set(void)
{
    change(-1);
}

static void put_message(void)
{
    NEED(msgsnd(queue_id, &text, sizeof text.time_s, 0) == 0);
}
static void take_message(void)
{
    NEED(msgrcv(queue_id, &text, sizeof text.time_s, 0, 0) == sizeof text.time_s);
}

static const struct means {
    const char *name;
    void (*give)(void), (*take)(void);
} all[] = {{"semaphore", post, take},
           {"condition", signal_condition, await_condition},
           {"word", wake_word, wait_word},
           {"set", raise_set, lower_set},
           {"queue", put_message, take_message}};
#define MEANS (sizeof all / sizeof all[0])

static void be_first(void)
{
    for (size_t i = 0; i < MEANS; i++)
        for (int round = 0; round < ROUNDS; round++) {
            usleep(PERIOD_US);
            shared->time_s = now_s();
            all[i].give();
        }
}

static void be_second(void)
{
    for (size_t i = 0; i < MEANS; i++) {
        const double start_s = now_s();
        double latest_s = 0;
        for (int round = 0; round < ROUNDS; round++) {
            all[i].take();
            const double late_s = now_s() - shared->time_s;
            latest_s = late_s > latest_s ? late_s : latest_s;
        }
        printf("%s: %s\n", all[i].name,
               latest_s < LATE_S && now_s() - start_s > 0.5 * ROUNDS * PERIOD_S ? "at once"
                                                                                : "late");
    }
}

// ---- who inherits ----

static void be_holder(void)
{
    NEED(pthread_mutex_lock(&shared->mutex) == 0);
    for (;;)
        pause();
}

static void be_heir(void)
{
    usleep(PERIOD_US);
    const int got = pthread_mutex_lock(&shared->mutex);
    if (got == EOWNERDEAD)
        NEED(pthread_mutex_consistent(&shared->mutex) == 0 &&
             pthread_mutex_unlock(&shared->mutex) == 0);
    printf("%s at %.1f s\n", got == EOWNERDEAD ? "inherited" : strerror(got), now_s() - 1000);
}

int main(int count, char **words)
{
    const char *role = count > 1 ? words[1] : "";
    const bool makes = strcmp(role, "first") == 0 || strcmp(role, "holder") == 0;
    map(makes ? 0 : 7);
    if (makes && !shared->ready)
        make();
    while (!shared->ready)
        usleep(PERIOD_US / 10);
    semaphore = sem_open("/meet", O_CREAT, 0600, 0);
    set_id = semget(KEY, 1, IPC_CREAT | 0600);
    queue_id = msgget(KEY, IPC_CREAT | 0600);
    NEED(semaphore != SEM_FAILED && set_id >= 0 && queue_id >= 0);
    if (strcmp(role, "first") == 0)
        be_first();
    else if (strcmp(role, "second") == 0)
        be_second();
    else if (strcmp(role, "holder") == 0)
        be_holder();
    else
        be_heir();
    return 0;
}
