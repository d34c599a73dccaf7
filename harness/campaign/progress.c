#include "harness/campaign/progress.h"

#include <stdarg.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "base/invariant.h"
#include "base/text.h"

#define LIVE_PERIOD_S 0.25
#define SPARSE_PERIOD_S 30
#define TOLD_MAX 20

static double now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void progress_start(struct progress *progress, unsigned total, bool quiet)
{
    *progress = (struct progress){.total = total, .started_s = now_s(), .quiet = quiet};
    progress->live = !quiet && isatty(STDERR_FILENO);
    progress->shown_s = progress->started_s;
}

double progress_elapsed_s(const struct progress *progress)
{
    return now_s() - progress->started_s;
}

void progress_add(struct progress *progress, enum verdict verdict, double simulated_s)
{
    expects(verdict < VERDICT_COUNT);
    progress->done++;
    progress->count[verdict]++;
    progress->simulated_s += simulated_s;
}

static void print_eta(const struct progress *progress, double elapsed_s, char *text, size_t size)
{
    expects(progress->done >= progress->at_start);
    unsigned here = progress->done - progress->at_start;
    if (here == 0 || progress->done >= progress->total) {
        snprintf(text, size, "-");
        return;
    }
    double left_s = elapsed_s / here * (progress->total - progress->done);
    if (left_s >= 90)
        snprintf(text, size, "%.0f min", left_s / 60);
    else
        snprintf(text, size, "%.0f s", left_s);
}

void progress_show(struct progress *progress, bool now)
{
    double time_s = now_s(), elapsed_s = time_s - progress->started_s;
    double period_s = progress->live ? LIVE_PERIOD_S : SPARSE_PERIOD_S;
    if (progress->quiet || (!now && time_s - progress->shown_s < period_s))
        return;
    progress->shown_s = time_s;
    char eta[32];
    print_eta(progress, elapsed_s, eta, sizeof eta);
    fprintf(stderr,
            "%s%u/%u trials  %.0f %%  ETA %s  %.1f simulated s/s  PASS %u  FAIL %u  ERROR %u  SKIP "
            "%u%s",
            progress->live ? "\r" : "", progress->done, progress->total,
            progress->total == 0 ? 100 : 100.0 * progress->done / progress->total, eta,
            elapsed_s > 0 ? progress->simulated_s / elapsed_s : 0, progress->count[VERDICT_PASS],
            progress->count[VERDICT_FAIL], progress->count[VERDICT_ERROR],
            progress->count[VERDICT_SKIP], progress->live ? "\033[K" : "\n");
    fflush(stderr);
}

void progress_tell(struct progress *progress, const char *format, ...)
{
    if (progress->quiet || progress->told > TOLD_MAX)
        return;
    if (progress->live)
        fputs("\r\033[K", stderr);
    if (progress->told++ == TOLD_MAX) {
        fputs("  further ones are in the database\n", stderr);
        return;
    }
    char line[1024];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    text_print(stderr, line, " ");
    fputc('\n', stderr);
}

void progress_end(struct progress *progress)
{
    progress_show(progress, true);
    if (progress->live)
        fputc('\n', stderr);
}
