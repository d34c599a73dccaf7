#include "harness/bench/interference/interference_print.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/text.h"

#define MS_PER_NS 1e-6
#define US_PER_NS 1e-3

void interference_print_head(FILE *out)
{
    fprintf(out, "%-32s %6s", "", "");
    for (int d = 0; d < LATENCY_DEADLINES; d++)
        fprintf(out, " %15s", latency_deadline_process(d));
    fprintf(out, "   state to acquired, ms\n%-32s %6s", "deadlines missed", "");
    for (int d = 0; d < LATENCY_DEADLINES; d++)
        fprintf(out, " %15s", latency_deadline_name(d));
    fprintf(out, " %8s %8s %8s %6s\n", "median", "p99", "max", "never");
}

static void print_counts(FILE *out, const struct latency_count deadline[LATENCY_DEADLINES])
{
    for (int d = 0; d < LATENCY_DEADLINES; d++) {
        char text[48];
        snprintf(text, sizeof text, "%" PRIu64 " of %" PRIu64, deadline[d].missed, deadline[d].due);
        fprintf(out, " %15s", text);
    }
}

static void print_window(FILE *out, const struct interference_figures *figures)
{
    print_counts(out, figures->deadline);
    fprintf(out, " %8.2f %8.2f %8.2f %6" PRIu64 "\n",
            MS_PER_NS * (double)histogram_quantile(&figures->loop, 0.5),
            MS_PER_NS * (double)histogram_quantile(&figures->loop, 0.99),
            MS_PER_NS * (double)histogram_max(&figures->loop), figures->unanswered);
}

// What is not in the windows, since the machine itself stood still.
static void print_apart(FILE *out, const struct interference *measured)
{
    for (int w = 0; w < INTERFERENCE_WINDOWS; w++) {
        const struct interference_apart *apart = &measured->apart[w];
        if (apart->states == 0)
            continue;
        fprintf(out, "  %-30s %-6s",
                "in stalls of the machine, apart:", interference_window_name(w));
        print_counts(out, apart->deadline);
        fputc('\n', out);
    }
}

// What was missed while the fault lasted: "55 [54, 57]", of one trial "55".
static void print_shares(FILE *out, const struct interference *measured)
{
    fprintf(out, "%39s", measured->trials > 1 ? "in % [least, most]" : "in %");
    for (int d = 0; d < LATENCY_DEADLINES; d++) {
        const struct interference_spread *spread = &measured->spread[INTERFERENCE_DURING][d];
        char text[48];
        const int length =
            snprintf(text, sizeof text, "%.0f",
                     100 * interference_share(&measured->window[INTERFERENCE_DURING].deadline[d]));
        if (measured->trials > 1)
            snprintf(text + length, sizeof text - (size_t)length, " [%.0f, %.0f]",
                     100 * spread->low, 100 * spread->high);
        fprintf(out, " %15s", text);
    }
    fputc('\n', out);
}

static bool is_anything_expected(const struct interference_row *row)
{
    bool any = false;
    for (int d = 0; d < LATENCY_DEADLINES; d++)
        any |= !isnan(row->expected[d]);
    return any;
}

static void print_expected(FILE *out, const struct interference_row *row)
{
    fprintf(out, "%39s", "expected, %");
    for (int d = 0; d < LATENCY_DEADLINES; d++)
        if (isnan(row->expected[d]))
            fprintf(out, " %15s", "?");
        else
            fprintf(out, " %15.0f", 100 * row->expected[d]);
    fputc('\n', out);
}

void interference_print(FILE *out, const struct interference_row *row)
{
    const struct interference *measured = row->measured;
    if (measured->trials == 0) {
        fprintf(out, "%-32s nothing was measured\n", row->fault);
        return;
    }
    for (int w = 0; w < INTERFERENCE_WINDOWS; w++) {
        fprintf(out, "%-32s %-6s", w == 0 ? row->fault : "", interference_window_name(w));
        print_window(out, &measured->window[w]);
    }
    print_apart(out, measured);
    print_shares(out, measured);
    if (is_anything_expected(row))
        print_expected(out, row);
}

static void add(struct figure *figure, unsigned *count, const char *window, const char *what,
                const char *unit, double value)
{
    struct figure *new = &figure[(*count)++];
    *new = (struct figure){.value = value, .better = *unit == '\0' ? BETTER_NEITHER : BETTER_LESS};
    snprintf(new->metric, sizeof new->metric, "%s %s", window, what);
    text_copy(new->unit, sizeof new->unit, unit);
}

// What process `d` owes, and what became of it: "balance command missed".
static void name_deadline(int d, const char *fate, char *name, size_t size)
{
    snprintf(name, size, "%s %s %s", latency_deadline_process(d), latency_deadline_name(d), fate);
}

unsigned interference_figures(const struct interference_row *row,
                              struct figure figure[INTERFERENCE_FIGURES])
{
    unsigned count = 0;
    for (int w = 0; w < INTERFERENCE_WINDOWS; w++) {
        const struct interference_figures *figures = &row->measured->window[w];
        const struct latency_count never = {.due = figures->deadline[LATENCY_COMMAND_DUE].due,
                                            .missed = figures->unanswered};
        const char *window = interference_window_name(w);
        add(figure, &count, window, "states due", "",
            (double)figures->deadline[LATENCY_STATE_DUE].due);
        add(figure, &count, window, "states in stalls of the machine", "",
            (double)row->measured->apart[w].states);
        for (int d = 0; d < LATENCY_DEADLINES; d++) {
            char what[40];
            name_deadline(d, "missed", what, sizeof what);
            if (figures->deadline[d].due > 0)
                add(figure, &count, window, what, "%",
                    100 * interference_share(&figures->deadline[d]));
            name_deadline(d, "expected", what, sizeof what);
            if (w != INTERFERENCE_DURING || isnan(row->expected[d]))
                continue;
            add(figure, &count, window, what, "%", 100 * row->expected[d]);
            figure[count - 1].better = BETTER_NEITHER;
        }
        if (never.due > 0)
            add(figure, &count, window, "loops never closed", "%",
                100 * interference_share(&never));
        if (histogram_count(&figures->loop) == 0)
            continue;
        add(figure, &count, window, "loop median", "us",
            US_PER_NS * (double)histogram_quantile(&figures->loop, 0.5));
        add(figure, &count, window, "loop p99", "us",
            US_PER_NS * (double)histogram_quantile(&figures->loop, 0.99));
    }
    return count;
}
