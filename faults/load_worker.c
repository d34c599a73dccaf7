// The process that a fault of load leaves at work, and the page through which the program's later
// runs know it.
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "faults/load.h"

#define START_PATIENCE_MS 2000
#define END_PATIENCE_MS 1000
#define BREATH_NS 20000

enum { STARTING, AT_WORK, GAVE_UP = -1 };

struct load_page *load_page_open(const struct fault_asked *call, bool make)
{
    char path[256];
    snprintf(path, sizeof path, "%s/load-%u", call->cell, call->tag);
    const int fd = open(path, O_RDWR | O_CLOEXEC | (make ? O_CREAT | O_EXCL : 0), 0600);
    void *page = MAP_FAILED;
    if (fd >= 0 && (!make || ftruncate(fd, sizeof(struct load_page)) == 0))
        page = mmap(NULL, sizeof(struct load_page), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (page == MAP_FAILED)
        fprintf(stderr, "%s: %s\n", path, strerror(errno));
    if (fd >= 0)
        close(fd);
    return page == MAP_FAILED ? NULL : page;
}

// ---- in the worker

void load_ready(struct load_page *page)
{
    atomic_store(&page->state, AT_WORK);
}

void load_give_up(struct load_page *page, enum fault_exit answer, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(page->why, sizeof page->why, format, arguments);
    va_end(arguments);
    page->answer = answer;
    atomic_store(&page->state, GAVE_UP);
    _exit(answer);
}

bool load_goes_on(const struct load_page *page)
{
    const struct timespec breath = {.tv_nsec = BREATH_NS};
    (void)nanosleep(&breath, NULL);
    return !atomic_load(&page->stop);
}

static _Noreturn void work(const struct load_kind *kind, const struct fault_asked *call,
                           struct load_page *page)
{
    // The lab reads the program's output to its end, and waits for that.
    const int null = open("/dev/null", O_RDWR);
    if (null < 0 || dup2(null, 1) < 0 || dup2(null, 2) < 0)
        load_give_up(page, FAULT_FAILED, "/dev/null: %s", strerror(errno));
    // The program has the priority of the lab's recorder.
    (void)sched_setscheduler(0, SCHED_OTHER, &(struct sched_param){0});
    page->worker = getpid();
    page->worker_started_ticks = load_stat(page->worker, LOAD_STAT_STARTED);
    kind->work(call, page);
    _exit(0);
}

// ---- in the program

static void wait_a_moment(void)
{
    poll(NULL, 0, 1);
}

enum fault_exit load_worker_start(const struct load_kind *kind, const struct fault_asked *call,
                                  struct load_page *page)
{
    const pid_t worker = fork();
    if (worker == 0)
        work(kind, call, page);
    for (int i = 0; worker > 0 && i < START_PATIENCE_MS && atomic_load(&page->state) == STARTING;
         i++)
        wait_a_moment();
    if (worker > 0 && atomic_load(&page->state) == AT_WORK)
        return FAULT_DONE;
    if (atomic_load(&page->state) == GAVE_UP) {
        fprintf(stderr, "%s\n", page->why);
        return page->answer;
    }
    fprintf(stderr, "%s: its process does not start\n", call->kind);
    return FAULT_FAILED;
}

bool load_worker_gone(const struct load_page *page)
{
    // Also when it waits to be reaped, by the cell's init.
    return load_stat(page->worker, LOAD_STAT_STARTED) != page->worker_started_ticks;
}

bool load_worker_end(const struct load_page *page, int finish_ms)
{
    const int pidfd = (int)syscall(SYS_pidfd_open, page->worker, 0);
    struct pollfd end = {.fd = pidfd, .events = POLLIN};
    if (pidfd < 0 || load_worker_gone(page)) // another may have its number by now
        return true;
    if (poll(&end, 1, finish_ms) == 0)
        (void)syscall(SYS_pidfd_send_signal, pidfd, SIGKILL, NULL, 0);
    const bool gone = poll(&end, 1, END_PATIENCE_MS) > 0;
    close(pidfd);
    return gone;
}

double load_worker_cpu_s(const struct load_page *page)
{
    clockid_t clock;
    struct timespec used;
    if (load_worker_gone(page) || clock_getcpuclockid(page->worker, &clock) != 0 ||
        clock_gettime(clock, &used) != 0)
        return 0;
    return (double)used.tv_sec + 1e-9 * (double)used.tv_nsec;
}
