// Which doubts a scenario has, and what becomes of it with one.
#include "tests/unit/common/unit.h"

#include <string.h>

#include "harness/doubt/doubting.h"
#include "harness/doubt/doubts.h"
#include "harness/files/fault/catalogue.h"
#include "harness/files/scenario.h"
#include "harness/history/schema.h"
#include "harness/store/doubted.h"

static struct target target;
static struct scenario scenario;
static struct catalogue catalogue;
static struct description description;

static void know(const char *kind, enum fault_struck struck, enum fault_halts halts)
{
    struct fault_kind *new = &catalogue.kind[catalogue.count++];
    snprintf(new->name, sizeof new->name, "%s", kind);
    new->struck = struck;
    new->halts = halts;
    new->undo = UNDO_PROGRAM;
}

static void channel(const char *name, const char *message, const char *writer)
{
    struct channel_config *new = &target.channel[target.channel_count++];
    snprintf(new->name, sizeof new->name, "%s", name);
    snprintf(new->message, sizeof new->message, "%s", message);
    snprintf(new->writer, sizeof new->writer, "%s", writer);
}

static void process(const char *name, enum process_clock clock)
{
    struct process_config *new = &target.process[target.process_count++];
    snprintf(new->name, sizeof new->name, "%s", name);
    new->clock = clock;
    new->follower = strcmp(name, "world") == 0;
}

static void set_up(void)
{
    static const char *const of_channels[] = {
        "channel-drop",  "channel-stale",    "channel-all-nan",    "channel-zero",
        "channel-delay", "channel-thinning", "channel-duplication"};
    struct message_mistake mistake;
    ck_assert_int_eq(schema_declare("t/reals.msg", "int64 time_ns\nfloat64 a\n", &mistake),
                     STATUS_OK);
    ck_assert_int_eq(schema_declare("t/wholes.msg", "int64 time_ns\nint64 mode\n", &mistake),
                     STATUS_OK);
    ck_assert_int_eq(schema_declare("t/stamps.msg", "int64 time_ns\n", &mistake), STATUS_OK);
    for (size_t i = 0; i < sizeof of_channels / sizeof of_channels[0]; i++)
        know(of_channels[i], STRUCK_CHANNEL, HALTS_NOTHING);
    know("stall", STRUCK_PROCESS, HALTS_STOPPED);
    know("socket-drop", STRUCK_PROCESS, HALTS_NOTHING);
    know("socket-delay", STRUCK_PROCESS, HALTS_NOTHING);
    know("socket-duplication", STRUCK_PROCESS, HALTS_NOTHING);
    know("encoder-stuck", STRUCK_BUS, HALTS_NOTHING);
    know("line-loss", STRUCK_BUS, HALTS_NOTHING);
    know("ethernet-delay", STRUCK_NETWORK, HALTS_NOTHING);
    know("readings-stuck", STRUCK_BUS, HALTS_NOTHING);
    know("ethernet-stuck", STRUCK_NETWORK, HALTS_NOTHING);
    scenario.catalogue = &catalogue;
    scenario.duration_s = 10;
    snprintf(scenario.name, sizeof scenario.name, "s");
    snprintf(scenario.file, sizeof scenario.file, "s.yaml");
}

static const struct doubt *find(const struct doubts *doubts, const char *name)
{
    for (unsigned i = 0; i < doubts->count; i++)
        if (strcmp(doubts->doubt[i].name, name) == 0)
            return &doubts->doubt[i];
    return NULL;
}

static struct doubts *make(void)
{
    struct doubts *doubts = doubts_make(&target, &scenario, &description, 0.5);
    ck_assert_ptr_nonnull(doubts);
    return doubts;
}

START_TEST(a_message_is_doubted_in_every_way_that_it_has)
{
    set_up();
    channel("r", "t/reals.msg", "control");
    channel("w", "t/wholes.msg", "control");
    channel("s", "t/stamps.msg", "control");
    struct doubts *doubts = make();
    ck_assert_uint_eq(doubts->count, 8 + 7 + 5); // no NaN without real numbers; nothing but stamps
    ck_assert_ptr_nonnull(find(doubts, "nan r"));
    ck_assert_ptr_null(find(doubts, "nan w"));
    ck_assert_ptr_nonnull(find(doubts, "zero w"));
    ck_assert_ptr_null(find(doubts, "frozen s"));
    const struct fault_request *late = &find(doubts, "late-50ms s")->fault;
    ck_assert_str_eq(late->kind, "channel-delay");
    ck_assert_str_eq(late->component, "s");
    ck_assert_str_eq(late->parameter[0], "delay_s=0.05");
    ck_assert(late->untold && late->struck == STRUCK_CHANNEL);
    ck_assert(late->at.time_min_s == 0.5 && late->at.time_max_s == 0.5);
    ck_assert_double_ge(late->at.time_min_s + late->duration_s, scenario.duration_s);
    free(doubts);
}
END_TEST

