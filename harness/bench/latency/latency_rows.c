#include "harness/bench/latency/latency_rows.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/log.h"
#include "harness/bench/latency/latency_ratio.h"
#include "harness/store/machine.h"
#include "harness/store/version.h"

#define US_PER_NS 1e-3
#define MS_PER_NS 1e-6
#define TAIL_STEPS_PER_DECADE 12
#define TAIL_DECADES 5

static const char tables[] =
    "CREATE TABLE bench (target, runs, duration_s, lab_revision, compiler, cpu_model,"
    " cores, kernel, preemption, hypervisor, bound_met, ordinary);"
    "CREATE TABLE configuration (number INTEGER PRIMARY KEY, label, file, scenario, period_ms,"
    " runs, states, stalled, unanswered, schedule_ms, median_ms, p99_ms, p999_ms, max_ms,"
    " periods, bound_ms, verdict, stalls, stalled_ms, steal_ms, floor_missed,"
    " held, held_ms, p999_all_ms);"
    "CREATE TABLE stage (configuration, number, kind, name, count, median_us, p90_us, p99_us,"
    " p999_us, max_us, schedule_us, over_us);"
    "CREATE TABLE deadline (configuration, number, process, name, due, missed, stalled_due,"
    " stalled_missed);"
    "CREATE TABLE sample (configuration, run, t_s, loop_ms, stalled);"
    "CREATE TABLE tail (configuration, series, beyond, us);"
    "CREATE TABLE bucket (configuration, series, from_us, to_us, share);"
    "CREATE TABLE ratio (configuration, name, quantile, median, low, high);"
    "CREATE TABLE cost (number, label, stage, quantile, median_us, low_us, high_us);";

struct rows {
    sqlite3 *database;
    enum status status;
};

// Inserts a row of texts ('s'), reals ('r', NAN is NULL) and integers ('i', int64_t).
static void insert(struct rows *rows, const char *table, const char *types, ...)
{
    char sql[160];
    int length = snprintf(sql, sizeof sql, "INSERT INTO %s VALUES (?", table);
    for (const char *type = types + 1; *type != '\0'; type++)
        length += snprintf(sql + length, sizeof sql - (size_t)length, ",?");
    snprintf(sql + length, sizeof sql - (size_t)length, ")");
    sqlite3_stmt *statement = NULL;
    if (rows->status != STATUS_OK ||
        sqlite3_prepare_v2(rows->database, sql, -1, &statement, NULL) != SQLITE_OK)
        rows->status = STATUS_INVALID;
    va_list values;
    va_start(values, types);
    for (int i = 0; types[i] != '\0' && rows->status == STATUS_OK; i++) {
        int bound;
        if (types[i] == 's')
            bound = sqlite3_bind_text(statement, i + 1, va_arg(values, const char *), -1,
                                      SQLITE_TRANSIENT);
        else if (types[i] == 'r')
            bound = sqlite3_bind_double(statement, i + 1, va_arg(values, double));
        else
            bound = sqlite3_bind_int64(statement, i + 1, va_arg(values, int64_t));
        if (bound != SQLITE_OK)
            rows->status = STATUS_INVALID;
    }
    va_end(values);
    if (rows->status == STATUS_OK && sqlite3_step(statement) != SQLITE_DONE)
        rows->status = STATUS_INVALID;
    sqlite3_finalize(statement);
}

void latency_file_name(const char *label, char *name, size_t size)
{
    size_t i = 0;
    for (; label[i] != '\0' && i + 1 < size; i++)
        name[i] = isalnum((unsigned char)label[i]) ? label[i] : '-';
    name[i] = '\0';
}

// ---- a configuration --------------------------------------------------------------------------------

static void put_stage(struct rows *rows, int64_t number, int64_t position, const char *kind,
                      const char *name, const struct histogram *histogram, int64_t schedule_ns)
{
    const struct latency_spot spot = latency_spot_of(histogram);
    if (spot.count == 0)
        return;
    const double schedule_us = schedule_ns < 0 ? NAN : US_PER_NS * (double)schedule_ns;
    const double median_us = US_PER_NS * (double)spot.median_ns;
    insert(rows, "stage", "iissirrrrrrr", number, position, kind, name, (int64_t)spot.count,
           median_us, US_PER_NS * (double)spot.p90_ns, US_PER_NS * (double)spot.p99_ns,
           US_PER_NS * (double)spot.p999_ns, US_PER_NS * (double)spot.max_ns, schedule_us,
           median_us - schedule_us);
}

