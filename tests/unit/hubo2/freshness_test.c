// Whatever holds up, loses or cuts off replies, and whoever dies: no reading of an earlier cycle
// passes for one of the present, and when all is well again every reading is there. The daemon's
// own requests and readings on a real bus, with boards that reply the number of the cycle.
#include "tests/unit/common/unit.h"

#include <math.h>

#include "base/random.h"
#include "can/page.h"
#include "tests/unit/can/can_cell.h"
#include "targets/hubo2/hardware/hardware_buses.h"

#define CYCLE_NS 10000000
#define PUBLISH_NS 6000000
#define DELAY_NS 30000 // a board's, from request to reply
#define CYCLES 1500    // fewer than any reading can count
#define FAULTS_MAX 2
#define CALM_CYCLES 40
#define RESTART_CYCLES 5
#define HUNDREDTH_DEGREE (M_PI / 18000)

static struct description *description; // of the first bus alone
static struct readings readings;
static struct can_host host;
static struct can_bus *bus;
static unsigned board_node[DESCRIPTION_BOARDS_MAX],
    sensor_node[8]; // by the sensor's number, and 5 more for its tilt
static uint64_t cycle;
static unsigned stale, valid;
static bool forgetful; // the daemon as it was: debts are forgotten after a cycle

// ---- boards ------------------------------------------------------------------------------------

static bool board_reply(const struct can_frame *request, unsigned b, struct can_frame *reply)
{
    const struct board_description *board = &description->board[b];
    const struct hubo_status status[HUBO_CHANNELS_MAX] = {0};
    const double current_A[HUBO_CHANNELS_MAX] = {0};
    int32_t ticks[HUBO_CHANNELS_MAX];
    for (unsigned c = 0; c < HUBO_CHANNELS_MAX; c++)
        ticks[c] = (int32_t)cycle;
    if (request->data[1] == HUBO_GET_ENCODER)
        hubo_encoder_reply(reply, board->encoder_can_id, board->channel_count, 0, ticks);
    else if (request->data[1] == HUBO_GET_STATUS)
        hubo_status_reply(reply, board->status_can_id, board->channel_count, status);
    else if (request->data[1] == HUBO_GET_CURRENT)
        hubo_current_reply(reply, board->current_can_id, board->channel_count, current_A, 0);
    else
        return false;
    return true;
}

// The node that replies.
static unsigned sensor_reply(const struct can_frame *request, struct can_frame *reply)
{
    const unsigned sensor = request->data[0] % 4;
    const double angle_rad = (double)cycle * HUNDREDTH_DEGREE;
    if (request->data[1] == HUBO_REQUEST_IMU) {
        hubo_imu_reply(reply, angle_rad, 0, 0, 0);
        return sensor_node[3];
    }
    if (request->data[1] == HUBO_REQUEST_TILT) {
        hubo_tilt_reply(reply, sensor, angle_rad, 0, 0);
        return sensor_node[sensor + 5];
    }
    hubo_force_torque_reply(reply, sensor, 0, 0, (double)cycle / 10);
    return sensor_node[sensor];
}

static void answer(void *context, const struct can_stamped *frame,
                   const struct can_delivery *delivery)
{
    (void)context;
    const struct can_frame *request = &frame->frame;
    struct can_frame reply;
    unsigned node;
    if (delivery->failed || delivery->sender != CAN_BUS_FROM_HOST)
        return;
    if (request->can_id == HUBO_ID_SENSOR_REQUEST && request->data[0] <= 3) { // of this bus
        node = sensor_reply(request, &reply);
    } else {
        unsigned b = 0;
        while (b < description->board_count && description->board[b].id != request->data[0])
            b++;
        if (request->can_id != HUBO_ID_COMMAND || b == description->board_count ||
            !board_reply(request, b, &reply))
            return;
        node = board_node[b];
    }
    if (delivery->heard >> node & 1 &&
        can_bus_send(bus, node, &reply, instant_add(frame->time, duration_ns(DELAY_NS))) !=
            STATUS_OK)
        return; // its queue is full: the reply is lost
}

// ---- the daemon --------------------------------------------------------------------------------

