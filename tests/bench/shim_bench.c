// What the shim costs: a sleep of an unmodified program beside one of a native participant, and a
// round of datagrams between two unmodified programs beside a round of two channels.
//
//   shim_bench SHIM.so
//
// The processor time of all that take part, the coordinator included, in turns: so company on the
// machine disturbs little. A round is a sleep until the next millisecond, a message, and its
// answer. Prints a line per figure (see harness/bench/compare/figures.h); a line for people says
// whether the two bounds are kept.
#include <ftw.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/log.h"
#include "channel/channel.h"
#include "clock/coordinator.h"
#include "message/io.h"
#include "tests/bench/one_core.h"

#define CELL "/dev/shm/ukemi-bench-XXXXXX"
#define ROUNDS 12
#define MS_PER_ROUND 4000
#define MESSAGE_B 64
#define SLEEP_RATIO_MAX 1.2
#define ROUND_RATIO_MAX 2.0

enum { CONFIGURATIONS = 4, PLAYERS_MAX = 2 };

static const struct configuration {
    const char *player[PLAYERS_MAX]; // who waits is started first
    bool shimmed;
} configuration[CONFIGURATIONS] = {
    {{"sleep"}, false},
    {{"sleep"}, true},
    {{"pong", "ping"}, false},
    {{"pong", "ping"}, true},
};

struct stage {
    char cell[sizeof CELL];
    struct clk_coordinator *coordinator;
    pid_t pid[PLAYERS_MAX]; // 0: none
};

static void require(enum status status, const char *what)
{
    if (status == STATUS_OK)
        return;
    log_error("%s: %s", what, status_text(status));
    exit(3);
}

// ---- native players ----

static void await_message(struct channel *from, struct clk *clk, char bytes[MESSAGE_B])
{
    const struct clk_watch watch = channel_watch(from);
    while (channel_get(from, bytes, MESSAGE_B, CHANNEL_NEWEST, NULL) == STATUS_EMPTY)
        (void)!clk_wait(clk, &watch, 1, INSTANT_NEVER); // ends: the lab kills who waits for nobody
}

static void play_natively(const char *what)
{
    struct channel *to = NULL, *from = NULL;
    struct clk *clk;
    char bytes[MESSAGE_B] = {0};
    const bool asks = strcmp(what, "ping") == 0;
    if (strcmp(what, "sleep") != 0) {
        require(channel_open(asks ? "there" : "back", CHANNEL_WRITE, &to), what);
        require(channel_open(asks ? "back" : "there", CHANNEL_READ, &from), what);
    }
    require(clk_join(&clk), "clk_join");
    struct clk_period period = clk_period_start(clk, clk_now(clk), duration_ms(1));
    for (;;) { // until killed
        if (to == NULL || asks)
            clk_period_wait(clk, &period);
        if (asks)
            require(channel_put(to, bytes, sizeof bytes, clk_now(clk)), what);
        if (from != NULL)
            await_message(from, clk, bytes);
        if (to != NULL && !asks)
            require(channel_put(to, bytes, sizeof bytes, clk_now(clk)), what);
    }
}

// ---- players that know nothing of the lab ----

static int bound(struct sockaddr_un *own)
{
    const int datagrams = socket(AF_UNIX, SOCK_DGRAM, 0);
    if (datagrams < 0 || bind(datagrams, (const struct sockaddr *)own, sizeof *own) != 0)
        exit(4);
    return datagrams;
}

static void play_unmodified(const char *what, const char *folder)
{
    const bool asks = strcmp(what, "ping") == 0, sleeps = strcmp(what, "sleep") == 0;
    struct sockaddr_un own = {.sun_family = AF_UNIX}, other = own;
    snprintf(own.sun_path, sizeof own.sun_path, "%s/%s", folder, what);
    snprintf(other.sun_path, sizeof other.sun_path, "%s/%s", folder, asks ? "pong" : "ping");
    const int datagrams = sleeps ? -1 : bound(&own);
    char bytes[MESSAGE_B] = {0};
    struct timespec next;
    clock_gettime(CLOCK_MONOTONIC, &next);
    for (;;) { // until killed
        next.tv_nsec += 1000000;
        next.tv_sec += next.tv_nsec / 1000000000;
        next.tv_nsec %= 1000000000;
        if (asks || sleeps)
            clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &next, NULL);
        if (asks)
            (void)!sendto(datagrams, bytes, sizeof bytes, 0, (const struct sockaddr *)&other,
                          sizeof other);
        if (!sleeps)
            (void)!recv(datagrams, bytes, sizeof bytes, 0);
        if (!asks && !sleeps)
            (void)!sendto(datagrams, bytes, sizeof bytes, 0, (const struct sockaddr *)&other,
                          sizeof other);
    }
}

// ---- the lab's part ----

static void make_channel(struct stage *stage, const char *name, size_t size_max_B)
{
    struct channel *channel;
    uint32_t id;
    require(channel_create(stage->cell, name, size_max_B, IO_CHANNEL_SLOTS), name);
    require(channel_open_in(stage->cell, name, CHANNEL_WRITE, &channel), name);
    require(clk_coordinator_watch(stage->coordinator, channel_head(channel), &id), name);
    channel_set_watch(channel, id);
}

static void start(struct stage *stage, unsigned player, const struct configuration *how,
                  const char *shim)
{
    const char *name = how->player[player];
    unsigned number;
    require(clk_coordinator_add(stage->coordinator, name, 10 + (int)player, false, &number), name);
    stage->pid[player] = fork();
    if (stage->pid[player] == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        setenv("UKEMI_PARTICIPANT", name, 1);
        if (!how->shimmed)
            play_natively(name);
        setenv("LD_PRELOAD", shim, 1);
        execl("/proc/self/exe", "shim_bench", name, stage->cell, NULL);
        _exit(127);
    }
    require(clk_coordinator_await(stage->coordinator, number, duration_s(10)), name);
}

