// clock: a participant killed or stopped between any two instructions of giving back its turn
// (single-stepped).
#include "unit.h"

#include "clock_lab.h"
#include "step.h"

#define PERIOD_MS 6
#define PLACES_MAX 150 // at most so many instruction boundaries are tried, evenly spread

enum deed { COUNT, KILL, STOP };

// What is done to the victim in its next turn, by the poll hook.
static struct plan {
    struct lab *lab;
    struct member *victim;
    enum deed deed;
    unsigned place; // after so many instructions
    unsigned steps; // done
    bool done;
} plan;

static void be_stepped(struct clk *clk)
{
    step_begin();
    for (;;) {
        clk_sleep_until(clk, instant_add(clk_now(clk), duration_ms(PERIOD_MS)));
        shared->word[0]++;
    }
}

static void tick(struct clk *clk)
{
    for (;;) {
        clk_sleep_until(clk, instant_add(clk_now(clk), duration_ms(PERIOD_MS)));
        shared->word[1]++;
    }
}

// The poll hook: the victim has stopped at step_begin(), in its turn.
static void carry_out(void *context)
{
    int status;
    pid_t pid = plan.victim->pid;
    (void)context;
    if (plan.done || waitpid(pid, &status, WNOHANG) != pid)
        return;
    ck_assert(WIFSTOPPED(status) && WSTOPSIG(status) == SIGSTOP);
    bool blocked = false;
    while (plan.steps < plan.place && !blocked) {
        blocked = !step_once_or_block(pid);
        plan.steps++;
    }
    if (plan.deed == KILL) {
        step_kill(pid);
        plan.victim->pid = 0;
        clk_coordinator_left(plan.lab->coordinator, plan.victim->number);
    } else {
        if (blocked) { // sleeps in the kernel: bring it back to a traced stop
            kill(pid, SIGSTOP);
            while (waitpid(pid, &status, 0) == pid &&
                   WSTOPSIG(status) != SIGSTOP) // the step's trap
                ck_assert_int_eq(ptrace(PTRACE_CONT, pid, NULL, NULL), 0);
        }
        clk_coordinator_stopped(plan.lab->coordinator, plan.victim->number);
    }
    plan.done = true;
}

static void note_child(int sign)
{
    (void)sign;
}

static void open_stepping_lab(struct lab *lab)
{
    open_lab(lab, CLK_VIRTUAL);
    struct sigaction action = {.sa_handler = note_child}; // interrupts the coordinator's wait
    sigaction(SIGCHLD, &action, NULL);
    plan = (struct plan){.lab = lab, .victim = add(lab, "victim", 9, false, be_stepped)};
    clk_coordinator_on_poll(lab->coordinator, carry_out, NULL);
    start(lab, add(lab, "witness", 1, false, tick));
}

static void run_periods(struct lab *lab, int periods)
{
    const uint64_t before = shared->word[1];
    instant until =
        instant_add(clk_coordinator_now(lab->coordinator), duration_ms(periods * PERIOD_MS));
    require(clk_coordinator_run_until(lab->coordinator, until, NULL));
    ck_assert_uint_eq(shared->word[1], before + (uint64_t)periods);
}

// Runs two periods in which the deed is done to a fresh victim, which then goes on after a stop.
static void try_place(struct lab *lab, enum deed deed, unsigned place)
{
    plan.deed = deed;
    plan.place = place;
    plan.steps = 0;
    plan.done = false;
    start(lab, plan.victim);
    run_periods(lab, 2);
    ck_assert(plan.done);
}

static void end_victim(struct lab *lab)
{
    step_kill(plan.victim->pid);
    plan.victim->pid = 0;
    clk_coordinator_left(lab->coordinator, plan.victim->number);
}

static unsigned count_steps(struct lab *lab)
{
    try_place(lab, COUNT, 100000);
    end_victim(lab);
    ck_assert_uint_gt(plan.steps, 20);
    ck_assert_uint_lt(plan.steps, 100000);
    return plan.steps;
}

START_TEST(a_participant_killed_at_any_instruction_of_giving_back_its_turn_hangs_nobody)
{
    struct lab lab;
    open_stepping_lab(&lab);
    const unsigned steps = count_steps(&lab), stride = steps / PLACES_MAX + 1;
    for (unsigned place = 0; place <= steps; place += stride) {
        try_place(&lab, KILL, place);
        ck_assert_int_eq(clk_coordinator_state(lab.coordinator, plan.victim->number), CLK_ABSENT);
    }
    close_lab(&lab);
}
END_TEST

START_TEST(a_participant_stopped_at_any_instruction_of_giving_back_its_turn_finishes_it_later)
{
    struct lab lab;
    open_stepping_lab(&lab);
    const unsigned steps = count_steps(&lab), stride = steps / PLACES_MAX + 1;
    for (unsigned place = 0; place <= steps; place += stride) {
        try_place(&lab, STOP, place);
        ck_assert_int_eq(clk_coordinator_state(lab.coordinator, plan.victim->number), CLK_STOPPED);
        shared->word[0] = 0;
        ck_assert_int_eq(ptrace(PTRACE_CONT, plan.victim->pid, NULL, NULL), 0);
        clk_coordinator_continued(lab.coordinator, plan.victim->number);
        run_periods(&lab, 3);
        ck_assert_uint_ge(shared->word[0], 2);
        end_victim(&lab);
    }
    close_lab(&lab);
}
END_TEST

UNIT_MAIN("clock-kill",
          a_participant_killed_at_any_instruction_of_giving_back_its_turn_hangs_nobody,
          a_participant_stopped_at_any_instruction_of_giving_back_its_turn_finishes_it_later)
