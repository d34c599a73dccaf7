// clock: the coordinator killed between any two instructions of its grants (single-stepped). A
// participant waits for nothing but its grant, so it would wait for ever: it must die, whatever it
// is doing. As in the lab: every participant dies with its parent, and once with the coordinator as
// init of a PID namespace, once without.
//
// Some places are tried, evenly spread; with CLOCK_PLACES=all in the environment, all of them.
#include "tests/unit/common/unit.h"

#include <poll.h>

#include "clock_hand.h"
#include "tests/unit/common/clock_lab.h"

#define PLACES 15
#define GIVE_UP_MS 10000 // somebody lives on

static struct {
    bool namespaced, computing;
    int living[2]; // a pipe whose writing end all of the lab's processes hold while they live
    struct outside {
        _Atomic pid_t coordinator; // as seen from outside
        char cell[64];
    } * outside;
} orphanage;

// ---- the participants ----

static void work(struct clk *clk)
{
    clk_sleep_until(clk, instant_ns(1000000));
    while (orphanage.computing)
        continue;
    shared->word[0]++;
    clk_sleep_until(clk, INSTANT_NEVER);
}

static void sleep_for_ever(struct clk *clk)
{
    clk_sleep_until(clk, INSTANT_NEVER);
}

static void wait_for_a_word(struct clk *clk)
{
    struct clk_watch watch = watch_word(1, 0, CLK_VIRTUAL);
    (void)!clk_wait(clk, &watch, 1, INSTANT_NEVER);
}

static void say_i_live(void)
{
    shared->word[2] = 1;
}

// ---- the lab, in the coordinator's process ----

static void run_lab(void)
{
    struct lab lab;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    open_lab(&lab, CLK_VIRTUAL);
    strcpy(orphanage.outside->cell, lab.cell);
    start(&lab, add(&lab, "world", 1, true, sleep_for_ever));
    start(&lab, add(&lab, "worker", 5, false, work));
    start(&lab, add(&lab, "waiter", 4, false, wait_for_a_word));
    start(&lab, add(&lab, "sleeper", 3, false, sleep_for_ever));
    struct member *stopped = add(&lab, "stopped", 2, false, sleep_for_ever);
    start(&lab, stopped);
    run_to_ms(&lab, 0);
    strike(&lab, stopped, SIGSTOP);
    struct member *joining = add(&lab, "joining", 1, false, sleep_for_ever); // and never awaited
    joining->before = say_i_live;
    launch(&lab, joining);
    while (shared->word[2] == 0) // without a namespace, one that has not got so far would live on
        hand_pause();
    hand_await();
    hand_mark();
    run_to_ms(&lab, 1);
    hand_mark();
    for (;;)
        pause();
}

// The keeper: in the coordinator's old PID namespace, ends after it.
static void keep(void)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    close(orphanage.living[0]);
    if (orphanage.namespaced && unshare(CLONE_NEWPID) != 0)
        _exit(1);
    const pid_t coordinator = fork();
    if (coordinator == 0)
        run_lab();
    close(orphanage.living[1]);
    atomic_store(&orphanage.outside->coordinator, coordinator);
    waitpid(coordinator, NULL, 0);
    _exit(0);
}

// ---- the test ----

static void remove_cell(void)
{
    char path[96];
    snprintf(path, sizeof path, "%s/clock", orphanage.outside->cell);
    unlink(path);
    rmdir(orphanage.outside->cell);
}

// Waits until nobody of the lab lives; the time since the coordinator was killed.
static int64_t await_silence(uint32_t place)
{
    struct pollfd living = {.fd = orphanage.living[0], .events = POLLIN};
    const int ended = poll(&living, 1, GIVE_UP_MS);
    ck_assert_msg(ended == 1, "killed after %u instructions, the coordinator left somebody", place);
    ck_assert_int_eq(living.revents & POLLHUP, POLLHUP);
    return hand_now_ns() - atomic_load(&hand->done_at_ns);
}

