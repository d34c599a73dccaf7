#include "targets/hubo2/balance/balance_core.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/invariant.h"
#include "base/log.h"
#include "model/spatial.h"
#include "walk/steps/route.h"

#define TILT_FALLEN_RAD (M_PI / 4)
#define ACTIVE_CYCLES 5   // references must reach the boards for so long before a recovery moves
#define REST_CYCLES 20    // ... and the robot be at rest for so long,
#define SETTLE_CYCLES 200 // but it is not waited for longer than this
#define REST_RATE_RAD_S 0.1
#define SETTLE_ACCELERATION_RAD_S2 10.0
#define ODOMETRY_MAX 1e4 // m, rad: no robot has walked or turned farther
#define FEET_APART_MAX_M 2.0
#define ANCHOR_INWARD_M 0.05
#define PELVIS_LOWEST_M 0.45
#define AHEAD_MAX 10         // samples from a status to a state
#define STAND_CREEP_M 0.0001 // per cycle: from where a plan ended to the exact standing pose

static enum status find_joints(struct balance *balance)
{
    static const char *const name[BALANCE_JOINTS] = {
        "RHY", "RHR", "RHP", "RKN", "RAP", "RAR", "LHY", "LHR", "LHP", "LKN", "LAP", "LAR", "WST"};
    balance->watch.joint_count = BALANCE_JOINTS;
    for (int i = 0; i < BALANCE_JOINTS; i++) {
        int found = description_joint(balance->description, name[i]);
        if (found < 0) {
            log_error("joint %s is not in the robot description; add it", name[i]);
            return STATUS_INVALID;
        }
        balance->joint[i] = (unsigned)found;
        balance->watch.joint[i] = (unsigned)found;
    }
    for (unsigned j = 0; j < balance->model->joint_count; j++) {
        balance->model_joint[j] =
            description_joint(balance->description, balance->model->joint[j].name);
        if (balance->model_joint[j] < 0) {
            log_error("joint %s of the robot model is not in the robot description; add it",
                      balance->model->joint[j].name);
            return STATUS_INVALID;
        }
    }
    return STATUS_OK;
}

// Whether a predecessor's status can be gone on from: feet that are somewhere, and together.
static bool feet_sound(const struct pose2d foot[SIDE_COUNT])
{
    for (int side = 0; side < SIDE_COUNT; side++)
        if (!(fabs(foot[side].x_m) < ODOMETRY_MAX && fabs(foot[side].y_m) < ODOMETRY_MAX &&
              fabs(foot[side].yaw_rad) < ODOMETRY_MAX))
            return false;
    return pose2d_distance_m(foot[SIDE_RIGHT], foot[SIDE_LEFT]) < FEET_APART_MAX_M;
}

enum status balance_init(struct balance *balance, const struct description *description,
                         const struct robot_model *model, const struct balance_status_message *last,
                         const struct balance_command_message *command)
{
    memset(balance, 0, sizeof *balance);
    balance->description = description;
    balance->model = model;
    enum status status = find_joints(balance);
    for (int side = 0; side < SIDE_COUNT && status == STATUS_OK; side++)
        status = leg_from_model(model, (enum side)side, &balance->leg[side]);
    if (status == STATUS_OK)
        status = walk_body_from_model(model, &balance->body);
    struct stabilizer_parameters parameters = stabilizer_defaults(balance->body.com_height_m);
    if (status == STATUS_OK)
        status = stabilizer_init(&balance->stabilizer, model, &parameters);
    balance_commands_restore(&balance->commands, last, command);
    const struct stance stance = footsteps_stance((struct pose2d){0, 0, 0});
    memcpy(balance->foot, stance.foot, sizeof balance->foot);
    balance_succeed(balance, last);
    return status;
}

void balance_leave(struct balance *balance)
{
    segment_buffer_clear(&balance->buffer);
    balance->phase = BALANCE_PHASE_WAITING;
    balance->following = false;
    balance->watch.started = false;
}

void balance_succeed(struct balance *balance, const struct balance_status_message *last)
{
    balance_leave(balance);
    if (last != NULL && feet_sound(last->foot))
        memcpy(balance->foot, last->foot, sizeof balance->foot);
    balance->epoch = last != NULL ? last->epoch + 1 : 1;
    balance->started_before = last != NULL;
}

void balance_receive_command(struct balance *balance, const struct balance_command_message *command)
{
    balance_commands_receive(&balance->commands, command, balance->phase);
}

