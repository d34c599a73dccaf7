#include "harness/campaign/campaign.h"

#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/invariant.h"
#include "base/text.h"
#include "harness/files/campaign_file.h"
#include "harness/files/claims.h"
#include "harness/files/contents.h"
#include "harness/store/campaign_guard.h"
#include "harness/store/kept/campaign_histories.h"
#include "harness/store/kept/lost_trials.h"
#include "harness/store/session.h"
#include "harness/campaign/job.h"
#include "harness/campaign/progress.h"
#include "harness/campaign/widest.h"

#define SLOTS_MAX 256
#define GUARD_PATIENCE_S 5

struct slot {
    struct worker worker;
    struct job job;
    struct scenario *drawn;      // the job's, if trials are drawn; else NULL
    struct stored_trial example; // second phase: the trial that is run again
    int core, next_core;
};

struct running {
    const struct campaign *campaign;
    const struct target *target;
    const struct description *description;
    const struct campaign_options *options;
    struct database *database;
    struct contents *contents;
    int64_t campaign_id;
    int guard; // held by the workers, too
    struct progress progress;
    int slot_count;
    struct slot *slot;
    bool examples;           // second phase: typical trials are run again to keep their histories
    unsigned square, number; // next to start
    struct widest widest;    // of squares, with `widest_first`
    int64_t session_id;      // 0: none
    unsigned stored;         // in this session
    unsigned lost;
    char lost_words[128]; // of the first one
    bool changed;         // what it is made of: no further trial is started
    bool enough;          // nor if this is so
};

static volatile sig_atomic_t interrupted;
static void on_signal(int number)
{
    interrupted = number;
}

// ---- what to run next -------------------------------------------------------------------------

static enum status fill_job(const struct running *r, struct slot *slot, unsigned square,
                            unsigned number)
{
    expects(square < r->campaign->square_count && slot->worker.pid == 0);
    const struct campaign_square *of = &r->campaign->square[square];
    slot->job = (struct job){.target = r->target,
                             .scenario = of->scenario,
                             .description = r->description,
                             .build_folder = r->options->build_folder,
                             .square = square,
                             .number = number,
                             .seed = r->campaign->seeds_equal
                                         ? r->campaign->seed
                                         : campaign_trial_seed(r->campaign->seed, of, number),
                             .mode = r->options->mode,
                             .can = r->options->can,
                             .ethernet = r->options->ethernet,
                             .no_wall = r->options->no_wall,
                             .watch_machine = true,
                             .doubt = true,
                             .core = slot->core,
                             .recheck_core = slot->next_core};
    histories_place(r->options->database, r->campaign_id, square, number, &slot->job.history);
    if (r->options->draw == NULL)
        return STATUS_OK;
    slot->job.scenario = slot->drawn = r->options->draw(r->options->context, slot->job.seed);
    return slot->drawn == NULL ? STATUS_NO_MEMORY : STATUS_OK;
}

static void forget_drawn(struct slot *slot)
{
    free(slot->drawn); // it has no catalogue of its own
    slot->drawn = NULL;
}

// Whether this trial is to be run: it is of this shard, and not stored.
static enum status is_wanted(const struct running *r, unsigned square, unsigned number,
                             bool *wanted)
{
    bool has = false;
    *wanted = false;
    if (!shard_has(&r->options->shard, r->campaign, square, number))
        return STATUS_OK;
    const enum status status =
        database_has_trial(r->database, r->campaign_id, square, number, &has);
    *wanted = !has;
    return status;
}

static enum status fill_first(const struct running *r, struct slot *slot, unsigned square,
                              unsigned number)
{
    const bool wall = r->options->mode == CLK_WALL;
    const enum status status = fill_job(r, slot, square, number);
    if (status != STATUS_OK)
        return status;
    slot->job.keep = r->options->seeks_passes ? KEEP_PASSED
                     : number == 0            ? KEEP_ALWAYS // it may become the example
                                              : KEEP_BAD;
    slot->job.recheck = !wall && campaign_rechecks(slot->job.seed, r->campaign->recheck_share);
    return STATUS_OK;
}

// NOT_FOUND: no more.
static enum status next_of_widest(struct running *r, struct slot *slot)
{
    unsigned square, number;
    while (widest_next(&r->widest, r->campaign, &square, &number)) {
        bool wanted;
        const enum status status = is_wanted(r, square, number, &wanted);
        if (status != STATUS_OK)
            return status;
        if (!wanted)
            continue;
        widest_start(&r->widest, square);
        return fill_first(r, slot, square, number);
    }
    return STATUS_NOT_FOUND;
}

