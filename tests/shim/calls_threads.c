// Threads: what they wait for each other with.
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "tests/shim/calls.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static sem_t semaphore;
static int value, order[64], ordered;

static pthread_t start(void *(*function)(void *), void *argument)
{
    pthread_t thread;
    NEED(pthread_create(&thread, NULL, function, argument) == 0);
    return thread;
}

static struct timespec in_ms(clockid_t id, long ms)
{
    struct timespec t;
    clock_gettime(id, &t);
    t.tv_nsec += ms * 1000000;
    t.tv_sec += t.tv_nsec / 1000000000;
    t.tv_nsec %= 1000000000;
    return t;
}

// ---- subjects

static void *sleeper(void *argument)
{
    usleep((useconds_t)(uintptr_t)argument * 1000);
    order[ordered++] = (int)(uintptr_t)argument;
    return argument;
}

static void joins(void)
{
    pthread_t thread[3];
    void *result;
    const double begin = now_s();
    for (int i = 0; i < 3; i++)
        thread[i] = start(sleeper, (void *)(uintptr_t)(300 - 100 * i));
    for (int i = 0; i < 3; i++)
        NEED(pthread_join(thread[i], &result) == 0 && result == (void *)(uintptr_t)(300 - 100 * i));
    NEED(TOOK(begin, 0.3) && order[0] == 100 && order[1] == 200 && order[2] == 300);
}

static void *counts(void *argument)
{
    for (int i = 0; i < 100; i++) {
        pthread_mutex_lock(&mutex);
        const int old = value;
        if (i % 10 == 0)
            usleep(100);
        value = old + 1;
        pthread_mutex_unlock(&mutex);
    }
    return argument;
}

static void mutexes(void)
{
    pthread_t thread[4];
    for (int i = 0; i < 4; i++)
        thread[i] = start(counts, NULL);
    for (int i = 0; i < 4; i++)
        pthread_join(thread[i], NULL);
    NEED(value == 400);
    pthread_mutex_lock(&mutex);
    const struct timespec until = in_ms(CLOCK_REALTIME, 20);
    const double begin = now_s();
    NEED(pthread_mutex_timedlock(&mutex, &until) == ETIMEDOUT && TOOK(begin, 0.0199));
    pthread_mutex_unlock(&mutex);
}

static void *producer(void *argument)
{
    for (int i = 0; i < 5; i++) {
        usleep(10000);
        pthread_mutex_lock(&mutex);
        value++;
        pthread_cond_signal(&condition);
        pthread_mutex_unlock(&mutex);
    }
    return argument;
}

static void conditions(void)
{
    const double begin = now_s();
    const pthread_t thread = start(producer, NULL);
    pthread_mutex_lock(&mutex);
    while (value < 5)
        NEED(pthread_cond_wait(&condition, &mutex) == 0);
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
    NEED(TOOK(begin, 0.05));
    pthread_mutex_lock(&mutex);
    const struct timespec until = in_ms(CLOCK_REALTIME, 50), fine = in_ms(CLOCK_MONOTONIC, 80);
    double waited = now_s();
    NEED(pthread_cond_timedwait(&condition, &mutex, &until) == ETIMEDOUT && TOOK(waited, 0.0499));
    NEED(pthread_cond_clockwait(&condition, &mutex, CLOCK_MONOTONIC, &fine) == ETIMEDOUT);
    NEED(TOOK(waited, 0.0799));
    pthread_mutex_unlock(&mutex);
    pthread_condattr_t attributes;
    pthread_cond_t monotonic;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    NEED(pthread_cond_init(&monotonic, &attributes) == 0);
    const struct timespec soon = in_ms(CLOCK_MONOTONIC, 30);
    waited = now_s();
    pthread_mutex_lock(&mutex);
    NEED(pthread_cond_timedwait(&monotonic, &mutex, &soon) == ETIMEDOUT && TOOK(waited, 0.0299));
    pthread_mutex_unlock(&mutex);
}

static void *poster(void *argument)
{
    for (int i = 0; i < 3; i++) {
        usleep(10000);
        sem_post(&semaphore);
    }
    return argument;
}

static void semaphores(void)
{
    NEED(sem_init(&semaphore, 0, 0) == 0 && sem_trywait(&semaphore) == -1 && errno == EAGAIN);
    const double begin = now_s();
    const pthread_t thread = start(poster, NULL);
    for (int i = 0; i < 3; i++)
        NEED(sem_wait(&semaphore) == 0);
    pthread_join(thread, NULL);
    NEED(TOOK(begin, 0.03));
    const struct timespec until = in_ms(CLOCK_REALTIME, 20);
    NEED(sem_timedwait(&semaphore, &until) == -1 && errno == ETIMEDOUT && TOOK(begin, 0.0499));
}

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_barrier_t barrier;