static void put_stages(struct rows *rows, int64_t number, const struct latency_result *result)
{
    const struct latency_figures *figures = result->figures;
    int64_t position = 0;
    for (int s = 0; s < LATENCY_STAGES; s++)
        put_stage(rows, number, position++, s < LATENCY_STAGES_STACKED ? "stacked" : "over several",
                  latency_stages[s].name, &figures->stage[s][LATENCY_CLEAN],
                  result->schedule_ns[s]);
    put_stage(rows, number, position++, "loop", "state to acquired, with what was omitted",
              &figures->corrected, -1);
    put_stage(rows, number, position++, "loop", "state to acquired, in a stall of the machine",
              &figures->stage[LATENCY_STAGE_LOOP][LATENCY_STALLED], -1);
    for (int part = 0; part < FLOOR_PARTS; part++)
        put_stage(rows, number, position++, "machine", latency_floor_names[part],
                  &figures->floor[part], -1);
}

static void put_deadlines(struct rows *rows, int64_t number, const struct latency_figures *figures)
{
    for (int d = 0; d < LATENCY_DEADLINES; d++) {
        const struct latency_count *clean = &figures->deadline[d][LATENCY_CLEAN];
        const struct latency_count *stalled = &figures->deadline[d][LATENCY_STALLED];
        insert(rows, "deadline", "iissiiii", number, (int64_t)d, latency_deadline_process(d),
               latency_deadline_name(d), (int64_t)clean->due, (int64_t)clean->missed,
               (int64_t)stalled->due, (int64_t)stalled->missed);
    }
}

static void put_samples(struct rows *rows, int64_t number, const struct latency_result *result)
{
    for (unsigned run = 0; run < result->run_count; run++)
        for (size_t i = 0; i < result->run[run].record.chain_count; i++) {
            const struct latency_chain *chain = &result->run[run].record.chain[i];
            duration took;
            if (result->run[run].sorted[i] == LATENCY_SORTS)
                continue;
            const bool closed = latency_stage_of(chain, &latency_stages[LATENCY_STAGE_LOOP], &took);
            insert(rows, "sample", "iirri", number, (int64_t)run + 1,
                   instant_to_s(chain->at[LATENCY_STATE_PUBLISHED]),
                   closed ? MS_PER_NS * (double)took.ns : NAN,
                   (int64_t)(result->run[run].sorted[i] == LATENCY_STALLED));
        }
}

// The value beyond which a share lies, share by share.
static void put_tail(struct rows *rows, int64_t number, const char *series,
                     const struct histogram *histogram)
{
    const uint64_t count = histogram_count(histogram);
    for (int step = 0; step <= TAIL_STEPS_PER_DECADE * TAIL_DECADES; step++) {
        const double beyond = pow(10, -(double)step / TAIL_STEPS_PER_DECADE);
        if (beyond * (double)count < 1)
            break;
        insert(rows, "tail", "isrr", number, series, beyond,
               US_PER_NS * (double)histogram_quantile(histogram, 1 - beyond));
    }
}

static void put_buckets(struct rows *rows, int64_t number, const char *series,
                        const struct histogram *histogram)
{
    unsigned position = 0;
    struct histogram_bucket bucket;
    while (histogram_next(histogram, &position, &bucket))
        insert(rows, "bucket", "isrrr", number, series, US_PER_NS * (double)bucket.from_ns,
               US_PER_NS * (double)(bucket.to_ns + 1),
               (double)bucket.count / (double)histogram_count(histogram));
}

static void put_distributions(struct rows *rows, int64_t number,
                              const struct latency_figures *figures)
{
    put_tail(rows, number, "loop", &figures->corrected);
    put_buckets(rows, number, "loop", &figures->corrected);
    const struct histogram *hop = &figures->stage[latency_ratios[0].stage][LATENCY_CLEAN];
    put_tail(rows, number, "balance wakes", hop);
    put_buckets(rows, number, "balance wakes", hop);
    for (int part = 0; part < FLOOR_PARTS; part++) {
        put_tail(rows, number, latency_floor_names[part], &figures->floor[part]);
        put_buckets(rows, number, latency_floor_names[part], &figures->floor[part]);
    }
}

static void put_ratios(struct rows *rows, int64_t number, const struct latency_result *result)
{
    for (int i = 0; i < LATENCY_RATIOS; i++)
        for (enum latency_quantile q = 0; q < LATENCY_QUANTILES; q++) {
            const struct latency_spread spread = latency_ratio_over(result, &latency_ratios[i], q);
            if (spread.count > 0)
                insert(rows, "ratio", "issrrr", number, latency_ratios[i].name,
                       latency_quantile_names[q], spread.median, spread.low, spread.high);
        }
}