enum splice balance_receive_segment(struct balance *balance, const struct segment_message *segment)
{
    enum splice splice = SPLICE_PLAN;
    if (balance->phase == BALANCE_PHASE_WAITING) {
        splice = segment_buffer_resume(&balance->buffer, segment);
    } else if (balance->phase == BALANCE_PHASE_STANDING &&
               balance_commands_wants(&balance->commands, segment->request_id)) {
        splice = segment_buffer_begin(&balance->buffer, segment, balance->epoch, &balance->stand);
        if (splice == SPLICE_TAKEN) {
            balance_commands_plan_begun(&balance->commands, segment->request_id);
            balance->executing = -1;
            balance->begin_yaw_rad = pose2d_middle(balance->foot[0], balance->foot[1]).yaw_rad;
            balance->phase = BALANCE_PHASE_EXECUTING;
        }
    } else if (balance->phase == BALANCE_PHASE_EXECUTING &&
               !balance_commands_stopping(&balance->commands)) {
        splice =
            segment_buffer_splice(&balance->buffer, segment, balance->epoch, balance->executing);
    }
    balance->splices[splice]++;
    return splice;
}

// How the robot stands on its feet where they are, with the centre of mass over a point. False if
// the feet are too far apart for that at this height: the legs then come as near as they can.
static bool stand_over(const struct balance *balance, const struct walk_body *body,
                       const double zmp_m[2], double yaw_rad, struct segment_sample *stand)
{
    memset(stand, 0, sizeof *stand);
    stand->pelvis_yaw_rad = yaw_rad;
    stand->support = SUPPORT_BOTH;
    memcpy(stand->zmp_m, zmp_m, sizeof stand->zmp_m);
    for (int side = 0; side < SIDE_COUNT; side++) {
        stand->foot_m[side][0] = balance->foot[side].x_m;
        stand->foot_m[side][1] = balance->foot[side].y_m;
        stand->foot_yaw_rad[side] = balance->foot[side].yaw_rad;
    }
    struct walk_body_pose pose = {.pelvis_m = {zmp_m[0], zmp_m[1], body->pelvis_height_m}};
    enum status reached =
        walk_body_solve(body, stand->zmp_m, yaw_rad, stand->foot_m, stand->foot_yaw_rad, &pose);
    memcpy(stand->pelvis_m, pose.pelvis_m, sizeof stand->pelvis_m);
    memcpy(stand->com_m, pose.com_m, sizeof stand->com_m);
    return reached == STATUS_OK;
}

// ... over the middle between them.
static void find_stand(struct balance *balance)
{
    struct pose2d middle = pose2d_middle(balance->foot[SIDE_RIGHT], balance->foot[SIDE_LEFT]);
    bool reached = stand_over(balance, &balance->body, (double[2]){middle.x_m, middle.y_m},
                              middle.yaw_rad, &balance->stand_exact);
    (void)reached; // the legs come as near as they can
}

// ... over the anchor; where the feet are far apart, a little towards the other one, and as low as
// the legs' length demands.
static void find_anchored(const struct balance *balance, const struct rest *rest,
                          struct segment_sample *anchored)
{
    expects(rest->anchor < SIDE_COUNT);
    enum side far = rest->anchor == SIDE_RIGHT ? SIDE_LEFT : SIDE_RIGHT;
    const struct pose2d *anchor = &balance->foot[rest->anchor], *other = &balance->foot[far];
    double share = rest->apart ? ANCHOR_INWARD_M / pose2d_distance_m(*anchor, *other) : 0;
    double over[2] = {anchor->x_m + share * (other->x_m - anchor->x_m),
                      anchor->y_m + share * (other->y_m - anchor->y_m)};
    struct walk_body body = balance->body;
    while (!stand_over(balance, &body, over, rest->pose.pelvis_rpy[2], anchored) &&
           body.pelvis_height_m > PELVIS_LOWEST_M)
        body.pelvis_height_m -= 0.01;
}

static void feet_of_sample(struct balance *balance, const struct segment_sample *sample)
{
    for (int side = 0; side < SIDE_COUNT; side++)
        balance->foot[side] = (struct pose2d){sample->foot_m[side][0], sample->foot_m[side][1],
                                              sample->foot_yaw_rad[side]};
}

