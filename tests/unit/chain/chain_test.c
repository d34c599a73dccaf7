// Chains as hand-made histories tell them: what belongs to what, how long it took, and who missed
// what; first the loop of hubo2, as its file describes it.
#include "tests/unit/common/unit.h"

#include <stddef.h>

#include "harness/files/target/chain_file.h"
#include "harness/files/target/target.h"
#include "harness/history/history.h"
#include "harness/packs/robot/chain_robot.h"
#include "message/message.h"
#include "model/description.h"

#define PERIOD_US 10000

// A stack of two periods at 100 Hz. In a cycle, in us after its start:
enum {
    TAKEN_US = 20, // the reference of the last cycle, by Hardware
    QUEUED_US = 50,
    FRAME_US = 200, // end of its frame to the first board; to the second, 100 later
    READ_US = 3000, // reply of the first board; of the second, 500 later
    STATE_US = 6000,
    BALANCE_US = 6100,
    COMMAND_US = 6400,
    CONTROL_US = 8000,
    REFERENCE_US = 8100,
};

// What goes otherwise in a cycle.
enum mishap {
    NO_STATE = 1,        // nor anything else: Hardware is dead
    NO_COMMAND = 2,      // Balance is dead
    LATE_COMMAND = 4,    // after Control has answered
    NO_REFERENCE = 8,    // Control is dead
    NOT_SENT = 16,       // what Control has answered
    FRAME_MISSING = 32,  // that to the second board
    FRAME_REPEATED = 64, // that to the second board; the first time it ended in an error frame
    READING_LOST = 128,  // that of the second board
    TWICE = 256,         // the command and the state come twice
};

// The links of the loop in targets/hubo2/target.yaml, and what it goes through.
enum { STATE, COMMAND, REFERENCE, SEND, QUEUED, FRAMES, ACQUIRED };
enum {
    OLDEST_READING = CHAIN_TAKEN(STATE),
    STATE_PUBLISHED = CHAIN_REACHED(STATE),
    STATE_TAKEN = CHAIN_TAKEN(COMMAND),
    COMMAND_PUBLISHED = CHAIN_REACHED(COMMAND),
    COMMAND_TAKEN = CHAIN_TAKEN(REFERENCE),
    REFERENCE_PUBLISHED = CHAIN_REACHED(REFERENCE),
    REFERENCE_TAKEN = CHAIN_REACHED(SEND),
    FRAMES_QUEUED = CHAIN_REACHED(QUEUED),
    FRAMES_ON_BUS = CHAIN_REACHED(FRAMES),
    BOARDS_SAMPLED = CHAIN_TAKEN(ACQUIRED),
    STATE_ACQUIRED = CHAIN_REACHED(ACQUIRED)
};
static const unsigned points[] = {OLDEST_READING,    STATE_PUBLISHED, STATE_TAKEN,
                                  COMMAND_PUBLISHED, COMMAND_TAKEN,   REFERENCE_PUBLISHED,
                                  REFERENCE_TAKEN,   FRAMES_QUEUED,   FRAMES_ON_BUS,
                                  BOARDS_SAMPLED,    STATE_ACQUIRED};
#define POINTS (sizeof points / sizeof points[0])

static struct target *target;
static const struct chain_config *loop;
static struct history *history;
static struct description *description;
static const struct board_description *board[2];
static struct chain_record record;
static unsigned topic_state, topic_command, topic_reference, topic_log;
static struct state_message state;
static struct reference_message pending; // not sent yet; state_cycle 0: none
static uint64_t command_cycle;
static int64_t cycle_us; // start of the cycle
static uint64_t number;
static bool probes;

static instant at_us(int64_t us)
{
    return instant_ns((cycle_us + us) * 1000);
}

static instant stamp_us(int64_t us)
{
    return probes ? at_us(us) : instant_ns(0);
}

static unsigned topic(const char *name)
{
    unsigned index;
    ck_assert_int_eq(history_add_topic(history, name, "", &index), STATUS_OK);
    return index;
}

static void start(void)
{
    ck_assert_int_eq(history_create(&history), STATUS_OK);
    ck_assert_int_eq(target_load("targets/hubo2/target.yaml", &target), STATUS_OK);
    ck_assert_int_eq(target_describe(target, &description), STATUS_OK);
    loop = chain_find(target, "loop");
    ck_assert_ptr_nonnull(loop);
    unsigned found = 0;
    for (unsigned b = 0; b < description->board_count && found < 2; b++)
        if (!description->board[b].finger && description->board[b].joint[0] >= 0)
            board[found++] = &description->board[b];
    topic_state = topic("state");
    topic_command = topic("leg-command");
    topic_reference = topic("reference");
    topic_log = topic("bus-log");
    state = (struct state_message){.period_us = PERIOD_US, .joint_count = description->joint_count};
    probes = true;
}

