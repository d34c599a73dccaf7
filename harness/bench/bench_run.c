// The runner of all benchmarks: rounds in turn, trials with their evidence, storing.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/text.h"
#include "clock/futex.h"
#include "harness/bench/bench_private.h"
#include "harness/files/scenario.h"
#include "harness/store/kept/campaign_histories.h"

// ---- one run ----------------------------------------------------------------------------------

static unsigned number_of(const struct bench_session *session, unsigned place)
{
    return session->bench->numbered_through ? session->rounds * session->square_count + place
                                            : session->rounds;
}

struct bench_result *bench_add(struct bench_session *session, unsigned place)
{
    const size_t room = ((size_t)session->result_count + 1) * sizeof(struct bench_result *);
    struct bench_result **more = realloc(session->result, room);
    if (more == NULL)
        return NULL;
    session->result = more;
    struct bench_result *new = calloc(1, sizeof *new);
    if (new == NULL)
        return NULL;
    const struct bench_square *square = &session->square[place];
    new->place = place;
    text_copy(new->square, sizeof new->square, square->label);
    new->run =
        (struct benchmark_run){.square = new->square,
                               .scenario = square->scenario != NULL ? square->scenario->name : "",
                               .number = number_of(session, place),
                               .seed = square->scenario != NULL ? session->rounds + 1 : 0,
                               .bad_scenario = square->scenario};
    more[session->result_count++] = new;
    return new;
}

struct job bench_job(const struct bench_session *session, unsigned place, enum clk_mode mode)
{
    const struct bench_square *square = &session->square[place];
    return (struct job){.target = square->target,
                        .scenario = square->scenario,
                        .description = square->description,
                        .build_folder = session->build_folder,
                        .seed = 1,
                        .mode = mode,
                        .can = LINK_EMBEDDED,
                        .ethernet = LINK_EMBEDDED,
                        .core = session->core,
                        .recheck_core = -1};
}

enum status bench_trial(struct bench_session *session, unsigned place, struct bench_result **result,
                        struct history **history, int64_t *epoch_ns)
{
    static struct trial_record record; // large
    struct bench_square *square = &session->square[place];
    struct bench_result *new = bench_add(session, place);
    struct trial_record *bad = NULL;
    *result = new;
    *history = NULL;
    if (new == NULL)
        return STATUS_NO_MEMORY;
    struct job job = bench_job(session, place, session->virtual_clock ? CLK_VIRTUAL : CLK_WALL);
    job.number = new->run.number;
    job.seed = new->run.seed;
    job.observer = square->observer;
    evidence_ask(&square->evidence, new->run.number, &job);
    job_run(&job, &record, history);
    job_trouble(&record, *history, new->trouble, sizeof new->trouble);
    square->skipped = record.judgement.verdict == VERDICT_SKIP;
    if (square->skipped && new->trouble[0] == '\0')
        text_copy(new->trouble, sizeof new->trouble, record.judgement.oracle[0].detail);
    new->run.wall_s = record.result.wall_s;
    new->run.cpu_s = record.result.cpu_s;
    *epoch_ns = record.result.epoch_ns;
    const enum status status = evidence_take(&square->evidence, &record, &bad);
    new->run.bad = bad;
    return status;
}

static enum status finish_result(struct bench_session *session, struct bench_result *result)
{
    const struct bench_square *square = &session->square[result->place];
    if (result->trouble[0] != '\0')
        log_info("%s, run %u: %s: %s", result->square, session->rounds + 1,
                 square->skipped ? "cannot be run here" : "does not count", result->trouble);
    bench_derive(result);
    return result->no_memory ? STATUS_NO_MEMORY : bench_pool_add(session, result);
}

// ---- storing ----------------------------------------------------------------------------------

// A program's campaign is named after the program.
static enum status begin_campaign(struct bench_session *session, unsigned campaign)
{
    const struct target *target = session->square[0].target;
    char **command = session->square[campaign].command;
    if (session->campaign_id[campaign] != 0)
        return STATUS_OK;
    return benchmark_start(session->database, session->campaign[campaign],
                           command != NULL ? command[0] : session->made_by,
                           target != NULL ? target->name : "", &session->campaign_id[campaign]);
}

// Trials need a campaign for their evidence; else it begins with its first run, so that what could
// not run at all leaves none.
static enum status open_store(struct bench_session *session)
{
    if (session->database_path == NULL)
        return STATUS_OK;
    enum status status = database_open(session->database_path, DATABASE_WRITE, &session->database);
    if (status != STATUS_OK || session->square[0].target == NULL)
        return status;
    status = histories_prepare(session->database_path);
    if (status == STATUS_OK)
        status = begin_campaign(session, 0);
    for (unsigned i = 0; i < session->square_count; i++)
        session->square[i].evidence = (struct evidence){.database = session->database_path,
                                                        .campaign_id = session->campaign_id[0],
                                                        .square = i};
    return status;
}

