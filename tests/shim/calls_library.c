// What the C library does by calls of its own: threads of C11, streams, locks, queues, names.
#include <errno.h>
#include <fcntl.h>
#include <mqueue.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#include "tests/shim/calls.h"

#define MS 1000L // in us

static char folder[] = "/tmp/calls-XXXXXX";
static char path[64];

static void clean(void)
{
    (void)remove(path);
    (void)remove(folder);
}

// A path in a folder of this program's own.
static const char *own(const char *name)
{
    if (path[0] == '\0')
        NEED(mkdtemp(folder) != NULL && atexit(clean) == 0);
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static pthread_t later(void *(*function)(void *), void *argument)
{
    pthread_t thread;
    NEED(pthread_create(&thread, NULL, function, argument) == 0);
    return thread;
}

// ---- threads of C11

static mtx_t mutex;
static cnd_t condition;
static int meets(void *argument)
{
    (void)argument;
    usleep(200 * MS);
    NEED(mtx_lock(&mutex) == thrd_success && cnd_signal(&condition) == thrd_success &&
         mtx_unlock(&mutex) == thrd_success);
    return 7;
}

static void c11(void)
{
    thrd_t thread;
    int result = 0;
    const double start = now_s();
    NEED(mtx_init(&mutex, mtx_timed) == thrd_success && cnd_init(&condition) == thrd_success);
    NEED(mtx_lock(&mutex) == thrd_success);
    NEED(thrd_create(&thread, meets, NULL) == thrd_success);
    NEED(cnd_wait(&condition, &mutex) == thrd_success && TOOK(start, 0.2));
    NEED(thrd_join(thread, &result) == thrd_success && result == 7);
    struct timespec until;
    timespec_get(&until, TIME_UTC);
    until.tv_sec++;
    const double again = now_s();
    NEED(cnd_timedwait(&condition, &mutex, &until) == thrd_timedout && TOOK(again, 1));
    const double asleep = now_s();
    NEED(thrd_sleep(&(struct timespec){.tv_nsec = 300 * MS * 1000}, NULL) == 0);
    NEED(TOOK(asleep, 0.3));
}

// ---- locks

static pthread_spinlock_t spin;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static void *holds(void *argument)
{
    (void)argument;
    pthread_spin_lock(&spin);
    pthread_rwlock_wrlock(&rwlock);
    usleep(200 * MS);
    pthread_rwlock_unlock(&rwlock);
    pthread_spin_unlock(&spin);
    return NULL;
}

static void spins(void)
{
    const double start = now_s();
    pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
    const pthread_t thread = later(holds, NULL);
    usleep(50 * MS);
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += 50 * MS * 1000;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    NEED(pthread_rwlock_clockrdlock(&rwlock, CLOCK_MONOTONIC, &until) == ETIMEDOUT);
    NEED(TOOK(start, 0.1));
    NEED(pthread_spin_lock(&spin) == 0 && TOOK(start, 0.2));
    NEED(pthread_join(thread, NULL) == 0);
}

static void record_locks(void)
{
    const double start = now_s();
    const int file = open(own("lock"), O_RDWR | O_CREAT, 0600);
    struct flock lock = {.l_type = F_WRLCK};
    const pid_t child = fork();
    if (child == 0) {
        NEED(fcntl(file, F_SETLKW, &lock) == 0);
        usleep(300 * MS);
        _exit(0);
    }
    usleep(100 * MS);
    NEED(fcntl(file, F_SETLKW, &lock) == 0 && TOOK(start, 0.3));
    NEED(waitpid(child, NULL, 0) == child);
}

static int lock_byte(int file, int number)
{
    struct flock lock = {.l_type = F_WRLCK, .l_start = number, .l_len = 1};
    return fcntl(file, F_SETLKW, &lock);
}

// Whoever would close a circle is told, and does not wait.
static void locks_in_circle(void)
{
    const int file = open(own("circle"), O_RDWR | O_CREAT, 0600);
    NEED(lock_byte(file, 0) == 0);
    const double start = now_s();
    const pid_t child = fork();
    if (child == 0) {
        NEED(lock_byte(file, 1) == 0 && lock_byte(file, 0) == 0 && TOOK(start, 0.2));
        _exit(0);
    }
    usleep(200 * MS);
    NEED(lock_byte(file, 1) == -1 && errno == EDEADLK && TOOK(start, 0.2));
    NEED(close(file) == 0); // which gives up what it has
    int status;
    NEED(waitpid(child, &status, 0) == child && status == 0);
}

// ---- streams

static int ends[2];
static void *prints(void *argument)
{
    FILE *const stream = argument;
    usleep(200 * MS);
    fprintf(stream, "one\n");
    fflush(stream);
    usleep(200 * MS);
    dprintf(ends[1], "two\n");
    return NULL;
}

static void streams(void)
{
    char line[16];
    const double start = now_s();
    NEED(pipe(ends) == 0);
    FILE *from = fdopen(ends[0], "r"), *to = fdopen(ends[1], "w");
    const pthread_t thread = later(prints, to);
    NEED(fileno(from) == ends[0]);
    NEED(fgets(line, sizeof line, from) != NULL && strcmp(line, "one\n") == 0 && TOOK(start, 0.2));
    struct pollfd one = {.fd = ends[0], .events = POLLIN};
    NEED(poll(&one, 1, 2000) == 1 && TOOK(start, 0.4));
    NEED(fgets(line, sizeof line, from) != NULL && strcmp(line, "two\n") == 0);
    NEED(pthread_join(thread, NULL) == 0 && fclose(to) == 0 && fgets(line, 16, from) == NULL);
}

static void *adds(void *argument)
{
    usleep(200 * MS);
    NEED(eventfd_write(*(int *)argument, 3) == 0);
    return NULL;
}

static void event_counts(void)
{
    eventfd_t count = 0;
    const double start = now_s();
    int events = eventfd(0, 0);
    const pthread_t thread = later(adds, &events);
    NEED(eventfd_read(events, &count) == 0 && count == 3 && TOOK(start, 0.2));
    NEED(pthread_join(thread, NULL) == 0);
}

static void *opens(void *argument)
{
    usleep(200 * MS);
    const int file = open(argument, O_WRONLY);
    NEED(write(file, "x", 1) == 1 && close(file) == 0);
    return NULL;
}

static void fifos(void)
{
    char byte;
    const double start = now_s();
    NEED(mkfifo(own("fifo"), 0600) == 0);
    const pthread_t thread = later(opens, path);
    const int file = open(path, O_RDONLY);
    NEED(read(file, &byte, 1) == 1 && byte == 'x' && TOOK(start, 0.2));
    NEED(pthread_join(thread, NULL) == 0);
}

static void *makes(void *argument)
{
    usleep(200 * MS);
    NEED(close(open(argument, O_WRONLY | O_CREAT, 0600)) == 0);
    return NULL;
}

// A change is seen at most 10 ms later.
static void changes(void)
{
    char event[512];
    const double start = now_s();
    const int watch = inotify_init();
    NEED(inotify_add_watch(watch, own("") /* the folder */, IN_CREATE) >= 0);
    const pthread_t thread = later(makes, (void *)own("new"));
    NEED(read(watch, event, sizeof event) > 0);
    NEED(now_s() - start >= 0.199 && now_s() - start < 2);
    NEED(pthread_join(thread, NULL) == 0);
}

static void queues(void)
{
    char bytes[8] = "", name[32];
    const double start = now_s();
    struct mq_attr attributes = {.mq_maxmsg = 1, .mq_msgsize = sizeof bytes};
    snprintf(name, sizeof name, "/calls-%d", (int)getpid());
    const mqd_t queue = mq_open(name, O_CREAT | O_RDWR, 0600, &attributes);
    NEED(queue >= 0 && mq_unlink(name) == 0);
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec++;
    NEED(mq_timedreceive(queue, bytes, sizeof bytes, NULL, &until) == -1 && errno == ETIMEDOUT);
    NEED(TOOK(start, 1));
    const pid_t child = fork();
    if (child == 0) {
        usleep(200 * MS);
        _exit(mq_send(queue, "hello", 6, 0) == 0 && mq_send(queue, "again", 6, 0) == 0 ? 0 : 1);
    }
    NEED(mq_receive(queue, bytes, sizeof bytes, NULL) == 6 && strcmp(bytes, "hello") == 0);
    NEED(TOOK(start, 1.2));
    int status;
    NEED(mq_receive(queue, bytes, sizeof bytes, NULL) == 6 && strcmp(bytes, "again") == 0);
    NEED(waitpid(child, &status, 0) == child && status == 0);
}

// ---- signals

static void nothing(int number)
{
    (void)number;
}

int pause_for(int number) __asm__("__xpg_sigpause"); // sigpause, of which the header warns
static void pauses(void)
{
    const double start = now_s();
    signal(SIGALRM, nothing);
    const struct itimerval t = {.it_value = {.tv_usec = 200 * MS}};
    NEED(setitimer(ITIMER_REAL, &t, NULL) == 0);
    NEED(pause_for(SIGUSR1) == -1 && errno == EINTR && TOOK(start, 0.2));
}

// ---- what would differ in the next run: printed, for the test to compare

static void print_file(const char *name)
{
    char line[512] = "";
    FILE *file = fopen(name, "r");
    if (file == NULL)
        return;
    if (fgets(line, sizeof line, file) != NULL)
        fputs(line, stdout);
    fclose(file);
}

static void print_lines(const char *name)
{
    char line[512];
    FILE *file = fopen(name, "r");
    NEED(file != NULL);
    while (fgets(line, sizeof line, file) != NULL)
        if (strncmp(line, "Vm", 2) == 0 || strncmp(line, "Rss", 3) == 0 ||
            strstr(line, "switches") != NULL || strncmp(line, "S", 1) == 0)
            fputs(line, stdout);
    fclose(file);
}

static void marks(void)
{
    struct stat file;
    double load[1];
    usleep(1000 * MS);
    const int made = open(own("file"), O_RDWR | O_CREAT, 0600);
    NEED(write(made, "x", 1) == 1 && fstat(made, &file) == 0);
    NEED(labs((long)file.st_mtime - (long)time(NULL)) <= 1);
    NEED(labs((long)file.st_ctime - (long)time(NULL)) <= 1);
    printf("%s %ld %ld\n", path, (long)file.st_mtime, (long)file.st_atime);
    print_file("/proc/self/stat");
    print_file("/proc/self/statm");
    print_lines("/proc/self/status");
    print_file("/proc/sys/kernel/random/uuid");
    print_file("/proc/uptime");
    print_file("/proc/loadavg");
    printf("%d %.2f\n", getloadavg(load, 1), load[0]);
    fflush(stdout);
    NEED(system("od -x -N4 </dev/urandom") == 0);
    NEED(chdir("/proc/self") == 0);
    print_file("stat");
    fflush(stdout);
    clean();
    char *words[] = {"date", "+%s", NULL}, *nowhere[] = {NULL}; // all of the environment is gone
    execve("/bin/date", words, nowhere);
    NEED(false);
}

// Opened by another name.
static void hidden_leak(void)
{
    NEED(chdir("/proc") == 0 && open("interrupts", O_RDONLY) >= 0);
}

const struct subject library_subjects[] = {{"c11", c11},
                                           {"spin", spins},
                                           {"record-locks", record_locks},
                                           {"lock-circle", locks_in_circle},
                                           {"streams", streams},
                                           {"counts", event_counts},
                                           {"fifo", fifos},
                                           {"changes", changes},
                                           {"queues", queues},
                                           {"sigpause", pauses},
                                           {"marks", marks},
                                           {"hidden-leak", hidden_leak},
                                           {NULL, NULL}};