static void append(unsigned to, instant time, const void *data, size_t size_B)
{
    ck_assert_int_eq(history_append(history, to, ++number, time, data, size_B), STATUS_OK);
}

static void read_board(unsigned b, bool valid, int64_t us)
{
    for (unsigned c = 0; c < board[b]->channel_count; c++) {
        if (board[b]->joint[c] < 0)
            continue;
        struct joint_reading *reading = &state.joint[board[b]->joint[c]];
        reading->valid = valid;
        if (valid)
            reading->time = at_us(us);
    }
}

static void log_frame(struct bus_log_message *log, unsigned b, bool failed, int64_t us)
{
    log->frame[log->count++] = (struct bus_log_frame){.time = at_us(us),
                                                      .bus = board[b]->bus,
                                                      .can_id = board[b]->reference_can_id,
                                                      .length = 6,
                                                      .sender = BUS_LOG_HOST,
                                                      .failed = failed};
}

static void send(struct bus_log_message *log, unsigned mishaps)
{
    if (pending.state_cycle == 0 || mishaps & NOT_SENT)
        return;
    state.sent_cycle = pending.state_cycle;
    state.sent_taken = stamp_us(TAKEN_US);
    state.sent_queued = stamp_us(QUEUED_US);
    log_frame(log, 0, false, FRAME_US);
    if (mishaps & FRAME_REPEATED)
        log_frame(log, 1, true, FRAME_US + 100);
    if (!(mishaps & FRAME_MISSING))
        log_frame(log, 1, false, FRAME_US + (mishaps & FRAME_REPEATED ? 250 : 100));
}

static void put_state(unsigned mishaps)
{
    state.cycle++;
    state.cycle_start = at_us(0);
    state.time = at_us(STATE_US);
    read_board(0, true, READ_US);
    read_board(1, !(mishaps & READING_LOST), READ_US + 500);
    for (unsigned i = 0; i < (mishaps & TWICE ? 2 : 1); i++)
        append(topic_state, at_us(STATE_US), &state, sizeof state);
    state.sent_cycle = 0;
    state.sent_taken = state.sent_queued = instant_ns(0);
}

static void put_command(unsigned mishaps)
{
    const struct command_message command = {.state_cycle = state.cycle,
                                            .taken = stamp_us(BALANCE_US)};
    const int64_t us = mishaps & LATE_COMMAND ? CONTROL_US + 500 : COMMAND_US;
    for (unsigned i = 0; i < (mishaps & TWICE ? 2 : 1); i++)
        append(topic_command, at_us(us + i), &command, sizeof command);
}

static void put_reference(void)
{
    pending = (struct reference_message){
        .state_cycle = state.cycle, .taken = stamp_us(CONTROL_US), .leg_cycle = command_cycle};
    for (unsigned b = 0; b < 2; b++)
        pending.active |= UINT64_C(1) << board[b]->joint[0];
    append(topic_reference, at_us(REFERENCE_US), &pending, sizeof pending);
}

static void cycle(unsigned mishaps)
{
    static struct bus_log_message log;
    log.count = 0;
    if (!(mishaps & NO_STATE)) {
        send(&log, mishaps);
        pending.state_cycle = 0;
        put_state(mishaps);
        if (!(mishaps & (NO_COMMAND | LATE_COMMAND)))
            command_cycle = state.cycle;
        if (!(mishaps & NO_COMMAND))
            put_command(mishaps);
        if (!(mishaps & NO_REFERENCE))
            put_reference();
        if (mishaps & LATE_COMMAND)
            command_cycle = state.cycle;
    }
    append(topic_log, at_us(PERIOD_US - 1), &log,
           offsetof(struct bus_log_message, frame) + log.count * sizeof log.frame[0]);
    cycle_us += PERIOD_US;
}

static void cycles(unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        cycle(0);
}

static void restart_hardware(void)
{
    state.cycle = 0;
    pending.state_cycle = 0;
}

static void measure(void)
{
    ck_assert_int_eq(chain_measure(loop, history, &robot_of_chains, description, &record),
                     STATUS_OK);
}

static void stop(void)
{
    chain_free(&record);
    history_free(history);
    description_free(description);
    target_free(target);
}

