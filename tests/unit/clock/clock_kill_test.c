// clock: a participant killed, or stopped and continued, between any two instructions of joining,
// of giving back its turn and getting the next, of telling somebody and then waiting, and of
// leaving (single-stepped); it is restarted afterwards. Nobody hangs, and the trace of an episode
// is that of one in which the lab, or the victim itself, did the same cleanly in the same turn.
//
// Some places of each window are tried, evenly spread, the first and the last among them; with
// CLOCK_PLACES=all in the environment, all of them.
#include "tests/unit/common/unit.h"

#include "clock_stage.h"

#define PLACES 60      // of a window
#define PLACES_SLOW 20 // where each costs the clock's patience

enum deed { KILL, STOP, STOP_AND_KILL };

static uint32_t stride_of(uint32_t count, uint32_t places)
{
    const char *wish = getenv("CLOCK_PLACES");
    if (wish != NULL && strcmp(wish, "all") == 0)
        return 1;
    return count / places + 1;
}

// ---- one episode ----

// The victim runs to its window; nothing is done to it by the hand.
static void play_prologue(void)
{
    start(&stage.lab, stage.victim);
    stage_run_to(STAGE_TURN_MS);
}

static void return_or_restart(enum deed deed)
{
    if (deed == STOP)
        strike(&stage.lab, stage.victim, SIGCONT);
    else if (deed == STOP_AND_KILL)
        strike(&stage.lab, stage.victim, SIGKILL);
    stage_finish(deed != STOP);
}

// How it should be. `told`: the victim publishes before it is hurt.
static void play_reference(enum deed deed, bool told, char *trace)
{
    const bool by_itself = stage.window == WINDOW_LEAVE || (stage.window == WINDOW_TELL && !told);
    stage_begin();
    stage.watched = false;
    if (stage.window != WINDOW_JOIN) {
        stage.self = !by_itself ? SELF_NOTHING : deed == KILL ? SELF_KILL : SELF_STOP;
        play_prologue();
        if (!by_itself)
            strike(&stage.lab, stage.victim, deed == KILL ? SIGKILL : SIGSTOP);
        stage_run_to(STAGE_RETURN_MS);
        return_or_restart(deed);
    } else {
        stage_run_to(STAGE_RETURN_MS);
        stage_finish(true); // as if it had never been there before
    }
    ck_assert_ptr_nonnull(strstr(shared->trace, "24 high runs"));
    memcpy(trace, shared->trace, TRACE_SIZE);
}

// A follower that was stopped in its turn is granted once more when it goes on, since the world may
// not be up to date; one that was stopped while blocked is granted once. So only the survivors'
// lines are the same.
static void leave_out_victim(char *trace)
{
    char *to = trace, *line = trace;
    while (*line != '\0') {
        char *end = strchr(line, '\n') + 1;
        char *name = strchr(line, ' ');
        if (strncmp(name, " victim ", 8) != 0) {
            memmove(to, line, (size_t)(end - line));
            to += end - line;
        }
        line = end;
    }
    *to = '\0';
}

static void launch_watched(enum deed deed, uint32_t place, long skip_to_nr)
{
    stage_begin();
    stage.watched = true;
    stage.self = SELF_NOTHING;
    launch(&stage.lab, stage.victim);
    hand_ask(stage.victim->pid, deed == KILL ? HAND_KILL : HAND_STOP, place, skip_to_nr);
}

// Joining, in the present instant. True: it takes part.
static bool join_hurt(enum deed deed, bool early)
{
    const enum hand_deed hurt = deed == KILL ? HAND_KILL : HAND_STOP;
    enum hand_state state = HAND_IDLE;
    if (early && hurt == HAND_STOP) {
        state = hand_await_state(HAND_ASLEEP);
        if (state == HAND_DONE)
            ck_assert(look_at(&stage.lab, stage.victim, WUNTRACED));
        enum status status = clk_coordinator_await(stage.lab.coordinator, stage.victim->number,
                                                   duration_s(state == HAND_DONE ? 0 : 60));
        ck_assert(status == STATUS_OK || status == STATUS_TIMEOUT);
        return status == STATUS_OK;
    }
    enum status status =
        clk_coordinator_await(stage.lab.coordinator, stage.victim->number, duration_s(60));
    ck_assert(status == STATUS_OK || (early && status == STATUS_DEAD));
    if (hand_await_state(HAND_ASLEEP) == HAND_DONE)
        notice_deed(hurt);
    return status == STATUS_OK;
}

// One episode in which the hand strikes after `place` instructions of the window. False: the window
// was shorter this time.
static bool play_hurt(enum deed deed, uint32_t place, long skip_to_nr)
{
    const enum hand_deed hurt = deed == KILL ? HAND_KILL : HAND_STOP;
    const bool early = place <= stage.asleep_at; // in the turn in which the window begins
    bool joined = true;
    launch_watched(deed, place, skip_to_nr);
    if (stage.window == WINDOW_JOIN)
        joined = join_hurt(deed, early);
    else
        require(clk_coordinator_await(stage.lab.coordinator, stage.victim->number, duration_s(60)));
    stage_run_to(STAGE_TURN_MS);
    if (stage.window != WINDOW_JOIN && hand_await_state(HAND_ASLEEP) == HAND_DONE)
        notice_deed(hurt);
    stage_run_to(STAGE_DEADLINE_MS);
    const enum hand_state end = hand_await_state(HAND_DONE);
    stage.told = *channel_head(stage.news) != stage.frames;
    if (end == HAND_DONE)
        notice_deed(hurt);
    stage_run_to(STAGE_RETURN_MS);
    if (end != HAND_DONE) {
        ck_assert_int_eq(end, HAND_PASSED);
        look_at(&stage.lab, stage.victim, WNOHANG);
        if (stage.victim->pid != 0)
            strike(&stage.lab, stage.victim, SIGKILL);
        stage_finish(true);
        return false;
    }
    ck_assert_int_ne(victim_state(), CLK_GRANTED);
    ck_assert_int_ne(victim_state(), CLK_BLOCKED);
    if (deed == STOP && !joined) {
        strike(&stage.lab, stage.victim, SIGCONT);
        require(clk_coordinator_await(stage.lab.coordinator, stage.victim->number, duration_s(60)));
        stage_finish(false);
    } else {
        return_or_restart(deed);
    }
    return true;
}