// Figures of a run that counts, evidence of one that was bad. false: nothing is to be stored.
static bool fill(const struct bench_result *result, struct benchmark_run *run,
                 struct benchmark_histogram *histogram)
{
    *run = result->run;
    run->histogram = histogram;
    for (unsigned i = 0; i < run->histogram_count; i++)
        histogram[i] = result->distribution[i]->stored;
    if (!bench_counts(result))
        run->figure_count = run->histogram_count = run->sample_count = 0;
    return bench_counts(result) || run->bad != NULL;
}

static enum status store_campaign(struct bench_session *session, unsigned campaign, unsigned first)
{
    unsigned count = 0, histograms = 0;
    for (unsigned i = first; i < session->result_count; i++)
        histograms += session->result[i]->run.histogram_count;
    struct benchmark_run *run = calloc(session->result_count - first + 1, sizeof *run);
    struct benchmark_histogram *histogram = calloc(histograms + 1, sizeof *histogram), *next;
    next = histogram;
    enum status status = run == NULL || histogram == NULL ? STATUS_NO_MEMORY : STATUS_OK;
    for (unsigned i = first; i < session->result_count && status == STATUS_OK; i++) {
        const struct bench_result *result = session->result[i];
        if (session->square[result->place].campaign == campaign && fill(result, &run[count], next))
            next += run[count++].histogram_count;
    }
    if (status == STATUS_OK && count > 0)
        status = begin_campaign(session, campaign);
    if (status == STATUS_OK && count > 0)
        status = benchmark_add_runs(session->database, session->campaign_id[campaign], run, count);
    free(run);
    free(histogram);
    return status;
}

// What was measured together is stored together.
static enum status store(struct bench_session *session, unsigned first)
{
    enum status status = STATUS_OK;
    for (unsigned c = 0; session->database != NULL && c < session->campaign_count; c++)
        if (status == STATUS_OK)
            status = store_campaign(session, c, first);
    for (unsigned i = first; i < session->result_count; i++)
        bench_free_distributions(session->result[i]);
    return status;
}

// ---- rounds -----------------------------------------------------------------------------------

// Every other round goes backwards: none is always first, and a slow drift hits all alike.
static enum status run_round(struct bench_session *session)
{
    const unsigned first = session->result_count, squares = session->square_count;
    enum status status = STATUS_OK;
    for (unsigned k = 0; k < squares && status == STATUS_OK; k++) {
        const unsigned place = session->rounds % 2 == 0 ? k : squares - 1 - k;
        const unsigned before = session->result_count;
        if (session->square[place].skipped)
            continue;
        fprintf(stderr, "run %u of %u: %s\n", session->rounds + 1, session->runs,
                session->square[place].label);
        status = session->bench->run(session, place);
        for (unsigned i = before; i < session->result_count && status == STATUS_OK; i++)
            status = finish_result(session, session->result[i]);
    }
    session->rounds++;
    if (session->bench->sift != NULL)
        session->bench->sift(session);
    else if (status == STATUS_OK)
        status = store(session, first);
    return status;
}

static bool is_enough(const struct bench_session *session)
{
    unsigned counted[BENCH_SQUARES_MAX] = {0};
    if (session->rounds < session->runs)
        return false;
    for (unsigned i = 0; i < session->result_count; i++)
        counted[session->result[i]->place] += bench_counts(session->result[i]);
    for (unsigned i = 0; i < session->square_count; i++)
        if (counted[i] < session->runs && !session->square[i].skipped)
            return session->rounds >= session->bench->most * session->runs;
    return true;
}

static enum status run_all(struct bench_session *session)
{
    enum status status = STATUS_OK;
    while (status == STATUS_OK && !is_enough(session))
        status = run_round(session);
    if (status == STATUS_OK && session->bench->sift != NULL)
        status = store(session, 0);
    return status;
}

enum status bench_measure(struct bench_session *session)
{
    const int64_t start_ns = monotonic_ns();
    session->shown = session->square_count;
    session->core = -1;
    enum status status =
        session->bench->prepare != NULL ? session->bench->prepare(session) : STATUS_OK;
    if (status == STATUS_OK)
        status = open_store(session);
    if (status == STATUS_OK)
        status = run_all(session);
    const double wall_s = 1e-9 * (double)(monotonic_ns() - start_ns);
    for (unsigned c = 0; c < session->campaign_count && status == STATUS_OK; c++)
        if (session->campaign_id[c] != 0)
            status = benchmark_finish(session->database, session->campaign_id[c], wall_s);
    session->finished = status == STATUS_OK;
    return status;
}

static void free_result(struct bench_result *result)
{
    bench_free_distributions(result);
    free((void *)result->run.bad);
    free(result->figure);
    free(result->sample);
    free(result);
}

void bench_end(struct bench_session *session)
{
    if (session->bench->end != NULL)
        session->bench->end(session);
    for (unsigned i = 0; i < session->result_count; i++)
        free_result(session->result[i]);
    for (unsigned i = 0; i < session->pool_count; i++)
        free(session->pool[i].histogram);
    for (unsigned i = 0; i < session->square_count; i++)
        free(session->square[i].own);
    free(session->result);
    free(session->pool);
    if (session->database != NULL)
        database_close(session->database);
}