// Planned motion is broken off: the plan is void, and the robot comes to rest before anything else
// is done.
static void break_off(struct balance *balance, enum interruption interruption)
{
    const struct segment_sample *sample = segment_buffer_at(&balance->buffer, balance->executing);
    if (balance->phase == BALANCE_PHASE_EXECUTING && sample != NULL) {
        feet_of_sample(balance, sample);
        balance_commands_plan_broken(&balance->commands, balance->buffer.request_id);
    }
    segment_buffer_clear(&balance->buffer);
    balance->following = false;
    bool first = balance->phase == BALANCE_PHASE_WAITING && !balance->started_before;
    if (balance->phase != BALANCE_PHASE_WAITING)
        balance->epoch++;
    if (balance->phase != BALANCE_PHASE_PREPARING)
        balance->phase = first ? BALANCE_PHASE_PREPARING : BALANCE_PHASE_RECOVERING;
    balance->interruption = interruption;
    balance->moving = false;
    balance->active_cycles = 0;
    balance->rest_cycles = 0;
}

// The sample before the one that the state's cycle is to carry out, -1: nobody knows. A status may
// be that of the cycle before.
static int64_t executed_before(const struct balance_status_message *other,
                               const struct state_message *state)
{
    const double ahead = duration_to_s(instant_sub(state->time, other->time)) / BALANCE_PERIOD_S;
    if (other->sample < 0 || other->sample > PLAN_SAMPLES_MAX || !(fabs(ahead) < AHEAD_MAX))
        return -1;
    return other->sample + (int64_t)round(ahead) - 1;
}

bool balance_join(struct balance *balance, const struct balance_status_message *other,
                  const struct state_message *state)
{
    const int64_t before = executed_before(other, state);
    const bool goes = other->phase == BALANCE_PHASE_EXECUTING &&
                      balance->buffer.plan_id == other->plan_id &&
                      segment_buffer_at(&balance->buffer, before) != NULL;
    if (!feet_sound(other->foot) || (!goes && other->phase != BALANCE_PHASE_STANDING))
        return false;
    memcpy(balance->foot, other->foot, sizeof balance->foot);
    balance->epoch = other->epoch;
    find_stand(balance);
    balance->stand = balance->stand_exact;
    balance->executing = before;
    stabilizer_reset(&balance->stabilizer);
    balance_watch_begin(&balance->watch, state);
    balance->phase = goes ? BALANCE_PHASE_EXECUTING : BALANCE_PHASE_STANDING;
    return true;
}

static bool at_rest(const struct balance *balance, const struct state_message *state)
{
    for (int i = 0; i < BALANCE_JOINTS; i++) {
        const struct joint_reading *joint = &state->joint[balance->joint[i]];
        if (joint->velocity_valid && fabs(joint->velocity_rad_s) > REST_RATE_RAD_S)
            return false;
    }
    return !state->imu.valid || (fabs(state->imu.roll_rate_rad_s) < REST_RATE_RAD_S &&
                                 fabs(state->imu.pitch_rate_rad_s) < REST_RATE_RAD_S);
}

// Looks where the robot is and starts the motion back to standing.
static void begin_recovery(struct balance *balance, const struct state_message *state)
{
    expects(!balance->moving);
    struct recovery_senses senses = {.weight_N = balance->model->mass_kg * 9.81,
                                     .imu_valid = state->imu.valid != 0,
                                     .roll_rad = state->imu.roll_rad,
                                     .pitch_rad = state->imu.pitch_rad};
    for (int side = 0; side < SIDE_COUNT; side++) {
        for (int j = 0; j < LEG_JOINTS; j++)
            senses.angle_rad[side][j] =
                state->joint[balance->joint[side * LEG_JOINTS + j]].reference_rad;
        const struct force_torque_reading *reading = &state->force_torque[side];
        senses.force_N[side] = reading->valid ? reading->force_z_N : 0;
    }
    struct rest rest;
    recovery_observe(balance->leg, &senses, balance->foot, &rest);
    struct segment_sample anchored;
    recovery_flat(&rest, balance->foot);
    find_anchored(balance, &rest, &anchored);
    recovery_feet(&rest, balance->foot);
    find_stand(balance);
    balance->stand = balance->stand_exact;
    recovery_start(&balance->recovery, &senses, &rest, anchored.pelvis_m, &balance->stand);
    balance->desired_rad[BALANCE_WAIST] = state->joint[balance->joint[BALANCE_WAIST]].reference_rad;
    balance->moving = true;
}

static void recover(struct balance *balance, const struct state_message *state)
{
    balance->driving = false;
    if (!balance->moving) {
        balance->active_cycles =
            balance_watch_active(&balance->watch, state) ? balance->active_cycles + 1 : 0;
        balance->rest_cycles = at_rest(balance, state) ? balance->rest_cycles + 1 : 0;
        bool rested =
            balance->rest_cycles >= REST_CYCLES || balance->active_cycles >= SETTLE_CYCLES;
        if (balance->active_cycles < ACTIVE_CYCLES || !rested)
            return;
        begin_recovery(balance, state);
    }
    double angle[SIDE_COUNT][LEG_JOINTS];
    bool complete = recovery_step(&balance->recovery, balance->leg, BALANCE_PERIOD_S, angle);
    memcpy(balance->desired_rad, angle, sizeof angle);
    balance->desired_rad[BALANCE_WAIST] *= 0.97; // back to 0 over about a second
    balance->driving = true;
    if (complete) {
        stabilizer_reset(&balance->stabilizer);
        balance->phase = BALANCE_PHASE_STANDING;
    }
}

