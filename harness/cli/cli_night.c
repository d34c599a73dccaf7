#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "base/text.h"
#include "harness/cli/cli.h"
#include "harness/cli/cli_night.h"
#include "harness/files/campaign_file.h"
#include "harness/files/trusted.h"
#include "harness/report/report.h"
#include "harness/report/report_night.h"

#define USUAL "night" // the file that is taken unless one is named

// ---- before anything is run -------------------------------------------------------------------

static enum status check_part(const struct night_file *file, unsigned part,
                              char (*names)[NAME_MAX_LENGTH])
{
    struct cli_bench bench;
    enum status status = cli_load_campaign(file->part[part].campaign, &bench);
    if (status != STATUS_OK) {
        log_error("%s: parts[%u].campaign: %s: cannot be used, see above; correct it, or leave it "
                  "out",
                  file->file, part, file->part[part].campaign);
        return status;
    }
    text_copy(names[part], NAME_MAX_LENGTH, bench.campaign->name);
    for (unsigned i = 0; i < part && status == STATUS_OK; i++)
        if (strcmp(names[i], names[part]) == 0) {
            log_error("%s: parts[%u].campaign: %s: is campaign '%s', as parts[%u] is; give one of "
                      "them another name",
                      file->file, part, file->part[part].campaign, names[part], i);
            status = STATUS_INVALID;
        }
    if (status == STATUS_OK)
        status = cli_check_bench(&bench);
    cli_free(&bench);
    return status;
}

static enum status check_hook(const struct night_file *file)
{
    if (file->hook[0] == '\0')
        return STATUS_OK;
    const enum status status = trusted_path(file->hook);
    if (status != STATUS_NOT_FOUND && (status != STATUS_OK || access(file->hook, X_OK) == 0))
        return status;
    log_error("%s: hook: %s: %s; correct its path", file->file, file->hook,
              status == STATUS_OK ? "cannot be executed (chmod +x)" : "there is no such program");
    return STATUS_INVALID;
}

// A mistake in the last part must not be found in the morning.
static enum status check_parts(const struct night_file *file)
{
    char(*names)[NAME_MAX_LENGTH] = calloc(NIGHT_PARTS_MAX, sizeof *names);
    enum status worst = names == NULL ? STATUS_NO_MEMORY : STATUS_OK;
    for (unsigned i = 0; names != NULL && i < file->part_count; i++) {
        const enum status status = check_part(file, i, names);
        worst = status == STATUS_OK ? worst : status;
    }
    free(names);
    return worst == STATUS_OK ? check_hook(file) : worst;
}

enum status cli_check_night(const char *path)
{
    struct night_file *file;
    enum status status = night_file_load(path, &file);
    if (status != STATUS_OK)
        return status;
    status = check_parts(file);
    night_file_free(file);
    return status;
}

// ---- what came of it ---------------------------------------------------------------------------

static void print_outcome(const struct cli_night *night)
{
    const char *actions = getenv("GITHUB_ACTIONS");
    cli_print_file(night->output, "night.txt");
    printf("page: %s/index.html\n", night->output);
    if (actions != NULL && strcmp(actions, "true") == 0)
        cli_print_file(night->output,
                       "night.github"); // it reads these lines where they are printed
}

// By what is new alone: what was known before is told, and is no news.
static enum exit_code exit_of(const struct cli_night *night, const struct night_outcome *outcome)
{
    const unsigned lab = night->failed + night->lost + outcome->new_errors;
    const unsigned count[VERDICT_COUNT] = {[VERDICT_ERROR] = lab,
                                           [VERDICT_FAIL] = outcome->new_failures,
                                           [VERDICT_PASS] = outcome->judged};
    const bool idle = outcome->ran == 0 && lab == 0; // there was no time, or nothing left to do
    return idle ? EXIT_PASS : cli_exit_of_verdict(verdict_worst(count), night->allow_skip);
}

enum status cli_night_with(struct cli_night *night, cli_night_act *act, void *context)
{
    struct database *database = NULL;
    enum status status = database_open(night->options.database, DATABASE_WRITE, &database);
    if (status == STATUS_OK)
        status = act(night, database, context);
    database_close(database);
    return status;
}

static enum status find(struct cli_night *night, struct database *database, void *outcome)
{
    const enum status status = night_find(database, &night->night, night->file->window, outcome);
    return status == STATUS_OK ? night_end(database, &night->night) : status;
}

static int conclude(struct cli_night *night)
{
    struct night_outcome outcome;
    const struct report_night report = {.database = night->options.database,
                                        .night_id = night->night.night_id,
                                        .window = night->file->window,
                                        .relevant = night->file->relevant_percent / 100,
                                        .folder = night->output};
    enum status status = cli_night_with(night, find, &outcome);
    if (status == STATUS_OK)
        status = report_night_write(&report);
    if (status != STATUS_OK)
        return EXIT_LAB; // it has been said
    print_outcome(night);
    const int code = exit_of(night, &outcome);
    return cli_night_tell(night, &outcome, code) || code != EXIT_PASS ? code : EXIT_LAB;
}

static int say_ended(const struct cli_night *night)
{
    log_info("ended: %.0f of %.0f s of the night are spent; the same command goes on with it",
             night->night.spent_s, night->budget_s);
    return night->terminated ? EXIT_TERMINATED : EXIT_INTERRUPTED;
}

static enum status begin(struct cli_night *night, struct database *database, void *context)
{
    const struct night_start start = {
        .name = night->file->name, .file = night->file->file, .budget_s = night->budget_s};
    (void)context;
    return night_begin(database, &start, &night->night);
}

static int run_night(struct cli_night *night)
{
    enum status status = report_possible(night->output);
    if (status == STATUS_OK)
        status = cli_night_with(night, begin, NULL);
    if (status != STATUS_OK)
        return status == STATUS_SYSTEM || status == STATUS_BUSY ? (int)EXIT_INPUT
                                                                : (int)cli_exit_of(status);
    if (night->night.resumed)
        log_info("the night that began before goes on: %.0f of %.0f s are spent",
                 night->night.spent_s, night->budget_s);
    status = cli_night_run(night);
    if (status != STATUS_OK)
        return EXIT_LAB;
    return night->terminated || night->interrupted ? say_ended(night) : conclude(night);
}

int cli_night(const struct cli_line *line)
{
    char path[2 * PATH_MAX_LENGTH], usual[sizeof CLI_REPORT + NAME_MAX_LENGTH + 1];
    struct cli_night night = {.options = cli_campaign_options(line),
                              .allow_skip = line->value[CLI_ALLOW_SKIP].given,
                              .output = line->value[CLI_OUTPUT].text};
    if (line->value[CLI_BUDGET].given) {
        night.budget_s = cli_budget(line->value[CLI_BUDGET].text);
        if (night.budget_s == 0)
            return EXIT_INPUT;
    }
    enum status status =
        cli_files_find(CLI_NIGHTS, line->words > 0 ? line->word[0] : USUAL, path, sizeof path);
    if (status == STATUS_OK)
        status = night_file_load(path, &night.file);
    if (status == STATUS_OK)
        status = check_parts(night.file);
    int code = cli_exit_of(status);
    if (status == STATUS_OK) {
        snprintf(usual, sizeof usual, CLI_REPORT "/%s", night.file->name);
        night.output = night.output != NULL ? night.output : usual;
        night.budget_s = night.budget_s > 0 ? night.budget_s : night.file->budget_h * 3600;
        code = run_night(&night);
    }
    night_file_free(night.file);
    return code;
}
