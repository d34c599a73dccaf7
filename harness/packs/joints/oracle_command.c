// How commands are carried out (the paper, II-A2 and III-B; promises 1 and 2): position mode within
// the command's nominal velocity and acceleration; velocity mode to rest after its time-out. Judged
// on what the Control daemon publishes, which is not quantised, as far as it goes out on the bus: a
// reference that was overtaken by the next before the Hardware daemon sent it moved nothing.
#include "harness/packs/joints/oracles.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "can/bits.h"
#include "protocol/hubo_frames.h"
#include "harness/files/scenario.h"
#include "harness/packs/joints/commands.h"
#include "harness/packs/robot/facts.h"

#define ROUNDING 1e-6 // rad/s and rad/s2, of differences of references
// In periods of the stack:
#define SENT_WITHIN 3.0 // an older reference is not the one on the bus
// Between reference frames of one bus and one cycle: at most so long; or so long, where the bus was
// down in between and the second is for another board.
#define TRAIN 0.3
#define TRAIN_TORN 0.5
#define TIMEOUT_SLACK 2.0 // a time-out is noticed in the cycle after it, and acts in the next
#define CLOCK_S 1e-6      // what rounding may do to an instant

struct joint_state {
    bool known;
    size_t reference; // the last that went out: which of all published ones,
    uint64_t cycle;   // whose state it answers
    double reference_rad;
    double velocity_rad_s;                          // before the step being judged
    double velocity_low_rad_s, velocity_high_rad_s; // after the last step; a range after a gap
    double expired_speed_rad_s;                     // at the time-out of the velocity command
};

struct worst {
    double share; // margin / bound, to compare joints
    double margin, value, bound, time_s;
    int joint;
    double broken_s; // NAN: it is not
};

struct scan {
    const struct analysis *analysis;
    struct commands commands;
    struct joint_state joint[ROBOT_JOINTS_MAX];
    struct worst velocity, acceleration, wind_down;
};

static void note(struct worst *worst, double margin, double value, double bound, double time_s,
                 int joint)
{
    double share = margin / fmax(bound, 1e-3);
    note_broken(&worst->broken_s, margin, time_s);
    if (worst->joint < 0 || share < worst->share)
        *worst = (struct worst){share, margin, value, bound, time_s, joint, worst->broken_s};
}

// Close to a position limit the daemon brakes as hard as it must.
static bool brakes_for_limit(const struct joint_description *limits,
                             const struct joint_state *state, double bound_acceleration,
                             double velocity, double period_s)
{
    double speed = fabs(state->velocity_rad_s);
    double stop_rad = speed * speed / (2 * bound_acceleration) + 3 * speed * period_s;
    double left_rad = state->velocity_rad_s > 0 ? limits->position_max_rad - state->reference_rad
                                                : state->reference_rad - limits->position_min_rad;
    return fabs(velocity) <= speed && left_rad < stop_rad;
}

// After the time-out of a velocity command the description's counts; which one does is not certain
// at once.
static double acceleration_bound(const struct joint_in_force *said,
                                 const struct joint_description *limits, double time_s,
                                 double slack_s)
{
    const double down = limits->acceleration_wind_down_rad_s2;
    if (time_s < said->expires_s)
        return said->bound_acceleration;
    return time_s - said->expires_s > slack_s ? down : fmax(down, said->bound_acceleration);
}

static void judge_nominal(struct scan *scan, int joint, double velocity, double time_s)
{
    const struct joint_description *limits = &scan->analysis->description->joint[joint];
    const struct joint_in_force *said = &scan->commands.joint[joint];
    const struct joint_state *state = &scan->joint[joint];
    const double period_s = facts(scan->analysis)->period_s;
    double acceleration = (velocity - state->velocity_rad_s) / period_s;
    if (said->command.mode == JOINT_MODE_PASSTHROUGH ||
        brakes_for_limit(limits, state, said->bound_acceleration, velocity, period_s))
        return;
    const double bound_a = acceleration_bound(said, limits, time_s, TIMEOUT_SLACK * period_s);
    note(&scan->acceleration, bound_a + ROUNDING * 100 - fabs(acceleration), fabs(acceleration),
         bound_a, time_s, joint);
    // A joint that was faster than a new command allows may slow down to it.
    double bound_v = fmax(said->bound_velocity,
                          fabs(velocity) < fabs(state->velocity_rad_s) ? fabs(velocity) : 0);
    note(&scan->velocity, bound_v + ROUNDING - fabs(velocity), fabs(velocity), bound_v, time_s,
         joint);
}

static void judge_wind_down(struct scan *scan, int joint, double velocity, double time_s)
{
    const struct joint_in_force *said = &scan->commands.joint[joint];
    struct joint_state *state = &scan->joint[joint];
    if (said->command.mode != JOINT_MODE_VELOCITY)
        return;
    if (time_s < said->expires_s) {
        state->expired_speed_rad_s = fabs(velocity);
        return;
    }
    double down = scan->analysis->description->joint[joint].acceleration_wind_down_rad_s2;
    double since_s =
        fmax(0, time_s - said->expires_s - TIMEOUT_SLACK * facts(scan->analysis)->period_s);
    double bound = fmax(0, state->expired_speed_rad_s - down * since_s);
    note(&scan->wind_down, bound + 1e-4 - fabs(velocity), fabs(velocity), bound, time_s, joint);
}

