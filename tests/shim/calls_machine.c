// What controllers expect of the machine they run on.
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/can.h>
#include <pthread.h>
#include <pty.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "calls.h"

// ---- scheduling ----

struct attributes { // linux/sched/types.h, version 0
    uint32_t size, policy;
    uint64_t flags;
    int32_t nice;
    uint32_t priority;
    uint64_t runtime_ns, deadline_ns, period_ns;
};

static void has(pid_t id, int policy, int priority)
{
    struct sched_param told = {.sched_priority = -1};
    NEED(sched_getscheduler(id) == policy);
    NEED(sched_getparam(id, &told) == 0 && told.sched_priority == priority);
}

static void *tell_priority(void *priority)
{
    int policy = -1;
    struct sched_param told = {.sched_priority = -1};
    NEED(pthread_getschedparam(pthread_self(), &policy, &told) == 0);
    *(int *)priority = policy == SCHED_FIFO ? told.sched_priority : -1;
    has(0, policy, told.sched_priority);
    return NULL;
}

static int of_thread(int inherit, int priority)
{
    struct sched_param asked = {.sched_priority = priority};
    pthread_attr_t attributes;
    pthread_t thread;
    int found = -2;
    NEED(pthread_attr_init(&attributes) == 0);
    NEED(pthread_attr_setinheritsched(&attributes, inherit) == 0);
    NEED(pthread_attr_setschedpolicy(&attributes, SCHED_FIFO) == 0);
    NEED(pthread_attr_setschedparam(&attributes, &asked) == 0);
    NEED(pthread_create(&thread, &attributes, tell_priority, &found) == 0);
    NEED(pthread_join(thread, NULL) == 0 && pthread_attr_destroy(&attributes) == 0);
    return found;
}

static void *wait_a_while(void *nothing)
{
    usleep(1000);
    return nothing;
}

// A thread that somebody else gives a priority, before it has run.
static void of_another(void)
{
    struct sched_param asked = {.sched_priority = 33}, told = {0};
    pthread_t thread;
    int policy = -1;
    NEED(pthread_create(&thread, NULL, wait_a_while, NULL) == 0);
    NEED(pthread_setschedparam(thread, SCHED_RR, &asked) == 0);
    NEED(pthread_getschedparam(thread, &policy, &told) == 0);
    NEED(policy == SCHED_RR && told.sched_priority == 33);
    NEED(pthread_setschedprio(thread, 34) == 0 && pthread_join(thread, NULL) == 0);
}

static void of_children(void)
{
    struct timespec round = {0};
    int status;
    const pid_t child = fork();
    if (child == 0) {
        has(0, SCHED_FIFO, 50);
        has(getppid(), SCHED_FIFO, 50);
        NEED(sched_setscheduler(0, SCHED_RR, &(struct sched_param){.sched_priority = 7}) == 0);
        NEED(sched_rr_get_interval(0, &round) == 0 && round.tv_nsec == 100000000);
        usleep(1000);
        _exit(0);
    }
    usleep(500);
    has(child, SCHED_RR, 7);
    NEED(waitpid(child, &status, 0) == child && status == 0);
}

static void of_nice(void)
{
    NEED(setpriority(PRIO_PROCESS, 0, -15) == 0 && getpriority(PRIO_PROCESS, 0) == -15);
    NEED(nice(-10) == -20 && syscall(SYS_getpriority, PRIO_PROCESS, 0) == 40);
}

static void of_processors(void)
{
    cpu_set_t some, told;
    CPU_ZERO(&some);
    NEED(sched_setaffinity(0, sizeof some, &some) == -1 && errno == EINVAL);
    CPU_SET(7, &some); // this machine may have less
    NEED(sched_setaffinity(0, sizeof some, &some) == 0);
    NEED(sched_getaffinity(0, sizeof told, &told) == 0 && CPU_EQUAL(&some, &told));
    NEED(pthread_getaffinity_np(pthread_self(), sizeof told, &told) == 0 && CPU_ISSET(7, &told));
}

