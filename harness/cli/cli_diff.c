// ukemi diff: is a benchmark better or worse than another, or than it used to be?
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "harness/cli/cli.h"
#include "harness/cli/cli_diff_print.h"
#include "harness/bench/compare/compare.h"
#include "harness/store/benchmark/compare_read.h"

#define LAST_MAX COMPARE_CAMPAIGNS_MAX

struct arguments {
    const char *a, *b; // a NULL: the last ones
    uint64_t last;
    const char *database;
    struct compare_choice choice;
    struct compare_options options;
    enum diff_format format;
    bool changed;
};

// ---- the command line -------------------------------------------------------------------------

// "BEFORE,AFTER", cut in place. A comma with a blank after it is part of a square's name: "hog,
// ordinary".
static bool split_squares(char *text, struct compare_choice *choice)
{
    char *cut = NULL;
    unsigned cuts = 0;
    for (char *comma = text; (comma = strchr(comma, ',')) != NULL; comma++)
        if (comma[1] != ' ') {
            cut = comma;
            cuts++;
        }
    if (cuts != 1 || cut == text || cut[1] == '\0') {
        log_error(
            "--squares: '%s' does not name two squares; write BEFORE,AFTER with no blank after "
            "the comma",
            text);
        return false;
    }
    *cut = '\0';
    choice->a_square = text;
    choice->b_square = cut + 1;
    return true;
}

// A and B are not what --last and --squares leave to be named.
static enum exit_code refuse_sides(int words, const char *first)
{
    if (words == 1)
        log_error("%s: name what it is compared with: another benchmark, --last N, or --squares "
                  "BEFORE,AFTER",
                  first);
    else
        log_error("--last: compares one benchmark with those before it; leave out '%s'", first);
    return EXIT_INPUT;
}

// EXIT_PASS, or the code to end with.
static enum exit_code take(const struct cli_line *line, struct arguments *a)
{
    char *squares = (char *)line->value[CLI_SQUARES].text; // a word of argv
    *a = (struct arguments){.database = line->value[CLI_DB].text,
                            .last = line->value[CLI_LAST].count,
                            .choice = {.metric = line->value[CLI_METRIC].text,
                                       .together = line->value[CLI_TOGETHER].given},
                            .options = {.alpha = line->value[CLI_ALPHA].number,
                                        .relevant = line->value[CLI_RELEVANT].number / 100},
                            .format = (enum diff_format)line->value[CLI_FORMAT].choice,
                            .changed = line->value[CLI_CHANGED].given};
    if (squares != NULL && !split_squares(squares, &a->choice))
        return EXIT_INPUT;
    const bool alone = line->words == 1 && (a->last > 0 || a->choice.a_square != NULL);
    if (!alone && (line->words != 2 || a->last > 0))
        return refuse_sides(line->words, line->word[0]);
    a->a = a->last > 0 ? NULL : line->word[0];
    a->b = line->word[line->words - 1];
    return EXIT_PASS;
}

// ---- the two sides ----------------------------------------------------------------------------

static enum status find_sides(struct database *database, const struct arguments *arguments,
                              struct compare_campaign *a, unsigned *a_count,
                              struct compare_campaign *b)
{
    enum status status = compare_find(database, arguments->b, b);
    if (status != STATUS_OK)
        return status;
    *a_count = arguments->a == NULL ? (unsigned)arguments->last : 1;
    if (arguments->a == NULL)
        return compare_find_before(database, b, *a_count, a);
    status = compare_find(database, arguments->a, a);
    if (status == STATUS_OK && a->campaign_id == b->campaign_id &&
        arguments->choice.a_square == NULL) {
        log_error("%s and %s: both are number %" PRId64
                  "; name two benchmarks, or use --last 1 or --squares",
                  arguments->a, arguments->b, b->campaign_id);
        status = STATUS_INVALID;
    }
    return status;
}

static void print_side(const char *title, const struct compare_campaign *campaign, FILE *out)
{
    fprintf(out, "%-7s %" PRId64 " '%s' of %s, lab %s\n", title, campaign->campaign_id,
            campaign->name, campaign->started_utc, campaign->lab_revision);
}

static void print_sides(const struct compare_campaign *a, unsigned a_count,
                        const struct compare_campaign *b, FILE *out)
{
    bool same_machine = true;
    for (unsigned i = 0; i < a_count; i++) {
        print_side(i == 0 ? "before" : "", &a[i], out);
        same_machine &= a[i].machine_id == b->machine_id;
    }
    print_side("after", b, out);
    if (!same_machine)
        fputs("CAUTION: not all were measured on the same machine as it was then (`ukemi show` of "
              "a run)\n",
              out);
}

// ---- what came out ----------------------------------------------------------------------------

static enum exit_code conclude(const struct compare_data *data)
{
    bool worse = false, all_too_few = true;
    unsigned needed = 0;
    for (size_t i = 0; i < data->count; i++) {
        const struct comparison *c = &data->list[i];
        worse |= c->difference == DIFFERENCE_WORSE;
        all_too_few &= c->identical || c->difference == DIFFERENCE_TOO_FEW;
        if (c->runs_needed > needed)
            needed = c->runs_needed;
    }
    if (worse)
        return EXIT_FAIL;
    if (needed == 0 || !all_too_few)
        return EXIT_PASS;
    log_error("so few runs cannot show a difference; store %u of each, or choose fewer metrics "
              "with --metric",
              needed);
    return EXIT_INPUT;
}

static enum status diff(struct database *database, const struct arguments *arguments,
                        enum exit_code *code)
{
    struct compare_campaign a[LAST_MAX], b;
    struct compare_data data;
    unsigned a_count;
    enum status status = find_sides(database, arguments, a, &a_count, &b);
    if (status == STATUS_OK)
        status = compare_read(database, a, a_count, &b, &arguments->choice, &data);
    if (status != STATUS_OK)
        return status;
    status = compare(data.list, data.count, &arguments->options);
    if (status == STATUS_OK) {
        print_sides(a, a_count, &b, arguments->format == DIFF_TSV ? stderr : stdout);
        diff_print(&data, arguments->format, arguments->changed);
        if (arguments->format == DIFF_TEXT)
            diff_print_legend(&data, &arguments->options);
        fflush(stdout);
        *code = conclude(&data);
    }
    compare_data_free(&data);
    return status;
}

int cli_diff(const struct cli_line *line)
{
    struct arguments arguments;
    const enum exit_code code = take(line, &arguments);
    if (code != EXIT_PASS)
        return (int)code;
    struct database *database;
    enum status status = database_open(arguments.database, DATABASE_QUERY, &database);
    if (status != STATUS_OK)
        return (int)cli_exit_of(status);
    enum exit_code found = EXIT_LAB;
    status = diff(database, &arguments, &found);
    database_close(database);
    return status == STATUS_OK ? (int)found : (int)cli_exit_of(status);
}