static void set_up(struct stage *stage, const struct configuration *how, const char *shim)
{
    char channels[sizeof stage->cell + 16];
    memcpy(stage->cell, CELL, sizeof CELL);
    if (mkdtemp(stage->cell) == NULL)
        require(STATUS_SYSTEM, stage->cell);
    snprintf(channels, sizeof channels, "%s/channels", stage->cell);
    if (mkdir(channels, 0700) != 0)
        require(STATUS_SYSTEM, channels);
    setenv("UKEMI_CELL", stage->cell, 1);
    require(clk_coordinator_create(stage->cell, CLK_VIRTUAL, &stage->coordinator), stage->cell);
    make_channel(stage, IO_CHANNEL, sizeof(struct io_message));
    make_channel(stage, "there", MESSAGE_B);
    make_channel(stage, "back", MESSAGE_B);
    for (unsigned i = 0; i < PLAYERS_MAX && how->player[i] != NULL; i++)
        start(stage, i, how, shim);
}

static int remove_one(const char *path, const struct stat *about, int kind, struct FTW *where)
{
    (void)about, (void)kind, (void)where;
    return remove(path);
}

static void clear_away(struct stage *stage)
{
    for (unsigned i = 0; i < PLAYERS_MAX && stage->pid[i] > 0; i++) {
        kill(stage->pid[i], SIGKILL);
        waitpid(stage->pid[i], NULL, 0);
    }
    clk_coordinator_destroy(stage->coordinator);
    (void)nftw(stage->cell, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

static double cpu_us(const struct stage *stage)
{
    struct timespec t;
    clockid_t clock;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    double sum_us = (double)t.tv_sec * 1e6 + (double)t.tv_nsec * 1e-3;
    for (unsigned i = 0; i < PLAYERS_MAX && stage->pid[i] > 0; i++) {
        if (clock_getcpuclockid(stage->pid[i], &clock) != 0 || clock_gettime(clock, &t) != 0)
            require(STATUS_DEAD, "a player");
        sum_us += (double)t.tv_sec * 1e6 + (double)t.tv_nsec * 1e-3;
    }
    return sum_us;
}

// Microseconds of processor time per millisecond of the trial: per sleep, or per round.
static double measure_us(struct stage *stage, long duration_in_ms)
{
    struct clk_coordinator *coordinator = stage->coordinator;
    const uint64_t grants = clk_coordinator_grants(coordinator);
    const instant now = clk_coordinator_now(coordinator);
    const double before_us = cpu_us(stage);
    require(
        clk_coordinator_run_until(coordinator, instant_add(now, duration_ms(duration_in_ms)), NULL),
        "clk_coordinator_run_until");
    if (clk_coordinator_grants(coordinator) < grants + (uint64_t)duration_in_ms)
        require(STATUS_TIMEOUT, "players that do not play");
    return (cpu_us(stage) - before_us) / (double)duration_in_ms;
}

// ---- figures ----

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double print_pair(const char *square, const double native_us[ROUNDS],
                         const double shimmed_us[ROUNDS])
{
    double ratio[ROUNDS];
    for (unsigned i = 0; i < ROUNDS; i++) {
        ratio[i] = shimmed_us[i] / native_us[i];
        printf("%s\tnative\tus\tless\t%.3f\t%u\n%s\tshimmed\tus\tless\t%.3f\t%u\n", square,
               native_us[i], i + 1, square, shimmed_us[i], i + 1);
        printf("%s\tratio\tratio\tless\t%.4f\t%u\n", square, ratio[i], i + 1);
    }
    qsort(ratio, ROUNDS, sizeof *ratio, by_size);
    return (ratio[ROUNDS / 2 - 1] + ratio[ROUNDS / 2]) / 2;
}

static void measure_and_print(struct stage stage[CONFIGURATIONS])
{
    static double us[CONFIGURATIONS][ROUNDS];
    for (unsigned i = 0; i < CONFIGURATIONS; i++)
        (void)measure_us(&stage[i], MS_PER_ROUND / 10); // to warm up
    for (unsigned round = 0; round < ROUNDS; round++)
        for (unsigned i = 0; i < CONFIGURATIONS; i++)
            us[i][round] = measure_us(&stage[i], MS_PER_ROUND);
    const double sleep = print_pair("sleep", us[0], us[1]);
    const double round = print_pair("round", us[2], us[3]);
    printf("# a shimmed sleep costs %.2f x a native one, at most %.1f wanted: %s\n", sleep,
           SLEEP_RATIO_MAX, sleep <= SLEEP_RATIO_MAX ? "kept" : "NOT MET");
    printf("# a round of datagrams costs %.2f x one of channels, at most %.1f wanted: %s\n", round,
           ROUND_RATIO_MAX, round <= ROUND_RATIO_MAX ? "kept" : "NOT MET");
}

int main(int argc, char **argv)
{
    struct stage stage[CONFIGURATIONS] = {0};
    log_program(argv[0]);
    if (argc == 3)
        play_unmodified(argv[1], argv[2]);
    if (argc != 2) {
        log_error("usage: shim_bench SHIM.so");
        return 2;
    }
    pin_to_one_core();
    for (unsigned i = 0; i < CONFIGURATIONS; i++)
        set_up(&stage[i], &configuration[i], argv[1]);
    (void)!nice(-5); // the coordinator outranks the players, who have been started
    measure_and_print(stage);
    for (unsigned i = 0; i < CONFIGURATIONS; i++)
        clear_away(&stage[i]);
    return 0;
}