// Numbers go round the squares, so that early results say something about every square. NOT_FOUND:
// no more.
static enum status next_trial(struct running *r, struct slot *slot)
{
    unsigned most = 0;
    if (r->options->widest_first)
        return next_of_widest(r, slot);
    for (unsigned i = 0; i < r->campaign->square_count; i++)
        most = r->campaign->square[i].trials > most ? r->campaign->square[i].trials : most;
    for (; r->number < most; r->number++, r->square = 0)
        while (r->square < r->campaign->square_count) {
            const unsigned square = r->square++;
            bool wanted = false;
            const enum status status = r->number < r->campaign->square[square].trials
                                           ? is_wanted(r, square, r->number, &wanted)
                                           : STATUS_OK;
            if (status != STATUS_OK)
                return status;
            if (!wanted)
                continue;
            return fill_first(r, slot, square, r->number);
        }
    return STATUS_NOT_FOUND;
}

// Wall-clock trials cannot be had again: there an example is one whose history was kept.
static enum status next_example(struct running *r, struct slot *slot)
{
    bool wall = r->options->mode == CLK_WALL;
    while (r->square < r->campaign->square_count) {
        unsigned square = r->square++;
        enum status status =
            database_typical_trial(r->database, r->campaign_id, square, wall, &slot->example);
        if (status == STATUS_NOT_FOUND)
            continue;
        if (status != STATUS_OK)
            return status;
        if (slot->example.history_path[0] == '\0') {
            status = fill_job(r, slot, square, slot->example.number);
            slot->job.keep = KEEP_ALWAYS;
            return status;
        }
        status = database_set_example(r->database, slot->example.trial_id);
        if (status != STATUS_OK)
            return status;
    }
    return STATUS_NOT_FOUND;
}

// ---- what came back ---------------------------------------------------------------------------

static void tell_bad(struct running *r, const struct trial_record *record)
{
    const struct oracle_verdict *oracle = judgement_decisive(&record->judgement);
    const struct campaign_square *square = &r->campaign->square[record->square];
    if (r->options->seeks_passes || record->judgement.verdict == VERDICT_PASS || oracle == NULL)
        return;
    progress_tell(&r->progress, "  %s  %s, %s, trial %u, seed %llu: %s: %s",
                  verdict_name(record->judgement.verdict), square->row, square->column,
                  record->number, (unsigned long long)record->seed, oracle->oracle, oracle->detail);
}

// Nothing of a lost trial is kept.
static enum status take_lost(struct running *r, const struct slot *slot)
{
    const struct trial_record *record = &slot->worker.record;
    const struct campaign_square *square = &r->campaign->square[record->square];
    unlink(slot->job.history.file); // may not be there
    if (r->lost++ == 0)
        snprintf(r->lost_words, sizeof r->lost_words, "%s", record->lost);
    progress_tell(&r->progress, "  LOST  %s, %s, trial %u, seed %llu: %s", square->row,
                  square->column, record->number, (unsigned long long)record->seed, record->lost);
    return STATUS_OK;
}

static void tell_doubted(struct running *r, const struct trial_record *record)
{
    const struct campaign_square *square = &r->campaign->square[record->square];
    if (record->runs > 1)
        progress_tell(&r->progress, "  AGAIN  %s, %s, trial %u, seed %llu: %s; run %u counts: %s",
                      square->row, square->column, record->number, (unsigned long long)record->seed,
                      record->doubted, record->runs, verdict_name(record->judgement.verdict));
}

// A trial of something that has changed meanwhile is of neither campaign.
static void look_for_change(struct running *r, struct trial_record *record)
{
    const char *changed = contents_changed(r->contents);
    if (changed == NULL)
        return;
    record->loss = LOSS_CHANGED;
    snprintf(record->lost, sizeof record->lost, "%.80s has changed while the campaign ran",
             changed);
    r->changed = true;
}

