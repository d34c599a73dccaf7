#include "targets/walkgen/generator_core.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "walk/steps/route.h"
#include "walk/steps/step_stack.h"

#define OBSERVER_PUSHED_1_S 18.5 // of a robot that was pushed: sooner, and rougher
#define LEGS_PUSHED 2.0          // times the usual: how fast legs take their shares of the weight
#define ANKLES_PUSHED 2.0        // likewise: how fast ankles turn
#define SOLE_MARGIN_PUSHED_M 0.003
#define TOUCH_N 30.0
#define PLAN_PERIODS 40 // of a plan's rehearsal, each tick: half a millisecond

enum { MESSAGE_LINE = 1, MESSAGE_STEP };

enum status generator_init(struct generator *generator, const struct description *description,
                           const struct robot_model *model,
                           const struct balance_status_message *last,
                           const struct walk_status_message *said)
{
    memset(generator, 0, sizeof *generator);
    if (said != NULL) {
        generator->last_id = said->last_id;
        generator->refused_id = said->refused_id;
        generator->taken = said->taken;
        generator->refusals = said->refusals;
    }
    static const char *const arm[] = {"RSP", "LSP", "REB", "LEB"};
    for (int i = 0; i < 4; i++)
        generator->arm[i] = robot_model_joint(model, arm[i]);
    generator->waist = robot_model_joint(model, "WST");
    const enum status status = balance_init(&generator->balance, description, model, last, NULL);
    return status == STATUS_OK ? walkgen_create(model, &generator->walkgen) : status;
}

// ---- messages -----------------------------------------------------------------------------------

static void refuse(struct generator *generator, uint64_t id, const char *reason)
{
    generator->refused_id = id;
    generator->refusals++;
    snprintf(generator->reason, sizeof generator->reason, "%s", reason);
}

// A step by numbers is the command for one: what is not finite or not possible is refused by it.
static enum status take(struct generator *generator, const struct walk_request_message *message)
{
    char line[sizeof message->text + 1];
    if (message->kind == MESSAGE_STEP) {
        snprintf(line, sizeof line, ":addstandardonlinestep %.17g %.17g %.17g", message->x_m,
                 message->y_m, message->yaw_rad * 180 / M_PI);
    } else {
        memcpy(line, message->text, sizeof message->text);
        line[sizeof message->text] = '\0';
    }
    return walkgen_begin(generator->walkgen, line);
}

static void answer(struct generator *generator, uint64_t id, enum status status)
{
    generator->planned_id = status == STATUS_BUSY ? id : 0;
    if (status == STATUS_BUSY)
        return;
    const char *note = walkgen_reason(generator->walkgen);
    if (status == STATUS_OK && note[0] != '\0')
        snprintf(generator->reason, sizeof generator->reason, "%s", note);
    if (status == STATUS_OK)
        generator->taken++;
    else
        refuse(generator, id, walkgen_reason(generator->walkgen));
    generator->last_id = id;
}

void generator_message(struct generator *generator, const struct walk_request_message *message)
{
    if (message->id <= generator->last_id) {
        generator->doubled++;
        return;
    }
    if (message->id != generator->last_id + 1)
        return; // one before it is missing, or the number is not true: it is sent again
    if (message->kind != MESSAGE_LINE && message->kind != MESSAGE_STEP) {
        refuse(generator, message->id, "the message is neither a line nor a step");
        generator->last_id = message->id;
    } else if (generator->started && generator->planned_id == 0) {
        answer(generator, message->id, take(generator, message));
    } // else: nobody to tell yet; it is sent again
}

// ---- the plug-in --------------------------------------------------------------------------------

// Of a robot that was pushed lately; otherwise as usual.
static void stiffen(struct stabilizer *stabilizer, bool pushed)
{
    struct stabilizer_parameters *parameters = &stabilizer->parameters;
    *parameters = stabilizer_defaults(parameters->com_height_m);
    if (!pushed)
        return;
    parameters->level_swing = 1;
    parameters->observer_1_s = OBSERVER_PUSHED_1_S;
    parameters->sole_margin_m = SOLE_MARGIN_PUSHED_M;
    parameters->ankle_admittance *= ANKLES_PUSHED;
    parameters->force_difference_admittance *= LEGS_PUSHED;
}

// start: from how the robot stands.
static bool start(struct generator *generator)
{
    struct balance *balance = &generator->balance;
    double joint_rad[ROBOT_JOINTS_MAX];
    if (!balance_stand_joints(balance, joint_rad) ||
        walkgen_reset(generator->walkgen, joint_rad) != STATUS_OK)
        return false;
    generator->planned_id = 0;
    generator->origin = pose2d_middle(balance->foot[SIDE_RIGHT], balance->foot[SIDE_LEFT]);
    generator->epoch = balance->epoch;
    const struct capture_step_config config = capture_step_defaults(
        walkgen_com_height_m(generator->walkgen), walkgen_period_s(generator->walkgen));
    capture_step_init(&generator->capture, &config);
    stiffen(&balance->stabilizer, false);
    generator->part = 1;
    return true;
}

