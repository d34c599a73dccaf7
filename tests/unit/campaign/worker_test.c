// What a campaign does about a worker that it cannot hear.
#include "tests/unit/common/unit.h"

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "harness/campaign/job.h"

// As one that waits until somebody empties its pipe.
static pid_t one_that_waits(void)
{
    const pid_t child = fork();
    while (child == 0)
        pause();
    return child;
}

START_TEST(one_whose_pipe_cannot_be_read_is_ended_and_its_trial_lost)
{
    static struct worker worker;
    const struct job job = {.square = 3, .number = 5};
    worker.pid = one_that_waits();
    worker.pipe = open("/", O_RDONLY | O_CLOEXEC); // to read it is an error
    const pid_t pid = worker.pid;
    ck_assert(worker_receive(&worker, &job));
    ck_assert_int_ne(kill(pid, 0), 0);
    ck_assert_int_eq(worker.pid, 0);
    ck_assert_int_eq(worker.record.loss, LOSS_MACHINE_FAILED);
    ck_assert_uint_eq(worker.record.number, 5);
    ck_assert_ptr_nonnull(strstr(worker.record.lost, "cannot be read: Is a directory"));
}
END_TEST

START_TEST(one_that_was_killed_is_lost_and_one_that_crashed_is_not)
{
    static const struct {
        int by;
        enum loss loss;
    } cases[] = {{SIGKILL, LOSS_WORKER}, {SIGHUP, LOSS_WORKER}, {SIGABRT, LOSS_NONE}};
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        static struct worker worker;
        int ends[2];
        ck_assert_int_eq(pipe(ends), 0);
        worker.pid = one_that_waits();
        worker.pipe = ends[0];
        close(ends[1]);
        ck_assert_int_eq(kill(worker.pid, cases[i].by), 0);
        ck_assert(worker_receive(&worker, &(struct job){.number = 1}));
        ck_assert_int_eq(worker.record.loss, cases[i].loss);
    }
}
END_TEST

UNIT_MAIN("worker", one_whose_pipe_cannot_be_read_is_ended_and_its_trial_lost,
          one_that_was_killed_is_lost_and_one_that_crashed_is_not)