static void of_memory(void)
{
    struct rlimit limit = {0};
    char *much = mmap(NULL, 64 << 20, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    NEED(mlockall(MCL_CURRENT | MCL_FUTURE) == 0 && mlock(much, 64 << 20) == 0);
    NEED(munmap(much, 64 << 20) == 0 && mlock(much, 64 << 20) == -1 && errno == ENOMEM);
    NEED(getrlimit(RLIMIT_RTPRIO, &limit) == 0 && limit.rlim_cur == 99);
    limit.rlim_cur = 80;
    NEED(setrlimit(RLIMIT_RTPRIO, &limit) == 0 && getrlimit(RLIMIT_RTPRIO, &limit) == 0);
    NEED(limit.rlim_cur == 80 && limit.rlim_max == 99);
}

// A yield ends a period of a deadline task.
static void of_deadlines(void)
{
    struct attributes asked = {.size = 48,
                               .policy = 6,
                               .runtime_ns = 1000000,
                               .deadline_ns = 5000000,
                               .period_ns = 10000000},
                      told = {0};
    NEED(syscall(SYS_sched_setattr, 0, &asked, 0) == 0);
    NEED(syscall(SYS_sched_getattr, 0, &told, sizeof told, 0) == 0);
    NEED(told.policy == 6 && told.period_ns == 10000000 && sched_getscheduler(0) == 6);
    const double since_s = now_s();
    for (int i = 0; i < 20; i++)
        sched_yield();
    NEED(TOOK(since_s, 0.2));
    asked.runtime_ns = 20000000;
    NEED(syscall(SYS_sched_setattr, 0, &asked, 0) == -1 && errno == EINVAL);
}

static void scheduling(void)
{
    struct sched_param asked = {.sched_priority = 50}, wrong = {.sched_priority = 100};
    has(0, SCHED_OTHER, 0);
    NEED(sched_setscheduler(0, SCHED_FIFO, &wrong) == -1 && errno == EINVAL);
    NEED(sched_setscheduler(0, SCHED_FIFO, &asked) == 0);
    has(0, SCHED_FIFO, 50);
    has(getpid(), SCHED_FIFO, 50);
    NEED(of_thread(PTHREAD_EXPLICIT_SCHED, 77) == 77 && of_thread(PTHREAD_INHERIT_SCHED, 77) == 50);
    of_another();
    of_children();
    of_nice();
    of_processors();
    of_memory();
    of_deadlines();
}

// ---- memory by a descriptor ----

static void memory(void)
{
    const int file = memfd_create("some", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    int status;
    NEED(file >= 0 && ftruncate(file, 4096) == 0 && fcntl(file, F_GET_SEALS) == 0);
    char *shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    NEED(shared != MAP_FAILED);
    const pid_t child = fork();
    if (child == 0) {
        strcpy(shared, "from a child");
        _exit(0);
    }
    NEED(waitpid(child, &status, 0) == child && strcmp(shared, "from a child") == 0);
    NEED(munmap(shared, 4096) == 0);
    NEED(fcntl(file, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_WRITE) == 0);
    NEED(fcntl(file, F_GET_SEALS) == (F_SEAL_SHRINK | F_SEAL_WRITE));
    NEED(ftruncate(file, 100) == -1 && errno == EPERM && ftruncate(file, 8192) == 0);
    NEED(write(file, "x", 1) == -1 && errno == EPERM);
    NEED(mmap(NULL, 4096, PROT_WRITE, MAP_SHARED, file, 0) == MAP_FAILED && errno == EPERM);
    NEED(fcntl(file, F_ADD_SEALS, F_SEAL_SEAL) == 0);
    NEED(fcntl(file, F_ADD_SEALS, F_SEAL_GROW) == -1 && errno == EPERM);
    NEED((int)syscall(SYS_memfd_create, "other", 0) >= 0);
    NEED(memfd_create("wrong", 0x8000) == -1 && errno == EINVAL);
}

// ---- many children at one instant ----

#define CROWD 60
#define WORDS 20

static void crowd(void)
{
    int ends[2], count = 0;
    char text[512];
    struct timespec when;
    NEED(pipe(ends) == 0 && clock_gettime(CLOCK_MONOTONIC, &when) == 0);
    when.tv_sec++;
    for (int i = 0; i < CROWD; i++) {
        if (fork() != 0)
            continue;
        clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &when, NULL);
        for (int word = 0; word < WORDS; word++)
            NEED(write(ends[1], "0123456789", 10) == 10);
        _exit(0);
    }
    NEED(close(ends[1]) == 0);
    for (ssize_t got; (got = read(ends[0], text, sizeof text)) > 0;)
        count += (int)got;
    NEED(count == 10 * CROWD * WORDS);
    while (wait(NULL) > 0)
        continue;
}

// ---- times of arrival ----

static double real_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// What is told of the next message, by an option whose unit is a microsecond or nanosecond.
static double arrival_s(int in, int option, double unit_s)
{
    char bytes[16];
    _Alignas(struct cmsghdr) char control[64];
    struct iovec part = {bytes, sizeof bytes};
    struct msghdr message = {.msg_iov = &part,
                             .msg_iovlen = 1,
                             .msg_control = control,
                             .msg_controllen = sizeof control};
    long at[2] = {0};
    NEED(recvmsg(in, &message, 0) == 1);
    const struct cmsghdr *told = CMSG_FIRSTHDR(&message);
    NEED(told != NULL && told->cmsg_level == SOL_SOCKET && told->cmsg_type == option);
    memcpy(at, CMSG_DATA(told), sizeof at);
    return (double)at[0] + unit_s * (double)at[1];
}

static void arrivals(void)
{
    static const struct {
        int option;
        double unit_s;
    } way[] = {{SO_TIMESTAMP, 1e-6}, {SO_TIMESTAMPNS, 1e-9}};
    for (int i = 0; i < 2; i++) {
        const int in = socket(AF_INET, SOCK_DGRAM, 0), out = socket(AF_INET, SOCK_DGRAM, 0), on = 1;
        struct sockaddr_in to = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
        socklen_t to_B = sizeof to;
        NEED(bind(in, (struct sockaddr *)&to, to_B) == 0 &&
             getsockname(in, (struct sockaddr *)&to, &to_B) == 0);
        NEED(setsockopt(in, SOL_SOCKET, way[i].option, &on, sizeof on) == 0);
        usleep(1000);
        const double sent_s = real_s();
        NEED(sendto(out, "x", 1, 0, (struct sockaddr *)&to, to_B) == 1);
        usleep(20000);
        const double told_s = arrival_s(in, way[i].option, way[i].unit_s);
        NEED(told_s > sent_s - 2e-6 && told_s < sent_s + 2e-6);
        NEED(close(in) == 0 && close(out) == 0);
    }
}

// ---- what is not ----

static void daemon_of_library(void)
{
    NEED(daemon(0, 1) == 0);
    sleep(1);
}

static void detached(void)
{
    if (fork() != 0)
        exit(0);
    NEED(setsid() > 0);
    sleep(1);
}

static void terminal(void)
{
    int ends[2];
    NEED(openpty(&ends[0], &ends[1], NULL, NULL, NULL) == 0);
}

static void broadcast_manager(void)
{
    NEED(socket(PF_CAN, SOCK_DGRAM, CAN_BCM) >= 0);
}

const struct subject machine_subjects[] = {{"scheduling", scheduling},
                                           {"memory", memory},
                                           {"crowd", crowd},
                                           {"arrivals", arrivals},
                                           {"daemon", daemon_of_library},
                                           {"detached", detached},
                                           {"terminal", terminal},
                                           {"broadcast-manager", broadcast_manager},
                                           {NULL, NULL}};
