// ukemi diff: is a benchmark better or worse than another, or than it used to be?
#include <getopt.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "harness/cli.h"
#include "harness/compare_read.h"

#define ALPHA_MIN 1e-6
#define ALPHA_MAX 0.5
#define LAST_MAX 100

static const char usage[] =
    "usage: ukemi diff A B [--metric PATTERN] [--relevant PERCENT] [--alpha SHARE] [--db PATH]\n"
    "       ukemi diff B --last N [the same options]\n"
    "       ukemi diff CAMPAIGN --cells BEFORE,AFTER [the same options]\n\n"
    "Compares two benchmarks of the database, A before and B after, metric by metric, by rank\n"
    "tests over their runs: better, worse, no difference, or too few runs to tell. A and B are\n"
    "numbers or names of campaigns (`ukemi show`); of a name the newest is taken.\n\n"
    "  --last N            B against the N benchmarks of its name before it\n"
    "  --cells BEFORE,AFTER  one cell against another, of one benchmark or of A and B\n"
    "  --metric PATTERN    only metrics that match (as in a shell: '*p99*', '100 Hz*: missed')\n"
    "  --relevant PERCENT  a smaller difference is none (default 5)\n"
    "  --alpha SHARE       chance of any false alarm among all metrics (default 0.01)\n"
    "  --db PATH           the database (default " CLI_DATABASE ")\n\n"
    "Exit status: 1 if anything is worse; 2 also if all have too few runs.\n";

struct arguments {
    const char *a, *b; // a NULL: the last ones
    uint64_t last;
    const char *database;
    struct compare_choice choice;
    struct compare_options options;
};

// ---- the command line -------------------------------------------------------------------------

// "BEFORE,AFTER", cut in place. A comma with a blank after it is part of a cell's name: "hog, ordinary".
static bool split_cells(char *text, struct compare_choice *choice)
{
    char *cut = NULL;
    unsigned cuts = 0;
    for (char *comma = text; (comma = strchr(comma, ',')) != NULL; comma++)
        if (comma[1] != ' ') {
            cut = comma;
            cuts++;
        }
    if (cuts != 1 || cut == text || cut[1] == '\0') {
        log_error("--cells: '%s' is no two cells; write BEFORE,AFTER with no blank after the comma",
                  text);
        return false;
    }
    *cut = '\0';
    choice->a_cell = text;
    choice->b_cell = cut + 1;
    return true;
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
    case 'c':
        return split_cells(optarg, &a->choice);
    default:
        cli_wrong_word("diff", NULL);
        return false;
    }
}

// false: end with *code.
static bool parse(int argc, char **argv, struct arguments *a, int *code)
{
    static const struct option options[] = {
        {"last", required_argument, NULL, 'l'},     {"metric", required_argument, NULL, 'm'},
        {"relevant", required_argument, NULL, 'r'}, {"alpha", required_argument, NULL, 'a'},
        {"cells", required_argument, NULL, 'c'},    {"db", required_argument, NULL, 'd'},
        {"help", no_argument, NULL, 'h'},           {NULL, 0, NULL, 0}};
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
    const bool alone = argc - optind == 1 && (a->last > 0 || a->choice.a_cell != NULL);
    if (!alone && (argc - optind != 2 || a->last > 0)) {
        *code = (int)cli_usage(usage, false);
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
        arguments->choice.a_cell == NULL) {
        log_error("%s and %s: both are number %" PRId64
                  "; name two benchmarks, or use --last 1 or --cells",
                  arguments->a, arguments->b, b->campaign_id);
        status = STATUS_INVALID;
    }
    return status;
}

static void print_side(const char *title, const struct compare_campaign *campaign)
{
    printf("%-7s %" PRId64 " '%s' of %s, lab %s\n", title, campaign->campaign_id, campaign->name,
           campaign->started_utc, campaign->lab_revision);
}

static void print_sides(const struct compare_campaign *a, unsigned a_count,
                        const struct compare_campaign *b)
{
    bool same_machine = true;
    for (unsigned i = 0; i < a_count; i++) {
        print_side(i == 0 ? "before" : "", &a[i]);
        same_machine &= a[i].machine_id == b->machine_id;
    }
    print_side("after", b);
    if (!same_machine)
        puts("CAUTION: not all were measured on the same machine as it was then (`ukemi show` of a "
             "run)");
}