// After how many us from the start of its own cycle the chain of state `i` reached the point; -1:
// never.
static int64_t reached_us(size_t i, unsigned point)
{
    ck_assert_uint_lt(i, record.count);
    const instant at = record.instant[i].at[point];
    if (at.ns == INSTANT_NEVER.ns)
        return -1;
    return at.ns / 1000 - (record.instant[i].at[STATE_PUBLISHED].ns / 1000 - STATE_US);
}

static void check_deadlines(unsigned link, uint64_t due, uint64_t missed)
{
    ck_assert_uint_eq(record.owed[link].due, due);
    ck_assert_uint_eq(record.owed[link].missed, missed);
}

// ---- chains -------------------------------------------------------------------------------------

START_TEST(every_point_of_a_chain_is_where_it_was)
{
    static const int64_t expected_us[CHAIN_POINTS_MAX] = {
        [OLDEST_READING] = READ_US,
        [STATE_PUBLISHED] = STATE_US,
        [STATE_TAKEN] = BALANCE_US,
        [COMMAND_PUBLISHED] = COMMAND_US,
        [COMMAND_TAKEN] = CONTROL_US,
        [REFERENCE_PUBLISHED] = REFERENCE_US,
        [REFERENCE_TAKEN] = PERIOD_US + TAKEN_US,
        [FRAMES_QUEUED] = PERIOD_US + QUEUED_US,
        [FRAMES_ON_BUS] = PERIOD_US + FRAME_US + 100,
        [BOARDS_SAMPLED] = PERIOD_US + READ_US + 500,
        [STATE_ACQUIRED] = PERIOD_US + STATE_US,
    };
    start();
    cycles(10);
    measure();
    ck_assert_int_eq(record.period.ns, PERIOD_US * 1000);
    ck_assert_uint_eq(record.count, 10);
    for (size_t i = 0; i < 9; i++)
        for (size_t p = 0; p < POINTS; p++)
            ck_assert_int_eq(reached_us(i, points[p]), expected_us[points[p]]);
    ck_assert_int_eq(reached_us(9, REFERENCE_PUBLISHED), REFERENCE_US);
    ck_assert_int_eq(reached_us(9, REFERENCE_TAKEN), -1); // the history is over
    duration took;
    struct chain_stages stages;
    chain_stages_of(loop, &stages);
    ck_assert(chain_stage_took(&record.instant[3], &stages.stage[stages.whole], &took));
    ck_assert_int_eq(took.ns, PERIOD_US * 1000);
    stop();
}
END_TEST

START_TEST(stages_follow_one_another_and_make_up_the_whole)
{
    static const char *const names[] = {
        "readings gathered",         "balance wakes",      "balance computes",
        "command waits for control", "control computes",   "reference waits for hardware",
        "frames reach the boards",   "boards are read",    "state completed",
        "state to acquired",         "frames handed over", "sensor to board",
        "state to command"};
    struct chain_stages stages;
    start();
    chain_stages_of(loop, &stages);
    ck_assert_uint_eq(stages.count, sizeof names / sizeof names[0]);
    ck_assert_uint_eq(stages.stacked, 9);
    for (unsigned s = 0; s < stages.count; s++)
        ck_assert_str_eq(stages.stage[s].name, names[s]);
    for (unsigned s = 0; s + 1 < stages.stacked; s++)
        ck_assert_int_eq(stages.stage[s].to, stages.stage[s + 1].from);
    ck_assert_int_eq(stages.stage[0].from, OLDEST_READING);
    ck_assert_int_eq(stages.stage[stages.stacked - 1].to, STATE_ACQUIRED);
    ck_assert_str_eq(stages.stage[stages.computes].name, "balance computes");
    ck_assert_str_eq(chain_owner(loop, SEND), "hardware");
    ck_assert(chain_is_owed(loop, SEND) && !chain_is_owed(loop, FRAMES));
    measure();
    stop();
}
END_TEST

START_TEST(without_stamps_all_other_points_are_the_same)
{
    start();
    probes = false;
    cycles(10);
    measure();
    for (size_t i = 0; i < 9; i++) {
        ck_assert_int_eq(reached_us(i, STATE_TAKEN), -1);
        ck_assert_int_eq(reached_us(i, COMMAND_PUBLISHED), COMMAND_US);
        ck_assert_int_eq(reached_us(i, COMMAND_TAKEN), -1);
        ck_assert_int_eq(reached_us(i, REFERENCE_PUBLISHED), REFERENCE_US);
        ck_assert_int_eq(reached_us(i, REFERENCE_TAKEN), -1);
        ck_assert_int_eq(reached_us(i, FRAMES_QUEUED), -1);
        ck_assert_int_eq(reached_us(i, FRAMES_ON_BUS), PERIOD_US + FRAME_US + 100);
        ck_assert_int_eq(reached_us(i, STATE_ACQUIRED), PERIOD_US + STATE_US);
    }
    check_deadlines(COMMAND, 9, 0);
    stop();
}
END_TEST