static void count_places(long skip_to_nr)
{
    stage.asleep_at = HAND_PLACES_ALL;
    launch_watched(KILL, HAND_PLACES_ALL, skip_to_nr);
    require(clk_coordinator_await(stage.lab.coordinator, stage.victim->number, duration_s(60)));
    if (stage.window != WINDOW_JOIN)
        stage_run_to(STAGE_TURN_MS);
    hand_await_state(HAND_ASLEEP);
    stage_run_to(STAGE_RETURN_MS);
    ck_assert_int_eq(hand_await_state(HAND_DONE), HAND_PASSED);
    stage.place_count = hand->steps;
    stage.asleep_at = hand->asleep_at;
    look_at(&stage.lab, stage.victim, WNOHANG);
    if (stage.victim->pid != 0)
        strike(&stage.lab, stage.victim, SIGKILL);
    stage_run_to(STAGE_END_MS);
    ck_assert_uint_gt(stage.place_count, 20);
    ck_assert_uint_lt(stage.place_count, 100000);
}

// ---- a whole window ----

// Tries `places` places of the present stage, evenly spread.
static void hurt_everywhere(const char *what, enum deed deed, uint32_t places, long skip_to_nr)
{
    static char untold[TRACE_SIZE], told[TRACE_SIZE];
    play_reference(deed, false, untold);
    play_reference(deed, true, told);
    if (stage.follower) {
        leave_out_victim(untold);
        leave_out_victim(told);
    }
    if (stage.window == WINDOW_TELL)
        ck_assert_str_ne(untold, told);
    else
        ck_assert_str_eq(untold, told);
    count_places(skip_to_nr);
    const uint32_t stride = stride_of(stage.place_count, places);
    uint32_t tried = 0, told_count = 0, early = 0;
    for (uint32_t place = 0; place <= stage.place_count; place += stride) {
        if (!play_hurt(deed, place, skip_to_nr)) {
            ck_assert_msg(place + 8 > stage.place_count, "it passed before place %u of %u", place,
                          stage.place_count);
            continue;
        }
        const char *expected = stage.told ? told : untold;
        if (stage.follower)
            leave_out_victim(shared->trace);
        ck_assert_msg(strcmp(shared->trace, expected) == 0,
                      "%s after %u of %u instructions:\n%s\ninstead of\n%s", what, place,
                      stage.place_count, shared->trace, expected);
        told_count += stage.told;
        early += place <= stage.asleep_at;
        tried++;
    }
    if (stage.window == WINDOW_TELL) {
        ck_assert_uint_gt(told_count, 0);
        ck_assert_uint_lt(told_count, tried);
    }
    printf("%s: %u of %u places, %u of them before it slept, %u after it had told\n", what, tried,
           stage.place_count + 1, early, told_count);
}

static void hurt_in(enum window window, bool follower, const char *name, uint32_t places,
                    long skip_to_nr)
{
    static const char *const deeds[] = {"killed", "stopped", "stopped, killed"};
    stage_open(window, follower);
    for (enum deed deed = KILL; deed <= STOP_AND_KILL; deed++) {
        char what[64];
        snprintf(what, sizeof what, "%s%s, %s", follower ? "a follower " : "", name, deeds[deed]);
        hurt_everywhere(what, deed, deed == STOP_AND_KILL ? places / 3 : places, skip_to_nr);
    }
    stage_close();
}

START_TEST(hurt_while_it_opens_the_clock_it_harms_nobody)
{
    hurt_in(WINDOW_JOIN, false, "opening", PLACES_SLOW, -1);
}
END_TEST

START_TEST(hurt_while_it_joins_it_harms_nobody_and_its_restart_joins_at_its_tick)
{
    hurt_in(WINDOW_JOIN, false, "joining", PLACES, SYS_close);
}
END_TEST

START_TEST(hurt_while_it_sleeps_and_wakes_it_harms_nobody_and_goes_on_later)
{
    hurt_in(WINDOW_SLEEP, false, "sleeping", PLACES, -1);
}
END_TEST

START_TEST(hurt_between_telling_a_reader_and_giving_back_its_turn_it_has_told_or_not)
{
    hurt_in(WINDOW_TELL, false, "telling", PLACES, -1);
}
END_TEST

START_TEST(hurt_while_it_leaves_it_has_left)
{
    hurt_in(WINDOW_LEAVE, false, "leaving", PLACES_SLOW, -1);
}
END_TEST

START_TEST(a_follower_may_be_hurt_as_well)
{
    hurt_in(WINDOW_TELL, true, "telling", PLACES_SLOW, -1);
}
END_TEST

UNIT_MAIN("clock-kill", hurt_while_it_opens_the_clock_it_harms_nobody,
          hurt_while_it_joins_it_harms_nobody_and_its_restart_joins_at_its_tick,
          hurt_while_it_sleeps_and_wakes_it_harms_nobody_and_goes_on_later,
          hurt_between_telling_a_reader_and_giving_back_its_turn_it_has_told_or_not,
          hurt_while_it_leaves_it_has_left, a_follower_may_be_hurt_as_well)
