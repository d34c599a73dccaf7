// Waits 20 ms for a thread or a child without ever blocking: by a yield, a clock, a lock, or tries.
//
//   spin WAY
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static _Atomic int *done;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static sem_t semaphore;

static double now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void *finish(void *argument)
{
    (void)argument;
    usleep(20000);
    pthread_mutex_lock(&mutex);
    *done = 1;
    pthread_mutex_unlock(&mutex);
    sem_post(&semaphore);
    return NULL;
}

static void look(const char *way, pid_t child)
{
    int status;
    if (strstr(way, "yield") != NULL)
        (void)sched_yield();
    else if (strstr(way, "clock") != NULL)
        (void)now_s();
    else if (strcmp(way, "lock") == 0) {
        pthread_mutex_lock(&mutex);
        pthread_mutex_unlock(&mutex);
    } else if (strcmp(way, "try") == 0)
        (void)(pthread_mutex_trylock(&mutex) == 0 && pthread_mutex_unlock(&mutex) == 0);
    else if (strcmp(way, "try-semaphore") == 0)
        (void)sem_trywait(&semaphore);
    else if (strcmp(way, "child-wait") == 0 && waitpid(child, &status, WNOHANG) == child)
        *done = 1;
}

int main(int count, char **words)
{
    const char *way = count > 1 ? words[1] : "";
    const double start_s = now_s();
    pthread_t thread;
    pid_t child = 0;
    done = mmap(NULL, sizeof *done, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (done == MAP_FAILED || sem_init(&semaphore, 0, 0) != 0)
        return 1;
    if (strstr(way, "child") == NULL)
        pthread_create(&thread, NULL, finish, NULL);
    else if ((child = fork()) == 0) {
        (void)finish(NULL);
        _exit(0);
    }
    while (!*done)
        look(way, child);
    printf("%s after %.3f s\n", way, now_s() - start_s);
    return 0;
}