static void put_configuration(struct rows *rows, int64_t number,
                              const struct latency_configuration *configuration,
                              const struct latency_result *result)
{
    const struct latency_figures *figures = result->figures;
    const struct latency_spot spot = latency_spot_of(&figures->corrected);
    const struct latency_verdict verdict = latency_judge(figures);
    char file[NAME_MAX_LENGTH];
    latency_file_name(configuration->label, file, sizeof file);
    const int64_t schedule_ns = result->schedule_ns[LATENCY_STAGE_LOOP];
    const double period_ms = MS_PER_NS * (double)figures->period.ns;
    insert(rows, "configuration", "isssriiiirrrrrrrsirriirr", number, configuration->label, file,
           configuration->scenario->name, period_ms, (int64_t)result->run_count,
           (int64_t)(figures->states[LATENCY_CLEAN] + figures->states[LATENCY_STALLED]),
           (int64_t)figures->states[LATENCY_STALLED], (int64_t)figures->unanswered[LATENCY_CLEAN],
           schedule_ns < 0 ? NAN : MS_PER_NS * (double)schedule_ns,
           MS_PER_NS * (double)spot.median_ns, MS_PER_NS * (double)spot.p99_ns,
           MS_PER_NS * (double)spot.p999_ns, MS_PER_NS * (double)spot.max_ns,
           MS_PER_NS * (double)spot.p999_ns / period_ms, MS_PER_NS * (double)verdict.bound.ns,
           !verdict.measured ? "not measured"
           : verdict.met     ? "met"
                             : "not met",
           (int64_t)figures->stalls, MS_PER_NS * (double)figures->stalled_ns,
           MS_PER_NS * (double)figures->steal_ns, (int64_t)figures->floor_missed,
           (int64_t)figures->held, MS_PER_NS * (double)figures->held_ns,
           MS_PER_NS * (double)verdict.reached_all.ns);
    put_stages(rows, number, result);
    put_deadlines(rows, number, figures);
    put_samples(rows, number, result);
    put_distributions(rows, number, figures);
    put_ratios(rows, number, result);
}

// ---- all ----------------------------------------------------------------------------------------------

static void put_cost(struct rows *rows, int64_t number, const char *label,
                     const struct latency_result *plain, const struct latency_result *watched)
{
    static const unsigned stages[] = {LATENCY_STAGE_ANSWER, LATENCY_STAGE_LOOP};
    for (unsigned k = 0; k < sizeof stages / sizeof stages[0]; k++)
        for (enum latency_quantile q = 0; q <= LATENCY_P99; q++) {
            const struct latency_spread spread = latency_cost_us(plain, watched, stages[k], q);
            if (spread.count > 0)
                insert(rows, "cost", "isssrrr", number, label, latency_stages[stages[k]].name,
                       latency_quantile_names[q], spread.median, spread.low, spread.high);
        }
}

static void put_bench(struct rows *rows, const struct latency_bench_facts *facts, bool met)
{
    const struct build_info build = build_info();
    const struct machine_info machine = machine_info();
    insert(rows, "bench", "sirsssisssss", facts->target, (int64_t)facts->runs, facts->duration_s,
           build.lab_revision, build.compiler, machine.cpu_model, (int64_t)machine.cores,
           machine.kernel, machine.preemption, machine.hypervisor ? "virtual" : "",
           met ? "yes" : "", facts->ordinary ? "yes" : "");
}

enum status latency_rows(sqlite3 *database, const struct latency_bench_facts *facts,
                         const struct latency_configuration *configuration,
                         struct latency_result *const *result, unsigned count, unsigned main_count)
{
    struct rows rows = {.database = database};
    bool met = true;
    if (sqlite3_exec(database, tables, NULL, NULL, NULL) != SQLITE_OK)
        rows.status = STATUS_INVALID;
    for (unsigned i = 0; i < main_count; i++) {
        put_configuration(&rows, i, &configuration[i], result[i]);
        met &= latency_judge(result[i]->figures).met;
    }
    for (unsigned i = main_count; i < count; i++)
        put_cost(&rows, i, configuration[i].label, result[0], result[i]);
    put_bench(&rows, facts, met);
    if (rows.status != STATUS_OK)
        log_error("the report's tables: %s", sqlite3_errmsg(database));
    return rows.status;
}
