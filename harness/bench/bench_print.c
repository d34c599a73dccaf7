// The table of all benchmarks: of each square its distributions over all runs, then its figures.
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "harness/bench/bench_private.h"

#define US_PER_NS 1e-3
#define NAME_WIDTH 42

static void print_pool(const struct bench_session *session, const struct bench_pool *pool)
{
    static const double share[] = {0.5, 0.9, 0.99, 0.999};
    char planned[80];
    snprintf(planned, sizeof planned, "%s planned", pool->figures);
    const struct bench_spread plan = bench_spread(session, pool->square, planned);
    printf("  %-*s %8" PRIu64, NAME_WIDTH, pool->figures, histogram_count(pool->histogram));
    for (size_t i = 0; i < sizeof share / sizeof share[0]; i++)
        printf(" %10.1f", US_PER_NS * (double)histogram_quantile(pool->histogram, share[i]));
    printf(" %10.1f", US_PER_NS * (double)histogram_max(pool->histogram));
    if (plan.count > 0)
        printf(" %10.1f", plan.median);
    putchar('\n');
}

static void print_pools(const struct bench_session *session, const char *square)
{
    bool any = false;
    for (unsigned i = 0; i < session->pool_count; i++) {
        if (strcmp(session->pool[i].square, square) != 0)
            continue;
        if (!any)
            printf("  %-*s %8s %10s %10s %10s %10s %10s %10s\n", NAME_WIDTH, "us", "count",
                   "median", "p90", "p99", "p99.9", "max", "planned");
        any = true;
        print_pool(session, &session->pool[i]);
    }
}

// Whether an earlier counted run of the square has it, so that it was printed.
static bool was_before(const struct bench_session *session, unsigned place, const char *metric)
{
    for (unsigned i = 0; i < place; i++)
        if (bench_counts(session->result[i]) &&
            strcmp(session->result[i]->square, session->result[place]->square) == 0 &&
            !isnan(bench_value(session->result[i], metric)))
            return true;
    return false;
}

static bool is_plan(const char *metric)
{
    const size_t length = strlen(metric), ending = strlen(" planned");
    return length > ending && strcmp(metric + length - ending, " planned") == 0;
}

static void print_figures(const struct bench_session *session, unsigned place)
{
    const struct bench_result *result = session->result[place];
    for (unsigned f = 0; f < result->measured; f++) {
        const struct figure *figure = &result->figure[f];
        if (is_plan(figure->metric) || was_before(session, place, figure->metric))
            continue;
        const struct bench_spread spread = bench_spread(session, result->square, figure->metric);
        printf("  %-*s %10.5g [%.5g, %.5g] %s\n", NAME_WIDTH, figure->metric, spread.median,
               spread.least, spread.most, figure->unit);
    }
}

static void print_cell(const struct bench_session *session, unsigned place)
{
    const char *square = session->square[place].label;
    unsigned counted = 0, runs = 0;
    for (unsigned i = 0; i < session->result_count; i++)
        if (session->result[i]->place == place) {
            counted += bench_counts(session->result[i]);
            runs++;
        }
    printf("%s: %u of %u runs count\n", square, counted, runs);
    print_pools(session, square);
    if (counted > 0)
        printf("  %-*s %10s\n", NAME_WIDTH, "", "median [least, most] of the runs");
    for (unsigned i = 0; i < session->result_count; i++)
        if (session->result[i]->place == place && bench_counts(session->result[i]))
            print_figures(session, i);
}

static void print_campaign(const struct bench_session *session, unsigned campaign)
{
    unsigned rounds = 0;
    const char *of = session->made_by;
    for (unsigned i = 0; i < session->square_count; i++)
        if (session->square[i].campaign == campaign && session->square[i].command != NULL) {
            rounds = session->square[i].rounds;
            of = session->square[i].command[0];
        }
    printf("campaign %" PRId64 " '%s': %s %u runs of %s", session->campaign_id[campaign],
           session->campaign[campaign], session->finished ? "all" : "not all", session->runs, of);
    if (rounds > session->runs)
        printf(", in %u rounds", rounds);
    putchar('\n');
}

// A square without one run that counts is one that the lab failed to measure.
static enum bench_outcome outcome_of(const struct bench_session *session)
{
    unsigned skipped = 0;
    for (unsigned place = 0; place < session->shown; place++) {
        bool measured = false;
        for (unsigned i = 0; i < session->result_count; i++)
            measured |= session->result[i]->place == place && bench_counts(session->result[i]);
        if (!measured && !session->square[place].skipped)
            return BENCH_FAILED;
        skipped += !measured;
    }
    return skipped > 0 && skipped == session->shown ? BENCH_SKIPPED : BENCH_MEASURED;
}

enum bench_outcome bench_print(const struct bench_session *session)
{
    enum bench_outcome outcome = outcome_of(session);
    if (session->square[0].command == NULL) // programs print for themselves
        for (unsigned i = 0; i < session->shown; i++)
            print_cell(session, i);
    if (session->bench->conclude != NULL) {
        const enum bench_outcome own = session->bench->conclude(session);
        outcome = own > outcome ? own : outcome;
    }
    for (unsigned c = 0; c < session->campaign_count; c++)
        if (session->campaign_id[c] != 0)
            print_campaign(session, c);
    return outcome;
}
