// The loop as hand-made histories tell it: what belongs to what, how long it took, and who missed
// what.
#include "tests/unit/common/unit.h"

#include <stddef.h>

#include "harness/files/target/target.h"
#include "harness/history/history.h"
#include "harness/bench/latency/latency.h"
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

static const struct channel_config channels[LATENCY_ROLES] = {
    {.name = "state", .message = "hubo2/state.msg", .writer = "hardware"},
    {.name = "leg-command", .message = "hubo2/command.msg", .writer = "balance"},
    {.name = "reference", .message = "hubo2/reference.msg", .writer = "control"}};
static const struct latency_pipeline pipeline = {
    .channel = {&channels[LATENCY_SENSES], &channels[LATENCY_ANSWERS], &channels[LATENCY_DRIVES]},
    .bus_log = "bus-log"};

static struct history *history;
static struct description *description;
static const struct board_description *board[2];
static struct latency_record record;
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
    ck_assert_int_eq(description_load("targets/hubo2/hubo2.xml", &description), STATUS_OK);
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
    ck_assert_int_eq(latency_measure(history, &pipeline, description, &record), STATUS_OK);
}

static void stop(void)
{
    latency_free(&record);
    history_free(history);
    description_free(description);
}

// After how many us from the start of its own cycle the chain of state `i` reached the point; -1:
// never.
static int64_t reached_us(size_t i, enum latency_point point)
{
    ck_assert_uint_lt(i, record.chain_count);
    const instant at = record.chain[i].at[point];
    if (at.ns == INSTANT_NEVER.ns)
        return -1;
    return at.ns / 1000 - (record.chain[i].at[LATENCY_STATE_PUBLISHED].ns / 1000 - STATE_US);
}

static void check_deadlines(enum latency_deadline deadline, uint64_t due, uint64_t missed)
{
    ck_assert_uint_eq(record.deadline[deadline].due, due);
    ck_assert_uint_eq(record.deadline[deadline].missed, missed);
}

// ---- chains -------------------------------------------------------------------------------------

START_TEST(every_point_of_a_chain_is_where_it_was)
{
    static const int64_t expected_us[LATENCY_POINTS] = {
        [LATENCY_OLDEST_READING] = READ_US,
        [LATENCY_STATE_PUBLISHED] = STATE_US,
        [LATENCY_STATE_TAKEN] = BALANCE_US,
        [LATENCY_COMMAND_PUBLISHED] = COMMAND_US,
        [LATENCY_COMMAND_TAKEN] = CONTROL_US,
        [LATENCY_REFERENCE_PUBLISHED] = REFERENCE_US,
        [LATENCY_REFERENCE_TAKEN] = PERIOD_US + TAKEN_US,
        [LATENCY_FRAMES_QUEUED] = PERIOD_US + QUEUED_US,
        [LATENCY_FRAMES_ON_BUS] = PERIOD_US + FRAME_US + 100,
        [LATENCY_BOARDS_SAMPLED] = PERIOD_US + READ_US + 500,
        [LATENCY_STATE_ACQUIRED] = PERIOD_US + STATE_US,
    };
    start();
    cycles(10);
    measure();
    ck_assert_int_eq(record.period.ns, PERIOD_US * 1000);
    ck_assert_uint_eq(record.chain_count, 10);
    for (size_t i = 0; i < 9; i++)
        for (unsigned p = 0; p < LATENCY_POINTS; p++)
            ck_assert_int_eq(reached_us(i, p), expected_us[p]);
    ck_assert_int_eq(reached_us(9, LATENCY_REFERENCE_PUBLISHED), REFERENCE_US);
    ck_assert_int_eq(reached_us(9, LATENCY_REFERENCE_TAKEN), -1); // the history is over
    duration took;
    ck_assert(latency_stage_of(&record.chain[3], &latency_stages[LATENCY_STAGE_LOOP], &took));
    ck_assert_int_eq(took.ns, PERIOD_US * 1000);
    stop();
}
END_TEST