START_TEST(what_only_the_lab_reads_and_the_world_are_not_doubted)
{
    set_up();
    channel("truth", "t/reals.msg", "world");
    target.channel[0].lab_only = true;
    channel("nobodys", "t/reals.msg", "");
    channel("raw", "", "control");
    process("world", PROCESS_CLOCK_NATIVE);
    process("control", PROCESS_CLOCK_NATIVE);
    struct doubts *doubts = make();
    ck_assert_uint_eq(doubts->count, 1);
    ck_assert_str_eq(doubts->doubt[0].name, "asleep control");
    ck_assert_int_eq(doubts->doubt[0].fault.halts, HALTS_STOPPED);
    ck_assert_str_eq(doubts->unwritten, " nobodys");
    free(doubts);
}
END_TEST

START_TEST(a_program_without_channels_is_doubted_by_its_sockets)
{
    set_up();
    process("broker", PROCESS_CLOCK_SHIM);
    struct doubts *doubts = make();
    ck_assert_uint_eq(doubts->count, 1 + 2 * 5);
    const struct doubt *half = find(doubts, "half sent-to:broker");
    ck_assert_ptr_nonnull(half);
    ck_assert_str_eq(half->fault.component, "broker");
    ck_assert_str_eq(half->fault.parameter[0], "share=0.5");
    ck_assert_str_eq(half->fault.parameter[1], "direction=in");
    free(doubts);
}
END_TEST

START_TEST(lines_and_networks_are_doubted_as_the_catalogue_has_it)
{
    set_up();
    target.bus_count = target.network_count = 1;
    target.bus[0].kind = BUS_KIND_dynamixel;
    snprintf(target.bus[0].name, NAME_MAX_LENGTH, "servos");
    snprintf(target.network[0].name, NAME_MAX_LENGTH, "ring");
    struct doubts *doubts = make();
    ck_assert_uint_eq(doubts->count, 3);
    ck_assert_str_eq(doubts->doubt[0].name, "silent servos");
    ck_assert_str_eq(doubts->doubt[1].name, "half servos");
    ck_assert_str_eq(doubts->doubt[1].fault.parameter[0], "share=0.5");
    ck_assert_str_eq(doubts->doubt[2].name, "late-10ms ring");
    ck_assert_int_eq(doubts->doubt[2].fault.struck, STRUCK_NETWORK);
    free(doubts);
}
END_TEST

START_TEST(each_board_of_a_can_bus_is_doubted)
{
    set_up();
    target.bus_count = 2;
    snprintf(target.bus[0].name, NAME_MAX_LENGTH, "can0");
    snprintf(target.bus[1].name, NAME_MAX_LENGTH, "can1");
    description.board_count = 3;
    description.board[0] = (struct board_description){.name = "A", .bus = 2};
    description.board[1] = (struct board_description){.name = "B", .bus = 1, .encoder_can_id = 96};
    description.board[2] = (struct board_description){.name = "C", .bus = 1, .link = 1};
    struct doubts *doubts = make();
    ck_assert_uint_eq(doubts->count, 1);
    ck_assert_str_eq(doubts->doubt[0].name, "stuck B");
    ck_assert_str_eq(doubts->doubt[0].fault.component, "can1");
    ck_assert_str_eq(doubts->doubt[0].fault.parameter[0], "board=B");
    ck_assert_str_eq(doubts->doubt[0].fault.parameter[1], "id=96");
    free(doubts);
}
END_TEST

