// Results in SQLite (schema.sql; doc/reference/database.md): one writer, one transaction per trial,
// nothing half-written.
//
// Errors are logged to standard error, with what to do. Not real-time.
#pragma once

#include <sqlite3.h>
#include <stdint.h>

#include "clock/clock.h"
#include "harness/files/fault/fault_request.h"
#include "harness/packs/can/bus_load.h"
#include "harness/judge/verdict.h"
#include "harness/trial/record.h"

struct scenario;

struct database; // opaque; owned by the caller

enum database_mode {
    DATABASE_QUERY, // nothing can be written
    DATABASE_READ,  // a judging can be added, if file and folder may be written
    DATABASE_WRITE  // creates the file and its folder if need be
};

// QUERY and READ need no right to write, neither file nor folder. Results of an older schema are
// brought to this one: for WRITE in the file, else in a copy in memory. A file of another
// application is not touched. NOT_FOUND: no such file, or nothing in it; CORRUPT: damaged, not one
// of ours, or of a newer schema; INVALID: no file, but a FIFO, say; BUSY: another writer; SYSTEM:
// cannot be opened or, for WRITE, written.
enum status database_open(const char *path, enum database_mode mode,
                          struct database **database) MUST_CHECK;
void database_close(struct database *database); // NULL is allowed
// Closes all but SQLite's connection, which is the caller's then.
struct sqlite3;
struct sqlite3 *database_take(struct database *database) MUST_CHECK;
// Whether what is added stays: false if the file may not be written, or was copied into memory.
bool database_keeps(const struct database *database);
// Notes (base/trouble.h) what the machine failed at if that is why SQLite's last call failed;
// false: it is not. NULL: there was no memory for a connection.
bool database_note_trouble(sqlite3 *handle);

// ---- writing ----------------------------------------------------------------------------------

struct contents;
struct campaign_start {
    const struct campaign *campaign;
    const struct contents *contents;
    enum clk_mode mode;
    int jobs;
    bool wall, resume;
    bool only_resume; // never starts one
    bool go_on;       // with one of the same contents that is not finished; else it starts one
};
struct campaign_started {
    int64_t campaign_id;
    bool finished; // with `resume`: there is nothing to go on with
};
// The campaign that `resume` would go on with. NOT_FOUND: there is none of its name; INVALID,
// reported with what differs: there is another one of its name.
enum status database_find_campaign(struct database *database, const struct campaign_start *start,
                                   struct campaign_started *started) MUST_CHECK;
// Starts a campaign and its squares. With `resume` it goes on with the one of the same contents,
// seed, clock mode, wall and lab revision. INVALID, reported with what differs: there is none, but
// another one of its name. NOT_FOUND, reported: with `only_resume`. With `go_on` another one, or a
// finished one, is no reason.
enum status database_start_campaign(struct database *database, const struct campaign_start *start,
                                    struct campaign_started *started) MUST_CHECK;
// A finished campaign that has lost trials is not finished.
enum status database_reopen_campaign(struct database *database, int64_t campaign_id) MUST_CHECK;
// A storm's one square has so many trials from now on.
enum status database_plan_storm(struct database *database, int64_t campaign_id,
                                unsigned trials) MUST_CHECK;
// wall_s is added to what earlier runs of the campaign took.
enum status database_finish_campaign(struct database *database, int64_t campaign_id, double wall_s,
                                     bool finished) MUST_CHECK;

// Why a trial must not be stored (see campaign/fate.h).
enum loss {
    LOSS_NONE, // it may be
    LOSS_DISTURBED,
    LOSS_MACHINE_FAILED,
    LOSS_HISTORY, // that was to be kept, and could not be written
    LOSS_WORKER,  // ended before it had sent its record
    LOSS_CHANGED, // target or lab is no longer what the campaign began with
    LOSS_COUNT
};

struct trial_record {
    unsigned square; // position in the campaign
    unsigned number; // within the square
    uint64_t seed;   // < 2^63
    enum clk_mode mode;
    struct trial_result result;
    char digest[33]; // of the campaign's contents, "" if it has none
    enum loss loss;
    char lost[128];                     // ... in words, unless NONE
    char recheck_hash[33];              // "" if it was not run twice
    unsigned runs;                      // of which all but the last were in doubt (fate.h)
    char doubted[96];                   // why the first was, "": there was one
    char history_path[PATH_MAX_LENGTH]; // relative to the database's folder, "" if not kept
    struct judgement judgement;
    struct bus_figures buses;
    unsigned process_event_count, fault_event_count;
    struct process_event process_event[256]; // the first ones
    struct fault_event fault_event[4 * FAULTS_MAX];
};

