// Trials in the database: one transaction each.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/invariant.h"
#include "harness/store/kept/campaign_histories.h"
#include "harness/files/fault/fault_request.h"
#include "harness/files/scenario.h"
#include "harness/store/database_private.h"

static const char *const event_name[] = {
    [PROCESS_STARTED] = "started", [PROCESS_READY] = "ready",     [PROCESS_EXITED] = "exited",
    [PROCESS_KILLED] = "killed",   [PROCESS_STOPPED] = "stopped", [PROCESS_CONTINUED] = "continued",
    [PROCESS_HUNG] = "hung",
};

enum status place_trial(struct database *database, int64_t square_id, unsigned number,
                        int64_t *trial_id)
{
    // Numbers go round the squares, as they are run (campaign_place).
    sqlite3_stmt *s = statement(
        database,
        "SELECT coalesce(c.trial_first + (SELECT sum(min(trials_planned, ?2)) + sum(position <"
        " q.position AND trials_planned > ?2) FROM square WHERE campaign_id = c.campaign_id),"
        " (SELECT trial_id FROM free_trial))"
        " FROM square AS q JOIN campaign AS c USING (campaign_id) WHERE square_id = ?1");
    bind_integer(s, 1, square_id);
    bind_integer(s, 2, number);
    return run_integer(database, s, trial_id);
}

static enum status store_row(struct database *database, int64_t square_id,
                             const struct scenario *scenario, const struct trial_record *record,
                             int64_t *trial_id)
{
    struct origin origin;
    enum status status = store_origin(database, &origin);
    if (status == STATUS_OK)
        status = place_trial(database, square_id, record->number, trial_id);
    if (status != STATUS_OK)
        return status;
    const struct trial_result *result = &record->result;
    char settled[PATH_MAX_LENGTH];
    histories_settle(database->path, record->history_path, result->hash, settled);
    sqlite3_stmt *s = statement(
        database,
        "INSERT INTO trial (square_id, number, target, scenario, seed, clock_mode, build_id, "
        "machine_id, outcome,"
        " reason, simulated_s, wall_s, cpu_s, grants, history_hash, recheck_hash, history_path, "
        "still_s, still_at_s, runs, cell, lacks, digest, trial_id, finished_utc)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, nullif(?, ''), nullif(?, ''), ?, ?, "
        "?, nullif(?, ''), ?, ?, ?,"
        " strftime('%Y-%m-%dT%H:%M:%SZ'))");
    bind_integer(s, 1, square_id);
    bind_integer(s, 2, record->number);
    bind_text(s, 3, scenario->target);
    bind_text(s, 4, scenario->name);
    bind_integer(s, 5, (int64_t)record->seed);
    bind_text(s, 6, record->mode == CLK_WALL ? "wall" : "virtual");
    bind_integer(s, 7, origin.build_id);
    bind_integer(s, 8, origin.machine_id);
    bind_text(s, 9, result->outcome == TRIAL_RAN ? "ran" : "lab-error");
    bind_text(s, 10, result->reason);
    bind_real(s, 11, result->simulated_s);
    bind_real(s, 12, result->wall_s);
    bind_real(s, 13, result->cpu_s);
    bind_integer(s, 14, (int64_t)result->grants);
    bind_text(s, 15, result->hash);
    bind_text(s, 16, record->recheck_hash);
    bind_text(s, 17, settled);
    if (result->watched)
        bind_real(s, 18, result->still_s);
    if (result->still_s > 0)
        bind_real(s, 19, result->still_at_s);
    bind_integer(s, 20, record->runs > 0 ? record->runs : 1);
    bind_text(s, 21, result->cell);
    bind_text(s, 22, result->lacks);
    bind_text(s, 23, record->digest);
    bind_integer(s, 24, *trial_id);
    return run(database, s);
}

static const struct fault_event *find_event(const struct trial_record *record, unsigned index,
                                            unsigned kind)
{
    for (unsigned i = 0; i < record->fault_event_count; i++)
        if (record->fault_event[i].index == index && record->fault_event[i].kind == kind)
            return &record->fault_event[i];
    return NULL;
}

