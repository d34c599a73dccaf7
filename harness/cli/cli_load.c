// What a word of the command line names: a scenario, a campaign, or a stored trial, with its target
// and description.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "harness/cli/cli.h"
#include "harness/doubt/doubts.h"
#include "harness/explore/storming.h"
#include "harness/files/scenario.h"
#include "harness/files/target/target_check.h"
#include "harness/files/trusted.h"
#include "harness/judge/pack.h"
#include "harness/packs/packs.h"
#include "harness/store/doubted.h"
#include "harness/store/kept/stored_files.h"

enum status cli_load_target(const char *name, struct target **target)
{
    char path[PATH_MAX_LENGTH];
    enum status status = target_find(name, path, sizeof path);
    if (status == STATUS_OK)
        status = target_load(path, target);
    else
        log_error("target %s: %s; `ukemi list targets` shows what there is", name,
                  status == STATUS_NOT_FOUND ? "there is no such folder of targets/"
                                             : "cannot be used, see above");
    if (status != STATUS_OK)
        return status;
    status = packs_check(all_packs, *target);
    if (status != STATUS_OK) {
        target_free(*target);
        *target = NULL;
    }
    return status;
}

static enum status load_target(const char *name, struct cli_bench *bench)
{
    const enum status status = cli_load_target(name, &bench->target);
    return status == STATUS_OK ? target_describe(bench->target, &bench->description) : status;
}

// May others write the files that name programs? INVALID, reported.
static enum status check_trust(const struct cli_bench *bench)
{
    const struct campaign *campaign = bench->campaign;
    if (campaign == NULL)
        return trusted_file(bench->scenario->file);
    enum status status = trusted_file(campaign->file);
    for (unsigned i = 0; i < campaign->square_count && status == STATUS_OK; i++)
        status = trusted_file(campaign->square[i].scenario->file);
    return status;
}

enum status cli_load_scenario(const char *name, struct cli_bench *bench)
{
    *bench = (struct cli_bench){0};
    char path[2 * PATH_MAX_LENGTH];
    enum status status = cli_files_find(CLI_SCENARIOS, name, path, sizeof path);
    if (status == STATUS_OK)
        status = scenario_load(path, NULL, &bench->scenario);
    if (status == STATUS_OK)
        status = load_target(bench->scenario->target, bench);
    bench->used = bench->scenario;
    if (status != STATUS_OK)
        cli_free(bench);
    return status;
}

enum status cli_load_campaign(const char *name, struct cli_bench *bench)
{
    *bench = (struct cli_bench){0};
    char path[2 * PATH_MAX_LENGTH];
    enum status status = cli_files_find(CLI_CAMPAIGNS, name, path, sizeof path);
    if (status == STATUS_OK)
        status = campaign_load(path, &bench->campaign);
    if (status == STATUS_OK)
        status = load_target(bench->campaign->square[0].scenario->target, bench);
    if (status != STATUS_OK)
        cli_free(bench);
    return status;
}

// The doubt that a stored trial had, as generated anew, in place of the scenario itself.
static enum status take_doubt(const struct stored_trial *trial, struct cli_bench *bench)
{
    enum status status = STATUS_INVALID;
    if (strcmp(trial->doubt, DOUBT_OF_ALL) == 0)
        return STATUS_OK;
    struct doubts *doubts =
        doubts_make(bench->target, bench->scenario, bench->description, trial->doubt_at_s);
    if (doubts == NULL)
        return STATUS_NO_MEMORY;
    for (unsigned i = 0; i < doubts->count && status == STATUS_INVALID; i++)
        if (strcmp(doubts->doubt[i].name, trial->doubt) == 0) {
            struct scenario *doubted = doubt_scenario(bench->scenario, &doubts->doubt[i]);
            bench->used = bench->doubted = doubted;
            status = doubted == NULL ? STATUS_NO_MEMORY : STATUS_OK;
        }
    free(doubts);
    if (status == STATUS_INVALID)
        log_error("%s: has changed since trial %lld: it no longer has the doubt '%s'",
                  bench->scenario->file, (long long)trial->trial_id, trial->doubt);
    return status;
}

static enum status load_doubted(const struct stored_trial *trial, const char *file,
                                struct cli_bench *bench)
{
    enum status status = cli_load_scenario(file, bench);
    if (status != STATUS_OK)
        return status;
    if (isnan(trial->doubt_at_s) && strcmp(trial->doubt, DOUBT_OF_ALL) != 0) {
        log_error("trial %lld: its doubt never struck, so it cannot be run again; run `ukemi doubt "
                  "%s`",
                  (long long)trial->trial_id, trial->scenario);
        status = STATUS_INVALID;
    }
    if (status == STATUS_OK)
        status = take_doubt(trial, bench);
    if (status != STATUS_OK)
        cli_free(bench);
    return status;
}

static enum status load_drawn(const struct stored_trial *trial, const char *file,
                              struct cli_bench *bench)
{
    struct cli_storm storm;
    enum status status = cli_load_storm(file, &storm);
    if (status != STATUS_OK)
        return status;
    bench->used = bench->drawn = storm_trial(storm.storm, trial->seed);
    bench->scenario = storm.storm->scenario; // with the catalogue of what is drawn
    bench->target = storm.storm->target;
    bench->description = storm.description;
    storm.storm->scenario = NULL;
    storm.storm->target = NULL;
    storm.description = NULL;
    cli_free_storm(&storm);
    return bench->drawn == NULL ? STATUS_NO_MEMORY : STATUS_OK;
}

