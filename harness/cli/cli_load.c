// What a word of the command line names: a scenario, a campaign, or a stored trial, with its target and description.
#include <errno.h>
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "base/trouble.h"
#include "harness/cli/cli.h"
#include "harness/files/target_check.h"
#include "harness/files/trusted.h"

// ---- files by name ----------------------------------------------------------------------------

#define NAMED_MAX 3 // in a message; more are as good as none

// Files of a folder: the one that is meant, or those that may be.
struct found {
    bool exact;
    unsigned begin, hold;         // how many begin with the name, and how many only hold it
    char path_of[256];            // the file that is exact, or began last
    char begins[256], holds[256]; // names for a message
};

static void note(const char *file, unsigned count, char *names, size_t size)
{
    const size_t length = strlen(names);
    if (count <= NAMED_MAX)
        snprintf(names + length, size - length, "%s%.*s", length > 0 ? ", " : "",
                 (int)(strlen(file) - strlen(".yaml")), file);
    else if (count == NAMED_MAX + 1)
        snprintf(names + length, size - length, " ...");
}

static void compare_name(const char *file, const char *name, struct found *found)
{
    const size_t length = strlen(name), stem = strlen(file) - strlen(".yaml");
    if (strncmp(file, name, length) == 0) {
        found->exact = length == stem || strcmp(file, name) == 0;
        snprintf(found->path_of, sizeof found->path_of, "%s", file);
        note(file, ++found->begin, found->begins, sizeof found->begins);
    } else if (strstr(file, name) != NULL)
        note(file, ++found->hold, found->holds, sizeof found->holds);
}

int cli_is_yaml(const struct dirent *entry)
{
    const size_t length = strlen(entry->d_name);
    return length > 5 && strcmp(entry->d_name + length - 5, ".yaml") == 0;
}

static void look_for(const char *place, const char *name, struct found *found)
{
    struct dirent **entry;
    const int count = scandir(place, &entry, cli_is_yaml, alphasort);
    if (count < 0)
        (void)trouble_note(errno);
    *found = (struct found){0};
    for (int i = 0; i < count; i++) {
        if (!found->exact)
            compare_name(entry[i]->d_name, name, found);
        free(entry[i]);
    }
    if (count >= 0)
        free(entry);
}

// The one file NAME.yaml, or beginning with NAME, in a folder below root. NOT_FOUND, said on
// standard error.
static enum status find_file(const char *folder, const char *name, char *path, size_t size)
{
    if (strchr(name, '/') != NULL ||
        access(name, R_OK) == 0) { // a file: loading it tells what is wrong with it
        snprintf(path, size, "%s", name);
        return STATUS_OK;
    }
    char place[PATH_MAX_LENGTH + 32];
    struct found found;
    snprintf(place, sizeof place, "%s/%s", cli_root, folder);
    look_for(place, name, &found);
    if (found.exact || found.begin == 1) {
        snprintf(path, size, "%s/%s", place, found.path_of);
        return STATUS_OK;
    }
    const char *kind = strrchr(folder, '/') != NULL ? "campaigns" : "scenarios";
    if (found.begin > 1)
        log_error("%s: more than one file begins so in %s: %s; write more of the name", name, place,
                  found.begins);
    else if (found.hold > 0)
        log_error("%s: there is no such file in %s; do you mean %s? `ukemi list %s` shows what "
                  "there is",
                  name, place, found.holds, kind);
    else
        log_error("%s: there is no such file in %s; `ukemi list %s` shows what there is", name,
                  place, kind);
    return STATUS_NOT_FOUND;
}

// ---- loading ----------------------------------------------------------------------------------

static enum status load_target(const char *name, struct cli_bench *bench)
{
    char path[PATH_MAX_LENGTH], description[2 * PATH_MAX_LENGTH];
    enum status status = target_find(name, path, sizeof path);
    if (status != STATUS_OK) {
        log_error("target %s: %s; `ukemi list targets` shows what there is", name,
                  status == STATUS_NOT_FOUND ? "there is no such folder of targets/"
                                             : "cannot be used, see above");
        return status;
    }
    status = target_load(path, &bench->target);
    if (status != STATUS_OK)
        return status;
    snprintf(description, sizeof description, "%s/%s", bench->target->folder,
             bench->target->description);
    return description_load(description, &bench->description);
}

