#include "harness/bench/latency/latency_bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/text.h"
#include "harness/campaign/job.h"

#define PRIORITY_DEFAULT 49 // if the target names no Hardware
#define PERIOD_DEFAULT_NS 10000000
#define LIMIT_MARGIN_NS 60000000000 // the floor's processes outlive a trial by so much at most

struct latency_spot latency_spot_of(const struct histogram *histogram)
{
    return (struct latency_spot){.count = histogram_count(histogram),
                                 .median_ns = histogram_quantile(histogram, 0.5),
                                 .p90_ns = histogram_quantile(histogram, 0.9),
                                 .p99_ns = histogram_quantile(histogram, 0.99),
                                 .p999_ns = histogram_quantile(histogram, 0.999),
                                 .max_ns = histogram_max(histogram)};
}

enum status latency_result_create(struct latency_result **result)
{
    *result = calloc(1, sizeof **result);
    if (*result == NULL)
        return STATUS_NO_MEMORY;
    for (int s = 0; s < LATENCY_STAGES; s++)
        (*result)->schedule_ns[s] = -1;
    (*result)->figures = latency_figures_create();
    return (*result)->figures != NULL ? STATUS_OK : STATUS_NO_MEMORY;
}

void latency_result_free(struct latency_result *result)
{
    if (result == NULL)
        return;
    for (unsigned i = 0; i < result->run_count; i++) {
        latency_free(&result->run[i].record);
        free(result->run[i].sorted);
        free(result->run[i].bad);
    }
    free(result->figures);
    free(result->last);
    free(result);
}

// ---- a trial --------------------------------------------------------------------------------------

struct attempt {
    struct trial_record record;
    struct history *history;
};

static enum status attempt_create(struct attempt **attempt)
{
    *attempt = calloc(1, sizeof **attempt);
    return *attempt != NULL ? STATUS_OK : STATUS_NO_MEMORY;
}

static void attempt_free(struct attempt *attempt)
{
    if (attempt != NULL)
        history_free(attempt->history);
    free(attempt);
}

static struct job job_of(const struct latency_configuration *configuration,
                         const char *build_folder, uint64_t seed, enum clk_mode mode)
{
    return (struct job){.target = configuration->target,
                        .scenario = configuration->scenario,
                        .description = configuration->description,
                        .build_folder = build_folder,
                        .seed = seed,
                        .mode = mode,
                        .can = LINK_EMBEDDED,
                        .observer = configuration->observer,
                        .core = -1,
                        .recheck_core = -1,
                        .keep = KEEP_NEVER};
}

// Whether there is something to measure; if not, says why.
static bool ran(const struct latency_configuration *configuration, const struct attempt *attempt)
{
    const struct trial_result *result = &attempt->record.result;
    if (result->outcome == TRIAL_RAN && attempt->history != NULL && attempt->record.lost[0] == '\0')
        return true;
    log_error("%s: the trial did not run: %s", configuration->label,
              attempt->record.lost[0] != '\0' ? attempt->record.lost : result->reason);
    return false;
}

enum status latency_schedule(const struct latency_configuration *configuration,
                             const char *build_folder, struct latency_result *result)
{
    struct attempt *attempt;
    struct latency_record record = {0};
    struct latency_figures *figures = latency_figures_create();
    enum status status = attempt_create(&attempt);
    if (status == STATUS_OK && figures == NULL)
        status = STATUS_NO_MEMORY;
    bool skipped = false;
    if (status == STATUS_OK) {
        const struct job job = job_of(configuration, build_folder, 1, CLK_VIRTUAL);
        job_run(&job, &attempt->record, &attempt->history);
        skipped = attempt->record.judgement.verdict == VERDICT_SKIP;
        if (!skipped)
            status = ran(configuration, attempt)
                         ? latency_measure(attempt->history, configuration->description, &record)
                         : STATUS_SYSTEM;
    }
    if (status == STATUS_OK && !skipped) {
        latency_figures_add(figures, &record, 0, NULL, NULL);
        for (int s = 0; s < LATENCY_STAGES; s++) {
            const struct histogram *stage = &figures->stage[s][LATENCY_CLEAN];
            result->schedule_ns[s] =
                histogram_count(stage) == 0 ? -1 : histogram_quantile(stage, 0.5);
        }
        result->figures->period = record.period;
    }
    latency_free(&record);
    free(figures);
    attempt_free(attempt);
    return status;
}

// ---- a run ----------------------------------------------------------------------------------------