START_TEST(stages_follow_one_another_and_make_up_the_whole)
{
    char name[LATENCY_STAGES][64];
    for (unsigned s = 0; s + 1 < LATENCY_STAGES_STACKED; s++)
        ck_assert_int_eq(latency_stages[s].to, latency_stages[s + 1].from);
    ck_assert_int_eq(latency_stages[0].from, LATENCY_OLDEST_READING);
    ck_assert_int_eq(latency_stages[LATENCY_STAGES_STACKED - 1].to, LATENCY_STATE_ACQUIRED);
    for (unsigned s = 0; s < LATENCY_STAGES; s++) {
        latency_stage_name(&pipeline, s, name[s], sizeof name[s]);
        for (unsigned k = 0; k < s; k++)
            ck_assert_str_ne(name[s], name[k]);
        ck_assert_int_lt(latency_stages[s].from, latency_stages[s].to);
    }
    ck_assert_str_eq(name[LATENCY_STAGE_COMPUTES], "balance computes");
    ck_assert_str_eq(latency_deadline_process(&pipeline, LATENCY_SEND_DUE), "hardware");
    ck_assert_str_eq(latency_deadline_name(LATENCY_SEND_DUE), "send");
}
END_TEST

START_TEST(a_target_says_which_channels_its_loop_goes_through)
{
    struct target *target;
    struct latency_pipeline found;
    ck_assert_int_eq(target_load("targets/hubo2/target.yaml", &target), STATUS_OK);
    ck_assert_int_eq(latency_pipeline_of(target, &found), STATUS_OK);
    ck_assert_str_eq(found.channel[LATENCY_ANSWERS]->writer, "balance");
    ck_assert_str_eq(found.bus_log, "bus-log");
    target->pipeline_count = 0; // a stack that declares none
    ck_assert_int_eq(latency_pipeline_of(target, &found), STATUS_INVALID);
    target_free(target);
}
END_TEST

