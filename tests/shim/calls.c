// Calls that wait, checked by a program that knows nothing of the lab. It holds on any Linux, and
// so must under the shim: tests/system/shim.sh runs it both ways.
//
//   calls SUBJECT [exact]       exact: waits take as long as asked, to a millisecond (virtual time)
//
// Exit status 0: all as it should be. 1: not, with the line. 2: no such subject.
#include <linux/net_tstamp.h>
#include <arpa/inet.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <netinet/in.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/select.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <unistd.h>
#include <x86intrin.h>

#include "tests/shim/calls.h"

static bool exact;

void need(bool holds, const char *what, int line)
{
    if (holds)
        return;
    fprintf(stderr, "line %d: %s (errno %d)\n", line, what, errno);
    _exit(1);
}

double now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

bool took(double since_s, double expected_s)
{
    const double late_s = now_s() - since_s - expected_s;
    const bool right = exact ? late_s > -1e-6 && late_s < 1e-3 : late_s > -0.5 * expected_s;
    if (!right)
        fprintf(stderr, "took %.6f s more than %.6f s\n", late_s, expected_s);
    return right;
}

static void nothing(int number)
{
    (void)number;
}

static volatile sig_atomic_t handled;
static void count(int number)
{
    (void)number;
    handled++;
}

static void handle(int number, void (*handler)(int), int flags)
{
    struct sigaction action = {.sa_handler = handler, .sa_flags = flags};
    NEED(sigaction(number, &action, NULL) == 0);
}

static void alarm_in_ms(int first_ms, int period_ms)
{
    const struct itimerval t = {.it_value = {first_ms / 1000, first_ms % 1000 * 1000},
                                .it_interval = {period_ms / 1000, period_ms % 1000 * 1000}};
    NEED(setitimer(ITIMER_REAL, &t, NULL) == 0);
}

// ---- time

static void sleeps(void)
{
    double start = now_s();
    NEED(usleep(30000) == 0 && TOOK(start, 0.03));
    const struct timespec ms = {.tv_nsec = 1000000}, odd = {.tv_nsec = 123456};
    start = now_s();
    NEED(nanosleep(&ms, NULL) == 0 && TOOK(start, 0.001));
    start = now_s();
    NEED(nanosleep(&odd, NULL) == 0 && TOOK(start, 0.000123456));
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    start = now_s();
    until.tv_sec += 1;
    NEED(clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &until, NULL) == 0 && TOOK(start, 1));
    NEED(clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &until, NULL) == 0 && TOOK(start, 1));
    const struct timespec wrong = {.tv_nsec = -1};
    NEED(nanosleep(&wrong, NULL) == -1 && errno == EINVAL);
    NEED(clock_nanosleep(CLOCK_MONOTONIC, 0, &wrong, NULL) == EINVAL);
    struct timeval day;
    struct timespec fine;
    gettimeofday(&day, NULL);
    clock_gettime(CLOCK_REALTIME, &fine);
    NEED(fine.tv_sec - day.tv_sec <= 1 && time(NULL) - day.tv_sec <= 1);
}

static void remainder_of_sleep(void)
{
    handle(SIGALRM, nothing, 0);
    alarm_in_ms(200, 0);
    double start = now_s();
    NEED(sleep(3) == 2 && TOOK(start, 0.2));
    alarm_in_ms(300, 0);
    start = now_s();
    const struct timespec t = {.tv_sec = 1};
    struct timespec left;
    NEED(nanosleep(&t, &left) == -1 && errno == EINTR && TOOK(start, 0.3));
    const double left_s = (double)left.tv_sec + 1e-9 * (double)left.tv_nsec;
    NEED(left_s <= 0.71 && (!exact || left_s > 0.699));
    NEED(alarm(5) == 0 && alarm(0) == 5);
}

// A program that waits by asking what time it is sees time pass.
static void spinning(void)
{
    const double start = now_s();
    unsigned asked = 0;
    while (now_s() < start + 0.002)
        asked++;
    NEED(asked > 0);
    struct pollfd none;
    while (now_s() < start + 0.003)
        NEED(poll(&none, 0, 0) == 0);
}