// One lab whose coordinator is killed after `place` instructions; false if it had done its work.
static bool orphan(uint32_t place, int64_t *silence_ns)
{
    ck_assert_int_eq(pipe(orphanage.living), 0);
    atomic_store(&hand->state, HAND_IDLE);
    atomic_store(&orphanage.outside->coordinator, 0);
    const pid_t keeper = fork();
    if (keeper == 0)
        keep();
    close(orphanage.living[1]);
    while (atomic_load(&orphanage.outside->coordinator) == 0)
        hand_pause();
    const pid_t coordinator = atomic_load(&orphanage.outside->coordinator);
    hand_ask(coordinator, HAND_KILL, place, -1);
    const enum hand_state end = hand_await_state(HAND_DONE);
    ck_assert_int_ne(end, HAND_LOST);
    if (end == HAND_PASSED) {
        atomic_store(&hand->done_at_ns, hand_now_ns());
        kill(coordinator, SIGKILL);
    }
    *silence_ns = await_silence(place);
    ck_assert_int_eq(waitpid(keeper, NULL, 0), keeper);
    close(orphanage.living[0]);
    remove_cell();
    return end == HAND_DONE;
}

// How many instructions the coordinator executes, or until it waits for one who computes. The least
// of three runs: when it waits long it polls, and executes more.
static uint32_t count_places(void)
{
    int64_t ignored;
    uint32_t least = UINT32_MAX;
    if (orphanage.computing) // has no end; this is well beyond its first sleeps and polls
        return 4000;
    for (int run = 0; run < 3; run++) {
        ck_assert(!orphan(HAND_PLACES_ALL, &ignored));
        least = hand->steps < least ? hand->steps : least;
    }
    return least;
}

static int compare_ns(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

// Whether PID namespaces may be made here.
static bool namespaces_possible(void)
{
    const pid_t child = fork();
    int status = 1;
    if (child == 0)
        _exit(unshare(CLONE_NEWPID) == 0 ? 0 : 1);
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    return status == 0;
}

static void orphan_everywhere(bool namespaced, bool computing)
{
    static int64_t silence_ns[100000];
    if (namespaced && !namespaces_possible()) {
        SKIP(computing ? "nor there one who computes" : "nor in a namespace of its own",
             "PID namespaces are refused to this user");
        return;
    }
    orphanage.namespaced = namespaced;
    orphanage.computing = computing;
    orphanage.outside = mmap(NULL, sizeof *orphanage.outside, PROT_READ | PROT_WRITE,
                             MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    ck_assert_ptr_ne(orphanage.outside, MAP_FAILED);
    hand_start();
    const char *wish = getenv("CLOCK_PLACES");
    const uint32_t count = count_places();
    const uint32_t stride = wish != NULL && strcmp(wish, "all") == 0 ? 1 : count / PLACES + 1;
    uint32_t tried = 0;
    for (uint32_t place = 0; place <= count && tried < 100000; place += stride)
        if (orphan(place, &silence_ns[tried]))
            tried++;
    ck_assert_uint_gt(tried, PLACES / 2);
    qsort(silence_ns, tried, sizeof silence_ns[0], compare_ns);
    const int64_t median_ns = silence_ns[tried / 2], max_ns = silence_ns[tried - 1];
    printf("coordinator killed%s%s: %u of %u places; all dead after median %.0f us, max %.0f us\n",
           namespaced ? ", in a PID namespace" : "", computing ? ", its participant computing" : "",
           tried, count + 1, (double)median_ns * 1e-3, (double)max_ns * 1e-3);
    hand_end();
    munmap(orphanage.outside, sizeof *orphanage.outside);
}

START_TEST(killed_at_any_instruction_of_its_grants_the_coordinator_leaves_nobody)
{
    orphan_everywhere(false, false);
}
END_TEST

START_TEST(nor_one_who_computes)
{
    orphan_everywhere(false, true);
}
END_TEST

START_TEST(nor_in_a_namespace_of_its_own)
{
    if (geteuid() != 0) // the kernel refuses; the lab makes a user namespace first
        return;
    orphan_everywhere(true, false);
}
END_TEST

START_TEST(nor_there_one_who_computes)
{
    if (geteuid() != 0)
        return;
    orphan_everywhere(true, true);
}
END_TEST

UNIT_MAIN("clock-orphan", killed_at_any_instruction_of_its_grants_the_coordinator_leaves_nobody,
          nor_one_who_computes, nor_in_a_namespace_of_its_own, nor_there_one_who_computes)
