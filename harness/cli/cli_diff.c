// ukemi diff: is a benchmark better or worse than another, or than it used to be?
#include <getopt.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "harness/cli/cli.h"
#include "harness/cli/cli_diff_print.h"
#include "harness/bench/compare/compare.h"
#include "harness/store/benchmark/compare_read.h"

#define ALPHA_MIN 1e-6
#define ALPHA_MAX 0.5
#define LAST_MAX COMPARE_CAMPAIGNS_MAX

static const char usage[] =
    "usage: ukemi diff A B [--metric PATTERN] [--relevant PERCENT] [--alpha SHARE] [--db PATH]\n"
    "       ukemi diff B --last N [the same options]\n"
    "       ukemi diff CAMPAIGN --squares BEFORE,AFTER [the same options]\n\n"
    "Compares two benchmarks of the database, A before and B after, metric by metric, with rank\n"
    "tests over their runs: better, worse, no difference, or too few runs to tell. A and B are\n"
    "numbers or names of campaigns (`ukemi show`); a name means the newest of that name.\n\n"
    "  --last N            compare B with the N earlier benchmarks of its name\n"
    "  --squares BEFORE,AFTER  compare one square with another, of one benchmark or of A and B\n"
    "  --metric PATTERN    only metrics that match (as in a shell: '*p99*', '100 Hz*: missed')\n"
    "  --together          take all squares of a metric as one, by geometric means of each run\n"
    "  --relevant PERCENT  a smaller difference does not count (default 5)\n"
    "  --alpha SHARE       chance of any false alarm among all metrics (default 0.01)\n"
    "  --changed           list only what differs\n"
    "  --format text|tsv   a table (default), or a line per metric with tabs between its fields,\n"
    "                      which the first line names; a change is a share, or has the unit\n"
    "  --db PATH           the database (default " CLI_DATABASE ")\n\n"
    "Exit status: 1 if anything is worse; 2 for bad input, or if all have too few runs.\n";

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

static bool read_format(const char *word, enum diff_format *format)
{
    *format = strcmp(word, "tsv") == 0 ? DIFF_TSV : DIFF_TEXT;
    if (*format == DIFF_TSV || strcmp(word, "text") == 0)
        return true;
    log_error("--format: '%s' is not text or tsv", word);
    return false;
}

static bool read_option(int option, struct arguments *a)
{
    double percent;
    switch (option) {
    case 'l':
        return cli_count(optarg, "--last", 1, LAST_MAX, &a->last);
    case 'm':
        a->choice.metric = optarg;
        return true;
    case 'r':
        if (!cli_real(optarg, "--relevant", 0, 1000, &percent))
            return false;
        a->options.relevant = percent / 100;
        return true;
    case 'a':
        return cli_real(optarg, "--alpha", ALPHA_MIN, ALPHA_MAX, &a->options.alpha);
    case 'd':
        a->database = optarg;
        return true;
    case 'o':
        a->changed = true;
        return true;
    case 't':
        a->choice.together = true;
        return true;
    case 'f':
        return read_format(optarg, &a->format);
    case 'c':
        return split_squares(optarg, &a->choice);
    default:
        cli_wrong_word("diff", NULL);
        return false;
    }
}

// A and B are not what --last and --squares leave to be named.
static enum exit_code refuse_sides(int words, const char *first)
{
    if (words == 0)
        return cli_usage(usage, false);
    if (words == 1)
        log_error("%s: name what it is compared with: another benchmark, --last N, or --squares "
                  "BEFORE,AFTER",
                  first);
    else
        log_error("--last: compares one benchmark with those before it; leave out '%s'", first);
    return EXIT_INPUT;
}

// false: end with *code.
static bool parse(int argc, char **argv, struct arguments *a, int *code)
{
    static const struct option options[] = {{"last", required_argument, NULL, 'l'},
                                            {"metric", required_argument, NULL, 'm'},
                                            {"relevant", required_argument, NULL, 'r'},
                                            {"alpha", required_argument, NULL, 'a'},
                                            {"squares", required_argument, NULL, 'c'},
                                            {"db", required_argument, NULL, 'd'},
                                            {"format", required_argument, NULL, 'f'},
                                            {"changed", no_argument, NULL, 'o'},
                                            {"together", no_argument, NULL, 't'},
                                            {"help", no_argument, NULL, 'h'},
                                            {NULL, 0, NULL, 0}};
    *a = (struct arguments){.database = CLI_DATABASE, .options = {.alpha = 0.01, .relevant = 0.05}};
    *code = EXIT_INPUT;
    for (int option; (option = getopt_long(argc, argv, "h", options, NULL)) != -1;) {
        if (option == 'h')
            *code = (int)cli_usage(usage, true);
        if (option == 'h' || !read_option(option, a))
            return false;
    }
    if (argc - optind > 2) {
        *code = (int)cli_wrong_word("diff", argv[optind + 2]);
        return false;
    }
    const bool alone = argc - optind == 1 && (a->last > 0 || a->choice.a_square != NULL);
    if (!alone && (argc - optind != 2 || a->last > 0)) {
        *code = (int)refuse_sides(argc - optind, argv[optind]);
        return false;
    }
    a->a = a->last > 0 ? NULL : argv[optind];
    a->b = argv[argc - 1];
    return true;
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

int cli_diff(int argc, char **argv)
{
    struct arguments arguments;
    int code;
    if (!parse(argc, argv, &arguments, &code))
        return code;
    struct database *database;
    enum status status = database_open(arguments.database, DATABASE_QUERY, &database);
    if (status != STATUS_OK)
        return (int)cli_exit_of(status);
    enum exit_code found = EXIT_LAB;
    status = diff(database, &arguments, &found);
    database_close(database);
    return status == STATUS_OK ? (int)found : (int)cli_exit_of(status);
}
