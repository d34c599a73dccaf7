#include "targets/hrp3p/motion_core.h"

#include <math.h>
#include <string.h>

#include "base/log.h"
#include "walk/zmp/geometry.h"

#define CYCLES_PER_SAMPLE 2 // 5 ms, 10 ms
#define READY_CYCLES 300    // from where the joints are to the standing pose
#define ARMS_CYCLES 400     // one swing of the arms, to and fro
#define ARMS_SWINGS 2
#define ARMS_RAD 0.6
#define STEPS_MAX 24
#define CYCLE_S 0.005
#define DELAY_SAMPLES 2 // from a reference until an answer shows what came of it
#define ATTITUDE_S 2.0  // within which the specific force corrects the rates

static const struct segment_sample *plan_sample(const struct motion_core *core, int64_t index)
{
    const int64_t last = (int64_t)core->plan.count - 1;
    return &core->plan.sample[index < last ? index : last];
}

static void set_legs(const struct motion_core *core, double leg_rad[SIDE_COUNT][LEG_JOINTS],
                     double joint_rad[ROBOT_JOINTS_MAX])
{
    for (int side = 0; side < SIDE_COUNT; side++)
        for (int i = 0; i < LEG_JOINTS; i++)
            joint_rad[core->stabilizer.leg[side].joint[i]] = leg_rad[side][i];
}

// A plan of `count` steps from standing.
static enum status plan_walk(struct motion_core *core, enum gait gait, unsigned count)
{
    struct footstep step[STEPS_MAX];
    struct stance stance = footsteps_stance((struct pose2d){0, 0, 0});
    pattern_begin(core->pattern[gait], &stance);
    count = footsteps_walk(gait_parameters(gait), &stance, BALANCE_WALK_FORWARD, count, 0, step,
                           STEPS_MAX);
    return pattern_extend(core->pattern[gait], 0, 0, step, count, &core->plan);
}

enum status motion_core_init(struct motion_core *core, const struct robot_model *model)
{
    memset(core, 0, sizeof *core);
    core->model = model;
    enum status status = STATUS_OK;
    for (int gait = 0; gait < GAIT_COUNT && status == STATUS_OK; gait++)
        status = pattern_create(model, gait_parameters((enum gait)gait), &core->pattern[gait]);
    if (status != STATUS_OK)
        return status;
    struct stabilizer_parameters parameters =
        stabilizer_defaults(pattern_com_height_m(core->pattern[GAIT_QUASI_STATIC]));
    parameters.delay_samples = DELAY_SAMPLES;
    status = stabilizer_init(&core->stabilizer, model, &parameters);
    if (status == STATUS_OK)
        status = plan_walk(core, GAIT_QUASI_STATIC, 1);
    if (status != STATUS_OK)
        return status;
    core->stand = core->plan.sample[0];
    memcpy(core->stand_rad, model->stand_rad, sizeof core->stand_rad);
    status = stabilizer_feedforward(&core->stabilizer, &core->stand, core->leg_rad[1]);
    set_legs(core, core->leg_rad[1], core->stand_rad);
    return status;
}

bool motion_core_ask(struct motion_core *core, int64_t id, enum motion_task task, int steps,
                     int gait)
{
    const bool walks = task == MOTION_WALK;
    if (core->phase != MOTION_DO || core->task != MOTION_STAND || id == core->task_id)
        return false;
    core->task_id = id;
    if (task < 0 || task >= MOTION_TASKS ||
        (walks && (steps < 1 || steps > STEPS_MAX || gait < 0 || gait >= GAIT_COUNT))) {
        log_error("task %lld is not one; give a kind, 1 to %d steps and a gait", (long long)id,
                  STEPS_MAX);
        return false;
    }
    if (walks && plan_walk(core, (enum gait)gait, (unsigned)steps) != STATUS_OK) {
        log_error("%d steps cannot be planned; give fewer", steps);
        return false;
    }
    core->task = task;
    core->cycle = 0;
    return true;
}

static double smooth(double share)
{
    const double s = share < 0 ? 0 : share > 1 ? 1 : share;
    return s * s * s * (10 + s * (6 * s - 15));
}

static void approach_stand(struct motion_core *core)
{
    const double share = smooth((double)core->cycle / READY_CYCLES);
    for (unsigned j = 0; j < core->model->joint_count; j++)
        core->reference_rad[j] =
            core->from_rad[j] + share * (core->stand_rad[j] - core->from_rad[j]);
    if (++core->cycle > READY_CYCLES) {
        core->phase = MOTION_DO;
        core->task = MOTION_STAND;
        core->cycle = 0;
    }
}

