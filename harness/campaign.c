#include "harness/campaign.h"

#include <math.h>
#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/log.h"
#include "base/random.h"
#include "harness/job.h"
#include "harness/progress.h"
#include "harness/trigger.h"

#define SLOTS_MAX 256
#define KEPT_PER_CELL_MAX                                                                          \
    10 // histories of bad trials; the others can be run again from their seeds

#define SEED_CANDIDATES 64
#define GOLDEN_RATIO                                                                               \
    0.6180339887498949 // its multiples modulo 1 are spread evenly, however many there are

// Where in its range a seed makes the first fault strike, 0..1; NAN if nothing is drawn.
static double strike_position(const struct scenario *scenario, uint64_t seed)
{
    const struct trigger *at = &scenario->fault[0].at;
    struct trigger_state drawn;
    if (scenario->fault_count == 0)
        return NAN;
    trigger_draw(&drawn, at, seed, 0);
    return at->kind == TRIGGER_PHASE
               ? (drawn.phase - at->phase_min) / (at->phase_max - at->phase_min)
               : (instant_to_s(drawn.time) - at->time_min_s) / (at->time_max_s - at->time_min_s);
}

// Where trial `number` of a column is to strike. The same for every row, so that rows can be
// compared.
static double position_wanted(uint64_t campaign_seed, const struct campaign_cell *cell,
                              unsigned number)
{
    char name[2 * NAME_MAX_LENGTH];
    struct random_stream stream;
    snprintf(name, sizeof name, "spread/%s", cell->column);
    random_start(&stream, campaign_seed, name);
    return fmod(random_uniform(&stream, 0, 1) + number * GOLDEN_RATIO, 1);
}

uint64_t campaign_trial_seed(uint64_t campaign_seed, const struct campaign_cell *cell,
                             unsigned number)
{
    char name[4 * NAME_MAX_LENGTH];
    snprintf(name, sizeof name, "trial/%s/%s/%s/%u", cell->row, cell->column, cell->scenario->name,
             number);
    struct random_stream stream;
    random_start(&stream, campaign_seed, name);
    double wanted = position_wanted(campaign_seed, cell, number), best_distance = INFINITY;
    uint64_t best = 0;
    for (unsigned i = 0; i < SEED_CANDIDATES; i++) {
        uint64_t seed = random_bits(&stream) >> 1;
        double distance = fabs(strike_position(cell->scenario, seed) - wanted);
        if (i == 0 || distance < best_distance) {
            best = seed;
            best_distance = isfinite(distance) ? distance : INFINITY;
        }
    }
    return best;
}

bool campaign_rechecks(uint64_t trial_seed, double recheck_share)
{
    struct random_stream stream;
    random_start(&stream, trial_seed, "recheck");
    return random_uniform(&stream, 0, 1) < recheck_share;
}

struct slot {
    struct worker worker;
    struct job job;
    struct stored_trial example; // second phase: the trial that is run again
    int core, next_core;
};

struct running {
    const struct campaign *campaign;
    const struct target *target;
    const struct description *description;
    const struct campaign_options *options;
    struct database *database;
    int64_t campaign_id;
    struct progress progress;
    int slot_count;
    struct slot *slot;
    bool examples;         // second phase: typical trials are run again to keep their histories
    unsigned cell, number; // next to start
    unsigned kept[CELLS_MAX];
};

static volatile sig_atomic_t interrupted;
static void on_signal(int number)
{
    interrupted = number;
}

// ---- what to run next -------------------------------------------------------------------------

static void name_history(const struct running *r, struct job *job)
{
    char folder[PATH_MAX_LENGTH];
    snprintf(folder, sizeof folder, "%s", r->options->database);
    char *slash = strrchr(folder, '/');
    if (slash != NULL)
        *slash = '\0';
    snprintf(job->history_relative, sizeof job->history_relative, "histories/%lld-%u-%u.mcap",
             (long long)r->campaign_id, job->cell, job->number);
    int length = snprintf(job->history_file, sizeof job->history_file, "%s/%s",
                          slash == NULL ? "." : folder, job->history_relative);
    if (length >= (int)sizeof job->history_file)
        job->history_file[0] = '\0'; // too long to keep it
}

