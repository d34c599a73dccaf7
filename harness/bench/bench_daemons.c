// How much each daemon of a target computes: trials in real time, their cell on one core that never
// rests (awake.h), so that runs differ by what the programs do and hardly by what the machine did.
#include "harness/bench/bench_daemons.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/text.h"
#include "harness/bench/benches.h"
#include "harness/store/benchmark/statistics.h"
#include "harness/trial/awake.h"
#include "harness/trial/computing.h"

#define LOOK_MS 4 // channels of the fastest stacks hold so many messages and no more
#define SLOW_FACTOR 1.1
#define ROBOT "simulated robot computes"

struct measuring {
    struct computing *computing;
    pid_t awake;
};

static enum status prepare(struct bench_session *session)
{
    struct measuring *own = calloc(1, sizeof *own);
    session->own = own;
    if (own == NULL)
        return STATUS_NO_MEMORY;
    void *room = mmap(NULL, sizeof(struct computing), PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (room == MAP_FAILED)
        return STATUS_NO_MEMORY;
    own->computing = room;
    session->core = awake_core();
    for (unsigned i = 0; i < session->square_count; i++)
        session->square[i].observer = (struct observer){.grid_ms = LOOK_MS, .computing = room};
    return awake_start(session->core, &own->awake);
}

static void end(struct bench_session *session)
{
    struct measuring *own = session->own;
    if (own == NULL)
        return;
    awake_stop(own->awake);
    if (own->computing != NULL)
        munmap(own->computing, sizeof *own->computing);
    free(own);
}

// A daemon that works in few of the looks has no figure.
static void take_figures(const struct computing *computing, struct bench_result *result)
{
    unsigned daemons = 0;
    for (unsigned i = 0; i < computing->count; i++) {
        const struct computing_daemon *daemon = &computing->daemon[i];
        const double us_per_ms = computing_us_per_ms(daemon);
        if (daemon->robot)
            bench_figure(result, "us/ms", BETTER_NEITHER, us_per_ms, ROBOT);
        else
            bench_figure(result, "us/ms", BETTER_LESS, us_per_ms, "%s computes", daemon->name);
        daemons += !daemon->robot && !isnan(us_per_ms);
    }
    if (daemons == 0 || !(bench_value(result, ROBOT) > 0))
        text_copy(result->trouble, sizeof result->trouble,
                  "the daemons or the simulated robot worked too little");
}

static enum status run(struct bench_session *session, unsigned place)
{
    const struct measuring *own = session->own;
    struct bench_result *result;
    struct history *history;
    int64_t epoch_ns;
    own->computing->count = 0; // of a trial that never begins
    const enum status status = bench_trial(session, place, &result, &history, &epoch_ns);
    history_free(history);
    if (status == STATUS_OK && result->trouble[0] == '\0')
        take_figures(own->computing, result);
    return status;
}

// ---- whether the machine was slow -------------------------------------------------------------

double daemons_slow_above(double *robot_us_per_ms, size_t count)
{
    if (count == 0)
        return NAN;
    (void)median(robot_us_per_ms, count); // sorts them
    return SLOW_FACTOR * robot_us_per_ms[count / 4];
}

// A neighbour of a virtual machine that fills the caches slows all that runs here, for seconds.
static void sift(struct bench_session *session)
{
    size_t count = 0;
    double *used = malloc((session->result_count + 1) * sizeof *used);
    for (unsigned i = 0; i < session->result_count && used != NULL; i++)
        if (session->result[i]->trouble[0] == '\0')
            used[count++] = bench_value(session->result[i], ROBOT);
    const double above = daemons_slow_above(used, count);
    for (unsigned i = 0; i < session->result_count; i++)
        session->result[i]->left_out = !(bench_value(session->result[i], ROBOT) <= above);
    free(used);
}

const struct bench bench_daemons = {
    .name = "daemons",
    .summary = "how much of the processor each daemon uses",
    .about =
        "Measures the processor time that each daemon of a target uses per millisecond, with "
        "the kernel's\nwork for it. Trials run in real time, on one core that is kept awake, "
        "which makes runs alike.\n`ukemi diff` then finds a daemon that became a fifth slower. "
        "A run in which the machine was\nslow is replaced by another, up to three times as "
        "many runs in all.\n"
        "doc/reference/benchmarks.md explains the figures.\n",
    .takes = BENCH_SCENARIOS | BENCH_DURATION,
    .subject = "034-rate-500-hz",
    .runs = 12,
    .duration_s = 1,
    .duration_min_s = 0.5, // of which the first 0.3 s are not counted
    .most = 3,
    .numbered_through = true, // some runs are far off: a rank-sum test bears that better
    .prepare = prepare,
    .run = run,
    .sift = sift,
    .end = end};
