// clock: how long the coordinator takes to learn that the participant whose turn it is has been
// killed or stopped. Figures for the log; only a generous bound is asserted.
//
// As in a cell: everybody on one core, the coordinator outranks the participants. The one who kills
// is elsewhere.
#include "tests/unit/common/unit.h"

#include <sched.h>
#include <sys/resource.h>
#include <time.h>

#include "tests/unit/common/clock_lab.h"
#include "clock/coordinator_private.h"

#define SAMPLES_MAX 200
#define BOUND_NS 5000000000
#define BALLAST_B ((size_t)64 << 20)

static struct sample { // shared by lab, victim and killer
    _Atomic int computing;
    _Atomic pid_t target; // whom to strike next; 0: nobody
    _Atomic int64_t struck_at_ns;
    int sign;
} * sample;

static int64_t learnt_at_ns, reported_at_ns; // in the lab
static size_t ballast_B;
static struct lab *the_lab;

static int compare_ns(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static void print_figures(const char *what, int64_t *ns, size_t n)
{
    qsort(ns, n, sizeof *ns, compare_ns);
    const int64_t median_ns = ns[n / 2], p99_ns = ns[n * 99 / 100], max_ns = ns[n - 1];
    printf("%-48s median %7.0f us, p99 %7.0f us, max %7.0f us, n %zu\n", what,
           (double)median_ns * 1e-3, (double)p99_ns * 1e-3, (double)max_ns * 1e-3, n);
    ck_assert_int_lt(ns[n - 1], BOUND_NS);
    ck_assert_int_ge(ns[0], 0);
}

static void pin_to(unsigned core)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(core, &set);
    (void)sched_setaffinity(0, sizeof set, &set); // a hint: without it figures differ
}

// ---- killer and victim ----

static void strike_on_demand(void)
{
    const struct timespec while_it_computes = {.tv_nsec = 300000};
    for (;;) {
        while (atomic_load(&sample->target) == 0 || atomic_load(&sample->computing) == 0)
            nanosleep(&(struct timespec){.tv_nsec = 50000}, NULL);
        nanosleep(&while_it_computes, NULL);
        const pid_t target = atomic_exchange(&sample->target, 0);
        atomic_store(&sample->struck_at_ns, monotonic_ns());
        kill(target, sample->sign);
    }
}

static pid_t start_killer(void)
{
    pid_t pid = fork();
    if (pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        pin_to(1);
        strike_on_demand();
    }
    return pid;
}

static void load_ballast(void)
{
    (void)setpriority(PRIO_PROCESS, 0, 0);
    if (ballast_B == 0)
        return;
    void *memory =
        mmap(NULL, ballast_B, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        _exit(1);
    memset(memory, 1, ballast_B);
}

static void compute_for_ever(struct clk *clk)
{
    (void)clk;
    atomic_store(&sample->computing, 1);
    for (;;)
        continue;
}

// ---- the lab ----

static bool marked_dead(unsigned number)
{
    return (*clk_alive_word(&the_lab->coordinator->page->slot[number]) & FUTEX_OWNER_DIED) != 0;
}

static void poll_and_time(void *context)
{
    struct member *victim = &the_lab->member[0];
    (void)context;
    if (atomic_load(&sample->struck_at_ns) != 0 && learnt_at_ns == 0 && marked_dead(victim->number))
        learnt_at_ns = monotonic_ns();
    if (look_at(the_lab, victim, WNOHANG | WUNTRACED | WCONTINUED) && reported_at_ns == 0) {
        reported_at_ns = monotonic_ns();
        if (learnt_at_ns == 0) // it died between the two looks
            learnt_at_ns = reported_at_ns;
    }
}

static void take_sample(struct member *victim, int sign)
{
    learnt_at_ns = reported_at_ns = 0;
    atomic_store(&sample->computing, 0);
    atomic_store(&sample->struck_at_ns, 0);
    sample->sign = sign;
    start(the_lab, victim);
    atomic_store(&sample->target, victim->pid);
    require(clk_coordinator_run_until(the_lab->coordinator,
                                      clk_coordinator_now(the_lab->coordinator), NULL));
    ck_assert_int_ne(reported_at_ns, 0);
    ck_assert_int_eq(clk_coordinator_state(the_lab->coordinator, victim->number),
                     sign == SIGKILL ? CLK_ABSENT : CLK_STOPPED);
}

static void measure(int sign, size_t samples, size_t size_B, const char *learnt_what,
                    const char *reported_what)
{
    static int64_t learnt_ns[SAMPLES_MAX], reported_ns[SAMPLES_MAX];
    struct lab lab;
    ballast_B = size_B;
    the_lab = &lab;
    sample = mmap(NULL, sizeof *sample, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    ck_assert_ptr_ne(sample, MAP_FAILED);
    const pid_t killer = start_killer();
    pin_to(0);
    (void)setpriority(PRIO_PROCESS, 0, -5); // as far as this user may
    open_lab(&lab, CLK_VIRTUAL);
    struct member *victim = add(&lab, "victim", 1, false, compute_for_ever);
    victim->before = load_ballast;
    clk_coordinator_on_poll(lab.coordinator, poll_and_time, NULL);
    for (size_t i = 0; i < samples; i++) {
        take_sample(victim, sign);
        learnt_ns[i] = learnt_at_ns - sample->struck_at_ns;
        reported_ns[i] = reported_at_ns - sample->struck_at_ns;
        if (victim->pid != 0)
            strike(&lab, victim, SIGKILL);
    }
    if (learnt_what != NULL)
        print_figures(learnt_what, learnt_ns, samples);
    print_figures(reported_what, reported_ns, samples);
    close_lab(&lab);
    kill(killer, SIGKILL);
    waitpid(killer, NULL, 0);
}

START_TEST(a_death_in_its_turn_is_learnt_within_a_bound)
{
    measure(SIGKILL, 200, 0, "killed in its turn: robust word", "killed in its turn: reaped");
}
END_TEST

START_TEST(so_is_that_of_a_process_with_much_memory)
{
    measure(SIGKILL, 20, BALLAST_B, "killed in its turn, 64 MiB: robust word",
            "killed in its turn, 64 MiB: reaped");
}
END_TEST

START_TEST(a_stop_in_its_turn_is_learnt_by_polling_within_a_bound)
{
    measure(SIGSTOP, 60, 0, NULL, "stopped in its turn: reported");
}
END_TEST

UNIT_MAIN("clock-detection", a_death_in_its_turn_is_learnt_within_a_bound,
          so_is_that_of_a_process_with_much_memory,
          a_stop_in_its_turn_is_learnt_by_polling_within_a_bound)