// Begins anew. The board has been at rest, for what was to move it did not go out; if it only went
// out late, this daemon must go on from it. Where it starts is not known: at the set point, or at
// where the joint was measured, to which the step is no velocity. So the first reference is there,
// or one step from rest ahead; the limits of the bus judge it.
static void resume(struct scan *scan, int joint, double time_s)
{
    const struct joint_in_force *said = &scan->commands.joint[joint];
    const double down = scan->analysis->description->joint[joint].acceleration_wind_down_rad_s2;
    struct joint_state *state = &scan->joint[joint];
    const bool expired = time_s >= said->expires_s;
    const double acceleration =
        expired ? fmin(down, said->bound_acceleration) : said->bound_acceleration;
    const double step_rad_s = acceleration * facts(scan->analysis)->period_s;
    state->velocity_low_rad_s = -step_rad_s;
    state->velocity_high_rad_s = step_rad_s;
    if (!expired)
        state->expired_speed_rad_s = fmax(state->expired_speed_rad_s, step_rad_s);
}

// A reference that went out; `number` counts all that were published, `cycle` is of the state it
// answers.
static void take_joint(struct scan *scan, int joint, double reference_rad, double time_s,
                       size_t number, uint64_t cycle)
{
    struct joint_state *state = &scan->joint[joint];
    const double period_s = facts(scan->analysis)->period_s;
    const double velocity = (reference_rad - state->reference_rad) / period_s;
    // Not by the time between them, in which answers that Balance was early and late for may be 1.5
    // periods apart.
    const bool silent = cycle != state->cycle + 1;
    if (!state->known || number != state->reference + 1 || silent) {
        resume(scan, joint, time_s);
    } else {
        state->velocity_rad_s =
            fmax(state->velocity_low_rad_s, fmin(state->velocity_high_rad_s, velocity));
        if (scan->commands.joint[joint].commanded) {
            judge_nominal(scan, joint, velocity, time_s);
            judge_wind_down(scan, joint, velocity, time_s);
        }
        state->velocity_low_rad_s = state->velocity_high_rad_s = velocity;
    }
    state->known = true;
    state->reference_rad = reference_rad;
    state->reference = number;
    state->cycle = cycle;
}

// The bus log, read on from where it was: trains are the reference frames of one cycle on one bus.
// The buses' trains of a cycle may be far apart: frames that fail are sent again.
struct trains {
    const struct analysis *analysis;
    unsigned bus;
    size_t log, frame; // next to read
    double began_s;    // when the first frame of the present train went on the wire, at the latest
    uint64_t boards;   // bit b: board b has a frame in it
};

// When a frame of the bus log went on the wire.
static double started_s(const struct analysis *a, const struct bus_log_frame *logged)
{
    struct can_frame frame = {.can_id = logged->can_id, .can_dlc = (uint8_t)logged->length};
    memcpy(frame.data, logged->data, sizeof frame.data);
    const unsigned chosen = a->scenario->bus_bitrate_bit_s;
    const double bitrate_bit_s = chosen != 0 ? chosen : HUBO_BITRATE_BIT_S;
    return instant_to_s(logged->time) - can_frame_bits(&frame) / bitrate_bit_s;
}

// The next reference frame that reached the boards, NULL at the end; `board` is the one it is for.
// It stays the next one until it is taken.
static const struct bus_log_frame *next_frame(struct trains *trains, size_t *board)
{
    const struct analysis *a = trains->analysis;
    for (; trains->log < a->bus_log.count; trains->log++, trains->frame = 0) {
        const struct bus_log_message *message = a->bus_log.event[trains->log]->data;
        const size_t held = bus_log_frames(a->bus_log.event[trains->log]);
        for (; trains->frame < held; trains->frame++) {
            const struct bus_log_frame *logged = &message->frame[trains->frame];
            const struct board_description *found =
                logged->bus == trains->bus && logged->sender == BUS_LOG_HOST && !logged->failed
                    ? description_reference_board(a->description, logged->bus, logged->can_id)
                    : NULL;
            if (found == NULL)
                continue;
            *board = (size_t)(found - a->description->board);
            return logged;
        }
    }
    return NULL;
}

// Whether a frame for `board` is of the present train, whose last frame ended at last_s.
static bool belongs(const struct trains *trains, const struct bus_log_frame *frame, size_t board,
                    double last_s)
{
    const bool again = trains->boards >> board & 1;
    return instant_to_s(frame->time) - last_s <=
           (again ? TRAIN : TRAIN_TORN) * facts(trains->analysis)->period_s;
}