static void fill_job(const struct running *r, struct slot *slot, unsigned cell, unsigned number)
{
    const struct campaign_cell *of = &r->campaign->cell[cell];
    slot->job = (struct job){.target = r->target,
                             .scenario = of->scenario,
                             .description = r->description,
                             .build_folder = r->options->build_folder,
                             .cell = cell,
                             .number = number,
                             .seed = campaign_trial_seed(r->campaign->seed, of, number),
                             .mode = r->options->mode,
                             .core = slot->core,
                             .recheck_core = slot->next_core};
    name_history(r, &slot->job);
}

// Numbers go round the cells, so that early results say something about every cell.
static bool next_trial(struct running *r, struct slot *slot)
{
    unsigned most = 0;
    for (unsigned i = 0; i < r->campaign->cell_count; i++)
        most = r->campaign->cell[i].trials > most ? r->campaign->cell[i].trials : most;
    for (; r->number < most; r->number++, r->cell = 0)
        while (r->cell < r->campaign->cell_count) {
            unsigned cell = r->cell++;
            if (r->number >= r->campaign->cell[cell].trials ||
                database_has_trial(r->database, r->campaign_id, cell, r->number))
                continue;
            fill_job(r, slot, cell, r->number);
            bool wall = r->options->mode == CLK_WALL;
            slot->job.keep =
                r->number == 0 ? KEEP_ALWAYS : KEEP_BAD; // the first may become the example
            slot->job.recheck =
                !wall && campaign_rechecks(slot->job.seed, r->campaign->recheck_share);
            return true;
        }
    return false;
}

// Wall-clock trials cannot be had again: there an example is one whose history was kept.
static bool next_example(struct running *r, struct slot *slot)
{
    bool wall = r->options->mode == CLK_WALL;
    while (r->cell < r->campaign->cell_count) {
        unsigned cell = r->cell++;
        if (database_typical_trial(r->database, r->campaign_id, cell, wall, &slot->example) !=
            STATUS_OK)
            continue;
        if (slot->example.history_path[0] == '\0') {
            fill_job(r, slot, cell, slot->example.number);
            slot->job.keep = KEEP_ALWAYS;
            return true;
        }
        if (database_set_example(r->database, slot->example.trial_id, slot->example.history_path) !=
            STATUS_OK)
            return false;
    }
    return false;
}

// ---- what came back ---------------------------------------------------------------------------

// The oracle that decided a bad verdict.
static const struct oracle_verdict *decisive(const struct judgement *judgement)
{
    for (unsigned i = 0; i < judgement->count; i++)
        if (judgement->oracle[i].verdict == judgement->verdict)
            return &judgement->oracle[i];
    return NULL;
}

static void tell_bad(struct running *r, const struct trial_record *record)
{
    const struct oracle_verdict *oracle = decisive(&record->judgement);
    const struct campaign_cell *cell = &r->campaign->cell[record->cell];
    if (record->judgement.verdict == VERDICT_PASS || oracle == NULL)
        return;
    progress_tell(&r->progress, "  %s  %s, %s, trial %u, seed %llu: %s: %s",
                  verdict_name(record->judgement.verdict), cell->row, cell->column, record->number,
                  (unsigned long long)record->seed, oracle->oracle, oracle->detail);
}

static enum status take_trial(struct running *r, struct slot *slot)
{
    struct trial_record *record = &slot->worker.record;
    int64_t trial_id;
    if (record->history_path[0] != '\0' && slot->job.keep == KEEP_BAD &&
        r->kept[record->cell]++ >= KEPT_PER_CELL_MAX) {
        unlink(slot->job.history_file);
        record->history_path[0] = '\0';
    }
    enum status status =
        database_add_trial(r->database, r->campaign_id, slot->job.scenario, record, &trial_id);
    progress_add(&r->progress, record->judgement.verdict,
                 record->result.simulated_s * (slot->job.recheck ? 2 : 1));
    tell_bad(r, record);
    return status;
}