// Which way is up: the rates integrated, and drawn slowly towards the specific force.
static void feel_attitude(struct motion_core *core, const struct sensed *sensed)
{
    const double *force = sensed->acceleration_m_s2;
    core->roll_rad += CYCLE_S * sensed->rate_rad_s[0];
    core->pitch_rad += CYCLE_S * sensed->rate_rad_s[1];
    if (force[2] < GRAVITY_M_S2 / 2)
        return;
    const double share = CYCLE_S / ATTITUDE_S;
    core->roll_rad += share * (atan2(force[1], force[2]) - core->roll_rad);
    core->pitch_rad += share * (atan2(-force[0], hypot(force[1], force[2])) - core->pitch_rad);
}

static void stabilise(struct motion_core *core, const struct segment_sample *sample,
                      const double *measured_rad, const struct sensed *sensed)
{
    struct stabilizer_output output;
    struct stabilizer_input input = {.desired = sample,
                                     .joint_rad = measured_rad,
                                     .roll_rad = core->roll_rad,
                                     .pitch_rad = core->pitch_rad,
                                     .roll_rate_rad_s = sensed->rate_rad_s[0],
                                     .pitch_rate_rad_s = sensed->rate_rad_s[1],
                                     .imu_valid = true};
    for (int side = 0; side < SIDE_COUNT; side++)
        input.foot[side] = (struct stabilizer_foot){sensed->force_torque_Nm[side][0],
                                                    sensed->force_torque_Nm[side][1],
                                                    sensed->force_torque_Nm[side][2], true};
    memcpy(core->leg_rad[0], core->leg_rad[1], sizeof core->leg_rad[0]);
    stabilizer_step(&core->stabilizer, &input, &output);
    memcpy(core->leg_rad[1], output.leg_rad, sizeof core->leg_rad[1]);
    core->unreachable |= output.unreachable;
}

// The legs: standing, or along the walk. A sample is two cycles long.
static void move_legs(struct motion_core *core, const double *measured_rad,
                      const struct sensed *sensed)
{
    const bool walks = core->task == MOTION_WALK;
    const int64_t index = core->cycle / CYCLES_PER_SAMPLE;
    double leg_rad[SIDE_COUNT][LEG_JOINTS];
    if (core->cycle % CYCLES_PER_SAMPLE == 0)
        stabilise(core, walks ? plan_sample(core, index) : &core->stand, measured_rad, sensed);
    const double share = (double)(core->cycle % CYCLES_PER_SAMPLE + 1) / CYCLES_PER_SAMPLE;
    for (int side = 0; side < SIDE_COUNT; side++)
        for (int i = 0; i < LEG_JOINTS; i++)
            leg_rad[side][i] = core->leg_rad[0][side][i] +
                               share * (core->leg_rad[1][side][i] - core->leg_rad[0][side][i]);
    set_legs(core, leg_rad, core->reference_rad);
    if (walks && index + 1 >= (int64_t)core->plan.count) {
        core->stand = core->plan.sample[core->plan.count - 1];
        core->task = MOTION_STAND;
    }
}

static void swing_arms(struct motion_core *core)
{
    const double turns = (double)core->cycle / ARMS_CYCLES;
    const double share = smooth(turns) * smooth(ARMS_SWINGS - turns);
    const double swing_rad = ARMS_RAD * share * sin(2 * M_PI * turns);
    static const char *const name[] = {"LSP", "RSP", "LEB", "REB"};
    for (unsigned i = 0; i < sizeof name / sizeof name[0]; i++) {
        const int j = robot_model_joint(core->model, name[i]);
        if (j >= 0)
            core->reference_rad[j] =
                core->stand_rad[j] + (i % 2 == 0 ? swing_rad : -swing_rad) * (i < 2 ? 1 : 0.5);
    }
    if (core->cycle + 1 >= (int64_t)ARMS_SWINGS * ARMS_CYCLES)
        core->task = MOTION_STAND;
}

void motion_core_step(struct motion_core *core, const double *measured_rad,
                      const struct sensed *sensed)
{
    if (measured_rad == NULL)
        return;
    feel_attitude(core, sensed);
    if (core->phase == MOTION_WAIT) {
        memcpy(core->from_rad, measured_rad, core->model->joint_count * sizeof *measured_rad);
        core->phase = MOTION_READY;
        core->cycle = 0;
    }
    if (core->phase == MOTION_READY) {
        approach_stand(core);
        return;
    }
    move_legs(core, measured_rad, sensed);
    if (core->task == MOTION_ARMS)
        swing_arms(core);
    core->cycle++;
}