START_TEST(each_servo_of_a_line_and_each_host_of_a_network_is_doubted)
{
    set_up();
    target.bus_count = target.network_count = 1;
    target.bus[0] = (struct bus_config){
        .name = "servos", .kind = BUS_KIND_dynamixel, .servo_count = 2, .servo = {3, 17}};
    target.network[0] = (struct network_config){.name = "ring",
                                                .host_count = 1,
                                                .host = {"pc"},
                                                .ring_count = 1,
                                                .ring = {{.node_count = 1, .node = {"n1"}}}};
    struct doubts *doubts = make();
    const struct doubt *servo = find(doubts, "stuck servos:17"),
                       *pc = find(doubts, "stuck ring:pc"), *node = find(doubts, "stuck ring:n1");
    ck_assert_ptr_nonnull(find(doubts, "stuck servos:3"));
    ck_assert_ptr_nonnull(servo);
    ck_assert_str_eq(servo->fault.kind, "readings-stuck");
    ck_assert_str_eq(servo->fault.component, "servos");
    ck_assert_str_eq(servo->fault.parameter[0], "node=17");
    ck_assert_ptr_nonnull(pc);
    ck_assert_ptr_nonnull(node);
    ck_assert_str_eq(node->fault.kind, "ethernet-stuck");
    ck_assert_str_eq(node->fault.component, "ring");
    ck_assert_str_eq(node->fault.parameter[0], "host=n1");
    free(doubts);
}
END_TEST

static void call_harmless(const char *pattern)
{
    struct harmless *new = &scenario.harmless[scenario.harmless_count++];
    snprintf(new->doubt, sizeof new->doubt, "%s", pattern);
    snprintf(new->reason, sizeof new->reason, "so it is");
    new->line = 7;
}

START_TEST(what_is_harmless_is_known_by_its_pattern_and_a_wrong_one_is_refused)
{
    set_up();
    channel("camera", "t/reals.msg", "control");
    call_harmless("late-* camera");
    struct doubts *doubts = make();
    ck_assert_ptr_eq(find(doubts, "late-10ms camera")->harmless, &scenario.harmless[0]);
    ck_assert_ptr_null(find(doubts, "silent camera")->harmless);
    ck_assert_int_eq(doubts_check(&scenario, doubts), STATUS_OK);
    doubts_choose(doubts, "late-*");
    ck_assert_uint_eq(doubts->count, 2);
    free(doubts);
    call_harmless("late camera");
    doubts = make();
    ck_assert_int_eq(doubts_check(&scenario, doubts), STATUS_INVALID);
    free(doubts);
}
END_TEST

START_TEST(the_trials_of_doubts_are_a_campaign_beside_the_undisturbed_one)
{
    set_up();
    scenario.fault_count = 1;
    channel("c", "t/stamps.msg", "control");
    call_harmless("half c");
    struct doubts *doubts = make();
    struct campaign *campaign = doubt_campaign(&scenario, doubts, 3);
    ck_assert_ptr_nonnull(campaign);
    ck_assert_uint_eq(campaign->square_count, 1 + doubts->count);
    ck_assert(campaign->seeds_equal && campaign->seed == 3);
    ck_assert_uint_eq(campaign->square[0].scenario->fault_count, 1);
    ck_assert_str_eq(campaign->square[1].row, "silent c");
    ck_assert_str_eq(campaign->square[1].expected, "");
    ck_assert_uint_eq(campaign->square[1].scenario->fault_count, 2);
    ck_assert_uint_eq(scenario_told(campaign->square[1].scenario), 1);
    ck_assert_str_eq(campaign->square[2].row, "half c");
    ck_assert_str_eq(campaign->square[2].expected, DOUBT_HARMLESS);
    ck_assert_ptr_nonnull(strstr(campaign->square[2].scenario->claim, "so it is"));
    campaign_free(campaign);
    free(doubts);
}
END_TEST

START_TEST(doubts_begin_when_all_is_ready)
{
    static struct trial_record record;
    record.process_event_count = 3;
    record.process_event[0] =
        (struct process_event){.kind = PROCESS_READY, .time = instant_s(0.323)};
    record.process_event[1] =
        (struct process_event){.kind = PROCESS_READY, .time = instant_s(7), .generation = 1};
    record.process_event[2] = (struct process_event){.kind = PROCESS_EXITED, .time = instant_s(9)};
    ck_assert_double_eq_tol(doubt_begin_s(&record), 0.43, 1e-9);
}
END_TEST

UNIT_MAIN("doubts", a_message_is_doubted_in_every_way_that_it_has,
          what_only_the_lab_reads_and_the_world_are_not_doubted,
          a_program_without_channels_is_doubted_by_its_sockets,
          lines_and_networks_are_doubted_as_the_catalogue_has_it,
          each_board_of_a_can_bus_is_doubted,
          each_servo_of_a_line_and_each_host_of_a_network_is_doubted,
          what_is_harmless_is_known_by_its_pattern_and_a_wrong_one_is_refused,
          the_trials_of_doubts_are_a_campaign_beside_the_undisturbed_one,
          doubts_begin_when_all_is_ready)
