#include "targets/hubo2/hardware/hardware_requests.h"

#include <math.h>

// A bus takes a cycle's references in less: at 1 Mbit/s in 0.95 ms. Faster rates have buses that
// cost nothing.
#define PATIENCE_NS 1000000
#define PATIENCE_PERCENT 25 // of the period, at most

static bool send(struct can_host *host, unsigned bus, const struct can_frame *frame, instant now)
{
    if (can_send(host->port[bus], frame, now) == STATUS_OK) {
        host->queued[bus]++;
        host->handed_over = now;
        return true;
    }
    host->refused[bus]++;
    return false;
}

// ---- what does not leave -----------------------------------------------------------------------

// Frames of this cycle that a bus does not take. While it has had no time for them, because it is
// simulated in real time and behind the clock, nothing can be said: none.
static unsigned left_over(const struct can_host *host, const struct readings *readings,
                          unsigned bus)
{
    const int64_t share_ns = (int64_t)readings->state.period_us * 1000 / 100 * PATIENCE_PERCENT,
                  patience_ns = share_ns < PATIENCE_NS ? share_ns : PATIENCE_NS;
    const instant told = instant_add(host->handed_over, duration_ns(patience_ns));
    return instant_before(can_time(host->port[bus]), told) ? 0 : can_unsent(host->port[bus]);
}

// The boards of a bus whose references are among its last `unsent` frames.
static uint64_t uninformed_boards(const struct can_host *host,
                                  const struct description *description, unsigned bus,
                                  unsigned unsent)
{
    const unsigned sent = host->queued[bus] > unsent ? host->queued[bus] - unsent : 0;
    uint64_t boards = 0;
    for (unsigned b = 0; b < description->board_count; b++)
        if (description->board[b].bus == bus && host->reference_at[b] > sent)
            boards |= UINT64_C(1) << b;
    return boards;
}

static void not_referenced(struct readings *readings, uint64_t boards)
{
    for (; boards != 0; boards &= boards - 1) {
        const struct board_description *board =
            &readings->description->board[__builtin_ctzll(boards)];
        for (unsigned c = 0; c < board->channel_count; c++)
            if (board->joint[c] >= 0)
                readings_not_referenced(readings, (unsigned)board->joint[c]);
    }
}

void requests_begin(struct can_host *host, struct readings *readings)
{
    for (unsigned bus = 0; bus < HARDWARE_BUSES; bus++) {
        const unsigned unsent = left_over(host, readings, bus);
        host->stuck[bus] = unsent > 0;
        if (unsent > 0) {
            can_withdraw(host->port[bus]);
            not_referenced(readings, uninformed_boards(host, readings->description, bus, unsent));
        }
        host->queued[bus] = 0;
    }
    for (unsigned b = 0; b < DESCRIPTION_BOARDS_MAX; b++)
        host->reference_at[b] = 0;
}

static uint64_t sent_ever(const struct can_host *host, unsigned bus)
{
    struct can_health health;
    can_health(host->port[bus], &health);
    return health.sent;
}

void requests_look(struct can_host *host, const struct readings *readings)
{
    for (unsigned bus = 0; bus < HARDWARE_BUSES; bus++) {
        const unsigned unsent = left_over(host, readings, bus);
        if (uninformed_boards(host, readings->description, bus, unsent) == 0)
            continue;
        host->withdrawn[bus] = (struct withdrawn){unsent, sent_ever(host, bus)};
        can_withdraw(host->port[bus]);
        host->stuck[bus] = true;
    }
}

void requests_settle(struct can_host *host, struct readings *readings)
{
    for (unsigned bus = 0; bus < HARDWARE_BUSES; bus++) {
        struct withdrawn *withdrawn = &host->withdrawn[bus];
        if (withdrawn->frames == 0)
            continue;
        const bool one_left = sent_ever(host, bus) != withdrawn->sent_before;
        not_referenced(readings, uninformed_boards(host, readings->description, bus,
                                                   withdrawn->frames - one_left));
        withdrawn->frames = 0;
    }
}

// ---- references --------------------------------------------------------------------------------

static bool is_active(const struct reference_message *reference, int joint)
{
    return joint >= 0 && reference->active >> joint & 1;
}