START_TEST(a_late_command_counts_for_the_reference_that_uses_it)
{
    start();
    cycles(3);
    cycle(LATE_COMMAND);
    cycle(NO_COMMAND);
    cycles(5);
    measure();
    ck_assert_int_eq(reached_us(3, COMMAND_PUBLISHED), CONTROL_US + 500);
    ck_assert_int_eq(reached_us(3, COMMAND_TAKEN), PERIOD_US + CONTROL_US);
    ck_assert_int_eq(reached_us(3, STATE_ACQUIRED), 2 * PERIOD_US + STATE_US);
    ck_assert_int_eq(reached_us(4, STATE_TAKEN), -1);
    ck_assert_int_eq(reached_us(4, STATE_ACQUIRED), -1);
    check_deadlines(COMMAND, 9, 2);
    ck_assert_uint_eq(record.instant[3].missed, 1u << COMMAND);
    ck_assert_uint_eq(record.instant[4].missed, 1u << COMMAND);
    check_deadlines(REFERENCE, 8, 0);
    stop();
}
END_TEST

START_TEST(the_chain_of_a_command_that_was_overtaken_ends_there)
{
    start();
    cycles(3);
    cycle(LATE_COMMAND);
    cycles(5);
    measure();
    ck_assert_int_eq(reached_us(3, COMMAND_PUBLISHED), CONTROL_US + 500);
    for (size_t p = 4; p < POINTS; p++)
        ck_assert_int_eq(reached_us(3, points[p]), -1);
    ck_assert_int_eq(reached_us(4, STATE_ACQUIRED), PERIOD_US + STATE_US);
    stop();
}
END_TEST

START_TEST(a_frame_that_was_repeated_counts_when_it_came_through)
{
    start();
    cycles(3);
    cycle(FRAME_REPEATED);
    cycles(5);
    measure();
    ck_assert_int_eq(reached_us(2, FRAMES_ON_BUS), PERIOD_US + FRAME_US + 250);
    ck_assert_int_eq(reached_us(3, FRAMES_ON_BUS), PERIOD_US + FRAME_US + 100);
    stop();
}
END_TEST

START_TEST(a_reference_that_a_board_never_got_reached_nobody_and_disturbs_no_other)
{
    start();
    cycles(3);
    cycle(FRAME_MISSING);
    cycles(5);
    measure();
    ck_assert_int_eq(reached_us(2, FRAMES_QUEUED), PERIOD_US + QUEUED_US);
    ck_assert_int_eq(reached_us(2, FRAMES_ON_BUS), -1);
    ck_assert_int_eq(reached_us(2, STATE_ACQUIRED), -1);
    for (size_t i = 3; i < 8; i++)
        ck_assert_int_eq(reached_us(i, FRAMES_ON_BUS), PERIOD_US + FRAME_US + 100);
    stop();
}
END_TEST

START_TEST(a_state_that_lacks_a_reading_does_not_show_the_answer)
{
    start();
    cycles(3);
    cycle(READING_LOST);
    cycles(5);
    measure();
    ck_assert_int_eq(reached_us(2, STATE_ACQUIRED), 2 * PERIOD_US + STATE_US);
    ck_assert_int_eq(reached_us(2, BOARDS_SAMPLED), 2 * PERIOD_US + READ_US + 500);
    ck_assert_int_eq(reached_us(3, STATE_ACQUIRED), PERIOD_US + STATE_US);
    stop();
}
END_TEST

START_TEST(what_comes_twice_counts_once)
{
    start();
    cycles(3);
    cycle(TWICE);
    cycles(5);
    measure();
    ck_assert_uint_eq(record.count, 10); // the second one of the state is nobody's answer
    size_t answered = 0;
    for (size_t i = 0; i < record.count; i++)
        if (reached_us(i, STATE_ACQUIRED) >= 0) {
            ck_assert_int_eq(reached_us(i, COMMAND_PUBLISHED), COMMAND_US);
            ck_assert_int_eq(reached_us(i, STATE_ACQUIRED), PERIOD_US + STATE_US);
            answered++;
        }
    ck_assert_uint_eq(answered, 8);
    stop();
}
END_TEST