static void *writes(void *argument)
{
    pthread_rwlock_wrlock(&lock);
    value = 9;
    usleep(10000);
    pthread_rwlock_unlock(&lock);
    return argument;
}

static void locks(void)
{
    pthread_rwlock_rdlock(&lock);
    const double begin = now_s();
    const pthread_t thread = start(writes, NULL);
    usleep(5000);
    NEED(value == 0);
    do { // a writer may be late, where time is real
        pthread_rwlock_unlock(&lock);
        usleep(1000);
        pthread_rwlock_rdlock(&lock);
    } while (value != 9);
    NEED(TOOK(begin, 0.015));
    pthread_rwlock_unlock(&lock);
    pthread_join(thread, NULL);
}

static void *meets(void *argument)
{
    usleep((useconds_t)(uintptr_t)argument * 1000);
    return (void *)(intptr_t)pthread_barrier_wait(&barrier);
}

static void barriers(void)
{
    void *first, *second;
    NEED(pthread_barrier_init(&barrier, NULL, 3) == 0);
    const double begin = now_s();
    for (int i = 0; i < 2; i++) {
        const pthread_t a = start(meets, (void *)10), b = start(meets, (void *)20);
        const int own = pthread_barrier_wait(&barrier);
        NEED(TOOK(begin, 0.02 * (i + 1)));
        pthread_join(a, &first);
        pthread_join(b, &second);
        NEED(own + (int)(intptr_t)first + (int)(intptr_t)second == PTHREAD_BARRIER_SERIAL_THREAD);
    }
}

static void *echoes(void *argument)
{
    const int socket = *(int *)argument;
    char bytes[16];
    ssize_t got;
    while ((got = recv(socket, bytes, sizeof bytes, 0)) > 0)
        NEED(send(socket, bytes, (size_t)got, 0) == got);
    return NULL;
}

static void talks(void)
{
    int pair[2];
    char bytes[16];
    NEED(socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0);
    const pthread_t thread = start(echoes, &pair[1]);
    for (int i = 0; i < 100; i++) {
        NEED(send(pair[0], "hello", 5, 0) == 5);
        NEED(recv(pair[0], bytes, sizeof bytes, 0) == 5 && memcmp(bytes, "hello", 5) == 0);
    }
    NEED(shutdown(pair[0], SHUT_WR) == 0 && pthread_join(thread, NULL) == 0);
}

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static void make_key(void)
{
    usleep(1000);
    NEED(pthread_key_create(&key, NULL) == 0);
    value++;
}
static void *uses_key(void *argument)
{
    pthread_once(&once, make_key);
    pthread_exit(argument);
}
static void onces(void)
{
    pthread_t thread[3];
    void *result;
    for (uintptr_t i = 0; i < 3; i++)
        thread[i] = start(uses_key, (void *)i);
    for (uintptr_t i = 0; i < 3; i++)
        NEED(pthread_join(thread[i], &result) == 0 && result == (void *)i);
    NEED(value == 1);
}

// A thread that waits for a condition looks for signals when something was written. The condition
// may come true before it has had its turn for that.
static pthread_mutex_t told_mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t told = PTHREAD_COND_INITIALIZER;
static bool is_told;
static void *tells(void *argument)
{
    char byte;
    NEED(read(*(int *)argument, &byte, 1) == 1);
    pthread_mutex_lock(&told_mutex);
    is_told = true;
    pthread_cond_signal(&told);
    pthread_mutex_unlock(&told_mutex);
    return NULL;
}
static void *hears(void *argument)
{
    pthread_mutex_lock(&told_mutex);
    while (!is_told)
        pthread_cond_wait(&told, &told_mutex);
    pthread_mutex_unlock(&told_mutex);
    return argument;
}
static void ignores(int number)
{
    (void)number;
}
static void tidings(void)
{
    int ends[2];
    NEED(pipe(ends) == 0 && signal(SIGUSR1, ignores) != SIG_ERR);
    const pthread_t first = start(tells, &ends[0]), second = start(hears, NULL);
    usleep(10000);
    NEED(write(ends[1], "x", 1) == 1);
    NEED(pthread_join(first, NULL) == 0 && pthread_join(second, NULL) == 0);
}

const struct subject thread_subjects[] = {{"join", joins},           {"mutex", mutexes},
                                          {"condition", conditions}, {"semaphore", semaphores},
                                          {"rwlock", locks},         {"barrier", barriers},
                                          {"thread-echo", talks},    {"once", onces},
                                          {"tidings", tidings},      {NULL, NULL}};
