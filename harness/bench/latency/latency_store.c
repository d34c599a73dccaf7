#include "harness/bench/latency/latency_store.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/log.h"
#include "base/text.h"
#include "harness/bench/latency/latency_ratio.h"

#define FIGURES_MAX 128
#define HISTOGRAMS_MAX (LATENCY_STAGES + 1 + FLOOR_PARTS)

struct stored { // of one run
    struct figure figure[FIGURES_MAX];
    struct benchmark_histogram histogram[HISTOGRAMS_MAX];
    struct benchmark_run run;
};

static void add_figure(struct stored *stored, const char *metric, const char *what,
                       const char *unit, enum better better, double value)
{
    struct figure *new = &stored->figure[stored->run.figure_count];
    if (isnan(value) || stored->run.figure_count == FIGURES_MAX)
        return;
    snprintf(new->metric, sizeof new->metric, "%s %s", metric, what);
    text_copy(new->unit, sizeof new->unit, unit);
    new->better = better;
    new->value = value;
    stored->run.figure_count++;
}

static void add_spot(struct stored *stored, const char *metric, const struct latency_spot *spot,
                     enum better better)
{
    for (enum latency_quantile q = 0; q < LATENCY_QUANTILES && spot->count > 0; q++)
        add_figure(stored, metric, latency_quantile_names[q], "us", better,
                   latency_spot_at_us(spot, q));
}

static void add_histogram(struct stored *stored, const char *metric, bool corrected,
                          const struct histogram *histogram)
{
    struct benchmark_histogram *new = &stored->histogram[stored->run.histogram_count];
    if (histogram_count(histogram) == 0)
        return;
    *new = (struct benchmark_histogram){.corrected = corrected, .histogram = histogram};
    text_copy(new->metric, sizeof new->metric, metric);
    stored->run.histogram_count++;
}

static void add_latencies(struct stored *stored, const struct latency_run *run,
                          const struct latency_figures *figures)
{
    for (int s = 0; s < LATENCY_STAGES; s++) {
        add_spot(stored, latency_stages[s].name, &run->stage[s], BETTER_LESS);
        add_histogram(stored, latency_stages[s].name, false, &figures->stage[s][LATENCY_CLEAN]);
    }
    add_spot(stored, "corrected loop", &run->corrected, BETTER_LESS);
    add_histogram(stored, latency_stages[LATENCY_STAGE_LOOP].name, true, &figures->corrected);
    for (int part = 0; part < FLOOR_PARTS; part++) {
        // A slower machine is no worse target.
        add_spot(stored, latency_floor_names[part], &run->floor[part], BETTER_NEITHER);
        add_histogram(stored, latency_floor_names[part], false, &figures->floor[part]);
    }
}

static void add_counts(struct stored *stored, const struct latency_run *run)
{
    for (int d = 0; d < LATENCY_DEADLINES; d++) {
        char metric[48];
        snprintf(metric, sizeof metric, "%s %s", latency_deadline_process(d),
                 latency_deadline_name(d));
        const struct latency_count *count = &run->deadline[d];
        add_figure(stored, metric, "missed", "%", BETTER_LESS,
                   count->due == 0 ? NAN : 100 * (double)count->missed / (double)count->due);
    }
    add_figure(stored, "states in stalls", "of the machine", "", BETTER_NEITHER,
               (double)run->states[LATENCY_STALLED]);
}

// A run that the lab failed in is stored for its evidence alone.
static void fill(struct stored *stored, const struct latency_configuration *configuration,
                 const struct latency_result *result)
{
    const unsigned number = result->run_count - 1;
    const struct latency_run *run = &result->run[number];
    stored->run = (struct benchmark_run){.cell = configuration->label,
                                         .scenario = configuration->scenario->name,
                                         .number = number,
                                         .seed = run->seed,
                                         .wall_s = run->wall_s,
                                         .cpu_s = run->cpu_s,
                                         .figure = stored->figure,
                                         .histogram = stored->histogram,
                                         .bad = run->bad,
                                         .bad_scenario = configuration->scenario};
    if (!run->ran)
        return;
    add_latencies(stored, run, result->last);
    add_counts(stored, run);
    for (int i = 0; i < LATENCY_RATIOS; i++)
        for (enum latency_quantile q = 0; q < LATENCY_QUANTILES; q++)
            add_figure(stored, latency_ratios[i].name, latency_quantile_names[q], "x", BETTER_LESS,
                       latency_ratio_in(result, number, &latency_ratios[i], q));
}

enum status latency_store(struct database *database, int64_t campaign_id,
                          const struct latency_configuration *configuration,
                          struct latency_result *const *result, unsigned count)
{
    struct stored *stored = calloc(count, sizeof *stored);
    struct benchmark_run *run = calloc(count, sizeof *run);
    unsigned runs = 0;
    enum status status = stored != NULL && run != NULL ? STATUS_OK : STATUS_NO_MEMORY;
    for (unsigned i = 0; i < count && status == STATUS_OK; i++) {
        const struct latency_run *last =
            result[i]->run_count == 0 ? NULL : &result[i]->run[result[i]->run_count - 1];
        if (last == NULL || (!last->ran && last->bad == NULL))
            continue;
        fill(&stored[i], &configuration[i], result[i]);
        run[runs++] = stored[i].run;
    }
    if (status == STATUS_OK && runs > 0)
        status = benchmark_add_runs(database, campaign_id, run, runs);
    free(stored);
    free(run);
    return status;
}
