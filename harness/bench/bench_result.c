// What a run measured, and the same over all runs of a square.
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "harness/bench/bench_private.h"
#include "harness/store/benchmark/statistics.h"

#define US_PER_NS 1e-3

// Makes room for one more in an array of `count`, which doubles whenever that is a power of two.
static void *grown(void *array, unsigned count, size_t size)
{
    if ((count & (count - 1)) != 0)
        return array;
    return realloc(array, (count == 0 ? 1 : 2 * (size_t)count) * size);
}

// ---- one run ----------------------------------------------------------------------------------

static struct figure *next_figure(struct bench_result *result)
{
    struct figure *more = grown(result->figure, result->run.figure_count, sizeof *more);
    result->no_memory |= more == NULL;
    if (more == NULL)
        return NULL;
    result->figure = more;
    result->run.figure = more;
    return &more[result->run.figure_count++];
}

void bench_figure(struct bench_result *result, const char *unit, enum better better, double value,
                  const char *format, ...)
{
    struct figure *figure = isnan(value) ? NULL : next_figure(result);
    if (figure == NULL)
        return;
    *figure = (struct figure){.better = better, .value = value};
    text_copy(figure->unit, sizeof figure->unit, unit);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(figure->metric, sizeof figure->metric, format, arguments);
    va_end(arguments);
}

void bench_distribution(struct bench_result *result, const struct histogram *histogram,
                        const char *metric, bool corrected, const char *figures, enum better better)
{
    struct bench_distribution *new = NULL, **more;
    const unsigned count = result->run.histogram_count;
    if (histogram_count(histogram) == 0)
        return;
    more = grown(result->distribution, count, sizeof(struct bench_distribution *));
    if (more != NULL)
        new = malloc(sizeof *new);
    result->distribution = more != NULL ? more : result->distribution;
    result->no_memory |= new == NULL;
    if (new == NULL)
        return;
    new->better = better;
    new->histogram = *histogram;
    new->stored =
        (struct benchmark_histogram){.corrected = corrected, .histogram = &new->histogram};
    text_copy(new->stored.metric, sizeof new->stored.metric, metric);
    text_copy(new->figures, sizeof new->figures, figures);
    more[result->run.histogram_count++] = new;
}

void bench_sample(struct bench_result *result, const char *metric, double time_s, double value,
                  bool apart)
{
    const unsigned count = result->run.sample_count;
    struct benchmark_sample *more = grown(result->sample, count, sizeof *more);
    result->no_memory |= more == NULL;
    if (more == NULL)
        return;
    result->sample = more;
    result->run.sample = more;
    more[result->run.sample_count++] = (struct benchmark_sample){
        .metric = metric, .time_s = time_s, .value = value, .apart = apart};
}

static const struct {
    const char *name;
    double share;
} quantiles[] = {{"median", 0.5}, {"p99", 0.99}, {"p99.9", 0.999}};
#define QUANTILES (sizeof quantiles / sizeof quantiles[0])

void bench_ratios(struct bench_result *result, enum better better, const char *name,
                  const struct histogram *of, double planned_us, const struct histogram *to)
{
    if (histogram_count(of) == 0 || histogram_count(to) == 0 || isnan(planned_us))
        return;
    for (size_t q = planned_us > 0 ? 1 : 0; q < QUANTILES; q++) {
        const double least_us = US_PER_NS * (double)histogram_quantile(to, quantiles[q].share);
        const double took_us = US_PER_NS * (double)histogram_quantile(of, quantiles[q].share);
        bench_figure(result, "x", better, least_us > 0 ? (took_us - planned_us) / least_us : NAN,
                     "%s %s", name, quantiles[q].name);
    }
}

void bench_derive(struct bench_result *result)
{
    result->measured = result->run.figure_count;
    for (unsigned i = 0; i < result->run.histogram_count; i++) {
        const struct bench_distribution *from = result->distribution[i];
        for (size_t q = 0; q < QUANTILES; q++)
            bench_figure(result, "us", from->better,
                         US_PER_NS *
                             (double)histogram_quantile(&from->histogram, quantiles[q].share),
                         "%s %s", from->figures, quantiles[q].name);
    }
}

bool bench_counts(const struct bench_result *result)
{
    return result->trouble[0] == '\0' && !result->left_out;
}

double bench_value(const struct bench_result *result, const char *metric)
{
    for (unsigned i = 0; i < result->run.figure_count; i++)
        if (strcmp(result->figure[i].metric, metric) == 0)
            return result->figure[i].value;
    return NAN;
}

void bench_free_distributions(struct bench_result *result)
{
    for (unsigned i = 0; i < result->run.histogram_count; i++)
        free(result->distribution[i]);
    free(result->distribution);
    result->distribution = NULL;
    result->run.histogram_count = 0;
}

// ---- all runs of a square -----------------------------------------------------------------------

struct bench_pool *bench_find_pool(const struct bench_session *session, const char *square,
                                   const char *metric, bool corrected)
{
    for (unsigned i = 0; i < session->pool_count; i++) {
        struct bench_pool *pool = &session->pool[i];
        if (strcmp(pool->square, square) == 0 && strcmp(pool->metric, metric) == 0 &&
            pool->corrected == corrected)
            return pool;
    }
    return NULL;
}

const struct histogram *bench_pooled(const struct bench_session *session, const char *square,
                                     const char *metric, bool corrected)
{
    const struct bench_pool *pool = bench_find_pool(session, square, metric, corrected);
    return pool == NULL ? NULL : pool->histogram;
}

static enum status add_pool(struct bench_session *session, const char *square,
                            const struct bench_distribution *from)
{
    struct bench_pool *more = grown(session->pool, session->pool_count, sizeof *more);
    if (more == NULL)
        return STATUS_NO_MEMORY;
    session->pool = more;
    struct bench_pool *new = &more[session->pool_count];
    *new = (struct bench_pool){.corrected = from->stored.corrected,
                               .histogram = malloc(sizeof *new->histogram)};
    if (new->histogram == NULL)
        return STATUS_NO_MEMORY;
    text_copy(new->square, sizeof new->square, square);
    text_copy(new->metric, sizeof new->metric, from->stored.metric);
    text_copy(new->figures, sizeof new->figures, from->figures);
    *new->histogram = from->histogram;
    session->pool_count++;
    return STATUS_OK;
}

enum status bench_pool_add(struct bench_session *session, const struct bench_result *result)
{
    enum status status = STATUS_OK;
    for (unsigned i = 0; i < result->run.histogram_count && status == STATUS_OK; i++) {
        const struct bench_distribution *from = result->distribution[i];
        struct bench_pool *pool =
            bench_find_pool(session, result->square, from->stored.metric, from->stored.corrected);
        if (pool != NULL)
            histogram_add(pool->histogram, &from->histogram);
        else
            status = add_pool(session, result->square, from);
    }
    return status;
}

struct bench_spread bench_spread(const struct bench_session *session, const char *square,
                                 const char *metric)
{
    struct bench_spread spread = {0};
    double *value = malloc((session->result_count + 1) * sizeof *value);
    for (unsigned i = 0; i < session->result_count && value != NULL; i++) {
        const struct bench_result *result = session->result[i];
        const double of_run = bench_value(result, metric);
        if (bench_counts(result) && strcmp(result->square, square) == 0 && !isnan(of_run))
            value[spread.count++] = of_run;
    }
    spread.median = median(value, spread.count); // sorts them
    spread.least = spread.count > 0 ? value[0] : NAN;
    spread.most = spread.count > 0 ? value[spread.count - 1] : NAN;
    free(value);
    return spread;
}