static void stabilise(struct balance *balance, const struct state_message *state,
                      const struct segment_sample *sample)
{
    double joint_rad[ROBOT_JOINTS_MAX];
    struct segment_sample desired = *sample;
    for (unsigned j = 0; j < balance->model->joint_count; j++)
        joint_rad[j] = state->joint[balance->model_joint[j]].position_rad;
    if (balance->limbs)
        balance->limbs->lean(balance->limbs, balance, &desired);
    struct stabilizer_input input = {.desired = &desired,
                                     .joint_rad = joint_rad,
                                     .roll_rad = state->imu.roll_rad,
                                     .pitch_rad = state->imu.pitch_rad,
                                     .roll_rate_rad_s = state->imu.roll_rate_rad_s,
                                     .pitch_rate_rad_s = state->imu.pitch_rate_rad_s,
                                     .imu_valid = state->imu.valid != 0};
    for (int side = 0; side < SIDE_COUNT; side++) {
        const struct force_torque_reading *reading = &state->force_torque[side];
        input.foot[side] = (struct stabilizer_foot){.moment_x_Nm = reading->moment_x_Nm,
                                                    .moment_y_Nm = reading->moment_y_Nm,
                                                    .force_z_N = reading->force_z_N,
                                                    .valid = reading->valid != 0};
    }
    struct stabilizer_output output;
    const bool anew = !balance->stabilizer.started;
    stabilizer_step(&balance->stabilizer, &input, &output);
    memcpy(balance->desired_rad, output.leg_rad, sizeof output.leg_rad);
    balance->desired_rad[BALANCE_WAIST] = balance->following ? balance->followed_waist_rad : 0;
    if (balance->limbs)
        balance->limbs->place(balance->limbs, balance, state, &output, anew, balance->desired_rad);
    balance->driving = true;
}

// A plan ends a hair beside the exact standing pose; the robot creeps into it.
static void creep(double *value, double goal)
{
    double step = goal - *value;
    *value += step > STAND_CREEP_M ? STAND_CREEP_M : step < -STAND_CREEP_M ? -STAND_CREEP_M : step;
}

static void stand(struct balance *balance, const struct state_message *state)
{
    struct segment_sample *now = &balance->stand;
    const struct segment_sample *exact = &balance->stand_exact;
    for (int i = 0; i < 3; i++) {
        creep(&now->pelvis_m[i], exact->pelvis_m[i]);
        creep(&now->com_m[i], exact->com_m[i]);
    }
    creep(&now->pelvis_yaw_rad,
          now->pelvis_yaw_rad + angle_wrap(exact->pelvis_yaw_rad - now->pelvis_yaw_rad));
    for (int i = 0; i < 2; i++) {
        creep(&now->zmp_m[i], exact->zmp_m[i]);
        now->com_velocity_m_s[i] = 0;
    }
    stabilise(balance, state, now);
}

static void execute(struct balance *balance, const struct state_message *state, unsigned cycles)
{
    int64_t last = balance->buffer.end - 1;
    balance->executing += cycles;
    if (balance->executing > last)
        balance->executing = last;
    const struct segment_sample *sample = segment_buffer_at(&balance->buffer, balance->executing);
    feet_of_sample(balance, sample);
    stabilise(balance, state, sample);
    double turned = angle_wrap(pose2d_middle(balance->foot[0], balance->foot[1]).yaw_rad -
                               balance->begin_yaw_rad);
    balance_commands_plan_progress(&balance->commands, balance->buffer.request_id, sample->step,
                                   balance->executing == last, turned);
    if (balance->executing < last)
        return;
    balance->stand = *sample;
    find_stand(balance);
    balance->phase = BALANCE_PHASE_STANDING;
    if (balance->buffer.final)
        balance_commands_plan_complete(&balance->commands, balance->buffer.request_id);
    else
        balance_commands_plan_broken(&balance->commands, balance->buffer.request_id);
    segment_buffer_clear(&balance->buffer);
}