// ---- descriptors

static void time_outs(void)
{
    int pair[2];
    char byte;
    NEED(socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0);
    const struct timeval limit = {.tv_usec = 200000};
    NEED(setsockopt(pair[0], SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit) == 0);
    double start = now_s();
    NEED(recv(pair[0], &byte, 1, 0) == -1 && errno == EAGAIN && TOOK(start, 0.2));
    start = now_s();
    NEED(read(pair[0], &byte, 1) == -1 && errno == EAGAIN && TOOK(start, 0.2));
    NEED(recv(pair[0], &byte, 1, MSG_DONTWAIT) == -1 && errno == EAGAIN);
    struct pollfd one = {.fd = pair[0], .events = POLLIN};
    start = now_s();
    NEED(poll(&one, 1, 40) == 0 && TOOK(start, 0.04));
    const struct timespec fine = {.tv_nsec = 1500000};
    start = now_s();
    NEED(ppoll(&one, 1, &fine, NULL) == 0 && TOOK(start, 0.0015));
    fd_set set;
    FD_ZERO(&set);
    FD_SET(pair[0], &set);
    struct timeval t = {.tv_usec = 70000};
    start = now_s();
    NEED(select(pair[0] + 1, &set, NULL, NULL, &t) == 0 && TOOK(start, 0.07));
    NEED(!FD_ISSET(pair[0], &set) && t.tv_sec == 0 && t.tv_usec == 0);
    FD_SET(pair[0], &set);
    start = now_s();
    NEED(pselect(pair[0] + 1, &set, NULL, NULL, &fine, NULL) == 0 && TOOK(start, 0.0015));
    NEED(write(pair[1], "x", 1) == 1);
    FD_SET(pair[0], &set);
    t = (struct timeval){.tv_sec = 5};
    NEED(select(pair[0] + 1, &set, NULL, NULL, &t) == 1 && FD_ISSET(pair[0], &set));
    NEED(t.tv_sec >= 4 && poll(&one, 1, -1) == 1 && one.revents == POLLIN);
    NEED(read(pair[0], &byte, 1) == 1 && byte == 'x');
    close(pair[1]);
    NEED(poll(&one, 1, -1) == 1 && (one.revents & POLLHUP) && read(pair[0], &byte, 1) == 0);
}

static void epolls(void)
{
    int pair[2];
    struct epoll_event event = {.events = EPOLLIN, .data.u32 = 7}, got;
    const int set = epoll_create1(0);
    NEED(set >= 0 && pipe(pair) == 0 && epoll_ctl(set, EPOLL_CTL_ADD, pair[0], &event) == 0);
    const double start = now_s();
    NEED(epoll_wait(set, &got, 1, 25) == 0 && TOOK(start, 0.025));
    NEED(write(pair[1], "ab", 2) == 2);
    NEED(epoll_wait(set, &got, 1, -1) == 1 && got.data.u32 == 7 && got.events == EPOLLIN);
    handle(SIGALRM, count, 0);
    char bytes[2];
    NEED(read(pair[0], bytes, 2) == 2);
    alarm_in_ms(50, 0);
    NEED(epoll_wait(set, &got, 1, -1) == -1 && errno == EINTR && handled == 1);
}

// More than a pipe holds, by turns with itself.
static void pipes(void)
{
    static char bytes[1 << 20];
    int pair[2];
    NEED(pipe(pair) == 0 && fcntl(pair[1], F_SETFL, O_NONBLOCK) == 0);
    const ssize_t taken = write(pair[1], bytes, sizeof bytes);
    NEED(taken >= 65536 && taken < (ssize_t)sizeof bytes);
    NEED(write(pair[1], bytes, 4096) == -1 && errno == EAGAIN);
    NEED(read(pair[0], bytes, sizeof bytes) > 0 && write(pair[1], bytes, 1) == 1);
    close(pair[0]);
    handle(SIGPIPE, count, 0);
    NEED(write(pair[1], bytes, 1) == -1 && errno == EPIPE && handled == 1);
}