// The run that keeps an example's history is at the same time a determinism check.
static enum status take_example(struct running *r, struct slot *slot)
{
    struct trial_record *record = &slot->worker.record;
    enum status status =
        database_set_example(r->database, slot->example.trial_id, record->history_path);
    if (status != STATUS_OK || strcmp(record->result.hash, slot->example.history_hash) == 0)
        return status;
    job_compare(&record->judgement, slot->example.history_hash, record->result.hash);
    tell_bad(r, record);
    return database_add_judging(r->database, slot->example.trial_id, &record->judgement);
}

// ---- kept histories ---------------------------------------------------------------------------

// Deletes the histories of trials that passed and did not become examples.
static bool drop_history(void *context, int columns, const char *const *name,
                         const char *const *value)
{
    struct running *r = context;
    struct job job = {0};
    (void)name;
    if (columns != 3)
        return false;
    job.cell = (unsigned)strtoul(value[1], NULL, 10);
    job.number = (unsigned)strtoul(value[2], NULL, 10);
    name_history(r, &job);
    unlink(job.history_file);
    return database_drop_history(r->database, strtoll(value[0], NULL, 10)) == STATUS_OK;
}

static enum status drop_histories(struct running *r)
{
    return database_query(r->database,
                          "SELECT trial_id, position, number FROM trial_view WHERE campaign_id = ?"
                          " AND verdict = 'PASS' AND NOT is_example AND history_path IS NOT NULL",
                          r->campaign_id, drop_history, r);
}

// ---- the loop ---------------------------------------------------------------------------------

static enum status start_workers(struct running *r, int *busy)
{
    for (int i = 0; i < r->slot_count; i++) {
        struct slot *slot = &r->slot[i];
        if (slot->worker.pid != 0)
            continue;
        if (!(r->examples ? next_example(r, slot) : next_trial(r, slot)))
            return STATUS_OK;
        enum status status = worker_start(&slot->worker, &slot->job);
        if (status != STATUS_OK)
            return status;
        ++*busy;
    }
    return STATUS_OK;
}

static enum status receive(struct running *r, int *busy)
{
    struct pollfd fds[SLOTS_MAX];
    for (int i = 0; i < r->slot_count; i++)
        fds[i] = (struct pollfd){.fd = r->slot[i].worker.pid == 0 ? -1 : r->slot[i].worker.pipe,
                                 .events = POLLIN};
    if (poll(fds, (nfds_t)r->slot_count, 250) < 0 && errno != EINTR)
        return STATUS_SYSTEM;
    for (int i = 0; i < r->slot_count && !interrupted; i++) {
        struct slot *slot = &r->slot[i];
        if (fds[i].fd < 0 || fds[i].revents == 0 || !worker_receive(&slot->worker, &slot->job))
            continue;
        --*busy;
        enum status status = r->examples ? take_example(r, slot) : take_trial(r, slot);
        if (status != STATUS_OK)
            return status;
    }
    progress_show(&r->progress, false);
    return STATUS_OK;
}

static enum status run_phase(struct running *r, bool examples)
{
    r->examples = examples;
    r->cell = r->number = 0;
    int busy = 0;
    enum status status = start_workers(r, &busy);
    while (busy > 0 && status == STATUS_OK && !interrupted) {
        status = receive(r, &busy);
        if (status == STATUS_OK && !interrupted)
            status = start_workers(r, &busy);
    }
    for (int i = 0; i < r->slot_count; i++) {
        if (r->slot[i].worker.pid == 0)
            continue;
        worker_stop(&r->slot[i].worker);
        unlink(r->slot[i].job.history_file); // may not be there
    }
    return status;
}