// The plan, one period at its own rate further.
static void advance(struct generator *generator, struct segment_sample *sample)
{
    generator->part += generator->capture.rate;
    while (generator->part > 1 + 1e-9) {
        generator->part -= 1;
        generator->before = generator->now;
        generator->moving = walkgen_tick(generator->walkgen, &generator->out);
        step_stack_sample(&generator->out, generator->origin, &generator->now);
    }
    *sample = generator->now;
    if (generator->part >= 1)
        return;
    const struct segment_sample *from = &generator->before;
    const double back = 1 - generator->part;
    for (int k = 0; k < 3; k++) {
        sample->pelvis_m[k] += back * (from->pelvis_m[k] - sample->pelvis_m[k]);
        sample->com_m[k] += back * (from->com_m[k] - sample->com_m[k]);
        for (int side = 0; side < SIDE_COUNT; side++)
            sample->foot_m[side][k] += back * (from->foot_m[side][k] - sample->foot_m[side][k]);
    }
    for (int a = 0; a < 2; a++) {
        sample->zmp_m[a] += back * (from->zmp_m[a] - sample->zmp_m[a]);
        sample->com_velocity_m_s[a] +=
            back * (from->com_velocity_m_s[a] - sample->com_velocity_m_s[a]);
    }
    sample->pelvis_yaw_rad += back * (from->pelvis_yaw_rad - sample->pelvis_yaw_rad);
    for (int side = 0; side < SIDE_COUNT; side++)
        sample->foot_yaw_rad[side] +=
            back * (from->foot_yaw_rad[side] - sample->foot_yaw_rad[side]);
}

// What is planned for the foot that swings, as the robot's odometry has it.
static void look_ahead(const struct generator *generator, struct capture_step_plan *plan)
{
    const struct pose2d turned = {0, 0, generator->origin.yaw_rad};
    struct walkgen_landing landing;
    *plan = (struct capture_step_plan){.lands = walkgen_landing(generator->walkgen, &landing)};
    pose2d_place(turned, generator->out.com_m_s2, plan->com_m_s2);
    if (!plan->lands)
        return;
    plan->left_s = landing.left_s + (1 - generator->part) * walkgen_period_s(generator->walkgen);
    plan->both_s = fmin(landing.both_s, 0.2);
    plan->side = landing.side;
    pose2d_place(generator->origin, landing.foot.position_m, plan->foot_m);
    pose2d_place(generator->origin, landing.com_m, plan->com_m);
    pose2d_place(turned, landing.com_m_s, plan->com_m_s);
}

void generator_control(struct generator *generator)
{
    struct balance *balance = &generator->balance;
    const bool held = balance->phase == BALANCE_PHASE_STANDING ||
                      (balance->phase == BALANCE_PHASE_EXECUTING && balance->following);
    if (!held || generator->epoch != balance->epoch)
        generator->started = false;
    if (held && !generator->started)
        generator->started = start(generator);
    if (!generator->started)
        return;
    struct segment_sample sample;
    struct capture_step_plan plan;
    advance(generator, &sample);
    look_ahead(generator, &plan);
    if (!generator->out.over)
        capture_step_apply(&generator->capture, &plan, &sample);
    const double pitch_rad[SIDE_COUNT] = {generator->out.foot[SIDE_RIGHT].pitch_rad,
                                          generator->out.foot[SIDE_LEFT].pitch_rad};
    const double waist_rad = generator->waist >= 0 ? generator->out.joint_rad[generator->waist] : 0;
    balance_follow(balance, &sample, pitch_rad, waist_rad, generator->moving);
}

void generator_prepare(struct generator *generator)
{
    if (generator->started && generator->planned_id != 0)
        answer(generator, generator->planned_id, walkgen_go_on(generator->walkgen, PLAN_PERIODS));
    walkgen_prepare(generator->walkgen);
}

// ---- the robot ----------------------------------------------------------------------------------

// What a joint cannot do is not asked of it.
static void limit(struct generator *generator, struct command_message *command)
{
    const struct balance *balance = &generator->balance;
    for (int i = 0; i < BALANCE_JOINTS; i++) {
        const unsigned j = balance->joint[i];
        const double most_rad_s = balance->description->joint[j].velocity_max_rad_s;
        double *value = &command->joint[j].value;
        if (fabs(*value) <= most_rad_s)
            continue;
        *value = copysign(most_rad_s, *value);
        generator->limited++;
    }
}