static void start_daemon(void)
{
    ck_assert_int_eq(readings_start(&readings, description), STATUS_OK);
    readings.state.cycle = cycle;
    host = (struct can_host){.port = {open_host(), NULL}};
    host.port[1] = host.port[0]; // what is asked of the other bus's sensors goes unanswered
    ck_assert_int_eq(hardware_buses_listen(host.port[0], &readings, 0), STATUS_OK);
}

static void look_at(bool is_valid, double reading)
{
    valid += is_valid;
    stale += is_valid && llrint(reading) != (long long)cycle;
}

static void look(void)
{
    const struct state_message *state = &readings.state;
    for (unsigned b = 0; b < description->board_count; b++)
        for (unsigned c = 0; c < description->board[b].channel_count; c++) {
            const int j = description->board[b].joint[c];
            if (j >= 0)
                look_at(state->joint[j].valid,
                        state->joint[j].position_rad * description->joint[j].ticks_per_rad);
        }
    for (unsigned side = 0; side < SIDE_COUNT; side++) {
        const struct force_torque_reading *foot =
            &state->force_torque[side == SIDE_RIGHT ? FT_RIGHT_FOOT : FT_LEFT_FOOT];
        look_at(foot->valid, foot->force_z_N * 10);
        look_at(state->tilt[side].valid, state->tilt[side].angle_x_rad / HUNDREDTH_DEGREE);
    }
    look_at(state->imu.valid, state->imu.roll_rad / HUNDREDTH_DEGREE);
}

static void run_cycle(bool stopped)
{
    const instant start = instant_ns((int64_t)++cycle * CYCLE_NS),
                  due = instant_add(start, duration_ns(PUBLISH_NS));
    valid = 0;
    if (!stopped) {
        readings.state.cycle = cycle - 1;
        for (unsigned i = 0; i < readings.senders.count && forgetful; i++)
            readings.senders.source[i].owed = 0;
        readings_begin(&readings, start);
        hardware_buses_drain(&host, &readings);
        requests_begin(&host, &readings);
        requests_send_polls(&host, &readings, start);
        can_bus_advance(bus, due);
        hardware_buses_drain(&host, &readings);
        readings_finish(&readings, due);
        look();
    }
    can_bus_advance(bus, instant_ns((int64_t)(cycle + 1) * CYCLE_NS));
}

// ---- what happens to it ------------------------------------------------------------------------

struct mishap {
    unsigned slot, cycles;
};

// A stranger that takes the bus from all replies, from boards alone, from one board and all health,
// or from everybody; and frames that are lost, fail, or do not get through; boards that are silent,
// start anew or are bus-off.
static struct can_disturbance any_disturbance(struct random_stream *random)
{
    static const uint32_t babble[] = {0x3F, 0x5F, 0x6F, 0x000};
    static const enum can_disturbance_kind kinds[] = {
        CAN_DISTURB_FLOOD, CAN_DISTURB_FLOOD,   CAN_DISTURB_FLOOD,
        CAN_DISTURB_LOSE,  CAN_DISTURB_CORRUPT, CAN_DISTURB_CUT,
        CAN_DISTURB_MUTE,  CAN_DISTURB_RESET,   CAN_DISTURB_BUS_OFF};
    struct can_disturbance what = {.kind = kinds[random_bits(random) % 9],
                                   .node = CAN_DISTURB_ANY_NODE,
                                   .burst = 1 + (uint32_t)(random_bits(random) % 3),
                                   .seed = random_bits(random),
                                   .other_id = babble[random_bits(random) % 4]};
    if (what.kind == CAN_DISTURB_FLOOD && random_bits(random) % 2)
        what.delay_ns = 100000 + (int64_t)(random_bits(random) % 200000);
    if (what.kind == CAN_DISTURB_LOSE)
        what.share_ppm = 300000;
    if (what.kind == CAN_DISTURB_CORRUPT)
        what.share_ppm = 100000; // more make everybody bus-off
    if (what.kind >= CAN_DISTURB_MUTE && what.kind <= CAN_DISTURB_BUS_OFF)
        what.node = CAN_HOST_NODES_MAX + board_node[random_bits(random) % description->board_count];
    return what;
}