// ---- restarts and deadlines --------------------------------------------------------------------

START_TEST(when_hardware_counts_from_one_again_chains_stay_apart)
{
    start();
    cycles(5);
    for (unsigned i = 0; i < 3; i++)
        cycle(NO_STATE);
    restart_hardware();
    cycles(6);
    measure();
    ck_assert_uint_eq(record.count, 11);
    ck_assert_uint_eq(record.instant[5].number, 1);
    ck_assert_int_eq(reached_us(4, REFERENCE_PUBLISHED), REFERENCE_US);
    ck_assert_int_eq(reached_us(4, REFERENCE_TAKEN), -1); // it died with it
    for (size_t i = 0; i < 10; i++)
        if (i != 4)
            ck_assert_int_eq(reached_us(i, STATE_ACQUIRED), PERIOD_US + STATE_US);
    check_deadlines(STATE, 14, 3);
    ck_assert_uint_eq(record.instant[5].missed, 1u << STATE);
    stop();
}
END_TEST

START_TEST(a_loop_in_which_all_is_in_time_misses_nothing)
{
    start();
    cycles(20);
    measure();
    check_deadlines(STATE, 20, 0);
    check_deadlines(COMMAND, 19, 0); // the last ones' deadlines are after the history
    check_deadlines(REFERENCE, 18, 0);
    check_deadlines(SEND, 17, 0);
    for (size_t i = 0; i < 20; i++)
        ck_assert_uint_eq(record.instant[i].missed, 0);
    stop();
}
END_TEST

START_TEST(each_daemon_answers_for_what_it_missed_itself)
{
    start();
    cycles(5);
    cycle(NO_REFERENCE); // of state 6; in the cycle after, nothing can be sent
    cycles(4);
    cycle(NOT_SENT); // what answers state 10
    cycles(4);
    for (unsigned i = 0; i < 3; i++)
        cycle(NO_COMMAND);
    cycles(5);
    measure();
    check_deadlines(STATE, 23, 0);
    check_deadlines(COMMAND, 22, 3);
    check_deadlines(REFERENCE, 21, 1);
    check_deadlines(SEND, 19, 1);
    ck_assert_uint_eq(record.instant[5].missed, 1u << REFERENCE);
    ck_assert_uint_eq(record.instant[9].missed, 1u << SEND);
    stop();
}
END_TEST

START_TEST(periods_after_the_last_state_are_missed_too)
{
    start();
    cycles(5);
    for (unsigned i = 0; i < 10; i++)
        cycle(NO_STATE);
    measure();
    check_deadlines(STATE, 14, 9); // the last period of the history is not over
    stop();
}
END_TEST

// ---- what may be wrong with a history ----------------------------------------------------------

START_TEST(a_history_without_states_has_no_chains)
{
    start();
    measure();
    ck_assert_uint_eq(record.count, 0);
    ck_assert_int_eq(record.period.ns, 0);
    check_deadlines(STATE, 0, 0);
    stop();
}
END_TEST

START_TEST(messages_of_another_size_and_states_without_a_period_do_no_harm)
{
    start();
    state.period_us = 0;
    append(topic_state, at_us(0), &state, 8);
    append(topic_reference, at_us(0), &pending, 8);
    append(topic_log, at_us(0), &state, 4);
    cycles(3);
    measure();
    ck_assert_uint_eq(record.count, 3);
    check_deadlines(STATE, 0, 0);
    stop();
}
END_TEST

UNIT_MAIN("chain", every_point_of_a_chain_is_where_it_was,
          stages_follow_one_another_and_make_up_the_whole,
          without_stamps_all_other_points_are_the_same,
          a_late_command_counts_for_the_reference_that_uses_it,
          the_chain_of_a_command_that_was_overtaken_ends_there,
          a_frame_that_was_repeated_counts_when_it_came_through,
          a_reference_that_a_board_never_got_reached_nobody_and_disturbs_no_other,
          a_state_that_lacks_a_reading_does_not_show_the_answer, what_comes_twice_counts_once,
          when_hardware_counts_from_one_again_chains_stay_apart,
          a_loop_in_which_all_is_in_time_misses_nothing,
          each_daemon_answers_for_what_it_missed_itself,
          periods_after_the_last_state_are_missed_too, a_history_without_states_has_no_chains,
          messages_of_another_size_and_states_without_a_period_do_no_harm)