static enum status take_trial(struct running *r, struct slot *slot)
{
    expects(!r->examples && slot->worker.pid == 0); // its worker has ended
    struct trial_record *record = &slot->worker.record;
    int64_t trial_id;
    look_for_change(r, record);
    text_copy(record->digest, sizeof record->digest, r->contents->digest);
    if (record->loss != LOSS_NONE)
        return take_lost(r, slot);
    bool keeps = true;
    enum status status = STATUS_OK;
    if (record->history_path[0] != '\0' && slot->job.keep == KEEP_BAD)
        status =
            histories_may_keep(r->database, r->campaign_id, record->square, record->number, &keeps);
    if (!keeps) {
        unlink(slot->job.history.file);
        record->history_path[0] = '\0';
    }
    if (status == STATUS_OK)
        status =
            database_add_trial(r->database, r->campaign_id, slot->job.scenario, record, &trial_id);
    if (status != STATUS_OK) {
        unlink(slot->job.history.file); // of a trial that is not stored
        return status;
    }
    r->stored++;
    if (r->options->enough != NULL)
        r->enough |= r->options->enough(r->options->context, record, slot->job.scenario);
    progress_add(&r->progress, record->judgement.verdict,
                 record->result.simulated_s * (slot->job.recheck ? 2 : 1));
    tell_doubted(r, record);
    tell_bad(r, record);
    return status;
}

// The run that keeps an example's history is at the same time a determinism check.
static enum status take_example(struct running *r, struct slot *slot)
{
    expects(r->examples && slot->worker.pid == 0);
    struct trial_record *record = &slot->worker.record;
    if (record->loss != LOSS_NONE)
        return take_lost(r, slot);
    const bool same = strcmp(record->result.hash, slot->example.history_hash) == 0;
    if (!same) // a history of something else
        unlink(slot->job.history.file);
    enum status status = database_keep_example(
        r->database, slot->example.trial_id, same ? record->history_path : "", record->result.hash);
    if (status != STATUS_OK || same)
        return status;
    judgement_compare(&record->judgement, slot->example.history_hash, record->result.hash);
    tell_bad(r, record);
    return database_add_judging(r->database, slot->example.trial_id, &record->judgement);
}

// ---- the loop ---------------------------------------------------------------------------------

static bool goes_on(struct running *r)
{
    r->enough |=
        r->options->budget_s > 0 && progress_elapsed_s(&r->progress) >= r->options->budget_s;
    return !r->changed && !r->enough;
}

static enum status start_workers(struct running *r, int *busy)
{
    for (int i = 0; i < r->slot_count && goes_on(r); i++) {
        struct slot *slot = &r->slot[i];
        if (slot->worker.pid != 0)
            continue;
        enum status status = r->examples ? next_example(r, slot) : next_trial(r, slot);
        if (status == STATUS_NOT_FOUND)
            return STATUS_OK;
        if (status == STATUS_OK)
            status = worker_start(&slot->worker, &slot->job);
        if (status != STATUS_OK)
            return status;
        ++*busy;
    }
    return STATUS_OK;
}

static enum status receive(struct running *r, int *busy)
{
    expects(*busy > 0 && *busy <= r->slot_count);
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
        if (!r->examples)
            widest_end(&r->widest, slot->job.square, slot->worker.record.loss == LOSS_NONE,
                       slot->worker.record.judgement.verdict);
        enum status status = r->examples ? take_example(r, slot) : take_trial(r, slot);
        forget_drawn(slot);
        if (status != STATUS_OK)
            return status;
    }
    progress_show(&r->progress, false);
    return STATUS_OK;
}

static enum status run_phase(struct running *r, bool examples)
{
    expects(r->slot_count >= 1 && r->slot_count <= SLOTS_MAX);
    r->examples = examples;
    r->square = r->number = 0;
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
        forget_drawn(&r->slot[i]);
        unlink(r->slot[i].job.history.file); // may not be there
    }
    return status;
}

static enum status make_slots(struct running *r)
{
    const int cores = CPU_COUNT(&r->options->cores.among);
    // On the wall clock a core is left to everything else: trials must not wait for it.
    int by_default = r->options->mode == CLK_WALL ? cores - 1 : cores;
    r->slot_count = r->options->jobs > 0 ? r->options->jobs : by_default > 0 ? by_default : 1;
    if (r->slot_count > SLOTS_MAX)
        r->slot_count = SLOTS_MAX;
    r->slot = calloc((size_t)r->slot_count, sizeof *r->slot);
    if (r->slot == NULL)
        return STATUS_NO_MEMORY;
    for (int i = 0; i < r->slot_count; i++) {
        r->slot[i].core = core_claim(&r->options->cores);
        r->slot[i].next_core = core_after(&r->options->cores, r->slot[i].core);
    }
    return STATUS_OK;
}