// How far the capture point is from the one of the sample that the measurements show.
static void feel(struct generator *generator, const struct state_message *state)
{
    const struct imu_reading *imu = &state->imu;
    bool touches[SIDE_COUNT];
    const double tilt_rad[2] = {imu->roll_rad, imu->pitch_rad};
    const double rate_rad_s[2] = {imu->roll_rate_rad_s, imu->pitch_rate_rad_s};
    for (int side = 0; side < SIDE_COUNT; side++)
        touches[side] =
            state->force_torque[side].valid && state->force_torque[side].force_z_N > TOUCH_N;
    capture_step_touch(&generator->capture, touches);
    if (imu->valid)
        capture_step_tilt(&generator->capture, tilt_rad, rate_rad_s, BALANCE_PERIOD_S);
    stiffen(&generator->balance.stabilizer, capture_state_is_pushed(generator->capture.state));
    const struct stabilizer *stabilizer = &generator->balance.stabilizer;
    if (!stabilizer->started || stabilizer->history_count == 0)
        return;
    const struct segment_sample *shown = &stabilizer->history[stabilizer->history_count - 1];
    if (!capture_step_hears(&generator->capture, shown->support) || generator->out.over)
        return; // a high swing shakes what is measured
    const double w = sqrt(9.81 / stabilizer->parameters.com_height_m);
    double error_m[2];
    for (int a = 0; a < 2; a++)
        error_m[a] = stabilizer->com_m[a] - shown->com_m[a] +
                     (stabilizer->com_velocity_m_s[a] - shown->com_velocity_m_s[a]) / w;
    capture_step_feel(&generator->capture, error_m);
}

bool generator_cycle(struct generator *generator, const struct state_message *state,
                     struct command_message *command)
{
    if (!balance_cycle(&generator->balance, state, command))
        return false;
    limit(generator, command);
    if (generator->started && generator->moving)
        feel(generator, state);
    return true;
}

// Positions, which Control goes on with when nothing more is said.
bool generator_arms(const struct generator *generator, const struct state_message *state,
                    struct command_message *command)
{
    const struct balance *balance = &generator->balance;
    if (!generator->started)
        return false;
    *command = (struct command_message){.state_cycle = state->cycle,
                                        .time = state->time,
                                        .joint_count = balance->description->joint_count};
    for (int i = 0; i < 4; i++) {
        if (generator->arm[i] < 0)
            continue;
        const int j = balance->model_joint[generator->arm[i]];
        const struct joint_description *joint = &balance->description->joint[j];
        command->joint[j] =
            (struct joint_command){.mode = JOINT_MODE_POSITION,
                                   .value = generator->out.joint_rad[generator->arm[i]],
                                   .velocity_nominal_rad_s = joint->velocity_max_rad_s,
                                   .acceleration_nominal_rad_s2 = joint->acceleration_max_rad_s2};
    }
    return true;
}

void generator_report(const struct generator *generator, instant now,
                      struct walk_status_message *status)
{
    const struct walkgen_output *out = &generator->out;
    const struct walkgen_counts counts = walkgen_counts(generator->walkgen);
    *status = (struct walk_status_message){
        .time_ns = now.ns,
        .tick = generator->started ? counts.ticks : 0,
        .epoch = generator->balance.epoch,
        .last_id = generator->last_id,
        .refused_id = generator->refused_id,
        .refusals = generator->refusals,
        .taken = generator->taken,
        .doubled = generator->doubled,
        .dry = counts.dry,
        .unreachable = counts.unreachable,
        .limited = generator->limited,
        .phase = generator->balance.phase,
        .support = out->support,
        .step = out->step,
        .steps_waiting = counts.steps_waiting,
        .references_ahead = counts.references_ahead,
        .window = walkgen_window(generator->walkgen),
        .gait_phase = out->phase,
    };
    memcpy(status->zmp_m, out->zmp_m, sizeof status->zmp_m);
    memcpy(status->zmp_multibody_m, out->zmp_multibody_m, sizeof status->zmp_multibody_m);
    memcpy(status->pendulum_zmp_m, out->first_zmp_m, sizeof status->pendulum_zmp_m);
    memcpy(status->com_m, out->com_m, sizeof status->com_m);
    memcpy(status->com_velocity_m_s, out->com_m_s, sizeof status->com_velocity_m_s);
    memcpy(status->com_acceleration_m_s2, out->com_m_s2, sizeof status->com_acceleration_m_s2);
    for (int side = 0; side < SIDE_COUNT; side++) {
        memcpy(&status->foot_m[3 * side], out->foot[side].position_m, 3 * sizeof(double));
        status->foot_yaw_rad[side] = out->foot[side].yaw_rad;
        status->toe_rad[side] = out->toe_rad[side];
        status->toe_moment_nm[side] = out->toe_moment_Nm[side];
    }
    memcpy(status->reason, generator->reason, sizeof status->reason);
}