static void describe_request(const struct fault_request *request, char *text, size_t size)
{
    int used = snprintf(text, size, "from %g s", request->at.time_min_s);
    if (request->at.kind == TRIGGER_TIME && request->at.time_max_s > request->at.time_min_s)
        used = snprintf(text, size, "between %g and %g s", request->at.time_min_s,
                        request->at.time_max_s);
    if (request->at.kind == TRIGGER_PHASE)
        used += snprintf(text + used, size - (size_t)used, ", at gait phase %g to %g",
                         request->at.phase_min, request->at.phase_max);
    if (request->at.kind == TRIGGER_CONDITION)
        used += snprintf(text + used, size - (size_t)used, ", when %s", request->at.when);
    if (request->duration_s > 0)
        used += snprintf(text + used, size - (size_t)used, ", for %g s", request->duration_s);
    if (request->restart_after_s >= 0)
        used += snprintf(text + used, size - (size_t)used, ", restart after %g s",
                         request->restart_after_s);
    for (unsigned i = 0; i < request->parameter_count && (size_t)used < size; i++)
        used += snprintf(text + used, size - (size_t)used, ", %s", request->parameter[i]);
}

// Where the proof of an event stands: in itself, or in one of kind `later`.
static const struct fault_event *proof_of(const struct trial_record *record,
                                          const struct fault_event *event,
                                          enum fault_event_kind later)
{
    return event == NULL || !event->proven || !event->proof_follows
               ? event
               : find_event(record, event->index, later);
}