// How many trials of this session's are stored.
static enum status count_mine(const struct running *r, unsigned *done)
{
    enum status status = STATUS_OK;
    *done = 0;
    for (unsigned i = 0; i < r->campaign->square_count; i++)
        for (unsigned n = 0; n < r->campaign->square[i].trials && status == STATUS_OK; n++) {
            bool has = false;
            if (shard_has(&r->options->shard, r->campaign, i, n))
                status = database_has_trial(r->database, r->campaign_id, i, n, &has);
            *done += has;
        }
    return status;
}

static enum status count_stored(struct running *r)
{
    for (unsigned v = 0; v < VERDICT_COUNT; v++)
        r->progress.count[v] = database_count(r->database, r->campaign_id, v);
    enum status status = count_mine(r, &r->progress.done);
    for (unsigned i = 0; i < r->campaign->square_count && status == STATUS_OK; i++)
        status = database_square_count(r->database, r->campaign_id, i, &r->widest.judged[i],
                                       &r->widest.failed[i]);
    r->progress.at_start = r->progress.done;
    return status;
}

static bool has_own_page(const struct campaign *campaign)
{
    return campaign->page[0] != '\0' && strcmp(campaign->page, CAMPAIGN_PAGE) != 0;
}

static void summarise(struct running *r, struct campaign_summary *summary)
{
    *summary = (struct campaign_summary){.campaign_id = r->campaign_id,
                                         .total = r->progress.total,
                                         .wall_s = progress_elapsed_s(&r->progress),
                                         .simulated_s = r->progress.simulated_s,
                                         .started = true,
                                         .interrupted = interrupted != 0,
                                         .terminated = interrupted == SIGTERM,
                                         .own_page = has_own_page(r->campaign),
                                         .stopped_early = r->enough,
                                         .lost = r->lost};
    text_copy(summary->lost_words, sizeof summary->lost_words, r->lost_words);
    for (unsigned v = 0; v < VERDICT_COUNT; v++) {
        summary->count[v] = database_count(r->database, r->campaign_id, v);
        summary->done += summary->count[v];
    }
    summary->sharded = r->options->shard.count > 0;
    if (summary->sharded && count_mine(r, &summary->done) != STATUS_OK)
        summary->done = 0; // said
    database_agreement(r->database, r->campaign_id, summary->agreement, sizeof summary->agreement);
}

static enum status run_phases(struct running *r)
{
    enum status status = count_stored(r);
    progress_show(&r->progress, r->progress.live);
    if (r->options->only_finish && r->progress.done < r->progress.total)
        return status; // the caller tells
    if (status == STATUS_OK)
        status = run_phase(r, false);
    // Which trials are typical is known when all are there.
    if (r->options->seeks_passes || r->options->draw != NULL || r->options->shard.count > 0)
        return status;
    if (status == STATUS_OK && !interrupted && r->lost == 0 && !r->enough)
        status = run_phase(r, true);
    if (status == STATUS_OK && !interrupted && r->lost == 0 && !r->enough)
        status = histories_drop_surplus(r->database, r->options->database, r->campaign_id);
    return status;
}

// How many trials the file itself has now: what this connection remembers may be gone.
static unsigned count_anew(const struct running *r)
{
    struct database *database;
    unsigned done = 0;
    if (database_open(r->options->database, DATABASE_QUERY, &database) != STATUS_OK)
        return 0;
    for (unsigned v = 0; v < VERDICT_COUNT; v++)
        done += database_count(database, r->campaign_id, v);
    database_close(database);
    return done;
}

// After the last trial: the time spent, the report, and that it is finished; in this order, so that
// --resume does what a killed run did not come to.
static enum status conclude(struct running *r, struct campaign_summary *summary, bool complete)
{
    enum status status =
        database_finish_campaign(r->database, r->campaign_id, summary->wall_s, false);
    if (status == STATUS_OK)
        status = session_end(r->database, r->session_id, summary->wall_s, r->stored);
    if (status != STATUS_OK || !complete)
        return status;
    if (r->options->report != NULL) {
        status = r->options->report(r->options->context, r->campaign_id);
        summary->unreported = status != STATUS_OK;
        summary->done = status == STATUS_OK ? summary->done : count_anew(r);
    }
    return status == STATUS_OK ? database_finish_campaign(r->database, r->campaign_id, 0, true)
                               : status;
}