// What joint j's channel is to be told: its reference, or where it is held. False if that is
// unknown.
static bool channel_value(const struct readings *readings,
                          const struct reference_message *reference, int j, double *value)
{
    if (is_active(reference, j))
        *value = reference->reference_rad[j];
    else if (readings->referenced[j])
        *value = readings->state.joint[j].reference_rad;
    else if (readings->joint[j].known)
        *value = readings->joint[j].position_rad;
    else
        return false;
    return true;
}

static bool motor_frame(const struct readings *readings, const struct board_description *board,
                        const struct reference_message *reference, struct can_frame *frame,
                        double value[HUBO_CHANNELS_MAX])
{
    int32_t ticks[HUBO_CHANNELS_MAX] = {0};
    for (unsigned c = 0; c < board->channel_count; c++) {
        const int j = board->joint[c];
        if (j < 0)
            continue;
        if (!channel_value(readings, reference, j, &value[c]))
            return false;
        ticks[c] = hubo_ticks(value[c], readings->description->joint[j].ticks_per_rad);
    }
    hubo_reference(frame, board->reference_can_id, board->channel_count, ticks);
    return true;
}

// Fingers are driven open loop: where they settle against their springs is the share of PWM.
static int finger_pwm_percent(const struct joint_description *joint, double position_rad)
{
    const double range = position_rad < 0 ? -joint->position_min_rad : joint->position_max_rad;
    return range > 0 ? (int)lrint(100 * position_rad / range) : 0;
}

static bool finger_frame(const struct readings *readings, const struct board_description *board,
                         const struct reference_message *reference, struct can_frame *frame,
                         double value[HUBO_CHANNELS_MAX])
{
    int percent[HUBO_CHANNELS_MAX] = {0};
    for (unsigned c = 0; c < board->channel_count; c++) {
        const int j = board->joint[c];
        if (j < 0)
            continue;
        if (!channel_value(readings, reference, j, &value[c]))
            return false;
        percent[c] = finger_pwm_percent(&readings->description->joint[j], value[c]);
    }
    hubo_finger_reference(frame, board->id, percent);
    return true;
}

static bool any_active(const struct board_description *board,
                       const struct reference_message *reference)
{
    for (unsigned c = 0; c < board->channel_count; c++)
        if (is_active(reference, board->joint[c]))
            return true;
    return false;
}

void requests_send_references(struct can_host *host, struct readings *readings,
                              const struct reference_message *reference, instant now)
{
    const struct description *description = readings->description;
    for (unsigned b = 0; b < description->board_count; b++) {
        const struct board_description *board = &description->board[b];
        if (!any_active(board, reference))
            continue;
        if (host->stuck[board->bus]) {
            host->refused[board->bus]++;
            continue;
        }
        struct can_frame frame;
        double value[HUBO_CHANNELS_MAX];
        const bool known = board->finger ? finger_frame(readings, board, reference, &frame, value)
                                         : motor_frame(readings, board, reference, &frame, value);
        if (!known || !send(host, board->bus, &frame, now))
            continue;
        host->reference_at[b] = host->queued[board->bus];
        for (unsigned c = 0; c < board->channel_count; c++)
            if (board->joint[c] >= 0)
                readings_referenced(readings, (unsigned)board->joint[c], value[c],
                                    is_active(reference, board->joint[c]));
    }
}

// ---- requests ----------------------------------------------------------------------------------

static void ask_anyway(struct can_host *host, struct readings *readings, unsigned bus,
                       uint32_t reply_id, const struct can_frame *request, instant now)
{
    if (send(host, bus, request, now))
        senders_expect(&readings->senders, bus, reply_id);
}

static void ask(struct can_host *host, struct readings *readings, unsigned bus, uint32_t reply_id,
                const struct can_frame *request, instant now)
{
    if (!senders_overdue(&readings->senders, bus, reply_id))
        ask_anyway(host, readings, bus, reply_id, request, now);
}