static bool next_train(struct trains *trains)
{
    size_t board;
    const struct bus_log_frame *frame = next_frame(trains, &board);
    if (frame == NULL)
        return false;
    double last_s = instant_to_s(frame->time);
    trains->began_s = started_s(trains->analysis, frame) + CLOCK_S;
    trains->boards = 0;
    for (; frame != NULL && belongs(trains, frame, board, last_s);
         frame = next_frame(trains, &board)) {
        last_s = instant_to_s(frame->time);
        trains->boards |= UINT64_C(1) << board;
        trains->frame++;
    }
    return true;
}

// Goes to the first train that was handed over after time_s: when; INFINITY if there is none.
static double train_after(struct trains *trains, double time_s)
{
    while (trains->began_s <= time_s)
        if (!next_train(trains))
            return INFINITY;
    return trains->began_s;
}

// The joints of the given boards of the train. What did not reach its board was never a reference.
static void take_reference(struct scan *scan, size_t number, const struct trains *trains,
                           uint64_t boards)
{
    const struct description *description = scan->analysis->description;
    const struct event *event = facts(scan->analysis)->reference.event[number];
    const struct reference_message *message = event->data;
    for (unsigned j = 0; j < message->joint_count && j < description->joint_count; j++) {
        const unsigned board = description->joint[j].board;
        if (description->board[board].bus != trains->bus)
            continue;
        if (!(message->active >> j & 1))
            scan->joint[j].known = false;
        else if (boards >> board & 1)
            take_joint(scan, (int)j, message->reference_rad[j], instant_to_s(event->time), number,
                       message->state_cycle);
    }
}

// Takes a reference to be what the next train holds, unless it is too old for that, or another one
// was published before. In real time a bus may be held for so long that what is left of its train
// looks like another: it is for the other boards.
static void judge_reference(struct scan *scan, size_t number, struct trains *trains)
{
    const struct series *references = &facts(scan->analysis)->reference;
    const double time_s = instant_to_s(references->event[number]->time);
    const double next_s = number + 1 < references->count
                              ? instant_to_s(references->event[number + 1]->time)
                              : INFINITY;
    const double until_s = fmin(next_s, time_s + SENT_WITHIN * facts(scan->analysis)->period_s);
    uint64_t served = 0;
    double sent_s = train_after(trains, time_s);
    while (sent_s <= until_s) {
        take_reference(scan, number, trains, trains->boards & ~served);
        served |= trains->boards;
        sent_s = train_after(trains, sent_s);
    }
}

// Goes through commands and references in the order in which they were published.
static struct scan *scan_commands(const struct analysis *a)
{
    struct scan *scan = calloc(1, sizeof *scan);
    if (scan == NULL)
        return NULL;
    scan->analysis = scan->commands.analysis = a;
    scan->velocity = scan->acceleration = scan->wind_down =
        (struct worst){.joint = -1, .broken_s = NAN};
    struct trains trains[BUS_LOG_BUSES];
    for (unsigned bus = 0; bus < BUS_LOG_BUSES; bus++)
        trains[bus] = (struct trains){.analysis = a, .bus = bus, .began_s = -INFINITY};
    for (size_t i = 0; i < facts(a)->reference.count; i++) {
        if (commands_until(&scan->commands, i))
            for (unsigned j = 0; j < ROBOT_JOINTS_MAX; j++)
                scan->joint[j].known =
                    false; // the daemon before it may have been stopped in motion
        for (unsigned bus = 0; bus < BUS_LOG_BUSES; bus++)
            judge_reference(scan, i, &trains[bus]);
    }
    return scan;
}

static void judge_commands(const struct analysis *a, struct oracle_verdict *verdict, size_t which,
                           const char *unit)
{
    struct scan *scan = scan_commands(a);
    if (scan == NULL) {
        verdict_no_memory(verdict);
        return;
    }
    const struct worst *all[] = {&scan->velocity, &scan->acceleration, &scan->wind_down},
                       *worst = all[which];
    if (worst->joint < 0)
        verdict_nothing(verdict, which == 2 ? "no velocity command ran into its time-out"
                                            : "no commanded joint moved");
    else {
        verdict_margin(verdict, worst->margin, unit,
                       "closest is %s at %.3f s: %.4g %s, bound %.4g %s",
                       a->description->joint[worst->joint].name, worst->time_s, worst->value, unit,
                       worst->bound, unit);
        verdict_broken_at(verdict, worst->broken_s);
    }
    free(scan);
}

void oracle_nominal_velocity(const struct analysis *a, struct oracle_verdict *verdict)
{
    judge_commands(a, verdict, 0, "rad/s");
}

void oracle_nominal_acceleration(const struct analysis *a, struct oracle_verdict *verdict)
{
    judge_commands(a, verdict, 1, "rad/s2");
}

void oracle_velocity_wind_down(const struct analysis *a, struct oracle_verdict *verdict)
{
    judge_commands(a, verdict, 2, "rad/s");
}