static int hardware_priority(const struct target *target)
{
    for (unsigned i = 0; i < target->process_count; i++)
        if (strcmp(target->process[i].component, "Hardware") == 0)
            return target->process[i].priority;
    return PRIORITY_DEFAULT;
}

static enum status start_floor(const struct latency_configuration *configuration,
                               const struct latency_result *result, struct machine_floor **floor)
{
    *floor = NULL;
    if (configuration->alone || configuration->mode == CLK_VIRTUAL)
        return STATUS_OK;
    const int64_t period_ns = result->figures->period.ns;
    const struct machine_floor_request request = {
        .priority = hardware_priority(configuration->target),
        .period = duration_ns(period_ns > 0 ? period_ns : PERIOD_DEFAULT_NS),
        .core = -1,
        .held_too = configuration->scenario->fault_count == 0,
        .limit_ns = duration_s(configuration->scenario->duration_s).ns + LIMIT_MARGIN_NS};
    return machine_floor_start(&request, floor);
}

static void note_judgement(struct latency_run *run, const struct judgement *judgement)
{
    text_copy(run->verdict, sizeof run->verdict, verdict_name(judgement->verdict));
    const struct oracle_verdict *oracle = judgement_decisive(judgement);
    if (oracle != NULL && oracle->verdict != VERDICT_PASS)
        snprintf(run->words, sizeof run->words, "%.47s: %.150s", oracle->oracle, oracle->detail);
}

static void note_figures(struct latency_run *run, const struct latency_figures *figures)
{
    for (int s = 0; s < LATENCY_STAGES; s++)
        run->stage[s] = latency_spot_of(&figures->stage[s][LATENCY_CLEAN]);
    run->corrected = latency_spot_of(&figures->corrected);
    for (int part = 0; part < FLOOR_PARTS; part++)
        run->floor[part] = latency_spot_of(&figures->floor[part]);
    for (int sort = 0; sort < LATENCY_SORTS; sort++)
        run->states[sort] = figures->states[sort];
    for (int d = 0; d < LATENCY_DEADLINES; d++)
        run->deadline[d] = figures->deadline[d][LATENCY_CLEAN];
}

static enum status measure(const struct latency_configuration *configuration,
                           const struct attempt *attempt, const struct floor_record *floor,
                           struct latency_run *run, struct latency_result *result)
{
    enum status status =
        latency_measure(attempt->history, configuration->description, &run->record);
    if (status != STATUS_OK)
        return status;
    run->sorted = calloc(run->record.chain_count + 1, sizeof *run->sorted);
    struct latency_figures *own = latency_figures_create();
    if (run->sorted != NULL && own != NULL) {
        latency_figures_add(own, &run->record, attempt->record.result.epoch_ns, floor, run->sorted);
        note_figures(run, own);
        latency_figures_merge(result->figures, own);
    } else
        status = STATUS_NO_MEMORY;
    free(result->last);
    result->last = own;
    return status;
}

enum status latency_bench_run(const struct latency_configuration *configuration,
                              const char *build_folder, uint64_t seed,
                              struct latency_result *result)
{
    if (result->run_count == LATENCY_RUNS_MAX)
        return STATUS_FULL;
    struct attempt *attempt;
    struct machine_floor *floor = NULL;
    enum status status = attempt_create(&attempt);
    if (status == STATUS_OK)
        status = start_floor(configuration, result, &floor);
    if (status == STATUS_OK) {
        struct latency_run *run = &result->run[result->run_count];
        struct job job = job_of(configuration, build_folder, seed, configuration->mode);
        evidence_ask(&result->evidence, result->run_count++, &job);
        job_run(&job, &attempt->record, &attempt->history);
        if (floor != NULL)
            machine_floor_stop(floor);
        note_judgement(run, &attempt->record.judgement);
        status = evidence_take(&result->evidence, &attempt->record, &run->bad);
        run->ordinary = floor != NULL && !machine_floor_record(floor)->real_time;
        run->seed = seed;
        run->wall_s = attempt->record.result.wall_s;
        run->cpu_s = attempt->record.result.cpu_s;
        run->left_out = attempt->record.result.outcome == TRIAL_RAN &&
                        attempt->record.judgement.verdict == VERDICT_ERROR;
        run->ran = ran(configuration, attempt) && !run->left_out;
        if (status == STATUS_OK && run->ran)
            status = measure(configuration, attempt,
                             floor == NULL ? NULL : machine_floor_record(floor), run, result);
    }
    machine_floor_free(floor);
    attempt_free(attempt);
    return status;
}