static enum status store_fault(struct database *database, int64_t trial_id, unsigned number,
                               const struct fault_request *request,
                               const struct trial_record *record)
{
    const struct fault_event *applied = find_event(record, number, FAULT_APPLIED);
    const struct fault_event *undone = find_event(record, number, FAULT_UNDONE);
    const struct fault_event *effect = proof_of(record, applied, FAULT_EFFECT);
    const struct fault_event *settled = proof_of(record, undone, FAULT_SETTLED);
    char requested[512];
    describe_request(request, requested, sizeof requested);
    sqlite3_stmt *s = statement(
        database,
        "INSERT INTO fault (trial_id, number, kind, component, requested, applied_s, effective,"
        " effect_evidence, undo_requested, undone_s, undone, undo_evidence)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
    bind_integer(s, 1, trial_id);
    bind_integer(s, 2, number);
    bind_text(s, 3, request->kind);
    bind_text(s, 4, request->component);
    bind_text(s, 5, requested);
    bind_real(s, 6, applied == NULL ? NAN : instant_to_s(applied->time));
    bind_integer(s, 7, effect != NULL && effect->proven);
    bind_text(s, 8, effect == NULL ? "" : effect->evidence);
    bind_integer(s, 9, request->duration_s > 0 || request->restart_after_s >= 0);
    bind_real(s, 10, undone == NULL ? NAN : instant_to_s(undone->time));
    bind_integer(s, 11, settled != NULL && settled->proven);
    bind_text(s, 12, settled == NULL ? "" : settled->evidence);
    return run(database, s);
}

static enum status store_bus(struct database *database, int64_t trial_id, unsigned bus,
                             const struct bus_figures *figures)
{
    const struct bus_load *load = &figures->bus[bus];
    sqlite3_stmt *s =
        statement(database, "INSERT INTO bus_load (trial_id, bus, load_mean, load_peak, frames,"
                            " error_frames, states, incomplete) VALUES (?, ?, ?, ?, ?, ?, ?, ?)");
    bind_integer(s, 1, trial_id);
    bind_integer(s, 2, bus);
    bind_real(s, 3, load->mean);
    bind_real(s, 4, load->peak);
    bind_integer(s, 5, (int64_t)load->frames);
    bind_integer(s, 6, (int64_t)load->error_frames);
    bind_integer(s, 7, (int64_t)figures->states);
    bind_integer(s, 8, (int64_t)figures->incomplete);
    return run(database, s);
}

static enum status store_process_event(struct database *database, int64_t trial_id, unsigned number,
                                       const struct process_event *event)
{
    sqlite3_stmt *s = statement(database, "INSERT INTO process_event (trial_id, number, time_s, "
                                          "process, component, generation, kind, value, pid,"
                                          " last_words) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
    bind_integer(s, 1, trial_id);
    bind_integer(s, 2, number);
    bind_real(s, 3, instant_to_s(event->time));
    bind_text(s, 4, event->process);
    bind_text(s, 5, event->component);
    bind_integer(s, 6, event->generation);
    bind_text(s, 7, event->kind <= PROCESS_HUNG ? event_name[event->kind] : "hung");
    bind_integer(s, 8, event->value);
    bind_integer(s, 9, event->pid);
    bind_text(s, 10, event->last_words);
    return run(database, s);
}

static enum status store_verdict(struct database *database, int64_t judging_id,
                                 const struct oracle_verdict *verdict)
{
    sqlite3_stmt *s = statement(
        database,
        "INSERT INTO verdict (judging_id, oracle, verdict, margin, unit, detail, broken_s)"
        " VALUES (?, ?, ?, ?, ?, ?, ?)");
    bind_integer(s, 1, judging_id);
    bind_text(s, 2, verdict->oracle);
    bind_text(s, 3, verdict_name(verdict->verdict));
    bind_real(s, 4, verdict->margin);
    bind_text(s, 5, verdict->unit);
    bind_text(s, 6, verdict->detail);
    bind_real(s, 7, verdict->broken_s);
    return run(database, s);
}

static enum status store_observation(struct database *database, int64_t judging_id, unsigned number,
                                     const struct observation *observation)
{
    sqlite3_stmt *s =
        statement(database, "INSERT INTO observation (judging_id, number, name, "
                            "value, unit, text, reason) VALUES (?, ?, ?, ?, ?, ?, ?)");
    bind_integer(s, 1, judging_id);
    bind_integer(s, 2, number);
    bind_text(s, 3, observation->name);
    bind_real(s, 4, observation->value);
    bind_text(s, 5, observation->unit);
    bind_text(s, 6, observation->text);
    bind_text(s, 7, observation->reason);
    return run(database, s);
}

enum status store_judging(struct database *database, int64_t trial_id,
                          const struct judgement *judgement)
{
    int64_t build_id, judging_id;
    enum status status = store_build(database, &build_id);
    if (status != STATUS_OK)
        return status;
    sqlite3_stmt *s =
        statement(database, "INSERT INTO judging (trial_id, number, build_id, judged_utc, verdict)"
                            " VALUES (?1, (SELECT count(*) FROM judging WHERE trial_id = ?1), ?2,"
                            " strftime('%Y-%m-%dT%H:%M:%SZ'), ?3) RETURNING judging_id");
    bind_integer(s, 1, trial_id);
    bind_integer(s, 2, build_id);
    bind_text(s, 3, verdict_name(judgement->verdict));
    status = run_integer(database, s, &judging_id);
    for (unsigned i = 0; status == STATUS_OK && i < judgement->count; i++)
        status = store_verdict(database, judging_id, &judgement->oracle[i]);
    for (unsigned i = 0; status == STATUS_OK && i < judgement->observation_count; i++)
        status = store_observation(database, judging_id, i, &judgement->observation[i]);
    return status;
}

enum status store_trial(struct database *database, int64_t square_id,
                        const struct scenario *scenario, const struct trial_record *record,
                        int64_t *trial_id)
{
    enum status status = store_row(database, square_id, scenario, record, trial_id);
    for (unsigned i = 0; status == STATUS_OK && i < scenario->fault_count; i++)
        status = store_fault(database, *trial_id, i, &scenario->fault[i], record);
    for (unsigned b = 0; b < BUS_LOG_BUSES && record->buses.known && status == STATUS_OK; b++)
        status = store_bus(database, *trial_id, b, &record->buses);
    for (unsigned i = 0; status == STATUS_OK && i < record->process_event_count; i++)
        status = store_process_event(database, *trial_id, i, &record->process_event[i]);
    return status == STATUS_OK ? store_judging(database, *trial_id, &record->judgement) : status;
}

static enum status store_in_campaign(struct database *database, int64_t campaign_id,
                                     const struct scenario *scenario,
                                     const struct trial_record *record, int64_t *trial_id)
{
    int64_t square_id;
    sqlite3_stmt *s =
        statement(database, "SELECT square_id FROM square WHERE campaign_id = ? AND position = ?");
    bind_integer(s, 1, campaign_id);
    bind_integer(s, 2, record->square);
    const enum status status = run_integer(database, s, &square_id);
    return status == STATUS_OK ? store_trial(database, square_id, scenario, record, trial_id)
                               : status;
}

enum status database_add_trial(struct database *database, int64_t campaign_id,
                               const struct scenario *scenario, const struct trial_record *record,
                               int64_t *trial_id)
{
    expects(record->loss == LOSS_NONE);                // what is lost is run again
    expects(sqlite3_get_autocommit(database->handle)); // all of a trial is one transaction
    enum status status = check_place(database);
    if (status == STATUS_OK)
        status = command(database, "BEGIN IMMEDIATE");
    if (status == STATUS_OK)
        status = store_in_campaign(database, campaign_id, scenario, record, trial_id);
    status = end_transaction(database, status);
    histories_confirm(database->path, record->history_path, record->result.hash,
                      status == STATUS_OK);
    return status;
}

enum status database_add_judging(struct database *database, int64_t trial_id,
                                 const struct judgement *judgement)
{
    expects(sqlite3_get_autocommit(database->handle));
    enum status status = command(database, "BEGIN IMMEDIATE");
    if (status == STATUS_OK)
        status = store_judging(database, trial_id, judgement);
    return end_transaction(database, status);
}

static enum status mark_example(struct database *database, int64_t trial_id)
{
    sqlite3_stmt *s = statement(database, "UPDATE trial SET is_example = trial_id = ?1 WHERE"
                                          " square_id = (SELECT square_id FROM trial WHERE"
                                          " trial_id = ?1)");
    bind_integer(s, 1, trial_id);
    return run(database, s);
}

enum status database_set_example(struct database *database, int64_t trial_id)
{
    return mark_example(database, trial_id);
}

enum status database_keep_example(struct database *database, int64_t trial_id,
                                  const char *history_path, const char *hash)
{
    expects(sqlite3_get_autocommit(database->handle));
    char settled[PATH_MAX_LENGTH];
    histories_settle(database->path, history_path, hash, settled);
    enum status status = command(database, "BEGIN IMMEDIATE");
    if (status == STATUS_OK)
        status = mark_example(database, trial_id);
    if (status == STATUS_OK) {
        sqlite3_stmt *s = statement(
            database, "UPDATE trial SET history_path = nullif(?2, '') WHERE trial_id = ?1");
        bind_integer(s, 1, trial_id);
        bind_text(s, 2, settled);
        status = run(database, s);
    }
    status = end_transaction(database, status);
    histories_confirm(database->path, history_path, hash, status == STATUS_OK);
    return status;
}

enum status database_drop_history(struct database *database, int64_t trial_id)
{
    sqlite3_stmt *s =
        statement(database, "UPDATE trial SET history_path = NULL WHERE trial_id = ?");
    bind_integer(s, 1, trial_id);
    // The file goes next: on the disk, too, the row must not name it longer than it is there.
    enum status status = command(database, "PRAGMA synchronous = FULL");
    const enum status done = run(database, s);
    status = status == STATUS_OK ? done : status;
    return status == STATUS_OK ? command(database, "PRAGMA synchronous = NORMAL") : status;
}