static void events(void)
{
    uint64_t ticks = 3;
    const int file = eventfd(0, 0);
    struct pollfd one = {.fd = file, .events = POLLIN};
    NEED(file >= 0 && poll(&one, 1, 0) == 0);
    NEED(write(file, &ticks, sizeof ticks) == 8 && write(file, &ticks, sizeof ticks) == 8);
    NEED(poll(&one, 1, -1) == 1 && read(file, &ticks, sizeof ticks) == 8 && ticks == 6);
}

// ---- signals

static void interruptions(void)
{
    int pair[2];
    char byte;
    NEED(pipe(pair) == 0);
    handle(SIGALRM, count, 0);
    struct pollfd one = {.fd = pair[0], .events = POLLIN};
    alarm_in_ms(100, 0);
    double start = now_s();
    NEED(poll(&one, 1, -1) == -1 && errno == EINTR && handled == 1 && TOOK(start, 0.1));
    alarm_in_ms(100, 0);
    start = now_s();
    NEED(read(pair[0], &byte, 1) == -1 && errno == EINTR && handled == 2 && TOOK(start, 0.1));
    alarm_in_ms(100, 0);
    NEED(pause() == -1 && errno == EINTR && handled == 3);
    // With SA_RESTART a read goes on; poll never does.
    int sockets[2];
    NEED(socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) == 0);
    handle(SIGALRM, count, SA_RESTART);
    alarm_in_ms(50, 0);
    one.fd = sockets[0];
    NEED(poll(&one, 1, -1) == -1 && errno == EINTR && handled == 4);
}

static void masks(void)
{
    sigset_t alarms, before;
    int pair[2];
    NEED(pipe(pair) == 0);
    struct pollfd one = {.fd = pair[0], .events = POLLIN};
    sigemptyset(&alarms);
    sigaddset(&alarms, SIGALRM);
    handle(SIGALRM, count, 0);
    NEED(sigprocmask(SIG_BLOCK, &alarms, &before) == 0);
    alarm_in_ms(20, 0);
    double start = now_s();
    NEED(poll(&one, 1, 60) == 0 && handled == 0 && TOOK(start, 0.06));
    const struct timespec second = {.tv_sec = 1};
    NEED(ppoll(&one, 1, &second, &before) == -1 && errno == EINTR && handled == 1);
    alarm_in_ms(20, 0);
    start = now_s();
    NEED(pselect(0, NULL, NULL, NULL, &second, &before) == -1 && errno == EINTR && handled == 2);
    NEED(TOOK(start, 0.02));
    alarm_in_ms(20, 0);
    NEED(sigsuspend(&before) == -1 && errno == EINTR && handled == 3);
    alarm_in_ms(20, 0);
    int number = 0;
    start = now_s();
    NEED(sigwait(&alarms, &number) == 0 && number == SIGALRM && TOOK(start, 0.02));
    const struct timespec brief = {.tv_nsec = 30000000};
    start = now_s();
    NEED(sigtimedwait(&alarms, NULL, &brief) == -1 && errno == EAGAIN && TOOK(start, 0.03));
    const int file = signalfd(-1, &alarms, 0);
    struct signalfd_siginfo info;
    one.fd = file;
    alarm_in_ms(20, 0);
    start = now_s();
    NEED(poll(&one, 1, 1000) == 1 && read(file, &info, sizeof info) == sizeof info);
    NEED(info.ssi_signo == SIGALRM && handled == 3 && TOOK(start, 0.02));
}

// ---- timers