static void ask_sensors(struct can_host *host, struct readings *readings, instant now)
{
    static const struct {
        unsigned bus, sensor;
    } force_torque[] = {{0, HUBO_SENSOR_RIGHT_FOOT},
                        {0, HUBO_SENSOR_LEFT_FOOT},
                        {1, HUBO_SENSOR_RIGHT_HAND},
                        {1, HUBO_SENSOR_LEFT_HAND}};
    struct can_frame frame;
    hubo_request_imu(&frame);
    ask(host, readings, 0, HUBO_ID_INERTIAL + HUBO_SENSOR_IMU, &frame, now);
    for (unsigned i = 0; i < 4; i++) {
        hubo_request_force_torque(&frame, force_torque[i].sensor);
        ask(host, readings, force_torque[i].bus, HUBO_ID_FORCE_TORQUE + force_torque[i].sensor,
            &frame, now);
    }
    for (unsigned sensor = HUBO_SENSOR_RIGHT_FOOT; sensor <= HUBO_SENSOR_LEFT_FOOT; sensor++) {
        hubo_request_tilt(&frame, sensor);
        ask(host, readings, 0, HUBO_ID_INERTIAL + sensor, &frame, now);
    }
    if (readings->state.cycle % POWER_EVERY_CYCLES == 1) {
        hubo_request_power(&frame);
        ask(host, readings, 1, HUBO_ID_POWER, &frame, now);
    }
}

// Makes the request for a board's status or current, and returns the identifier of its reply.
static uint32_t health_request(const struct board_description *board, enum source_kind kind,
                               struct can_frame *request)
{
    if (kind == SOURCE_STATUS) {
        hubo_request_status(request, board->id);
        return board->status_can_id;
    }
    hubo_request_current(request, board->id);
    return board->current_can_id;
}

// Is the board there at all, and is what it owes lost?
static void probe(struct can_host *host, struct readings *readings, unsigned b, instant now)
{
    const struct board_description *board = &readings->description->board[b];
    struct can_frame request;
    const uint32_t reply_id = health_request(board, senders_probe(&readings->senders, b), &request);
    ask_anyway(host, readings, board->bus, reply_id, &request, now);
}

static void ask_encoders(struct can_host *host, struct readings *readings, instant now)
{
    const struct description *description = readings->description;
    for (unsigned b = 0; b < description->board_count; b++) {
        const struct board_description *board = &description->board[b];
        if (senders_in_question(&readings->senders, b)) {
            probe(host, readings, b, now);
            continue;
        }
        for (unsigned choice = 0; choice < hubo_encoder_requests(board->channel_count); choice++) {
            struct can_frame frame;
            hubo_request_encoder(&frame, board->id, choice);
            ask_anyway(host, readings, board->bus, board->encoder_can_id, &frame, now);
        }
    }
}

// Status in odd cycles, current in even ones, of the next board of each bus, unless it is being
// probed.
static void ask_health(struct can_host *host, struct readings *readings, instant now)
{
    const struct description *description = readings->description;
    for (unsigned bus = 0; bus < HARDWARE_BUSES; bus++) {
        unsigned boards = 0;
        for (unsigned b = 0; b < description->board_count; b++)
            boards += description->board[b].bus == bus;
        if (!boards)
            continue;
        unsigned turn = (unsigned)(readings->state.cycle / 2 % boards);
        unsigned b = 0;
        while (description->board[b].bus != bus || turn--)
            b++;
        const struct board_description *board = &description->board[b];
        if (senders_in_question(&readings->senders, b))
            continue;
        struct can_frame request;
        const uint32_t reply_id = health_request(
            board, readings->state.cycle % 2 ? SOURCE_STATUS : SOURCE_CURRENT, &request);
        ask(host, readings, bus, reply_id, &request, now);
    }
}

void requests_send_polls(struct can_host *host, struct readings *readings, instant now)
{
    ask_sensors(host, readings, now);
    ask_encoders(host, readings, now);
    ask_health(host, readings, now);
}

void requests_send_enables(struct can_host *host, const struct readings *readings, instant now)
{
    const struct description *description = readings->description;
    for (unsigned b = 0; b < description->board_count; b++) {
        const struct board_description *board = &description->board[b];
        const int j = board->joint[0];
        if (board->finger || j < 0 || !readings->state.health[j].valid)
            continue;
        struct can_frame frame;
        if (!(readings->state.health[j].flags & JOINT_DRIVER_ON)) {
            hubo_board_command(&frame, board->id, HUBO_DRIVER, 1);
            (void)send(host, board->bus, &frame, now);
        }
        if (!(readings->state.health[j].flags & JOINT_CONTROL_ON)) {
            hubo_board_command(&frame, board->id, HUBO_CONTROL_ON, 0);
            (void)send(host, board->bus, &frame, now);
        }
    }
}
