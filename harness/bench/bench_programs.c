// Any program that prints figures is a benchmark: figures.h says how.
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/log.h"
#include "base/text.h"
#include "clock/futex.h"
#include "harness/bench/benches.h"
#include "harness/bench/compare/figures.h"
#include "harness/cell/piped.h"

static enum status start_program(char **program, struct piped *process)
{
    if (piped_start(program, false, process) == STATUS_OK)
        return STATUS_OK;
    log_error("%s: cannot be run: %s; name a program, by its path if it is in no folder of PATH",
              program[0], strerror(errno));
    return STATUS_INVALID;
}

// Waits for its end. SYSTEM, reported: it did not end well.
static enum status end_program(const char *name, struct piped *process, double *cpu_s)
{
    const int how = piped_end(process, cpu_s);
    if (WIFEXITED(how) && WEXITSTATUS(how) == 0)
        return STATUS_OK;
    log_error("%s: ended with %s %d; this run is not stored", name,
              WIFEXITED(how) ? "status" : "signal",
              WIFEXITED(how) ? WEXITSTATUS(how) : WTERMSIG(how));
    return STATUS_SYSTEM;
}

// Each square and round that it printed is a run.
static enum status take(struct bench_session *session, unsigned place,
                        const struct figures *figures, double wall_s, double cpu_s)
{
    struct bench_square *square = &session->square[place];
    for (unsigned i = 0; i < figures->run_count; i++) {
        const struct figures_run *from = &figures->run[i];
        struct bench_result *result = bench_add(session, place);
        if (result == NULL)
            return STATUS_NO_MEMORY;
        text_copy(result->square, sizeof result->square, from->square);
        result->run.number = square->rounds + from->round;
        result->run.wall_s = wall_s / figures->rounds;
        result->run.cpu_s = cpu_s / figures->rounds;
        for (unsigned f = 0; f < from->count; f++)
            bench_figure(result, from->figure[f].unit, from->figure[f].better,
                         from->figure[f].value, "%s", from->figure[f].metric);
    }
    square->rounds += figures->rounds;
    return STATUS_OK;
}

static enum status run(struct bench_session *session, unsigned place)
{
    char **command = session->square[place].command;
    struct figures figures;
    struct piped process;
    double cpu_s;
    const int64_t begin_ns = monotonic_ns();
    enum status status = start_program(command, &process);
    if (status != STATUS_OK)
        return status;
    const enum status printed = figures_read(process.output, command[0], &figures);
    status = end_program(command[0], &process, &cpu_s);
    if (status == STATUS_OK)
        status = printed;
    if (status == STATUS_OK)
        status = take(session, place, &figures, 1e-9 * (double)(monotonic_ns() - begin_ns), cpu_s);
    if (printed == STATUS_OK)
        figures_free(&figures);
    return status;
}

const struct bench bench_programs = {
    .name = "store",
    .summary = "run a program several times and store the figures it prints",
    .about =
        "Runs PROGRAM N times and stores its figures as a campaign NAME. Each run is a trial of "
        "each\nsquare for which it prints figures. A line is a figure, with tabs between\n\n  "
        "SQUARE  METRIC  UNIT  less|more|(nothing)  VALUE  [ROUND]\n\nWith ROUND, from 1, each "
        "round of the program is a run. A figure without a round is stored\nwith the first.\n",
    .takes = BENCH_PROGRAMS,
    .runs = 10,
    .most = 1,
    .run = run};