static void timer_descriptors(void)
{
    const struct itimerspec often = {.it_value = {.tv_nsec = 10000000},
                                     .it_interval = {.tv_nsec = 10000000}};
    struct itimerspec left;
    uint64_t ticks;
    const int file = timerfd_create(CLOCK_MONOTONIC, 0);
    NEED(file >= 0 && timerfd_settime(file, 0, &often, NULL) == 0);
    double start = now_s();
    for (int i = 1; i <= 3; i++)
        NEED(read(file, &ticks, sizeof ticks) == 8 && ticks >= 1 && TOOK(start, 0.01 * i));
    usleep(50000);
    NEED(read(file, &ticks, sizeof ticks) == 8 && ticks >= 4);
    NEED(timerfd_gettime(file, &left) == 0 && left.it_interval.tv_nsec == 10000000);
    const struct itimerspec off = {.it_value = {0}};
    NEED(timerfd_settime(file, 0, &off, &left) == 0 && left.it_value.tv_nsec <= 10000000);
    struct pollfd one = {.fd = file, .events = POLLIN};
    NEED(poll(&one, 1, 30) == 0);
    struct itimerspec once = {.it_value = {0}};
    clock_gettime(CLOCK_MONOTONIC, &once.it_value);
    once.it_value.tv_sec += 1;
    start = now_s();
    NEED(timerfd_settime(file, TFD_TIMER_ABSTIME, &once, NULL) == 0);
    NEED(poll(&one, 1, -1) == 1 && TOOK(start, 1));
    close(file);
}

static void timers_with_signals(void)
{
    timer_t timer;
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1};
    const struct itimerspec often = {.it_value = {.tv_nsec = 10000000},
                                     .it_interval = {.tv_nsec = 20000000}};
    struct itimerspec left;
    handle(SIGUSR1, count, 0);
    NEED(timer_create(CLOCK_MONOTONIC, &event, &timer) == 0);
    NEED(timer_settime(timer, 0, &often, NULL) == 0);
    const double start = now_s();
    for (int i = 1; i <= 3; i++)
        NEED(pause() == -1 && handled >= i && TOOK(start, 0.01 + 0.02 * (i - 1)));
    NEED(timer_gettime(timer, &left) == 0 && left.it_interval.tv_nsec == 20000000);
    NEED(timer_delete(timer) == 0);
    NEED(timer_delete(timer) == -1 && errno == EINVAL);
}

// ---- chance

static void chance(void)
{
    unsigned char a[16], b[16], c[16];
    const int file = open("/dev/urandom", O_RDONLY);
    FILE *stream = fopen("/dev/urandom", "r");
    NEED(getrandom(a, sizeof a, 0) == sizeof a && getentropy(b, sizeof b) == 0);
    NEED(memcmp(a, b, sizeof a) != 0 && file >= 0 && read(file, c, sizeof c) == sizeof c);
    NEED(memcmp(a, c, sizeof a) != 0 && stream != NULL && fread(b, sizeof b, 1, stream) == 1);
    for (size_t i = 0; i < sizeof a; i++)
        printf("%02x%02x%02x", a[i], b[i], c[i]);
    puts("");
    fclose(stream);
    close(file);
}

static void refused_stamps(int udp)
{
    const int more = SOF_TIMESTAMPING_SOFTWARE | SOF_TIMESTAMPING_OPT_ID;
    NEED(setsockopt(udp, SOL_SOCKET, SO_TIMESTAMPING, &more, sizeof more) == -1 &&
         errno == ENOPROTOOPT);
}

// What the kernel says of the next packet, in seconds of real time; -1: nothing.
static double stamp_s(int udp, int flags)
{
    char bytes[128], control[256];
    struct iovec part = {bytes, sizeof bytes};
    struct msghdr message = {.msg_iov = &part,
                             .msg_iovlen = 1,
                             .msg_control = control,
                             .msg_controllen = sizeof control};
    struct timespec at;
    NEED(recvmsg(udp, &message, flags) > 0);
    for (struct cmsghdr *one = CMSG_FIRSTHDR(&message); one != NULL;
         one = CMSG_NXTHDR(&message, one)) {
        if (one->cmsg_level != SOL_SOCKET || one->cmsg_type != SCM_TIMESTAMPING)
            continue;
        memcpy(&at, CMSG_DATA(one), sizeof at);
        return (double)at.tv_sec + 1e-9 * (double)at.tv_nsec;
    }
    return -1;
}

