#include "harness/bench/latency/latency_print.h"

#include <inttypes.h>
#include <math.h>

#include "base/text.h"
#include "harness/bench/latency/latency_ratio.h"

#define US_PER_NS 1e-3
#define MS_PER_NS 1e-6

// ---- rows -----------------------------------------------------------------------------------------

static void print_heads(FILE *out)
{
    fprintf(out, "  %-29s %8s %10s %10s %10s %10s %10s %10s %9s\n", "us", "count", "median", "p90",
            "p99", "p99.9", "max", "schedule", "over");
}

static void print_row(FILE *out, const char *name, const struct histogram *histogram,
                      int64_t schedule_ns)
{
    const struct latency_spot spot = latency_spot_of(histogram);
    if (spot.count == 0)
        return;
    fprintf(out, "  %-29s %8" PRIu64 " %10.1f %10.1f %10.1f %10.1f %10.1f", name, spot.count,
            US_PER_NS * (double)spot.median_ns, US_PER_NS * (double)spot.p90_ns,
            US_PER_NS * (double)spot.p99_ns, US_PER_NS * (double)spot.p999_ns,
            US_PER_NS * (double)spot.max_ns);
    if (schedule_ns >= 0)
        fprintf(out, " %10.1f %9.1f", US_PER_NS * (double)schedule_ns,
                US_PER_NS * (double)(spot.median_ns - schedule_ns));
    fputc('\n', out);
}

static void print_stages(FILE *out, const struct latency_result *result)
{
    const struct latency_figures *figures = result->figures;
    print_heads(out);
    for (int s = 0; s < LATENCY_STAGES; s++)
        print_row(out, latency_stages[s].name, &figures->stage[s][LATENCY_CLEAN],
                  result->schedule_ns[s]);
    print_row(out, "  with what was omitted", &figures->corrected, -1);
    print_row(out, "  in a stall of the machine",
              &figures->stage[LATENCY_STAGE_LOOP][LATENCY_STALLED], -1);
    for (int part = 0; part < FLOOR_PARTS; part++)
        print_row(out, latency_floor_names[part], &figures->floor[part], -1);
}

static void print_missed(FILE *out, const struct latency_figures *figures)
{
    fputs("  missed  ", out);
    for (int d = 0; d < LATENCY_DEADLINES; d++) {
        const struct latency_count *clean = &figures->deadline[d][LATENCY_CLEAN];
        fprintf(out, "%s%s %s %" PRIu64 " of %" PRIu64, d == 0 ? "" : ", ",
                latency_deadline_process(d), latency_deadline_name(d), clean->missed, clean->due);
    }
    fprintf(out, "; loops never closed %" PRIu64 "\n", figures->unanswered[LATENCY_CLEAN]);
    if (figures->states[LATENCY_STALLED] == 0)
        return;
    fputs("  in stalls of the machine, not blamed  ", out);
    for (int d = 0; d < LATENCY_DEADLINES; d++) {
        const struct latency_count *stalled = &figures->deadline[d][LATENCY_STALLED];
        fprintf(out, "%s%s %s %" PRIu64 " of %" PRIu64, d == 0 ? "" : ", ",
                latency_deadline_process(d), latency_deadline_name(d), stalled->missed,
                stalled->due);
    }
    fputc('\n', out);
}

static void print_machine(FILE *out, const struct latency_figures *figures)
{
    if (figures->floor_samples[LATENCY_CLEAN] + figures->floor_samples[LATENCY_STALLED] == 0)
        return;
    fprintf(out,
            "  machine  %" PRIu64
            " stalls, %.1f ms in all (the kernel says stolen: %.0f ms), and %" PRIu64
            " times the kernel held a core, %.1f ms; they touch %" PRIu64 " states and %" PRIu64
            " samples of the floor; the floor missed "
            "%" PRIu64 " periods\n",
            figures->stalls, MS_PER_NS * (double)figures->stalled_ns,
            MS_PER_NS * (double)figures->steal_ns, figures->held,
            MS_PER_NS * (double)figures->held_ns, figures->states[LATENCY_STALLED],
            figures->floor_samples[LATENCY_STALLED], figures->floor_missed);
}

static void print_spread(FILE *out, const char *before, struct latency_spread spread)
{
    if (spread.count == 0)
        fprintf(out, "%s-", before);
    else
        fprintf(out, "%s%.2f [%.2f, %.2f]", before, spread.median, spread.low, spread.high);
}

static void print_ratios(FILE *out, const struct latency_result *result)
{
    if (histogram_count(&result->figures->floor[FLOOR_WAKE]) == 0)
        return;
    for (int i = 0; i < LATENCY_RATIOS; i++) {
        fprintf(out, "  ratio   %-36s", latency_ratios[i].name);
        for (enum latency_quantile q = 0; q < LATENCY_QUANTILES; q++) {
            fprintf(out, "%s%s ", q == 0 ? " " : ", ", latency_quantile_names[q]);
            print_spread(out, "", latency_ratio_over(result, &latency_ratios[i], q));
        }
        fputc('\n', out);
    }
}