// Stores one trial whole. `scenario` names target and faults. SYSTEM also when the file was removed
// or replaced since it was opened: what is written then goes nowhere.
enum status database_add_trial(struct database *database, int64_t campaign_id,
                               const struct scenario *scenario, const struct trial_record *record,
                               int64_t *trial_id) MUST_CHECK;

// Adds a further judging to a stored trial.
enum status database_add_judging(struct database *database, int64_t trial_id,
                                 const struct judgement *judgement) MUST_CHECK;

// Notes that the history of a trial was deleted.
enum status database_drop_history(struct database *database, int64_t trial_id) MUST_CHECK;
// Makes a trial its square's example (and no other one).
enum status database_set_example(struct database *database, int64_t trial_id) MUST_CHECK;
// The same with a history that was kept now, of this hash; "" none.
enum status database_keep_example(struct database *database, int64_t trial_id,
                                  const char *history_path, const char *hash) MUST_CHECK;

// ---- reading ----------------------------------------------------------------------------------

struct stored_trial {
    int64_t trial_id, campaign_id;
    unsigned square, number;
    uint64_t seed;
    char target[NAME_MAX_LENGTH], scenario[NAME_MAX_LENGTH];
    bool is_run;                 // of a benchmark: campaign_file is a command then
    bool is_storm;               // drawn from a storm: campaign_file is its file then
    bool is_doubt;               // of doubts: campaign_file is the scenario's then, and
    char doubt[NAME_MAX_LENGTH]; // names it,
    double doubt_at_s;           // which began then; NAN: it did not
    char campaign_file[PATH_MAX_LENGTH];
    enum clk_mode mode;
    char history_hash[33];
    char history_path[PATH_MAX_LENGTH]; // as stored, "" if not kept
    enum verdict verdict;
    char lacks[TRIAL_LACKS_MAX]; // what its cell had not, "" nothing
};

// A row as text, NULL for NULL. False: no more rows.
typedef bool database_row(void *context, int columns, const char *const *name,
                          const char *const *value);

enum status database_find_trial(struct database *database, int64_t trial_id,
                                struct stored_trial *trial) MUST_CHECK;
// Whether trial `number` of a campaign's square is stored already.
enum status database_has_trial(struct database *database, int64_t campaign_id, unsigned square,
                               unsigned number, bool *has) MUST_CHECK;
// Whether that trial is stored with a kept history that is a file of this name, without folders.
enum status database_keeps_history(struct database *database, int64_t campaign_id, unsigned square,
                                   unsigned number, const char *file, bool *keeps) MUST_CHECK;
// Whether any trial has such a one.
enum status database_names_history(struct database *database, const char *file,
                                   bool *names) MUST_CHECK;
// The typical trial of a square: lowest number among those with the most frequent behaviour that
// were judged PASS or, if there are none, FAIL. `kept`: only among those whose history was kept.
// NOT_FOUND if the square has none.
enum status database_typical_trial(struct database *database, int64_t campaign_id, unsigned square,
                                   bool kept, struct stored_trial *trial) MUST_CHECK;
// The verdicts and observations of the judging in force; none if the trial has no judging.
enum status database_find_judgement(struct database *database, int64_t trial_id,
                                    struct judgement *judgement) MUST_CHECK;
// Whether a trial has a judging.
enum status database_is_judged(struct database *database, int64_t trial_id,
                               bool *judged) MUST_CHECK;
// Number of a square's trials that were judged (PASS or FAIL), and of those that failed.
enum status database_square_count(struct database *database, int64_t campaign_id, unsigned square,
                                  unsigned *judged, unsigned *failed) MUST_CHECK;
// Number of the campaign's trials with this verdict.
unsigned database_count(struct database *database, int64_t campaign_id, enum verdict verdict);
// How many of the campaign's squares did what was expected of them, in words ("16 of 18 squares as
// expected"); "" if nothing was expected, or on an error, which is reported.
void database_agreement(struct database *database, int64_t campaign_id, char *words, size_t size);