static double real_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// The kernel begins to stamp a moment after it was asked to.
static void until_stamped(int udp, const struct sockaddr_in *own)
{
    double in_s = -1, out_s = -1;
    for (int i = 0; i < 200 && (in_s < 0 || out_s < 0); i++) {
        NEED(sendto(udp, "first", 5, 0, (const struct sockaddr *)own, sizeof *own) == 5);
        usleep(10000);
        in_s = stamp_s(udp, 0);
        out_s = -1;
        for (struct pollfd waits = {.fd = udp}; poll(&waits, 1, 0) > 0 && waits.revents & POLLERR;)
            out_s = stamp_s(udp, MSG_ERRQUEUE);
    }
}

// A socket sends to itself, equal bytes twice; both are read late.
static void stamps(void)
{
    const int udp = socket(AF_INET, SOCK_DGRAM, 0);
    const int wanted =
        SOF_TIMESTAMPING_TX_SOFTWARE | SOF_TIMESTAMPING_RX_SOFTWARE | SOF_TIMESTAMPING_SOFTWARE;
    struct sockaddr_in own = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t own_B = sizeof own;
    double sent_s[2];
    if (exact)
        refused_stamps(udp);
    NEED(bind(udp, (struct sockaddr *)&own, own_B) == 0 &&
         getsockname(udp, (struct sockaddr *)&own, &own_B) == 0);
    NEED(setsockopt(udp, SOL_SOCKET, SO_TIMESTAMPING, &wanted, sizeof wanted) == 0);
    if (!exact)
        until_stamped(udp, &own);
    for (int i = 0; i < 2; i++) {
        sent_s[i] = real_s();
        NEED(sendto(udp, "equal", 5, 0, (struct sockaddr *)&own, own_B) == 5);
        usleep(20000);
    }
    const double limit_s = exact ? 1e-5 : 1;
    for (int i = 0; i < 2; i++) {
        const double in_s = stamp_s(udp, 0) - sent_s[i],
                     out_s = stamp_s(udp, MSG_ERRQUEUE) - sent_s[i];
        NEED(in_s > -1e-6 && in_s < limit_s && out_s > -1e-6 && out_s < limit_s);
    }
}

long raw_call(long number, long a, long b)
{
    long result;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(number), "D"(a), "S"(b)
                     : "rcx", "r11", "memory");
    return result;
}

static void raw_calls(void)
{
    const struct timespec t = {.tv_nsec = 30000000};
    struct timespec first = {0}, second = {0};
    const double start = now_s();
    NEED(raw_call(SYS_clock_gettime, CLOCK_MONOTONIC, (long)&first) == 0);
    NEED(raw_call(SYS_nanosleep, (long)&t, 0) == 0 && TOOK(start, 0.03));
    NEED(raw_call(SYS_clock_gettime, CLOCK_MONOTONIC, (long)&second) == 0);
    const double passed_s =
        (double)(second.tv_sec - first.tv_sec) + 1e-9 * (double)(second.tv_nsec - first.tv_nsec);
    NEED(passed_s >= 0.03 && (!exact || passed_s < 0.031));
    NEED(raw_call(SYS_getpid, 0, 0) == getpid() && raw_call(SYS_close, -1, 0) == -EBADF);
}

// What the shim cannot make virtual.
// Whether a clock goes as others do: 30 ms are 30 ms, and it agrees with the C library's.
static void agrees(double before_s, double after_s)
{
    const double passed_s = after_s - before_s;
    NEED(passed_s >= 0.03 && (!exact || (passed_s < 0.031 && fabs(now_s() - after_s) < 0.001)));
}