// ---- what came out ----------------------------------------------------------------------------

static const char *const words[] = {[DIFFERENCE_NONE] = "no difference",
                                    [DIFFERENCE_BETTER] = "better",
                                    [DIFFERENCE_WORSE] = "WORSE",
                                    [DIFFERENCE_OTHER] = "different",
                                    [DIFFERENCE_TOO_FEW] = "too few runs"};
static const enum verdict colours[] = {[DIFFERENCE_NONE] = VERDICT_SKIP,
                                       [DIFFERENCE_BETTER] = VERDICT_PASS,
                                       [DIFFERENCE_WORSE] = VERDICT_FAIL,
                                       [DIFFERENCE_OTHER] = VERDICT_SKIP,
                                       [DIFFERENCE_TOO_FEW] = VERDICT_ERROR};

static void print_effect(const struct comparison *c)
{
    const double factor = c->relative ? 100 : 1;
    const char *unit = c->relative ? "%" : c->unit;
    printf("  %+.3g %s", factor * c->effect, unit);
    if (isfinite(c->effect_95.low))
        printf(" [%+.3g, %+.3g]", factor * c->effect_95.low, factor * c->effect_95.high);
}

static void print_comparison(const struct comparison *c)
{
    const bool coloured = c->difference != DIFFERENCE_NONE;
    printf("  %s%-13s%s %-28s %10.5g -> %10.5g %-6s",
           coloured ? cli_colour(stdout, colours[c->difference]) : "", words[c->difference],
           coloured ? cli_plain(stdout) : "", c->metric, c->a_median, c->b_median, c->unit);
    if (c->identical)
        printf("  always the same");
    else {
        print_effect(c);
        printf("  p %.2g, adjusted %.2g", c->p, c->p_adjusted);
    }
    if (c->paired)
        printf("  %zu pairs", c->a_count);
    else
        printf("  %zu and %zu runs", c->a_count, c->b_count);
    if (c->difference == DIFFERENCE_TOO_FEW)
        printf("; %u of each are needed", c->runs_needed);
    putchar('\n');
}

static void print_list(const struct compare_data *data)
{
    const char *cell = NULL;
    for (size_t i = 0; i < data->count; i++) {
        const struct comparison *c = &data->list[i];
        if (cell == NULL || strcmp(cell, c->cell) != 0)
            printf("%s%s%s\n", cli_bold(stdout), c->cell, cli_plain(stdout));
        cell = c->cell;
        print_comparison(c);
    }
}

static enum exit_code conclude(const struct compare_data *data,
                               const struct compare_options *options)
{
    size_t count[DIFFERENCE_TOO_FEW + 1] = {0};
    unsigned needed = 0;
    size_t varying = 0;
    for (size_t i = 0; i < data->count; i++) {
        count[data->list[i].difference]++;
        varying += !data->list[i].identical;
        if (data->list[i].runs_needed > needed)
            needed = data->list[i].runs_needed;
    }
    if (data->only_a + data->only_b > 0)
        printf("not compared: %zu metrics that only the earlier side has, %zu that only the later "
               "one has\n",
               data->only_a, data->only_b);
    printf("%zu worse, %zu better, %zu different, %zu without a difference, %zu with too few runs\n"
           "medians before -> after; effects with their 95 %% intervals; below %g %% they count as "
           "none; chance of any false alarm %g\n",
           count[DIFFERENCE_WORSE], count[DIFFERENCE_BETTER], count[DIFFERENCE_OTHER],
           count[DIFFERENCE_NONE], count[DIFFERENCE_TOO_FEW], 100 * options->relevant,
           options->alpha);
    if (count[DIFFERENCE_WORSE] > 0)
        return EXIT_FAIL;
    if (count[DIFFERENCE_TOO_FEW] == 0 || count[DIFFERENCE_TOO_FEW] < varying)
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
        print_sides(a, a_count, &b);
        print_list(&data);
        fflush(stdout);
        *code = conclude(&data, &arguments->options);
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
    enum status status = database_open(arguments.database, DATABASE_READ, &database);
    if (status != STATUS_OK)
        return (int)cli_exit_of(status);
    enum exit_code found = EXIT_LAB;
    status = diff(database, &arguments, &found);
    database_close(database);
    return status == STATUS_OK ? (int)found : (int)cli_exit_of(status);
}