// Before the first trial and after the last one: whether the stored ones have their evidence still.
static enum status look_for_lost(struct running *r, unsigned *count)
{
    char words[sizeof r->lost_words];
    const enum status status =
        lost_trials_remove(r->database, r->campaign_id, count, words, sizeof words);
    if (r->lost == 0 && *count > 0)
        text_copy(r->lost_words, sizeof r->lost_words, words);
    return status;
}

static enum status begin_session(struct running *r)
{
    const struct shard *shard = &r->options->shard;
    const struct session_start start = {.shard = shard->index,
                                        .shards = shard->count > 0 ? shard->count : 1,
                                        .jobs = r->slot_count};
    return session_begin(r->database, r->campaign_id, &start, &r->session_id);
}

static enum status run_to_the_end(struct running *r)
{
    unsigned lost = 0;
    enum status status = begin_session(r);
    if (status == STATUS_OK)
        status = look_for_lost(r, &lost); // these are run now
    if (status == STATUS_OK)
        status = run_phases(r);
    if (status != STATUS_OK || interrupted)
        return status;
    status = look_for_lost(r, &lost);
    r->lost += lost;
    return status;
}

static enum status start_campaign(struct running *r, struct campaign_started *started)
{
    const struct campaign_start start = {.campaign = r->campaign,
                                         .contents = r->contents,
                                         .mode = r->options->mode,
                                         .jobs = r->slot_count,
                                         .wall = !r->options->no_wall,
                                         .resume = r->options->resume || r->options->only_finish ||
                                                   r->options->shard.count > 0,
                                         .only_resume = r->options->only_finish,
                                         .go_on = r->options->go_on};
    const enum status status = database_start_campaign(r->database, &start, started);
    r->campaign_id = started->campaign_id;
    return status;
}

// Whether all trials of a campaign that was finished are there, with their histories; else it is
// gone on with.
static bool is_still_finished(struct running *r, unsigned total, enum status *status)
{
    unsigned lost = 0, stored = 0;
    *status = look_for_lost(r, &lost);
    for (unsigned v = 0; v < VERDICT_COUNT; v++)
        stored += database_count(r->database, r->campaign_id, v);
    if (*status == STATUS_OK && stored == total)
        return true;
    if (*status == STATUS_OK)
        *status = database_reopen_campaign(r->database, r->campaign_id);
    return false;
}

static enum status run_all(struct running *r, struct campaign_summary *summary)
{
    struct campaign_started started;
    enum status status = histories_prepare(r->options->database);
    if (status == STATUS_OK)
        status = contents_make(r->campaign, r->target, r->options->build_folder, &r->contents);
    if (status == STATUS_OK)
        status = start_campaign(r, &started);
    if (status == STATUS_OK)
        status = campaign_guard_take(r->options->database, r->campaign_id,
                                     duration_s(GUARD_PATIENCE_S), &r->guard);
    if (status != STATUS_OK)
        return status;
    if (r->options->begun != NULL)
        status = r->options->begun(r->options->context, r->database, r->campaign_id);
    if (status != STATUS_OK)
        return status;
    const unsigned total = shard_total(&(struct shard){0}, r->campaign);
    progress_start(&r->progress, shard_total(&r->options->shard, r->campaign), r->options->quiet);
    if (started.finished && is_still_finished(r, total, &status)) {
        summarise(r, summary);
        summary->nothing_to_do = true;
        return STATUS_OK;
    }
    if (status != STATUS_OK)
        return status;
    histories_sweep(r->database, r->options->database, r->campaign_id);
    histories_sweep_parts(r->options->database, r->campaign_id, r->guard);
    status = run_to_the_end(r);
    progress_end(&r->progress);
    summarise(r, summary);
    if (status != STATUS_OK)
        return status; // has been said; what is stored is whole
    const bool examples_too = !r->enough || r->options->draw != NULL,
               complete = !interrupted && r->lost == 0 && examples_too && !summary->sharded;
    return conclude(r, summary, complete && summary->done >= summary->total);
}

enum status campaign_run(const struct campaign *campaign, const struct target *target,
                         const struct description *description,
                         const struct campaign_options *options, struct campaign_summary *summary)
{
    *summary = (struct campaign_summary){0};
    struct running r = {.campaign = campaign,
                        .target = target,
                        .description = description,
                        .options = options,
                        .guard = -1};
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
    if (r.guard >= 0)
        close(r.guard);
    free(r.slot);
    contents_free(r.contents);
    return status;
}
