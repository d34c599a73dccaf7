#include <getopt.h>
#include <string.h>

#include "base/log.h"
#include "base/text.h"
#include "harness/store/benchmark.h"
#include "harness/store/listing.h"
#include "harness/cli/cli.h"

static const char usage[] =
    "usage: ukemi show [TRIAL] [--db PATH]\n\n"
    "Shows a stored trial: what was asked, what happened, and every verdict; of a run of a\n"
    "benchmark, its figures. Without a number: the campaigns and benchmarks, and the trials that\n"
    "did not pass.\n\n"
    "  --db PATH  the database (default " CLI_DATABASE ")\n";

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

static enum status show_trial(struct database *database, int64_t trial_id)
{
    bool is_run;
    struct stored_trial trial;
    enum status status = benchmark_has_run(database, trial_id, &is_run);
    if (status == STATUS_OK && is_run)
        return show_run(database, trial_id);
    if (status == STATUS_OK)
        status = database_find_trial(database, trial_id, &trial);
    if (status == STATUS_OK)
        status = show(database, &listings_of_trial, trial_id);
    return status == STATUS_OK ? show(database, &listings_of_judged, trial_id) : status;
}

int cli_show(int argc, char **argv)
{
    const char *path;
    int code;
    if (!cli_database_option(argc, argv, &(struct cli_form){"show", usage, 0, 1}, &path, &code))
        return code;
    uint64_t trial_id = 0;
    if (optind < argc && !cli_trial_number(argv[optind], &trial_id))
        return EXIT_INPUT;
    struct database *database;
    enum status status = database_open(path, DATABASE_QUERY, &database);
    if (status != STATUS_OK)
        return cli_exit_of(status);
    status = optind == argc ? show(database, &listings_of_all, 0)
                            : show_trial(database, (int64_t)trial_id);
    database_close(database);
    return status == STATUS_OK ? EXIT_PASS : (int)cli_exit_of(status);
}