static void maybe_begin(struct mishap *mishap, struct random_stream *random)
{
    if (mishap->cycles > 0 && --mishap->cycles == 0)
        calm(mishap->slot);
    if (mishap->cycles > 0 || random_bits(random) % 30 != 0)
        return;
    mishap->slot = disturb(any_disturbance(random));
    mishap->cycles = 1 + (unsigned)(random_bits(random) % 60);
}

static void set_up(void)
{
    ck_assert_int_eq(description_load("targets/hubo2/hubo2.xml", &description), STATUS_OK);
    unsigned boards = 0;
    for (unsigned b = 0; b < description->board_count; b++)
        if (description->board[b].bus == 0)
            description->board[boards++] = description->board[b];
    description->board_count = boards;
    bus = new_bus();
    for (unsigned b = 0; b < boards; b++)
        board_node[b] = add_node(bus);
    for (unsigned sensor = 1; sensor < 8; sensor++)
        sensor_node[sensor] = add_node(bus);
    can_bus_listen(bus, answer, NULL);
    cycle = stale = 0;
    start_daemon();
}

static void tear_down(void)
{
    can_close(host.port[0]);
    end_bus(bus);
    description_free(description);
}

// Runs a daemon through mishaps, stopped and restarted at times if it `dies`, and then without.
// Nothing ends in the first cycles of a new daemon: what comes then for its predecessor, it
// believes (doc/reference/can.md).
static void restart(struct mishap *mishap)
{
    can_close(host.port[0]);
    for (unsigned i = 0; i < RESTART_CYCLES; i++)
        run_cycle(true);
    start_daemon();
    for (unsigned i = 0; i < FAULTS_MAX; i++)
        mishap[i].cycles += mishap[i].cycles > 0 ? RESTART_CYCLES : 0;
}

// Runs a daemon through mishaps, stopped and restarted at times if it `dies`, and then without.
static void live(uint64_t seed, bool dies)
{
    struct random_stream random;
    struct mishap mishap[FAULTS_MAX] = {{0}};
    random_start(&random, seed, "freshness");
    set_up();
    run_cycle(false);
    const unsigned all = valid;
    ck_assert_uint_eq(all, 13 + 5); // joints, and sensors
    for (unsigned stopped = 0; cycle < CYCLES;) {
        for (unsigned i = 0; i < FAULTS_MAX; i++)
            maybe_begin(&mishap[i], &random);
        if (dies && random_bits(&random) % 100 == 0)
            stopped = (unsigned)(random_bits(&random) % 40);
        if (dies && random_bits(&random) % 100 == 0) {
            restart(mishap);
            stopped = 0;
        }
        run_cycle(stopped > 0);
        stopped -= stopped > 0;
    }
    for (unsigned i = 0; i < FAULTS_MAX; i++)
        if (mishap[i].cycles > 0)
            calm(mishap[i].slot);
    for (unsigned i = 0; i < CALM_CYCLES; i++)
        run_cycle(false);
    ck_assert_uint_eq(valid, all);
    tear_down();
}

START_TEST(no_reading_of_an_earlier_cycle_passes_for_one_of_the_present)
{
    for (uint64_t seed = 1; seed <= 12; seed++) {
        live(seed, false);
        ck_assert_msg(stale == 0, "seed %u: %u old readings", (unsigned)seed, stale);
    }
}
END_TEST

START_TEST(nor_when_the_daemon_is_stopped_or_starts_anew)
{
    for (uint64_t seed = 1; seed <= 12; seed++) {
        live(seed, true);
        ck_assert_msg(stale == 0, "seed %u: %u old readings", (unsigned)seed, stale);
    }
}
END_TEST

START_TEST(a_daemon_that_forgets_what_is_owed_is_found_out)
{
    forgetful = true;
    unsigned found = 0;
    for (uint64_t seed = 1; seed <= 4; seed++) {
        live(seed, false);
        found += stale > 0;
    }
    ck_assert_uint_gt(found, 2);
}
END_TEST

UNIT_MAIN("freshness", no_reading_of_an_earlier_cycle_passes_for_one_of_the_present,
          nor_when_the_daemon_is_stopped_or_starts_anew,
          a_daemon_that_forgets_what_is_owed_is_found_out)