static double kernel_s(void)
{
    static int (*from_kernel)(clockid_t id, struct timespec * t);
    struct timespec t = {0};
    if (getauxval(AT_SYSINFO_EHDR) == 0)
        return now_s();
    if (from_kernel == NULL) {
        void *object = dlopen("linux-vdso.so.1", RTLD_LAZY | RTLD_NOLOAD);
        *(void **)&from_kernel = object == NULL ? NULL : dlsym(object, "__vdso_clock_gettime");
    }
    NEED(from_kernel != NULL && from_kernel(CLOCK_MONOTONIC, &t) == 0);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static sigjmp_buf jump;
static volatile sig_atomic_t faults;

static void catch_fault(int number)
{
    faults += number == SIGSEGV;
    siglongjmp(jump, 1);
}

// The kernel's own page, the processor's counter (under the shim one of nanoseconds), and what a
// program's handler is told of its own faults beside that.
static void counters(void)
{
    volatile int *const closed = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    unsigned processor;
    const double kernel_before_s = kernel_s();
    const uint64_t before = __rdtsc(), also_before = __rdtscp(&processor);
    NEED(usleep(30000) == 0);
    const uint64_t after = __rdtsc();
    agrees(kernel_before_s, kernel_s());
    NEED(also_before >= before && after > also_before);
    if (exact)
        agrees(1e-9 * (double)before, 1e-9 * (double)after);
    NEED(closed != MAP_FAILED && signal(SIGSEGV, catch_fault) != SIG_ERR);
    if (sigsetjmp(jump, 1) == 0)
        *closed = 1;
    NEED(faults == 1 && __rdtsc() >= after && signal(SIGSEGV, SIG_DFL) == catch_fault);
    const pid_t child = fork();
    if (child == 0) {
        (void)__rdtsc();
        raise(SIGSEGV);
        _exit(0);
    }
    int status;
    NEED(waitpid(child, &status, 0) == child && WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV);
}

static const char *word; // behind the subject's name

static void raw_leak(void)
{
    (void)raw_call(word != NULL ? atol(word) : SYS_io_getevents, -1, 0);
    sleep(1);
}

// Gets rid of who looks at its calls.
static void unseen(void)
{
    (void)raw_call(SYS_prctl, PR_SET_TSC, PR_TSC_ENABLE);
    sleep(1);
}

static void low_port(void)
{
    const struct sockaddr_in own = {.sin_family = AF_INET, .sin_port = htons(319)};
    const int datagrams = socket(AF_INET, SOCK_DGRAM, 0);
    NEED(bind(datagrams, (const struct sockaddr *)&own, sizeof own) == 0);
}

static void leak(void)
{
    NEED(open(word != NULL ? word : "/proc/interrupts", O_RDONLY) >= 0);
    sleep(1);
}

static const struct subject subjects[] = {{"sleeps", sleeps},
                                          {"remainder", remainder_of_sleep},
                                          {"spinning", spinning},
                                          {"time-outs", time_outs},
                                          {"epoll", epolls},
                                          {"pipes", pipes},
                                          {"eventfd", events},
                                          {"interruptions", interruptions},
                                          {"masks", masks},
                                          {"timerfd", timer_descriptors},
                                          {"timers", timers_with_signals},
                                          {"chance", chance},
                                          {"stamps", stamps},
                                          {"raw", raw_calls},
                                          {"counters", counters},
                                          {"raw-leak", raw_leak},
                                          {"leak", leak},
                                          {"unseen", unseen},
                                          {"low-port", low_port},
                                          {NULL, NULL}};

static bool run(const struct subject *table, const char *name)
{
    for (; table->name != NULL; table++)
        if (strcmp(name, table->name) == 0) {
            table->check();
            return true;
        }
    return false;
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return 2;
    word = argv[2];
    exact = argc > 2 && strcmp(argv[2], "exact") == 0;
    return run(subjects, argv[1]) || run(thread_subjects, argv[1]) ||
                   run(process_subjects, argv[1]) || run(library_subjects, argv[1]) ||
                   run(machine_subjects, argv[1]) || run(shared_subjects, argv[1]) ||
                   run(timer_subjects, argv[1]) || run(stop_subjects, argv[1]) ||
                   run(stack_subjects, argv[1])
               ? 0
               : 2;
}
