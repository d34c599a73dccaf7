#include "harness/bench/interference/computing_bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "base/text.h"

struct computing *computing_create(void)
{
    void *room = mmap(NULL, sizeof(struct computing), PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return room == MAP_FAILED ? NULL : room;
}

void computing_free(struct computing *computing)
{
    if (computing != NULL)
        munmap(computing, sizeof *computing);
}

// ---- whether the machine was slow -------------------------------------------------------------

#define SLOW_FACTOR 1.1

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double computing_slow_above(const struct computing_run *run, size_t count)
{
    double *used = malloc((count + 1) * sizeof *used);
    size_t n = 0;
    for (size_t i = 0; i < count && used != NULL; i++)
        if (run[i].trouble[0] == '\0')
            used[n++] = run[i].robot_us_per_ms;
    if (n > 0)
        qsort(used, n, sizeof *used, ascending);
    const double above = n > 0 ? SLOW_FACTOR * used[n / 4] : NAN;
    free(used);
    return above;
}

bool computing_counts(const struct computing_run *run, double slow_above_us_per_ms)
{
    return run->trouble[0] == '\0' && run->robot_us_per_ms <= slow_above_us_per_ms;
}

// ---- a run ------------------------------------------------------------------------------------

// A daemon that works in few of the looks has no figure.
static void take_figures(const struct computing *computing, struct computing_run *run)
{
    for (unsigned i = 0; i < computing->count; i++) {
        const double us_per_ms = computing_us_per_ms(&computing->daemon[i]);
        struct figure *figure = &run->figure[run->figure_count];
        if (isnan(us_per_ms))
            continue;
        if (computing->daemon[i].robot) {
            run->robot_us_per_ms = us_per_ms;
            continue;
        }
        *figure = (struct figure){.unit = "us/ms", .better = BETTER_LESS, .value = us_per_ms};
        snprintf(figure->metric, sizeof figure->metric, "%s computes", computing->daemon[i].name);
        run->figure_count++;
    }
    if (run->figure_count == 0 || run->robot_us_per_ms <= 0)
        text_copy(run->trouble, sizeof run->trouble,
                  "the daemons or the simulated robot worked too little");
}

enum status computing_bench_run(const struct job *job, int core, struct computing *computing,
                                struct evidence *evidence, struct computing_run *run)
{
    static struct trial_record record; // large
    struct history *history = NULL;
    struct job own = *job;
    own.mode = CLK_WALL;
    own.can = LINK_EMBEDDED;
    own.core = core;
    own.recheck = false;
    evidence_ask(evidence, job->number, &own);
    own.observer = (struct observer){.grid_ms = COMPUTING_LOOK_MS, .computing = computing};
    *run = (struct computing_run){0};
    computing->count = 0; // of a trial that never begins
    job_run(&own, &record, &history);
    job_trouble(&record, history, run->trouble, sizeof run->trouble);
    history_free(history);
    run->wall_s = record.result.wall_s;
    run->cpu_s = record.result.cpu_s;
    if (run->trouble[0] == '\0')
        take_figures(computing, run);
    return evidence_take(evidence, &record, &run->bad);
}
