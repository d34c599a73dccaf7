// What the shim cannot do (doc/reference/shim.md), done one after the other: each is to be told.
//
//   unsupported            all but those below, each in a child; prints how many were told
//   unsupported NAME       one that takes the whole program
//   unsupported list       a line each: the document's words, a tab, what is told
#include <aio.h>
#include <asm/prctl.h>
#include <fcntl.h>
#include <linux/can.h>
#include <linux/futex.h>
#include <mqueue.h>
#include <netdb.h>
#include <pthread.h>
#include <pty.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/prctl.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static long raw(long number, long a, long b, long c, long d)
{
    register long r10 __asm__("r10") = d;
    long result;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10)
                     : "rcx", "r11", "memory");
    return result;
}

static void hides_calls(void)
{
    (void)raw(SYS_prctl, PR_SET_TSC, PR_TSC_ENABLE, 0, 0);
}

static void opens(const char *path)
{
    (void)!open(path, O_RDONLY | O_CLOEXEC);
}

static void opens_interrupts(void)
{
    opens("/proc/interrupts");
}

static void opens_vmstat(void)
{
    opens("/proc/vmstat");
}

static void opens_smaps(void)
{
    opens("/proc/self/smaps");
}

static void times_processor(void)
{
    const struct itimerval later = {.it_value.tv_sec = 1};
    (void)setitimer(ITIMER_PROF, &later, NULL);
}

static void times_processor_by_timer(void)
{
    struct sigevent none = {.sigev_notify = SIGEV_NONE};
    timer_t timer;
    (void)timer_create(CLOCK_PROCESS_CPUTIME_ID, &none, &timer);
}

static int ends_at_once(void *argument)
{
    (void)argument;
    return 0;
}

static void clones(void)
{
    static char stack[65536];
    (void)clone(ends_at_once, stack + sizeof stack, SIGCHLD, NULL); // not awaited: it is not seen
}

static void reads_later(void)
{
    static char byte;
    static struct aiocb request = {.aio_buf = &byte, .aio_nbytes = 1};
    request.aio_fildes = open("/dev/null", O_RDONLY | O_CLOEXEC);
    (void)aio_read(&request);
}

static void resolves_later(void)
{
    (void)getaddrinfo_a(GAI_NOWAIT, NULL, 0, NULL);
}

static void splices(void)
{
    (void)splice(-1, NULL, -1, NULL, 1, 0);
}

static void tees(void)
{
    (void)tee(-1, -1, 1, 0);
}

static void vmsplices(void)
{
    const struct iovec none = {0};
    (void)vmsplice(-1, &none, 1, 0);
}

#define CALL_FUTEX_WAITV 449
static void waits_at_several(void)
{
    (void)raw(CALL_FUTEX_WAITV, 0, 0, 0, 0);
}

static uint32_t word;
static void locks_with_inheritance(void)
{
    (void)raw(SYS_futex, (long)&word, FUTEX_TRYLOCK_PI, 0, 0);
}

static void wakes_some(void)
{
    (void)syscall(SYS_futex, &word, FUTEX_WAKE_BITSET, 1, NULL, NULL, 5);
}

#define RAW(name, number)                                                                          \
    static void name(void)                                                                         \
    {                                                                                              \
        (void)raw(number, 0, 0, 0, 0);                                                             \
    }
#define NOBODYS_CALL 999
RAW(gets_events, SYS_io_getevents)
RAW(submits, SYS_io_submit)
RAW(clones_by_third, SYS_clone3)
RAW(traces, SYS_ptrace)
RAW(faults, SYS_userfaultfd)
RAW(signals_descriptor, SYS_pidfd_send_signal)
RAW(has_itself_notified, SYS_mq_notify)
RAW(reads_the_kernels_log, SYS_syslog)
RAW(calls_the_future, NOBODYS_CALL)

static void asks_who_waits(void)
{
    const int set = semget(IPC_PRIVATE, 1, 0600);
    (void)semctl(set, 0, GETNCNT);
    (void)semctl(set, 0, IPC_RMID);
}

static void makes_a_terminal(void)
{
    int master, slave;
    (void)openpty(&master, &slave, NULL, NULL, NULL);
}

static void asks_for_a_terminal(void)
{
    (void)posix_openpt(O_RDWR);
}

static void opens_a_terminal(void)
{
    opens("/dev/ptmx");
}

static void has_frames_repeated(void)
{
    (void)socket(AF_CAN, SOCK_DGRAM, CAN_BCM);
}

// The child's own calls are what is tried.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
static void sleeps_as_child(void)
{
    const struct timespec short_time = {.tv_nsec = 1000};
    if (vfork() == 0) {
        (void)nanosleep(&short_time, NULL);
        _exit(0);
    }
}

static void forks_as_child(void)
{
    if (vfork() == 0) {
        if (fork() == 0)
            _exit(0);
        _exit(0);
    }
}

// ---- of the whole program -----------------------------------------------------------------------

static void *waits(void *argument)
{
    (void)pause();
    return argument;
}

static void executes(void)
{
    pthread_t thread;
    (void)pthread_create(&thread, NULL, waits, NULL);
    (void)execl("/bin/true", "true", (char *)NULL);
}

static void detaches(void)
{
    (void)!daemon(0, 1);
    (void)sleep(1);
}