// May others write the files that name programs? INVALID, said.
static enum status check_trust(const struct cli_bench *bench)
{
    const struct campaign *campaign = bench->campaign;
    if (campaign == NULL)
        return trusted_file(bench->scenario->file);
    enum status status = trusted_file(campaign->file);
    for (unsigned i = 0; i < campaign->cell_count && status == STATUS_OK; i++)
        status = trusted_file(campaign->cell[i].scenario->file);
    return status;
}

enum status cli_load_scenario(const char *name, struct cli_bench *bench)
{
    *bench = (struct cli_bench){0};
    char path[2 * PATH_MAX_LENGTH];
    enum status status = find_file("scenarios", name, path, sizeof path);
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
    enum status status = find_file("scenarios/campaigns", name, path, sizeof path);
    if (status == STATUS_OK)
        status = campaign_load(path, &bench->campaign);
    if (status == STATUS_OK && bench->campaign->cell_count == 0) {
        log_error("%s: the campaign has no cells; give it rows and columns", path);
        status = STATUS_INVALID;
    }
    for (unsigned i = 1; status == STATUS_OK && i < bench->campaign->cell_count; i++)
        if (strcmp(bench->campaign->cell[i].scenario->target,
                   bench->campaign->cell[0].scenario->target) != 0) {
            log_error("%s: scenarios of two targets, %s and %s; make a campaign of each", path,
                      bench->campaign->cell[0].scenario->target,
                      bench->campaign->cell[i].scenario->target);
            status = STATUS_INVALID;
        }
    if (status == STATUS_OK)
        status = load_target(bench->campaign->cell[0].scenario->target, bench);
    if (status != STATUS_OK)
        cli_free(bench);
    return status;
}

enum status cli_load_stored(const struct stored_trial *trial, struct cli_bench *bench)
{
    if (trial->is_run) {
        log_error("trial %lld is a run of a benchmark, `%s`, not of a campaign; run its scenario: "
                  "`ukemi run %s --wall --seed %llu`",
                  (long long)trial->trial_id, trial->campaign_file, trial->scenario,
                  (unsigned long long)trial->seed);
        return STATUS_INVALID;
    }
    enum status status = cli_load_campaign(trial->campaign_file, bench);
    if (status != STATUS_OK)
        return status;
    const struct campaign *campaign = bench->campaign;
    if (trial->cell < campaign->cell_count &&
        strcmp(campaign->cell[trial->cell].scenario->name, trial->scenario) == 0) {
        bench->used = campaign->cell[trial->cell].scenario;
        return STATUS_OK;
    }
    log_error("%s: has changed since trial %lld: its cell %u is no longer scenario %s",
              campaign->file, (long long)trial->trial_id, trial->cell, trial->scenario);
    cli_free(bench);
    return STATUS_INVALID;
}

enum status cli_check_bench(const struct cli_bench *bench)
{
    const struct scenario *scenario[CELLS_MAX] = {bench->used};
    unsigned count = bench->used != NULL;
    for (unsigned i = 0; bench->used == NULL && i < bench->campaign->cell_count; i++)
        scenario[count++] = bench->campaign->cell[i].scenario;
    const enum status status = check_trust(bench);
    return status != STATUS_OK ? status : target_check(bench->target, scenario, count, cli_build);
}

void cli_free(struct cli_bench *bench)
{
    target_free(bench->target);
    description_free(bench->description);
    scenario_free(bench->scenario);
    campaign_free(bench->campaign);
    *bench = (struct cli_bench){0};
}

// Of a run of a benchmark, whose scenario was perhaps cut short or given a fault, and is not stored.
static enum status load_target_alone(const char *name, struct cli_bench *bench)
{
    *bench = (struct cli_bench){0};
    const enum status status = load_target(name, bench);
    if (status != STATUS_OK)
        cli_free(bench);
    return status;
}

enum status cli_load_kept(struct database *database, const char *database_path, int64_t trial_id,
                          struct cli_bench *bench, char *file, size_t size)
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
    cli_history_path(database_path, trial.history_path, file, size);
    return trial.is_run ? load_target_alone(trial.target, bench) : cli_load_stored(&trial, bench);
}