static void print_verdict(FILE *out, const struct latency_figures *figures)
{
    const struct latency_verdict verdict = latency_judge(figures);
    if (!verdict.measured)
        fputs("  bound   nothing was measured\n", out);
    else
        fprintf(out,
                "  bound   two periods, %.2f ms: p99.9 of the loop is %.3f ms: %s (stalls of the "
                "machine included %.3f ms)\n",
                MS_PER_NS * (double)verdict.bound.ns, MS_PER_NS * (double)verdict.reached.ns,
                verdict.met ? "met" : "NOT MET", MS_PER_NS * (double)verdict.reached_all.ns);
}

static void print_trials(FILE *out, const struct latency_result *result)
{
    for (unsigned i = 0; i < result->run_count; i++)
        if (result->run[i].words[0] != '\0') {
            fprintf(out, "  run %u%s: %s: ", i + 1, result->run[i].left_out ? ", left out" : "",
                    result->run[i].verdict);
            text_print(out, result->run[i].words, " ");
            fputc('\n', out);
        }
}

void latency_print(FILE *out, const struct latency_configuration *configuration,
                   const struct latency_result *result)
{
    const struct latency_figures *figures = result->figures;
    fprintf(out, "%s: %s, %u run%s, %" PRIu64 " states, period %.2f ms\n", configuration->label,
            configuration->scenario->name, result->run_count, text_plural(result->run_count),
            figures->states[LATENCY_CLEAN] + figures->states[LATENCY_STALLED],
            MS_PER_NS * (double)figures->period.ns);
    print_stages(out, result);
    print_missed(out, figures);
    print_machine(out, figures);
    print_ratios(out, result);
    print_verdict(out, figures);
    print_trials(out, result);
    fputc('\n', out);
}

// ---- several configurations -------------------------------------------------------------------------

static void print_line(FILE *out, const char *label, const struct latency_result *result)
{
    const struct latency_figures *figures = result->figures;
    const struct latency_spot loop = latency_spot_of(&figures->corrected);
    const struct latency_spot half =
        latency_spot_of(&figures->stage[LATENCY_STAGE_SENSOR_TO_BOARD][LATENCY_CLEAN]);
    const struct latency_verdict verdict = latency_judge(figures);
    if (!verdict.measured) {
        fprintf(out, "%-30s nothing was measured\n", label);
        return;
    }
    char schedule[24] = "-";
    if (result->schedule_ns[LATENCY_STAGE_LOOP] >= 0)
        snprintf(schedule, sizeof schedule, "%.3f",
                 MS_PER_NS * (double)result->schedule_ns[LATENCY_STAGE_LOOP]);
    fprintf(out, "%-30s %8.3f %8s %8.3f %8.3f %8.3f %8.3f %8.2f  %-11s %8.3f %8.3f\n", label,
            MS_PER_NS * (double)figures->period.ns, schedule, MS_PER_NS * (double)loop.median_ns,
            MS_PER_NS * (double)loop.p99_ns, MS_PER_NS * (double)loop.p999_ns,
            MS_PER_NS * (double)loop.max_ns, (double)loop.p999_ns / (double)figures->period.ns,
            verdict.met ? "met" : "NOT MET", MS_PER_NS * (double)half.median_ns,
            MS_PER_NS * (double)half.p999_ns);
}

void latency_print_summary(FILE *out, const struct latency_configuration *configuration,
                           struct latency_result *const *result, unsigned count)
{
    fprintf(out, "%-30s %8s %8s %8s %8s %8s %8s %8s  %-11s %8s %8s\n", "", "", "", "state to", "",
            "", "", "p99.9 in", "two", "sensor", "to board");
    fprintf(out, "%-30s %8s %8s %8s %8s %8s %8s %8s  %-11s %8s %8s\n", "ms", "period", "schedule",
            "acquired", "p99", "p99.9", "max", "periods", "periods", "median", "p99.9");
    for (unsigned i = 0; i < count; i++)
        print_line(out, configuration[i].label, result[i]);
}

void latency_print_cost(FILE *out, const struct latency_configuration *configuration,
                        const struct latency_result *plain,
                        const struct latency_configuration *less,
                        struct latency_result *const *result, unsigned count)
{
    // From time stamps that every message has, probes or not.
    static const unsigned stages[] = {LATENCY_STAGE_ANSWER, LATENCY_STAGE_LOOP};
    if (count == 0)
        return;
    fprintf(out, "\nwatching \"%s\" less changes, in us, run by run: median [least, most]\n",
            configuration->label);
    for (unsigned i = 0; i < count; i++)
        for (unsigned k = 0; k < sizeof stages / sizeof stages[0]; k++) {
            fprintf(out, "  %-30s %-20s", less[i].label, latency_stages[stages[k]].name);
            print_spread(out, " median ",
                         latency_cost_us(plain, result[i], stages[k], LATENCY_MEDIAN));
            print_spread(out, ", p99 ", latency_cost_us(plain, result[i], stages[k], LATENCY_P99));
            fputc('\n', out);
        }
}