static void stops_itself(void)
{
    (void)raise(SIGSTOP);
}

// In a statically linked one.
static void sets_gs(void)
{
    (void)raw(SYS_arch_prctl, ARCH_SET_GS, 0, 0, 0);
}

static const struct {
    const char *words, *told, *name; // name: of one that takes the whole program
    void (*tries)(void);
} all[] = {
    {"`prctl`", "prctl 26, by which the lab sees its calls", NULL, hides_calls},
    {"`/proc/interrupts`", "opens /proc/interrupts, which no trial determines", NULL,
     opens_interrupts},
    {"`/proc/vmstat`", "opens /proc/vmstat, which no trial determines", NULL, opens_vmstat},
    {"`smaps`", "/smaps, which no trial determines", NULL, opens_smaps},
    {"timers of processor time", "setitimer: timers of processor time", NULL, times_processor},
    {"timers of processor time", "timer_create: timers of processor time", NULL,
     times_processor_by_timer},
    {"`clone`", "clone(), past the lab's sight", NULL, clones},
    {"`aio_*`", "aio_read(), past the lab's sight", NULL, reads_later},
    {"`getaddrinfo_a`", "getaddrinfo_a(), past the lab's sight", NULL, resolves_later},
    {"`splice`", "splice(), past the lab's sight", NULL, splices},
    {"`tee`", "tee(), past the lab's sight", NULL, tees},
    {"`vmsplice`", "vmsplice(), past the lab's sight", NULL, vmsplices},
    {"`futex_waitv`", "system call 449 by way of", NULL, waits_at_several},
    {"priority inheritance", "futex operation 8", NULL, locks_with_inheritance},
    {"a set of bits", "futex with a set of bits", NULL, wakes_some},
    {"`io_getevents`", "system call 208 by way of", NULL, gets_events},
    {"`io_submit`", "system call 209 by way of", NULL, submits},
    {"`clone3`", "system call 435 by way of", NULL, clones_by_third},
    {"`ptrace`", "system call 101 by way of", NULL, traces},
    {"`userfaultfd`", "system call 323 by way of", NULL, faults},
    {"`pidfd_send_signal`", "system call 424 by way of", NULL, signals_descriptor},
    {"`mq_notify`", "system call 244 by way of", NULL, has_itself_notified},
    {"`syslog`", "system call 103 by way of", NULL, reads_the_kernels_log},
    {"a later kernel", "system call 999 by way of", NULL, calls_the_future},
    {"`semctl`", "semctl(): how many wait for a semaphore", NULL, asks_who_waits},
    {"`openpty`", "openpty(): a cell has no pseudo-terminals", NULL, makes_a_terminal},
    {"`posix_openpt`", "posix_openpt(): a cell has no pseudo-terminals", NULL, asks_for_a_terminal},
    {"`/dev/ptmx`", "opens /dev/ptmx: a cell has no pseudo-terminals", NULL, opens_a_terminal},
    {"`CAN_BCM`", "a socket of CAN_BCM", NULL, has_frames_repeated},
    {"`vfork` that sleeps", "sleeps in a child of vfork", NULL, sleeps_as_child},
    {"or makes a process", "makes a process in a child of vfork", NULL, forks_as_child},
    {"executes another in its place", "executes a program while it has threads", "executes",
     executes},
    {"a process that is detached", "detaches a process, which is ended", "detaches", detaches},
    {"all of whose processes are stopped", "stops itself, and nobody of its program goes on",
     "stops-itself", stops_itself},
    {"the register GS", "sets GS, which the lab has taken", "sets-gs", sets_gs}};
#define COUNT (sizeof all / sizeof all[0])

// Whether it is told, on the child's standard error.
static int is_told(size_t row)
{
    char said[4096];
    int pipes[2];
    if (pipe(pipes) != 0)
        return 0;
    const pid_t child = fork();
    if (child == 0) {
        (void)dup2(pipes[1], STDERR_FILENO);
        all[row].tries();
        _exit(0);
    }
    (void)close(pipes[1]);
    (void)waitpid(child, NULL, 0);
    const ssize_t length = read(pipes[0], said, sizeof said - 1);
    (void)close(pipes[0]);
    said[length > 0 ? length : 0] = '\0';
    return strstr(said, all[row].told) != NULL;
}

static void list(void)
{
    for (size_t i = 0; i < COUNT; i++)
        printf("%s\t%s\t%s\n", all[i].words, all[i].told, all[i].name == NULL ? "" : all[i].name);
}

static void try_all(void)
{
    unsigned tried = 0, told = 0;
    char untold[1024] = "";
    (void)usleep(1000); // between two looks of the lab, which ends the trial at the first
    for (size_t i = 0; i < COUNT; i++) {
        if (all[i].name != NULL)
            continue;
        tried++;
        const size_t used = strlen(untold);
        if (is_told(i))
            told++;
        else
            (void)snprintf(untold + used, sizeof untold - used, "; %s", all[i].told);
    }
    printf("%u of %u told%s\n", told, tried, untold);
}

int main(int argc, char **argv)
{
    if (argc == 1)
        try_all();
    else if (strcmp(argv[1], "list") == 0)
        list();
    for (size_t i = 0; argc > 1 && i < COUNT; i++)
        if (all[i].name != NULL && strcmp(argv[1], all[i].name) == 0)
            all[i].tries();
    return 0;
}
