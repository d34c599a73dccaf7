#include "harness/cli/cli_diff_print.h"

#include <math.h>
#include <string.h>

#include "base/spreadsheet.h"

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

static bool is_shown(const struct comparison *c, bool changed)
{
    return !changed || (c->difference != DIFFERENCE_NONE && c->difference != DIFFERENCE_TOO_FEW);
}

// ---- a table ----------------------------------------------------------------------------------

enum column { WORD, METRIC, UNIT, BEFORE, AFTER, CHANGE, INTERVAL, P, ADJUSTED, RUNS, COLUMNS };
static const struct {
    const char *head;
    bool left; // what it holds is words
} columns[COLUMNS] = {[WORD] = {"", true},
                      [METRIC] = {"", true},
                      [UNIT] = {"unit", true},
                      [BEFORE] = {"before", false},
                      [AFTER] = {"after", false},
                      [CHANGE] = {"change", false},
                      [INTERVAL] = {"95 % interval", false},
                      [P] = {"p", false},
                      [ADJUSTED] = {"adjusted", false},
                      [RUNS] = {"runs", true}};

struct row {
    char text[COLUMNS][80];
};

#define WRITE(row, column, ...)                                                                    \
    snprintf((row)->text[column], sizeof(row)->text[column], __VA_ARGS__)

static void write_effect(struct row *row, const struct comparison *c)
{
    const double factor = c->relative ? 100 : 1;
    const char *unit = c->relative ? "%" : c->unit;
    if (c->identical) {
        WRITE(row, CHANGE, "same");
        return;
    }
    WRITE(row, CHANGE, "%+.3g %s", factor * c->effect, unit);
    if (isfinite(c->effect_95.low))
        WRITE(row, INTERVAL, "[%+.3g, %+.3g]", factor * c->effect_95.low,
              factor * c->effect_95.high);
    WRITE(row, P, "%.2g", c->p);
    WRITE(row, ADJUSTED, "%.2g", c->p_adjusted);
}

static void write_row(struct row *row, const struct comparison *c)
{
    char needed[32] = "";
    *row = (struct row){0};
    WRITE(row, WORD, "%s", words[c->difference]);
    WRITE(row, METRIC, "%s", c->metric);
    WRITE(row, UNIT, "%s", c->unit);
    WRITE(row, BEFORE, "%.5g", c->a_median);
    WRITE(row, AFTER, "%.5g", c->b_median);
    write_effect(row, c);
    if (c->difference == DIFFERENCE_TOO_FEW)
        snprintf(needed, sizeof needed, "; %u of each are needed", c->runs_needed);
    if (c->paired)
        WRITE(row, RUNS, "%zu pairs%s", c->a_count, needed);
    else
        WRITE(row, RUNS, "%zu and %zu runs%s", c->a_count, c->b_count, needed);
}

static void widen(int width[COLUMNS], const struct row *row)
{
    for (int i = 0; i < COLUMNS; i++) {
        const int length = (int)strlen(row->text[i]);
        if (length > width[i])
            width[i] = length;
    }
}

static void print_row(const struct row *row, const int width[COLUMNS], const char *colour)
{
    for (int i = 0; i < COLUMNS; i++) {
        const int padding = i + 1 == COLUMNS ? 0 : width[i];
        printf("  %s%*s%s", i == WORD ? colour : "", columns[i].left ? -padding : padding,
               row->text[i], i == WORD && colour[0] != '\0' ? cli_plain(stdout) : "");
    }
    putchar('\n');
}

static void print_table(const struct compare_data *data, bool changed)
{
    int width[COLUMNS] = {0};
    struct row row;
    const char *square = NULL;
    for (int i = 0; i < COLUMNS; i++)
        WRITE(&row, i, "%s", columns[i].head);
    const struct row head = row;
    widen(width, &head);
    for (size_t i = 0; i < data->count; i++) {
        if (!is_shown(&data->list[i], changed))
            continue;
        write_row(&row, &data->list[i]);
        widen(width, &row);
    }
    for (size_t i = 0; i < data->count; i++) {
        const struct comparison *c = &data->list[i];
        if (!is_shown(c, changed))
            continue;
        if (square == NULL)
            print_row(&head, width, "");
        if (square == NULL || strcmp(square, c->square) != 0)
            printf("%s%s%s\n", cli_bold(stdout), c->square, cli_plain(stdout));
        square = c->square;
        write_row(&row, c);
        print_row(&row, width,
                  c->difference == DIFFERENCE_NONE ? ""
                                                   : cli_colour(stdout, colours[c->difference]));
    }
}