bool balance_stand_joints(const struct balance *balance, double joint_rad[ROBOT_JOINTS_MAX])
{
    double leg_rad[SIDE_COUNT][LEG_JOINTS];
    memcpy(joint_rad, balance->model->stand_rad, ROBOT_JOINTS_MAX * sizeof joint_rad[0]);
    if (stabilizer_feedforward(&balance->stabilizer, &balance->stand, leg_rad) != STATUS_OK)
        return false;
    for (int side = 0; side < SIDE_COUNT; side++)
        for (int i = 0; i < LEG_JOINTS; i++)
            joint_rad[balance->leg[side].joint[i]] = leg_rad[side][i];
    return true;
}

void balance_follow(struct balance *balance, const struct segment_sample *sample,
                    const double pitch_rad[SIDE_COUNT], double waist_rad, bool moving)
{
    if (balance->phase != BALANCE_PHASE_STANDING && balance->phase != BALANCE_PHASE_EXECUTING)
        return;
    balance->following = true;
    balance->followed = *sample;
    balance->followed_waist_rad = waist_rad;
    memcpy(balance->stabilizer.foot_pitch_rad, pitch_rad,
           sizeof balance->stabilizer.foot_pitch_rad);
    balance->phase = moving ? BALANCE_PHASE_EXECUTING : BALANCE_PHASE_STANDING;
}

static void follow(struct balance *balance, const struct state_message *state)
{
    feet_of_sample(balance, &balance->followed);
    balance->stand = balance->followed;
    stabilise(balance, state, &balance->followed);
}

static bool fallen(const struct state_message *state)
{
    return state->imu.valid &&
           cos(state->imu.roll_rad) * cos(state->imu.pitch_rad) < cos(TILT_FALLEN_RAD);
}

static void fill_command(const struct balance *balance, const struct state_message *state,
                         struct command_message *command)
{
    memset(command, 0, sizeof *command);
    command->state_cycle = state->cycle;
    command->time = state->time;
    command->joint_count = balance->description->joint_count;
    for (int i = 0; i < BALANCE_JOINTS; i++) {
        unsigned j = balance->joint[i];
        struct joint_command *joint = &command->joint[j];
        joint->mode = JOINT_MODE_VELOCITY;
        joint->velocity_nominal_rad_s = balance->description->joint[j].velocity_max_rad_s;
        joint->acceleration_nominal_rad_s2 =
            balance->driving ? balance->description->joint[j].acceleration_max_rad_s2
                             : SETTLE_ACCELERATION_RAD_S2;
        if (balance->driving)
            joint->value =
                (balance->desired_rad[i] - state->joint[j].reference_rad) / BALANCE_PERIOD_S;
    }
}

bool balance_cycle(struct balance *balance, const struct state_message *state,
                   struct command_message *command)
{
    if (!balance_watch_sound(state, balance->description->joint_count))
        return false;
    unsigned cycles = 1;
    enum interruption interruption = balance_watch_state(&balance->watch, state, &cycles);
    if (balance->phase != BALANCE_PHASE_FALLEN && fallen(state)) {
        break_off(balance, interruption);
        balance->phase = BALANCE_PHASE_FALLEN;
    }
    if (balance->phase == BALANCE_PHASE_FALLEN) {
        balance->watch.commanding = false;
        return false;
    }
    if (interruption != INTERRUPTION_NONE)
        break_off(balance, interruption);
    balance_commands_update(&balance->commands, balance->phase);
    invariant(balance->phase != BALANCE_PHASE_EXECUTING || balance->following ||
              balance->buffer.plan_id != 0);
    switch (balance->phase) {
    case BALANCE_PHASE_STANDING:
        (balance->following ? follow : stand)(balance, state);
        break;
    case BALANCE_PHASE_EXECUTING:
        if (balance->following)
            follow(balance, state);
        else
            execute(balance, state, cycles);
        break;
    default:
        recover(balance, state);
        break;
    }
    balance_watch_expect(&balance->watch, balance->driving ? balance->desired_rad : NULL);
    fill_command(balance, state, command);
    return true;
}

void balance_report(const struct balance *balance, instant now,
                    struct balance_status_message *status)
{
    memset(status, 0, sizeof *status);
    status->time = now;
    status->phase = balance->phase;
    status->epoch = balance->epoch;
    if (balance->phase == BALANCE_PHASE_EXECUTING) {
        status->gait = balance->buffer.gait;
        status->plan_id = balance->buffer.plan_id;
        status->segment_number = balance->buffer.segment_number;
        status->sample = balance->executing;
        status->last_sample = balance->buffer.end - 1;
    }
    memcpy(status->foot, balance->foot, sizeof status->foot);
    balance_commands_report(&balance->commands, status);
}