START_TEST(without_stamps_all_other_points_are_the_same)
{
    start();
    probes = false;
    cycles(10);
    measure();
    for (size_t i = 0; i < 9; i++) {
        ck_assert_int_eq(reached_us(i, LATENCY_STATE_TAKEN), -1);
        ck_assert_int_eq(reached_us(i, LATENCY_COMMAND_PUBLISHED), COMMAND_US);
        ck_assert_int_eq(reached_us(i, LATENCY_COMMAND_TAKEN), -1);
        ck_assert_int_eq(reached_us(i, LATENCY_REFERENCE_PUBLISHED), REFERENCE_US);
        ck_assert_int_eq(reached_us(i, LATENCY_REFERENCE_TAKEN), -1);
        ck_assert_int_eq(reached_us(i, LATENCY_FRAMES_QUEUED), -1);
        ck_assert_int_eq(reached_us(i, LATENCY_FRAMES_ON_BUS), PERIOD_US + FRAME_US + 100);
        ck_assert_int_eq(reached_us(i, LATENCY_STATE_ACQUIRED), PERIOD_US + STATE_US);
    }
    check_deadlines(LATENCY_COMMAND_DUE, 9, 0);
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
    ck_assert_int_eq(reached_us(3, LATENCY_COMMAND_PUBLISHED), CONTROL_US + 500);
    ck_assert_int_eq(reached_us(3, LATENCY_COMMAND_TAKEN), PERIOD_US + CONTROL_US);
    ck_assert_int_eq(reached_us(3, LATENCY_STATE_ACQUIRED), 2 * PERIOD_US + STATE_US);
    ck_assert_int_eq(reached_us(4, LATENCY_STATE_TAKEN), -1);
    ck_assert_int_eq(reached_us(4, LATENCY_STATE_ACQUIRED), -1);
    check_deadlines(LATENCY_COMMAND_DUE, 9, 2);
    ck_assert_uint_eq(record.chain[3].missed, 1u << LATENCY_COMMAND_DUE);
    ck_assert_uint_eq(record.chain[4].missed, 1u << LATENCY_COMMAND_DUE);
    check_deadlines(LATENCY_REFERENCE_DUE, 8, 0);
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
    ck_assert_int_eq(reached_us(3, LATENCY_COMMAND_PUBLISHED), CONTROL_US + 500);
    for (unsigned p = LATENCY_COMMAND_TAKEN; p < LATENCY_POINTS; p++)
        ck_assert_int_eq(reached_us(3, p), -1);
    ck_assert_int_eq(reached_us(4, LATENCY_STATE_ACQUIRED), PERIOD_US + STATE_US);
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
    ck_assert_int_eq(reached_us(2, LATENCY_FRAMES_ON_BUS), PERIOD_US + FRAME_US + 250);
    ck_assert_int_eq(reached_us(3, LATENCY_FRAMES_ON_BUS), PERIOD_US + FRAME_US + 100);
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
    ck_assert_int_eq(reached_us(2, LATENCY_FRAMES_QUEUED), PERIOD_US + QUEUED_US);
    ck_assert_int_eq(reached_us(2, LATENCY_FRAMES_ON_BUS), -1);
    ck_assert_int_eq(reached_us(2, LATENCY_STATE_ACQUIRED), -1);
    for (size_t i = 3; i < 8; i++)
        ck_assert_int_eq(reached_us(i, LATENCY_FRAMES_ON_BUS), PERIOD_US + FRAME_US + 100);
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
    ck_assert_int_eq(reached_us(2, LATENCY_STATE_ACQUIRED), 2 * PERIOD_US + STATE_US);
    ck_assert_int_eq(reached_us(2, LATENCY_BOARDS_SAMPLED), 2 * PERIOD_US + READ_US + 500);
    ck_assert_int_eq(reached_us(3, LATENCY_STATE_ACQUIRED), PERIOD_US + STATE_US);
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
    ck_assert_uint_eq(record.chain_count, 10); // the second one of the state is nobody's answer
    size_t answered = 0;
    for (size_t i = 0; i < record.chain_count; i++)
        if (reached_us(i, LATENCY_STATE_ACQUIRED) >= 0) {
            ck_assert_int_eq(reached_us(i, LATENCY_COMMAND_PUBLISHED), COMMAND_US);
            ck_assert_int_eq(reached_us(i, LATENCY_STATE_ACQUIRED), PERIOD_US + STATE_US);
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
    ck_assert_uint_eq(record.chain_count, 11);
    ck_assert_uint_eq(record.chain[5].cycle, 1);
    ck_assert_int_eq(reached_us(4, LATENCY_REFERENCE_PUBLISHED), REFERENCE_US);
    ck_assert_int_eq(reached_us(4, LATENCY_REFERENCE_TAKEN), -1); // it died with it
    for (size_t i = 0; i < 10; i++)
        if (i != 4)
            ck_assert_int_eq(reached_us(i, LATENCY_STATE_ACQUIRED), PERIOD_US + STATE_US);
    check_deadlines(LATENCY_STATE_DUE, 14, 3);
    ck_assert_uint_eq(record.chain[5].missed, 1u << LATENCY_STATE_DUE);
    stop();
}
END_TEST

START_TEST(a_loop_in_which_all_is_in_time_misses_nothing)
{
    start();
    cycles(20);
    measure();
    check_deadlines(LATENCY_STATE_DUE, 20, 0);
    check_deadlines(LATENCY_COMMAND_DUE, 19, 0); // the last ones' deadlines are after the history
    check_deadlines(LATENCY_REFERENCE_DUE, 18, 0);
    check_deadlines(LATENCY_SEND_DUE, 17, 0);
    for (size_t i = 0; i < 20; i++)
        ck_assert_uint_eq(record.chain[i].missed, 0);
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
    check_deadlines(LATENCY_STATE_DUE, 23, 0);
    check_deadlines(LATENCY_COMMAND_DUE, 22, 3);
    check_deadlines(LATENCY_REFERENCE_DUE, 21, 1);
    check_deadlines(LATENCY_SEND_DUE, 19, 1);
    ck_assert_uint_eq(record.chain[5].missed, 1u << LATENCY_REFERENCE_DUE);
    ck_assert_uint_eq(record.chain[9].missed, 1u << LATENCY_SEND_DUE);
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
    check_deadlines(LATENCY_STATE_DUE, 14, 9); // the last period of the history is not over
    stop();
}
END_TEST

// ---- what may be wrong with a history ----------------------------------------------------------

START_TEST(a_history_without_states_has_no_chains)
{
    start();
    measure();
    ck_assert_uint_eq(record.chain_count, 0);
    ck_assert_int_eq(record.period.ns, 0);
    check_deadlines(LATENCY_STATE_DUE, 0, 0);
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
    ck_assert_uint_eq(record.chain_count, 3);
    check_deadlines(LATENCY_STATE_DUE, 0, 0);
    stop();
}
END_TEST

UNIT_MAIN("latency", every_point_of_a_chain_is_where_it_was,
          stages_follow_one_another_and_make_up_the_whole,
          a_target_says_which_channels_its_loop_goes_through,
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