// ---- lines ------------------------------------------------------------------------------------

// Empty where there is no number.
static void print_number(double value)
{
    if (isfinite(value))
        printf("\t%.9g", value);
    else
        putchar('\t');
}

static void print_lines(const struct compare_data *data, bool changed)
{
    puts("square\tmetric\tunit\tbetter\tdifference\tbefore\tafter\tscale\tchange\tchange_low\t"
         "change_high\tp\tp_adjusted\tpaired\truns_before\truns_after\truns_needed");
    for (size_t i = 0; i < data->count; i++) {
        const struct comparison *c = &data->list[i];
        if (!is_shown(c, changed))
            continue;
        spreadsheet_tsv(stdout, c->square);
        putchar('\t');
        spreadsheet_tsv(stdout, c->metric);
        putchar('\t');
        spreadsheet_tsv(stdout, c->unit);
        printf("\t%s\t%s", better_name(c->better), words[c->difference]);
        print_number(c->a_median);
        print_number(c->b_median);
        printf("\t%s", c->relative ? "ratio" : "unit");
        print_number(c->effect);
        print_number(c->effect_95.low);
        print_number(c->effect_95.high);
        print_number(c->p);
        print_number(c->p_adjusted);
        printf("\t%d\t%zu\t%zu\t", c->paired, c->a_count, c->b_count);
        if (c->difference == DIFFERENCE_TOO_FEW)
            printf("%u", c->runs_needed);
        putchar('\n');
    }
}

void diff_print(const struct compare_data *data, enum diff_format format, bool changed)
{
    if (format == DIFF_TSV)
        print_lines(data, changed);
    else
        print_table(data, changed);
}

// ---- what it rests on -------------------------------------------------------------------------

struct tally {
    size_t count[DIFFERENCE_TOO_FEW + 1];
    bool pairs, sums; // which tests were used
    unsigned campaigns;
};

static struct tally count_words(const struct compare_data *data)
{
    struct tally tally = {0};
    for (size_t i = 0; i < data->count; i++) {
        const struct comparison *c = &data->list[i];
        tally.count[c->difference]++;
        tally.pairs |= c->paired;
        tally.sums |= !c->paired;
        if (c->campaigns > tally.campaigns)
            tally.campaigns = c->campaigns;
    }
    return tally;
}

void diff_print_legend(const struct compare_data *data, const struct compare_options *options)
{
    const struct tally tally = count_words(data);
    if (data->only_a + data->only_b > 0)
        printf("not compared: %zu metrics that only the earlier side has, %zu that only the later "
               "one has\n",
               data->only_a, data->only_b);
    if (data->not_positive > 0)
        printf("not compared: %zu metrics with values of 0 or less, which have no geometric mean\n",
               data->not_positive);
    printf(
        "%zu worse, %zu better, %zu different, %zu without a difference, %zu with too few runs\n",
        tally.count[DIFFERENCE_WORSE], tally.count[DIFFERENCE_BETTER],
        tally.count[DIFFERENCE_OTHER], tally.count[DIFFERENCE_NONE],
        tally.count[DIFFERENCE_TOO_FEW]);
    puts("\n  before, after  medians of the runs\n"
         "  change         from before to after, the typical one (Hodges and Lehmann), and where "
         "it lies with 95 %");
    printf("  p              of so much by chance: %s%s%s", tally.pairs ? "signed-rank test" : "",
           tally.pairs && tally.sums ? ", where runs are not pairs " : "",
           tally.sums ? "rank-sum test" : "");
    if (tally.campaigns > 1)
        printf(", or, if larger, of one more campaign so unlike the %u", tally.campaigns);
    printf("\n  WORSE, better  p adjusted for all metrics is at most %g, and the change at least "
           "%g %%; else no difference is shown\n",
           options->alpha, 100 * options->relevant);
    if (tally.count[DIFFERENCE_OTHER] > 0)
        puts("  different      the same of a metric of which neither more nor less is better");
    if (tally.count[DIFFERENCE_TOO_FEW] > 0)
        puts("  too few runs   not even the largest change would show");
}