// `file`: of its campaign, or of the scenario that was doubted.
static enum status load_trial(const struct stored_trial *trial, const char *file,
                              struct cli_bench *bench)
{
    *bench = (struct cli_bench){0};
    if (trial->is_storm)
        return load_drawn(trial, file, bench);
    if (trial->is_doubt)
        return load_doubted(trial, file, bench);
    if (trial->is_run) {
        log_error("trial %lld is a run of a benchmark, `%s`, not of a campaign; run its scenario: "
                  "`ukemi run %s --wall --seed %llu`",
                  (long long)trial->trial_id, trial->campaign_file, trial->scenario,
                  (unsigned long long)trial->seed);
        return STATUS_INVALID;
    }
    enum status status = cli_load_campaign(file, bench);
    if (status != STATUS_OK)
        return status;
    const struct campaign *campaign = bench->campaign;
    if (trial->square < campaign->square_count &&
        strcmp(campaign->square[trial->square].scenario->name, trial->scenario) == 0) {
        bench->used = campaign->square[trial->square].scenario;
        return STATUS_OK;
    }
    log_error("%s: has changed since trial %lld: its square %u is no longer scenario %s",
              campaign->file, (long long)trial->trial_id, trial->square, trial->scenario);
    cli_free(bench);
    return STATUS_INVALID;
}

enum status cli_load_stored(struct database *database, const char *database_path,
                            const struct stored_trial *trial, struct cli_bench *bench)
{
    struct stored_files *files = NULL;
    *bench = (struct cli_bench){0};
    enum status status =
        trial->is_run ? STATUS_OK : stored_files_open(database, trial->campaign_id, &files);
    if (status != STATUS_OK)
        return status;
    stored_files_use(files);
    status = load_trial(trial, stored_files_campaign(files, trial->campaign_file), bench);
    stored_files_use(NULL);
    if (status != STATUS_OK) {
        stored_files_close(files);
        return status;
    }
    bench->stored = files;
    snprintf(bench->database, sizeof bench->database, "%s", database_path);
    return STATUS_OK;
}

enum status cli_load_present(struct database *database, const struct stored_trial *trial,
                             struct cli_bench *bench)
{
    char file[2 * PATH_MAX_LENGTH];
    const enum status status =
        stored_files_present(database, trial->campaign_id, trial->campaign_file, file, sizeof file);
    return status == STATUS_OK ? load_trial(trial, file, bench) : status;
}

enum status cli_check_bench(const struct cli_bench *bench)
{
    const struct scenario *scenario[SQUARES_MAX] = {bench->used};
    unsigned count = bench->used != NULL;
    for (unsigned i = 0; bench->used == NULL && i < bench->campaign->square_count; i++)
        scenario[count++] = bench->campaign->square[i].scenario;
    const enum status status = check_trust(bench);
    return status != STATUS_OK ? status : target_check(bench->target, scenario, count, cli_build);
}

enum status cli_check_oracles(const struct cli_bench *bench)
{
    const struct scenario *scenario = bench->used;
    unsigned programs = 0;
    for (unsigned i = 0; i < scenario->promise_count; i++)
        programs += scenario->promise[i].program[0] != '\0';
    if (programs == 0)
        return STATUS_OK;
    // Stored programs are whoever's the database is.
    const enum status status =
        bench->stored != NULL ? trusted_path(bench->database) : check_trust(bench);
    return status != STATUS_OK ? status : oracle_programs_check(bench->target, scenario, cli_build);
}

void cli_free(struct cli_bench *bench)
{
    target_free(bench->target);
    description_free(bench->description);
    scenario_free(bench->doubted);
    scenario_free(bench->drawn);
    scenario_free(bench->scenario);
    campaign_free(bench->campaign);
    stored_files_close(bench->stored);
    *bench = (struct cli_bench){0};
}

// Of a run of a benchmark, whose scenario was perhaps cut short or given a fault, and is not
// stored.
static enum status load_target_alone(const char *name, struct cli_bench *bench)
{
    *bench = (struct cli_bench){0};
    const enum status status = load_target(name, bench);
    if (status != STATUS_OK)
        cli_free(bench);
    return status;
}

void cli_kept_history(const char *database_path, const struct stored_trial *trial,
                      struct kept_history *kept)
{
    kept_history_of(trial, "", kept);
    cli_history_path(database_path, trial->history_path, kept->file, sizeof kept->file);
}

enum status cli_load_kept(struct database *database, const char *database_path, int64_t trial_id,
                          struct cli_bench *bench, struct kept_history *kept)
{
    struct stored_trial trial;
    enum status status = database_find_trial(database, trial_id, &trial);
    if (status != STATUS_OK)
        return status;
    if (trial.history_path[0] == '\0') {
        log_error(
            "trial %lld: its history was not kept; make it again with `ukemi run --trial %lld "
            "--db %s --keep FILE.mcap` and name that file",
            (long long)trial_id, (long long)trial_id, database_path);
        return STATUS_NOT_FOUND;
    }
    cli_kept_history(database_path, &trial, kept);
    return trial.is_run ? load_target_alone(trial.target, bench)
                        : cli_load_stored(database, database_path, &trial, bench);
}
