// What a grant of the virtual clock costs: microseconds per grant and return, for participants that
// do nothing else.
//
//   clock_bench [PARTICIPANTS [GRANTS]]      (default 8, 200000)
//
// Pins itself to one core, as a cell is. Figures of one machine: compare them only within one run.
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/log.h"
#include "clock/coordinator.h"
#include "clock/futex.h"
#include "tests/bench/one_core.h"

#define PERIOD_MS 1

static void require(enum status status, const char *what)
{
    if (status == STATUS_OK)
        return;
    log_error("%s: %s", what, status_text(status));
    exit(3);
}

static void participate(void)
{
    struct clk *clk;
    require(clk_join(&clk), "clk_join");
    struct clk_period period = clk_period_start(clk, clk_now(clk), duration_ms(PERIOD_MS));
    for (;;) // until killed
        clk_period_wait(clk, &period);
}

static double us_per_grant(struct clk_coordinator *coordinator, long grants, long participants)
{
    const uint64_t grants_before = clk_coordinator_grants(coordinator);
    const instant now = clk_coordinator_now(coordinator);
    const int64_t start_ns = monotonic_ns();
    require(
        clk_coordinator_run_until(
            coordinator, instant_add(now, duration_ms(PERIOD_MS * grants / participants)), NULL),
        "clk_coordinator_run_until");
    return (double)(monotonic_ns() - start_ns) * 1e-3 /
           (double)(clk_coordinator_grants(coordinator) - grants_before);
}

int main(int argc, char **argv)
{
    log_program(argv[0]);
    const long participants = argc > 1 ? atol(argv[1]) : 8;
    const long grants = argc > 2 ? atol(argv[2]) : 200000;
    if (participants < 1 || participants > CLK_PARTICIPANTS_MAX || grants < participants) {
        log_error("usage: clock_bench [PARTICIPANTS 1..%d [GRANTS]]", CLK_PARTICIPANTS_MAX);
        return 2;
    }
    char cell[] = "/dev/shm/ukemi-bench-XXXXXX", page[64];
    struct clk_coordinator *coordinator;
    pin_to_one_core();
    if (mkdtemp(cell) == NULL)
        require(STATUS_SYSTEM, cell);
    setenv("UKEMI_CELL", cell, 1);
    require(clk_coordinator_create(cell, CLK_VIRTUAL, &coordinator), cell);
    pid_t pids[CLK_PARTICIPANTS_MAX];
    for (long i = 0; i < participants; i++) {
        char name[16];
        unsigned number;
        snprintf(name, sizeof name, "p%ld", i);
        require(clk_coordinator_add(coordinator, name, 1, false, &number), name);
        pids[i] = fork();
        if (pids[i] == 0) {
            prctl(PR_SET_PDEATHSIG, SIGKILL);
            setenv("UKEMI_PARTICIPANT", name, 1);
            participate();
        }
        require(clk_coordinator_await(coordinator, number, duration_s(10)), name);
    }
    (void)!nice(
        -5); // the coordinator must outrank the participants; children have been started already
    for (int round = 0; round < 5; round++)
        printf("%ld participants: %.2f us per grant and return\n", participants,
               us_per_grant(coordinator, grants / 5, participants));
    for (long i = 0; i < participants; i++) {
        kill(pids[i], SIGKILL);
        waitpid(pids[i], NULL, 0);
    }
    clk_coordinator_destroy(coordinator);
    snprintf(page, sizeof page, "%s/clock", cell);
    unlink(page);
    rmdir(cell);
    return 0;
}
