#include "harness/interference_print.h"

#include <inttypes.h>
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

static void print_window(FILE *out, const struct interference_figures *figures)
{
    for (int d = 0; d < LATENCY_DEADLINES; d++) {
        char text[48];
        snprintf(text, sizeof text, "%" PRIu64 " of %" PRIu64, figures->deadline[d].missed,
                 figures->deadline[d].due);
        fprintf(out, " %15s", text);
    }
    fprintf(out, " %8.2f %8.2f %8.2f %6" PRIu64 "\n",
            MS_PER_NS * (double)histogram_quantile(&figures->loop, 0.5),
            MS_PER_NS * (double)histogram_quantile(&figures->loop, 0.99),
            MS_PER_NS * (double)histogram_max(&figures->loop), figures->unanswered);
}

void interference_print(FILE *out, const char *fault, const struct interference *interference)
{
    if (interference->trials == 0) {
        fprintf(out, "%-32s nothing was measured\n", fault);
        return;
    }
    for (int w = 0; w < INTERFERENCE_WINDOWS; w++) {
        fprintf(out, "%-32s %-6s", w == 0 ? fault : "", interference_window_name(w));
        print_window(out, &interference->window[w]);
    }
}

static void add(struct figure *figure, unsigned *count, const char *window, const char *what,
                const char *unit, double value)
{
    struct figure *new = &figure[(*count)++];
    *new = (struct figure){.value = value, .better = BETTER_LESS};
    snprintf(new->metric, sizeof new->metric, "%s %s", window, what);
    text_copy(new->unit, sizeof new->unit, unit);
}

unsigned interference_figures(const struct interference *interference,
                              struct figure figure[INTERFERENCE_FIGURES])
{
    unsigned count = 0;
    for (int w = 0; w < INTERFERENCE_WINDOWS; w++) {
        const struct interference_figures *figures = &interference->window[w];
        const char *window = interference_window_name(w);
        for (int d = 0; d < LATENCY_DEADLINES; d++) {
            const struct latency_count *deadline = &figures->deadline[d];
            char what[40];
            snprintf(what, sizeof what, "%s %s missed", latency_deadline_process(d),
                     latency_deadline_name(d));
            if (deadline->due > 0)
                add(figure, &count, window, what, "%",
                    100 * (double)deadline->missed / (double)deadline->due);
        }
        if (histogram_count(&figures->loop) == 0)
            continue;
        add(figure, &count, window, "loop median", "us",
            US_PER_NS * (double)histogram_quantile(&figures->loop, 0.5));
        add(figure, &count, window, "loop p99", "us",
            US_PER_NS * (double)histogram_quantile(&figures->loop, 0.99));
    }
    return count;
}
