#include <string.h>

#include "base/log.h"
#include "base/text.h"
#include "harness/store/benchmark/benchmark.h"
#include "harness/store/listing.h"
#include "harness/cli/cli_rerun.h"

#define LINES_SHOWN 12

struct arguments {
    const char *trial, *database; // a number or a history; NULL: none
    struct cli_output output;
    bool lines_alone; // nothing but what was printed
};

// Rows as "name  value" lines.
static bool print_fields(void *context, int columns, const char *const *name,
                         const char *const *value)
{
    (void)context;
    for (int i = 0; i < columns; i++)
        if (value[i] != NULL && value[i][0] != '\0') {
            printf("  %-22s ", name[i]);
            text_print(stdout, value[i], " "); // the database may be anybody's
            putchar('\n');
        }
    return true;
}

// Rows as lines of a list; the first column may be a verdict.
static bool print_row(void *context, int columns, const char *const *name, const char *const *value)
{
    (void)name;
    int *rows = context;
    ++*rows;
    for (int i = 0; i < columns; i++) {
        enum verdict verdict = VERDICT_PASS;
        bool is_verdict = false;
        for (; value[i] != NULL && verdict <= VERDICT_SKIP && !is_verdict; verdict++)
            is_verdict = strcmp(value[i], verdict_name(verdict)) == 0;
        if (is_verdict)
            printf("  %s%-5s%s", cli_colour(stdout, verdict - 1), value[i], cli_plain(stdout));
        else {
            fputs("  ", stdout);
            text_print(stdout, value[i] == NULL ? "" : value[i], "\n    ");
        }
    }
    putchar('\n');
    return true;
}

// Prints the parts, each below its title.
static enum status show(struct database *database, const struct listings *listings,
                        int64_t trial_id)
{
    enum status status = STATUS_OK;
    for (unsigned i = 0; status == STATUS_OK && i < listings->count; i++) {
        const struct listing *part = &listings->part[i];
        int rows = 0;
        printf("%s%s%s\n", cli_bold(stdout), part->title, cli_plain(stdout));
        status =
            listing_read(database, part, trial_id, part->fields ? print_fields : print_row, &rows);
        if (status == STATUS_OK && rows == 0 && !part->fields)
            puts("  none");
    }
    return status;
}

// Most runs are only measured; of those judged FAIL or ERROR everything is stored.
static enum status show_run(struct database *database, int64_t trial_id)
{
    bool judged = false;
    enum status status = show(database, &listings_of_run, trial_id);
    if (status == STATUS_OK)
        status = database_is_judged(database, trial_id, &judged);
    return status == STATUS_OK && judged ? show(database, &listings_of_judged, trial_id) : status;
}

// ---- what processes printed --------------------------------------------------------------------

// `history` is freed.
static enum status show_lines(struct history *history, const struct cli_output *output, bool ended)
{
    enum status status = STATUS_OK;
    if (ended)
        status = cli_print_ended(history);
    if (status == STATUS_OK)
        status = cli_print_output(history, output);
    history_free(history);
    return status;
}

static enum status show_file(const char *file, const struct cli_output *output)
{
    struct history *history;
    const enum status status = history_read(file, &history);
    return status == STATUS_OK ? show_lines(history, output, false) : status;
}

// What cannot be had again is said; it is no error where lines are but a part of what is shown.
static enum status say_lost(const struct arguments *a, const struct stored_trial *trial,
                            enum status status)
{
    if (a->lines_alone)
        return status;
    const bool virtual = trial->mode == CLK_VIRTUAL && trial->history_hash[0] != '\0';
    printf("%soutput%s\n  not kept: its history was not%s\n", cli_bold(stdout), cli_plain(stdout),
           virtual ? ", and the trial could not be had again, see above" : "");
    return STATUS_OK;
}

static enum status show_rerun(struct database *database, const struct arguments *a,
                              const struct stored_trial *trial)
{
    struct cli_rerun rerun = {0};
    struct history *history;
    if (!a->lines_alone && (trial->mode == CLK_WALL || trial->history_hash[0] == '\0'))
        return say_lost(a, trial, STATUS_OK);
    (void)fflush(stdout); // what is known is read while the trial runs
    enum status status = cli_rerun(database, trial, &rerun);
    if (status == STATUS_OK)
        status = kept_history_read(&rerun.kept, a->database, &history);
    status = status == STATUS_OK ? show_lines(history, &a->output,
                                              !a->lines_alone && verdict_is_bad(trial->verdict))
                                 : say_lost(a, trial, status);
    cli_rerun_free(&rerun);
    return status;
}

static enum status show_kept(struct database *database, const struct arguments *a,
                             const struct stored_trial *trial)
{
    struct kept_history kept;
    struct history *history;
    if (!cli_history_is_there(a->database, trial))
        return show_rerun(database, a, trial);
    cli_kept_history(a->database, trial, &kept);
    const enum status status = kept_history_read(&kept, a->database, &history);
    return status != STATUS_OK
               ? status
               : show_lines(history, &a->output, !a->lines_alone && verdict_is_bad(trial->verdict));
}

static enum status show_trial(struct database *database, const struct arguments *a,
                              int64_t trial_id)
{
    bool is_run;
    struct stored_trial trial;
    enum status status = benchmark_has_run(database, trial_id, &is_run);
    if (status == STATUS_OK && is_run && !a->lines_alone)
        return show_run(database, trial_id);
    if (status == STATUS_OK)
        status = database_find_trial(database, trial_id, &trial);
    if (status == STATUS_OK && !a->lines_alone)
        status = show(database, &listings_of_trial, trial_id);
    if (status == STATUS_OK && !a->lines_alone)
        status = show(database, &listings_of_judged, trial_id);
    return status == STATUS_OK ? show_kept(database, a, &trial) : status;
}

// ---- the command -------------------------------------------------------------------------------

static bool is_file(const char *word)
{
    const char *dot = strrchr(word, '.');
    return dot != NULL && strcmp(dot, ".mcap") == 0;
}

int cli_show(const struct cli_line *line)
{
    uint64_t trial_id = 0;
    const bool lines_alone = line->value[CLI_ALL].given || line->value[CLI_SEARCH].given ||
                             line->value[CLI_PROCESS].given;
    const struct arguments a = {.trial = line->words > 0 ? line->word[0] : NULL,
                                .database = line->value[CLI_DB].text,
                                .output = {.process = line->value[CLI_PROCESS].text,
                                           .search = line->value[CLI_SEARCH].text,
                                           .lines_max = lines_alone ? 0 : LINES_SHOWN},
                                .lines_alone = lines_alone};
    if (a.trial == NULL && lines_alone)
        return cli_refuse_idle("--all, --search or --process", "without a trial; name one");
    if (a.trial != NULL && is_file(a.trial)) {
        const enum status status = show_file(a.trial, &a.output);
        return status == STATUS_OK ? EXIT_PASS : (int)cli_exit_of(status);
    }
    if (a.trial != NULL && !cli_trial_number(a.trial, &trial_id))
        return EXIT_INPUT;
    struct database *database;
    enum status status = database_open(a.database, DATABASE_QUERY, &database);
    if (status != STATUS_OK)
        return cli_exit_of(status);
    status = a.trial == NULL ? show(database, &listings_of_all, 0)
                             : show_trial(database, &a, (int64_t)trial_id);
    database_close(database);
    return status == STATUS_OK ? EXIT_PASS : (int)cli_exit_of(status);
}
