// The lookers: what the lab sees of a fault, whatever its program says.
#include "tests/unit/common/unit.h"

#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/trial/look/look.h"

static struct look_memory memory;
static struct fault_kind kind;
static struct fault_call call;
static struct fault_proof proof;

// What the looker says to a proven answer to `action`, by a program that left process `left`.
static const char *doubt(enum fault_look with, enum fault_action action, int left)
{
    kind.look = with;
    call = (struct fault_call){.kind = &kind, .action = action, .pid = getpid()};
    proof = (struct fault_proof){.proven = true, .left = left};
    const struct look look = {.call = &call, .proof = &proof, .process = -1, .memory = &memory};
    return look_with(with)->doubt(&look);
}

static void ck_doubt(const char *said, const char *words)
{
    ck_assert_msg(said != NULL && strstr(said, words) != NULL, "want '%s', got: %s", words,
                  said == NULL ? "nothing" : said);
}

// Starts a process that computes, or sleeps, until it is killed.
static pid_t start_worker(bool works)
{
    const pid_t pid = fork();
    ck_assert_int_ge(pid, 0);
    if (pid > 0)
        return pid;
    for (;;) // until it is killed
        if (!works)
            pause();
}

static void end_worker(pid_t pid)
{
    kill(pid, SIGKILL);
    ck_assert_int_eq(waitpid(pid, NULL, 0), pid);
}

START_TEST(every_word_of_the_catalogue_has_its_looker)
{
    for (unsigned i = 0; i < LOOK_COUNT; i++)
        ck_assert(look_with((enum fault_look)i) != NULL &&
                  look_with((enum fault_look)i)->doubt != NULL);
    ck_assert_ptr_null(doubt(LOOK_none, FAULT_ACTION_APPLY, 0));
}
END_TEST

START_TEST(a_worker_is_there_works_and_goes)
{
    look_remember_nothing(&memory);
    const pid_t pid = start_worker(true);
    ck_assert_ptr_null(doubt(LOOK_worker, FAULT_ACTION_APPLY, pid));
    usleep(300000);
    ck_assert_ptr_null(doubt(LOOK_worker, FAULT_ACTION_EFFECT, 0));
    ck_doubt(doubt(LOOK_worker, FAULT_ACTION_UNDO, 0), "is still there");
    end_worker(pid);
    ck_assert_ptr_null(doubt(LOOK_worker, FAULT_ACTION_SETTLED, 0));
    look_forget(&memory);
}
END_TEST

START_TEST(a_worker_that_is_only_claimed_is_doubted)
{
    look_remember_nothing(&memory);
    ck_doubt(doubt(LOOK_worker, FAULT_ACTION_APPLY, 0), "left no process at work");
    ck_doubt(doubt(LOOK_worker, FAULT_ACTION_EFFECT, 0), "had left no process");
    const pid_t pid = start_worker(false);
    ck_assert_ptr_null(doubt(LOOK_worker, FAULT_ACTION_APPLY, pid));
    ck_doubt(doubt(LOOK_worker, FAULT_ACTION_EFFECT, 0), "has not worked");
    end_worker(pid);
    ck_doubt(doubt(LOOK_worker, FAULT_ACTION_APPLY, pid), "is not there");
    look_forget(&memory);
}
END_TEST

// This test runs without real-time priority.
START_TEST(a_priority_that_did_not_come_back_is_doubted)
{
    ck_assert_ptr_null(doubt(LOOK_priority, FAULT_ACTION_APPLY, 0));
    ck_doubt(doubt(LOOK_priority, FAULT_ACTION_UNDO, 0), "has no real-time priority");
}
END_TEST

START_TEST(a_bus_that_is_not_there_is_doubted_where_something_is_claimed_of_it)
{
    static const struct fault_request request = {.component = "can9"};
    struct look look = {.call = &call, .proof = &proof, .process = -1, .memory = &memory};
    call = (struct fault_call){.kind = &kind, .request = &request, .tag = 1};
    proof = (struct fault_proof){.proven = true};
    ck_doubt(look_with(LOOK_bus)->doubt(&look), "there is no such bus");
    proof.proven = false;
    ck_assert_ptr_null(look_with(LOOK_bus)->doubt(&look));
}
END_TEST

// What it struck comes out at most 0.3 s after its end.
START_TEST(the_window_of_an_effect_ends_when_what_was_struck_has_come_out)
{
    static const struct fault_request request = {.kind = "late"};
    struct look look = {
        .call = &call, .memory = &memory, .began = instant_s(2), .mode = CLK_VIRTUAL};
    kind = (struct fault_kind){.look = LOOK_calls,
                               .shows = SHOWS_LATE,
                               .parameter_count = 1,
                               .parameter = {{.name = "delay_s", .fallback = "0.3"}}};
    call = (struct fault_call){.kind = &kind, .request = &request, .action = FAULT_ACTION_APPLY};
    look_remember_nothing(&memory);
    look.now = instant_s(2.1); // a busy machine
    ck_assert(look_begins(&look));
    ck_assert_int_eq(memory.applied.ns, instant_s(2).ns);
    look.now = instant_s(3);
    ck_assert_int_eq(look_effect_till(&look).ns, look.now.ns); // it acts
    call.action = FAULT_ACTION_UNDO;
    ck_assert(look_begins(&look));
    call.action = FAULT_ACTION_EFFECT;
    ck_assert(!look_begins(&look));
    look.now = instant_s(3.2);
    ck_assert_int_eq(look_effect_till(&look).ns, look.now.ns);
    look.now = instant_s(9);
    ck_assert_int_eq(look_effect_till(&look).ns, instant_s(3.3).ns);
    look.mode = CLK_WALL;
    ck_assert_int_eq(look_effect_till(&look).ns, instant_s(3.35).ns);
    kind.shows = SHOWS_MISSING;
    look.mode = CLK_VIRTUAL;
    ck_assert_int_eq(look_effect_till(&look).ns, instant_s(3).ns);
}
END_TEST

UNIT_MAIN("look", the_window_of_an_effect_ends_when_what_was_struck_has_come_out,
          every_word_of_the_catalogue_has_its_looker, a_worker_is_there_works_and_goes,
          a_worker_that_is_only_claimed_is_doubted, a_priority_that_did_not_come_back_is_doubted,
          a_bus_that_is_not_there_is_doubted_where_something_is_claimed_of_it)
