// cell: how its init ended, what it left, and which limit was exceeded first.
#include "tests/unit/common/unit.h"

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "harness/cell/cell.h"

#define COUNT(rows) (sizeof(rows) / sizeof(rows)[0])

// What the init does, with a number that the test sees, too.
static int end_well(void *pid)
{
    *(int *)pid = getpid();
    return 7;
}

// As process 1 it could send itself no signal.
static int crash(void *pid)
{
    (void)pid;
    __builtin_trap();
}

static int leave_a_child(void *pid)
{
    const pid_t child = fork();
    if (child == 0)
        pause();
    *(int *)pid = child;
    return 0;
}

static int outlast_its_time(void *pid)
{
    (void)pid;
    return pause();
}

// Of a bare cell, where no other can be had.
// NOLINTNEXTLINE(readability-non-const-parameter): of a kind of function that tells why
static bool trust(const struct cell_request *request, char *why, size_t size)
{
    (void)request;
    (void)why;
    (void)size;
    return true;
}

struct shared { // with the init
    struct breach breach;
    int pid;
};

START_TEST(a_cell_tells_how_its_init_ended_and_leaves_no_process)
{
    static const struct {
        const char *name;
        int (*body)(void *pid);
        int exit_code, signal, pid;
        enum limit limit;
    } cases[] = {
        {"it is process 1, and its status comes back", end_well, 7, 0, 1, LIMIT_NONE},
        {"crashed", crash, -1, SIGILL, 0, LIMIT_NONE},
        {"a child it leaves", leave_a_child, 0, 0, 2, LIMIT_NONE},
        {"over its time", outlast_its_time, -1, SIGKILL, 0, LIMIT_RUNNING_TIME},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct shared *shared =
            mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        ck_assert(shared != MAP_FAILED);
        int ends[2];
        char byte;
        ck_assert_int_eq(pipe2(ends, O_CLOEXEC | O_NONBLOCK), 0);
        struct cell_request request = {.build_folder = "/usr", // which its programs can read
                                       .target_folder = "/usr",
                                       .core = -1,
                                       .scratch = ends[1],
                                       .bare = trust,
                                       .limits = limits_default,
                                       .breach = &shared->breach};
        request.limits.wall_s = cases[i].limit == LIMIT_RUNNING_TIME ? 0.2 : 60;
        struct cell_end end;
        const enum status status = cell_run(&request, cases[i].body, &shared->pid, &end);
        close(ends[1]);
        ck_assert_msg(status == STATUS_OK, "%s: %s", cases[i].name, end.reason);
        ck_assert_msg(end.exit_code == cases[i].exit_code && end.signal == cases[i].signal,
                      "%s: exit code %d, signal %d", cases[i].name, end.exit_code, end.signal);
        // A bare cell has the machine's numbers.
        ck_assert_msg(end.bare || shared->pid == cases[i].pid, "%s: process %d", cases[i].name,
                      shared->pid);
        ck_assert_msg(atomic_load(&shared->breach.limit) == (int)cases[i].limit, "%s: limit %d",
                      cases[i].name, atomic_load(&shared->breach.limit));
        // All processes of the cell have the pipe: now it has no writer.
        ck_assert_msg(read(ends[0], &byte, 1) == 0, "%s: a process lives on", cases[i].name);
        close(ends[0]);
        munmap(shared, sizeof *shared);
    }
}
END_TEST

START_TEST(a_trial_may_take_as_long_as_its_limits_or_its_clock_say)
{
    static const struct {
        const char *name;
        double limit_s, duration_s;
        bool real_time;
    } cases[] = {{"no limit of its own, virtual", 0, 30, false},
                 {"no limit of its own, real time", 0, 30, true},
                 {"a limit of its own", 5, 30, false}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        const struct limits limits = {.wall_s = cases[i].limit_s};
        const double allowed_s = limits_wall_s(&limits, cases[i].duration_s, cases[i].real_time);
        ck_assert_msg(cases[i].limit_s > 0 ? allowed_s == cases[i].limit_s
                                           : allowed_s > cases[i].duration_s,
                      "%s: %g s", cases[i].name, allowed_s);
    }
}
END_TEST

START_TEST(the_first_breach_stands)
{
    struct breach breach = {0};
    breach_report(&breach, LIMIT_MEMORY, NULL, 0, 0, 2, 1);
    breach_report(&breach, LIMIT_OUTPUT, "balance", 5, 5, 65, 64);
    ck_assert_int_eq(atomic_load(&breach.limit), LIMIT_MEMORY);
    ck_assert_str_eq(breach.process, "a process that is gone");
    ck_assert_double_eq(breach.used, 2);
}
END_TEST

UNIT_MAIN("cell", a_cell_tells_how_its_init_ended_and_leaves_no_process,
          a_trial_may_take_as_long_as_its_limits_or_its_clock_say, the_first_breach_stands)
