// Calls that wait for another process at shared memory: the part of calls.c about what both have
// mapped, wherever each of them has it.
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/shim/calls.h"

#define SIZE_B 8192
#define SHORT_US 20000

struct shared {
    pthread_mutex_t mutex;
    pthread_cond_t condition;
    pthread_rwlock_t lock;
    pthread_barrier_t barrier;
    pthread_spinlock_t spin;
    sem_t semaphore, answer;
    uint32_t word, other;
    int number;
    double start_s; // the parent's
};

static char name[64];

static struct shared *map(void)
{
    const int file = shm_open(name, O_RDWR | O_CREAT, 0600);
    NEED(file >= 0 && ftruncate(file, SIZE_B) == 0);
    struct shared *shared = mmap(NULL, SIZE_B, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    NEED(shared != MAP_FAILED && close(file) == 0);
    return shared;
}

static struct shared *make(int kind)
{
    pthread_mutexattr_t mutex;
    pthread_condattr_t condition;
    pthread_rwlockattr_t lock;
    pthread_barrierattr_t barrier;
    snprintf(name, sizeof name, "/calls-%d", (int)getpid());
    struct shared *shared = map();
    pthread_mutexattr_init(&mutex);
    pthread_mutexattr_setpshared(&mutex, PTHREAD_PROCESS_SHARED);
    pthread_mutexattr_setrobust(&mutex, kind);
    pthread_condattr_init(&condition);
    pthread_condattr_setpshared(&condition, PTHREAD_PROCESS_SHARED);
    pthread_rwlockattr_init(&lock);
    pthread_rwlockattr_setpshared(&lock, PTHREAD_PROCESS_SHARED);
    pthread_barrierattr_init(&barrier);
    pthread_barrierattr_setpshared(&barrier, PTHREAD_PROCESS_SHARED);
    NEED(pthread_mutex_init(&shared->mutex, &mutex) == 0 &&
         pthread_cond_init(&shared->condition, &condition) == 0 &&
         pthread_rwlock_init(&shared->lock, &lock) == 0 &&
         pthread_barrier_init(&shared->barrier, &barrier, 2) == 0 &&
         pthread_spin_init(&shared->spin, PTHREAD_PROCESS_SHARED) == 0 &&
         sem_init(&shared->semaphore, 1, 0) == 0 && sem_init(&shared->answer, 1, 0) == 0);
    return shared;
}

static double begin(struct shared *shared)
{
    shared->start_s = now_s();
    return shared->start_s;
}

static void unmake(struct shared *shared)
{
    NEED(munmap(shared, SIZE_B) == 0 && shm_unlink(name) == 0);
}

static pid_t child_of(void (*work)(struct shared *, int), int way)
{
    const pid_t child = fork();
    NEED(child >= 0);
    if (child == 0) {
        struct shared *shared = map(); // elsewhere than the parent has it
        work(shared, way);
        _exit(0);
    }
    return child;
}

static void join(pid_t child)
{
    int status;
    NEED(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

// ---- what the C library makes of it ----

static void answer(struct shared *shared, int way)
{
    const double start = shared->start_s;
    (void)way;
    NEED(sem_wait(&shared->semaphore) == 0 && TOOK(start, 0.02));
    NEED(pthread_mutex_lock(&shared->mutex) == 0);
    shared->number = 1;
    NEED(pthread_cond_signal(&shared->condition) == 0);
    while (shared->number != 2)
        NEED(pthread_cond_wait(&shared->condition, &shared->mutex) == 0);
    NEED(TOOK(start, 0.04) && pthread_mutex_unlock(&shared->mutex) == 0);
    NEED(pthread_rwlock_rdlock(&shared->lock) == 0 && TOOK(start, 0.06));
    NEED(pthread_rwlock_unlock(&shared->lock) == 0);
    (void)pthread_barrier_wait(&shared->barrier);
    NEED(TOOK(start, 0.08) && sem_post(&shared->answer) == 0);
}

static void shares(void)
{
    struct shared *shared = make(PTHREAD_MUTEX_STALLED);
    NEED(pthread_rwlock_wrlock(&shared->lock) == 0);
    const double start = begin(shared);
    const pid_t child = child_of(answer, 0);
    usleep(SHORT_US);
    NEED(pthread_mutex_lock(&shared->mutex) == 0 && sem_post(&shared->semaphore) == 0);
    while (shared->number != 1)
        NEED(pthread_cond_wait(&shared->condition, &shared->mutex) == 0);
    usleep(SHORT_US); // it waits for the mutex meanwhile
    shared->number = 2;
    NEED(pthread_cond_broadcast(&shared->condition) == 0 &&
         pthread_mutex_unlock(&shared->mutex) == 0);
    usleep(SHORT_US);
    NEED(pthread_rwlock_unlock(&shared->lock) == 0);
    usleep(SHORT_US);
    (void)pthread_barrier_wait(&shared->barrier);
    NEED(sem_wait(&shared->answer) == 0 && TOOK(start, 0.08));
    join(child);
    unmake(shared);
}

static void lock_spinning(struct shared *shared, int way)
{
    (void)way;
    NEED(pthread_spin_lock(&shared->spin) == 0 && TOOK(shared->start_s, 0.02));
}

static void spins(void)
{
    struct shared *shared = make(PTHREAD_MUTEX_STALLED);
    NEED(pthread_spin_lock(&shared->spin) == 0);
    begin(shared);
    const pid_t child = child_of(lock_spinning, 0);
    usleep(SHORT_US);
    NEED(pthread_spin_unlock(&shared->spin) == 0);
    join(child);
    unmake(shared);
}

// What is private has nothing to do with what lies at the same address in a child.
static sem_t own;

static void *post_own(void *argument)
{
    usleep(SHORT_US);
    NEED(sem_post(argument) == 0);
    return NULL;
}

static void is_apart(void)
{
    pthread_t thread;
    NEED(sem_init(&own, 0, 0) == 0);
    const pid_t child = fork(); // waits first, and is woken last
    if (child == 0) {
        const double start = now_s();
        usleep(SHORT_US / 2);
        NEED(pthread_create(&thread, NULL, post_own, &own) == 0);
        NEED(sem_wait(&own) == 0 && TOOK(start, 0.03) && pthread_join(thread, NULL) == 0);
        _exit(0);
    }
    const double start = now_s();
    NEED(pthread_create(&thread, NULL, post_own, &own) == 0);
    NEED(sem_wait(&own) == 0 && TOOK(start, 0.02) && pthread_join(thread, NULL) == 0);
    join(child);
}

// ---- robust mutexes ----

enum end { KILLED, ABORTED, EXITED, EXECUTED, BY_THREAD, ENDS };

static void *hold(void *argument)
{
    NEED(pthread_mutex_lock(argument) == 0);
    usleep(SHORT_US);
    return NULL;
}

static void lose(struct shared *shared, int way)
{
    pthread_t thread;
    if (way == BY_THREAD) {
        NEED(pthread_create(&thread, NULL, hold, &shared->mutex) == 0);
        NEED(pthread_join(thread, NULL) == 0 && usleep(SHORT_US) == 0);
        _exit(0);
    }
    NEED(pthread_mutex_lock(&shared->mutex) == 0 && usleep(SHORT_US) == 0);
    if (way == KILLED)
        kill(getpid(), SIGKILL);
    if (way == ABORTED)
        abort();
    if (way == EXECUTED)
        execl("/bin/sh", "sh", "-c", "sleep 0.02", (char *)NULL);
    _exit(0);
}

static void loses_owner(void)
{
    for (int way = 0; way < ENDS; way++) {
        int status;
        struct shared *shared = make(PTHREAD_MUTEX_ROBUST);
        const double start = now_s();
        const pid_t child = child_of(lose, way);
        usleep(SHORT_US / 2);
        while (pthread_mutex_trylock(&shared->mutex) == 0) // a busy machine began the child late
            NEED(pthread_mutex_unlock(&shared->mutex) == 0 && usleep(1000) == 0);
        NEED(pthread_mutex_lock(&shared->mutex) == EOWNERDEAD && TOOK(start, 0.02));
        NEED(way % 2 == 0 || pthread_mutex_consistent(&shared->mutex) == 0);
        NEED(pthread_mutex_unlock(&shared->mutex) == 0);
        NEED(pthread_mutex_lock(&shared->mutex) == (way % 2 == 0 ? ENOTRECOVERABLE : 0));
        NEED(waitpid(child, &status, 0) == child);
        unmake(shared);
    }
}

// ---- words ----

static long word_call(uint32_t *word, int operation, uint32_t value, const void *t, uint32_t *other,
                      uint32_t third)
{
    return syscall(SYS_futex, word, operation, value, t, other, third);
}

static void wait_at_words(struct shared *shared, int way)
{
    const double start = shared->start_s;
    if (way == 0)
        NEED(word_call(&shared->word, FUTEX_WAIT, 0, NULL, NULL, 0) == 0 && TOOK(start, 0.02));
    else
        NEED(word_call(&shared->word, FUTEX_WAIT, 0, NULL, NULL, 0) == 0 && TOOK(start, 0.04));
}

static void waits_at_words(void)
{
    struct shared *shared = make(PTHREAD_MUTEX_STALLED);
    const struct timespec ms = {.tv_nsec = 1000000};
    begin(shared);
    const pid_t first = child_of(wait_at_words, 0);
    usleep(SHORT_US / 4);
    const pid_t second = child_of(wait_at_words, 1);
    NEED(word_call(&shared->word, FUTEX_WAIT, 1, NULL, NULL, 0) == -1 && errno == EAGAIN);
    NEED(word_call(&shared->word, FUTEX_WAIT, 0, &ms, NULL, 0) == -1 && errno == ETIMEDOUT);
    usleep(SHORT_US * 3 / 4 - 1000);
    // One is woken, and the other waits for the other word.
    NEED(word_call(&shared->word, FUTEX_CMP_REQUEUE, 1, (const void *)1, &shared->other, 0) == 2);
    NEED(word_call(&shared->word, FUTEX_WAKE, 9, NULL, NULL, 0) == 0);
    join(first);
    usleep(SHORT_US);
    NEED(word_call(&shared->word, FUTEX_WAKE_OP, 1, (const void *)1, &shared->other,
                   FUTEX_OP(FUTEX_OP_ADD, 2, FUTEX_OP_CMP_EQ, 0)) == 1);
    NEED(shared->other == 2);
    join(second);
    unmake(shared);
}

// ---- System V ----

static int set_id, queue_id;

struct text {
    long kind;
    char words[8];
};

static int change(short by, short flags, const struct timespec *t)
{
    struct sembuf operation = {.sem_op = by, .sem_flg = flags};
    return semtimedop(set_id, &operation, 1, t);
}

static void answer_queue(struct shared *shared, int way)
{
    struct text text = {0};
    const double start = shared->start_s;
    (void)way;
    NEED(change(-1, SEM_UNDO, NULL) == 0 && TOOK(start, 0.02));
    NEED(msgrcv(queue_id, &text, sizeof text.words, 2, 0) == 6 && TOOK(start, 0.04));
    NEED(strcmp(text.words, "hello") == 0);
    text.kind = 3;
    NEED(msgsnd(queue_id, &text, 6, 0) == 0 && usleep(SHORT_US) == 0);
} // ends: what it has done to the semaphore is undone

static void uses_system_v(void)
{
    struct text text = {1, "hello"};
    const struct timespec ms = {.tv_nsec = 1000000};
    struct shared *shared = make(PTHREAD_MUTEX_STALLED);
    set_id = semget(IPC_PRIVATE, 1, 0600);
    queue_id = msgget(IPC_PRIVATE, 0600);
    NEED(set_id >= 0 && queue_id >= 0);
    double start = now_s();
    NEED(change(-1, IPC_NOWAIT, NULL) == -1 && errno == EAGAIN);
    NEED(change(-1, 0, &ms) == -1 && errno == EAGAIN && TOOK(start, 0.001));
    NEED(msgrcv(queue_id, &text, 8, 9, IPC_NOWAIT) == -1 && errno == ENOMSG);
    start = begin(shared);
    const pid_t child = child_of(answer_queue, 0);
    usleep(SHORT_US);
    NEED(change(1, 0, NULL) == 0 && change(0, 0, NULL) == 0);
    NEED(msgsnd(queue_id, &text, 6, 0) == 0 && usleep(SHORT_US) == 0);
    text.kind = 2;
    NEED(msgsnd(queue_id, &text, 6, 0) == 0);
    NEED(msgrcv(queue_id, &text, 8, 3, 0) == 6 && TOOK(start, 0.04));
    NEED(change(-1, 0, NULL) == 0 && TOOK(start, 0.06));
    join(child);
    NEED(semctl(set_id, 0, IPC_RMID) == 0 && msgctl(queue_id, IPC_RMID, NULL) == 0);
    unmake(shared);
}

// The first one of a cell has the number 0.
static void shares_system_v(void)
{
    const int id = shmget(IPC_PRIVATE, SIZE_B, IPC_CREAT | 0600);
    sem_t *const here = shmat(id, NULL, 0), *const there = shmat(id, NULL, 0);
    NEED(id >= 0 && here != (void *)-1 && there != (void *)-1 && sem_init(here, 1, 0) == 0);
    const double start = now_s();
    const pid_t child = fork();
    if (child == 0) {
        usleep(SHORT_US);
        NEED(sem_post(there) == 0);
        _exit(0);
    }
    NEED(sem_wait(here) == 0 && TOOK(start, 1e-6 * SHORT_US));
    join(child);
    NEED(shmctl(id, IPC_RMID, NULL) == 0);
}

const struct subject shared_subjects[] = {
    {"shared", shares},          {"apart", is_apart},
    {"robust", loses_owner},     {"words", waits_at_words},
    {"system-v", uses_system_v}, {"system-v-memory", shares_system_v},
    {"shared-spin", spins},      {NULL, NULL}};
