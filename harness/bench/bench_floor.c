// How late a timer wakes a process of this machine: the lab's own loop in turn with cyclictest.
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include "base/log.h"
#include "base/text.h"
#include "harness/bench/bench_floor.h"
#include "harness/bench/benches.h"
#include "harness/machine/cyclictest.h"
#include "harness/machine/machine_floor.h"
#include "harness/cell/piped.h"

#define PRIORITY 49 // of a daemon that drives hardware
#define PERIOD_US 1000
#define BINS_US 20000 // lines of cyclictest's histogram
#define MARGIN_S 60   // the loop ends by itself so long after its time

static enum status prepare(struct bench_session *session)
{
    session->square_count = session->shown = 1;
    text_copy(session->square[0].label, sizeof session->square[0].label, "machine");
    return STATUS_OK;
}

static enum status run_ours(double duration_given_s, struct histogram *histogram)
{
    const struct machine_floor_request request = {.priority = PRIORITY,
                                                  .period = duration_us(PERIOD_US),
                                                  .core = -1,
                                                  .wake_only = true,
                                                  .limit_ns =
                                                      duration_s(duration_given_s + MARGIN_S).ns};
    struct machine_floor *floor;
    const enum status status = machine_floor_start(&request, &floor);
    if (status != STATUS_OK)
        return status;
    usleep((useconds_t)(1e6 * duration_given_s));
    machine_floor_stop(floor);
    const struct floor_record *record = machine_floor_record(floor);
    if (!record->real_time)
        log_error("SCHED_FIFO and locked memory are refused: figures of an ordinary process");
    *histogram = record->part[FLOOR_WAKE];
    machine_floor_free(floor);
    return STATUS_OK;
}

// --laptop: it leaves the processor's sleep states alone, as the
// target and the lab do. It warns of that once a run, which nobody needs to see.
enum status bench_cyclictest(double duration_given_s, struct histogram *histogram)
{
    char priority[24], period[24], length_s[24], bins[24];
    snprintf(priority, sizeof priority, "%d", PRIORITY);
    snprintf(period, sizeof period, "%d", PERIOD_US);
    snprintf(length_s, sizeof length_s, "%.0f", ceil(duration_given_s));
    snprintf(bins, sizeof bins, "%d", BINS_US);
    char *const program[] = {"cyclictest", "-q",   "-m", "-t1",    "--laptop", "-p", priority,
                             "-i",         period, "-D", length_s, "-h",       bins, NULL};
    struct piped process;
    double cpu_s;
    enum status status = piped_start(program, true, &process);
    if (status == STATUS_OK) {
        status = cyclictest_read(process.output, histogram);
        (void)piped_end(&process, &cpu_s);
    }
    if (status == STATUS_NOT_FOUND)
        puts("SKIP: there is no cyclictest here; scripts/deps --bench installs it (rt-tests)");
    else if (status != STATUS_OK)
        log_error("cyclictest printed no histogram: it prints none where SCHED_FIFO is refused "
                  "(`ukemi doctor` tells); else try it by hand: cyclictest -m -t1 -p %d",
                  PRIORITY);
    return status;
}

static enum status run(struct bench_session *session, unsigned place)
{
    static struct histogram ours, theirs;
    enum status status = bench_cyclictest(session->duration_s, &theirs);
    if (status == STATUS_NOT_FOUND) {
        session->square[place].skipped = true;
        return STATUS_OK;
    }
    if (status == STATUS_OK)
        status = run_ours(session->duration_s, &ours);
    struct bench_result *result = status == STATUS_OK ? bench_add(session, place) : NULL;
    if (result == NULL)
        return status == STATUS_OK ? STATUS_NO_MEMORY : status;
    bench_distribution(result, &ours, "wakes", false, "wakes", BETTER_LESS);
    bench_distribution(result, &theirs, "cyclictest wakes", false, "cyclictest wakes", BETTER_LESS);
    bench_ratios(result, BETTER_NEITHER, "wakes / cyclictest", &ours, 0, &theirs);
    return STATUS_OK;
}

const struct bench bench_floor = {
    .name = "floor",
    .summary = "how late a timer wakes a process here, beside cyclictest",
    .about =
        "Measures how late a timer wakes a process of priority 49 every millisecond. The lab's "
        "own loop\nand cyclictest (rt-tests) measure in turn; their ratio should be 1. Without "
        "cyclictest it is\nskipped.\n",
    .takes = BENCH_DURATION,
    .runs = 5,
    .duration_s = 3,
    .duration_min_s = 1,
    .most = 1,
    .prepare = prepare,
    .run = run};