static enum status make_slots(struct running *r)
{
    cpu_set_t allowed;
    int core[CPU_SETSIZE], cores = 0;
    if (sched_getaffinity(0, sizeof allowed, &allowed) == 0)
        for (int i = 0; i < CPU_SETSIZE; i++)
            if (CPU_ISSET(i, &allowed))
                core[cores++] = i;
    // On the wall clock a core is left to everything else: trials must not wait for it.
    int by_default = r->options->mode == CLK_WALL ? cores - 1 : cores;
    r->slot_count = r->options->jobs > 0 ? r->options->jobs : by_default > 0 ? by_default : 1;
    if (r->slot_count > SLOTS_MAX)
        r->slot_count = SLOTS_MAX;
    r->slot = calloc((size_t)r->slot_count, sizeof *r->slot);
    if (r->slot == NULL)
        return STATUS_NO_MEMORY;
    for (int i = 0; i < r->slot_count; i++) {
        r->slot[i].core = cores > 0 ? core[i % cores] : -1;
        r->slot[i].next_core = cores > 0 ? core[(i + 1) % cores] : -1;
    }
    return STATUS_OK;
}

static void make_history_folder(const struct running *r)
{
    struct job job = {.cell = 0};
    name_history(r, &job);
    char *slash = strrchr(job.history_file, '/');
    if (slash == NULL)
        return;
    *slash = '\0';
    if (mkdir(job.history_file, 0777) != 0 && errno != EEXIST)
        log_error("%s: %s; histories will not be kept", job.history_file, strerror(errno));
}

static void count_stored(struct running *r)
{
    for (enum verdict v = VERDICT_PASS; v <= VERDICT_SKIP; v++) {
        r->progress.count[v] = database_count(r->database, r->campaign_id, v);
        r->progress.done += r->progress.count[v];
    }
    r->progress.at_start = r->progress.done;
}

static void summarise(struct running *r, struct campaign_summary *summary)
{
    *summary = (struct campaign_summary){
        .campaign_id = r->campaign_id,
        .total = r->progress.total,
        .passed = database_count(r->database, r->campaign_id, VERDICT_PASS),
        .failed = database_count(r->database, r->campaign_id, VERDICT_FAIL),
        .errors = database_count(r->database, r->campaign_id, VERDICT_ERROR),
        .skipped = database_count(r->database, r->campaign_id, VERDICT_SKIP),
        .wall_s = progress_elapsed_s(&r->progress),
        .simulated_s = r->progress.simulated_s,
        .interrupted = interrupted != 0};
    summary->done = summary->passed + summary->failed + summary->errors + summary->skipped;
}

static enum status run_all(struct running *r, struct campaign_summary *summary)
{
    enum status status =
        database_start_campaign(r->database, r->campaign, r->options->mode, r->slot_count,
                                r->options->resume, &r->campaign_id);
    if (status != STATUS_OK)
        return status;
    unsigned total = 0;
    for (unsigned i = 0; i < r->campaign->cell_count; i++)
        total += r->campaign->cell[i].trials;
    progress_start(&r->progress, total, r->options->quiet);
    count_stored(r);
    make_history_folder(r);
    progress_show(&r->progress, r->progress.live);
    status = run_phase(r, false);
    if (status == STATUS_OK && !interrupted)
        status = run_phase(r, true);
    if (status == STATUS_OK && !interrupted)
        status = drop_histories(r);
    progress_end(&r->progress);
    summarise(r, summary);
    enum status closing = database_finish_campaign(r->database, r->campaign_id, summary->wall_s,
                                                   status == STATUS_OK && !interrupted);
    return status == STATUS_OK ? closing : status;
}

enum status campaign_run(const struct campaign *campaign, const struct target *target,
                         const struct description *description,
                         const struct campaign_options *options, struct campaign_summary *summary)
{
    *summary = (struct campaign_summary){0};
    struct running r = {
        .campaign = campaign, .target = target, .description = description, .options = options};
    enum status status = make_slots(&r);
    if (status == STATUS_OK)
        status = database_open(options->database, DATABASE_WRITE, &r.database);
    if (status == STATUS_OK) {
        struct sigaction action = {.sa_handler = on_signal}, old_int, old_term;
        interrupted = 0;
        sigaction(SIGINT, &action, &old_int);
        sigaction(SIGTERM, &action, &old_term);
        status = run_all(&r, summary);
        sigaction(SIGINT, &old_int, NULL);
        sigaction(SIGTERM, &old_term, NULL);
    }
    database_close(r.database);
    free(r.slot);
    return status;
}
