#include "tests/bench/channels/print.h"

#include <stdio.h>

#include "base/log.h"

static void name_setting(const struct setting *setting, char *text, size_t text_size)
{
    const bool one = setting->placement.core[0] == setting->placement.core[1];
    snprintf(text, text_size, "%s, %s, %u reader%s", one ? "one core" : "two cores",
             setting->placement.fifo ? "SCHED_FIFO" : "SCHED_OTHER", setting->readers,
             setting->readers == 1 ? "" : "s");
}

static void print_heading(FILE *out, const struct plan *plan, const struct setting *setting)
{
    char name[64];
    name_setting(setting, name, sizeof name);
    fprintf(out,
            "\n%s: median us, p99 us, ratio to the bare futex [over rounds] "
            "(of p99)\n%-12s",
            name, "");
    for (unsigned s = 0; s < plan->sizes; s++)
        fprintf(out, "  %33zu B", plan->size_B[s]);
    fprintf(out, "\n");
}

static void print_figures(FILE *out, const struct figures *f)
{
    if (f->come == 0)
        fprintf(out, "  %35s", "no frame came");
    else
        fprintf(out, "  %7.1f %7.1f %5.2f [%.2f-%.2f] (%.1f)", f->median_us, f->p99_us, f->ratio,
                f->ratio_min, f->ratio_max, f->ratio_p99);
}

void print_table(FILE *out, const struct plan *plan, const struct setting *setting,
                 const struct outcome *outcome)
{
    print_heading(out, plan, setting);
    for (unsigned m = 0; m < MECHANISM_COUNT; m++) {
        if (!stage_takes(plan, m))
            continue;
        fprintf(out, "%-12s", mechanisms[m]->name);
        for (unsigned s = 0; s < plan->sizes; s++) {
            const struct figures figures = figures_of(outcome, s, m, plan->rounds);
            print_figures(out, &figures);
        }
        fprintf(out, "\n");
    }
    fflush(out);
}

// `better`: "less", or "" if that says nothing of us. `round` from 0; ALL_ROUNDS: of all together.
#define ALL_ROUNDS ~0u
static void print_line(const char *square, const char *metric, const char *unit, const char *better,
                       double value, unsigned round)
{
    printf("%s\t%s\t%s\t%s\t%.6g", square, metric, unit, better, value);
    if (round != ALL_ROUNDS)
        printf("\t%u", round + 1);
    putchar('\n');
}

// What a round shows: medians; a block is too short for its 99th percentile. Times are the
// machine's of that night, and others' ratios are theirs: only our own ratios can get worse.
static void print_rounds(const struct plan *plan, const struct outcome *outcome, const char *square,
                         unsigned size, unsigned m)
{
    const char *better = mechanisms[m]->kind == MECHANISM_OURS ? "less" : "";
    char median[64], ratio[64];
    snprintf(median, sizeof median, "%s median", mechanisms[m]->name);
    snprintf(ratio, sizeof ratio, "%s per futex", mechanisms[m]->name);
    for (unsigned r = 0; r < plan->rounds; r++) {
        const double own_us = round_median_us(outcome, size, m, r);
        const double times = m == MECHANISM_FLOOR_INDEX ? 0 : round_ratio(outcome, size, m, r);
        if (own_us > 0)
            print_line(square, median, "us", "", own_us, r);
        if (times > 0)
            print_line(square, ratio, "ratio", better, times, r);
    }
}

void print_tsv(const struct plan *plan, const struct setting *setting,
               const struct outcome *outcome)
{
    char name[64], square[96], metric[64];
    name_setting(setting, name, sizeof name);
    for (unsigned s = 0; s < plan->sizes; s++) {
        snprintf(square, sizeof square, "%s, %zu B", name, plan->size_B[s]);
        for (unsigned m = 0; m < MECHANISM_COUNT; m++) {
            const struct figures f = figures_of(outcome, s, m, plan->rounds);
            if (f.come == 0)
                continue;
            snprintf(metric, sizeof metric, "%s p99", mechanisms[m]->name);
            print_line(square, metric, "us", "", f.p99_us, ALL_ROUNDS);
            print_rounds(plan, outcome, square, s, m);
        }
    }
    fflush(stdout);
}

uint64_t print_losses(const struct plan *plan, const struct setting *setting,
                      const struct outcome *outcome)
{
    char name[64];
    uint64_t losses = 0;
    name_setting(setting, name, sizeof name);
    for (unsigned m = 0; m < MECHANISM_COUNT; m++)
        for (unsigned s = 0; s < plan->sizes && stage_takes(plan, m); s++) {
            const struct figures f = figures_of(outcome, s, m, plan->rounds);
            losses += f.sent == 0 ? 1 : f.sent - f.come + f.wrong;
            if (f.sent == 0 || f.come < f.sent || f.wrong > 0)
                log_error("%s, %zu B, %s: of %u frames %u came to all readers, %u not whole", name,
                          plan->size_B[s], mechanisms[m]->name, f.sent, f.come, f.wrong);
            else if (f.waited > 0)
                log_info("%s, %zu B, %s: not at 1 kHz, %u periods were spent waiting for readers",
                         name, plan->size_B[s], mechanisms[m]->name, f.waited);
        }
    return losses;
}
