#include "targets/hubo2/manipulation/manipulation_arms.h"

#include <math.h>
#include <stddef.h>

#include "model/spatial.h"

#define REACHED_RAD 0.02     // sag of a loaded arm included
#define LIMIT_SLACK_RAD 1e-6 // rounding of whoever computed the goal
#define UNIT_NORM_SLACK 0.01 // quaternions are made exact, but not guessed

enum status arms_start(struct arms *arms, const struct description *description,
                       const struct robot_model *model)
{
    *arms = (struct arms){.description = description};
    enum status status = arm_from_model(model, SIDE_RIGHT, &arms->arm[SIDE_RIGHT]);
    if (status == STATUS_OK)
        status = arm_from_model(model, SIDE_LEFT, &arms->arm[SIDE_LEFT]);
    return status;
}

// ---- goals -------------------------------------------------------------------------------------

static bool all_finite(const double *value, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        if (!isfinite(value[i]))
            return false;
    return true;
}

static bool angles_goal(const struct arm *arm, const struct arm_goal *goal,
                        double angle_rad[ARM_JOINTS])
{
    if (!all_finite(goal->angle_rad, ARM_JOINTS))
        return false;
    for (unsigned i = 0; i < ARM_JOINTS; i++) {
        angle_rad[i] = fmin(fmax(goal->angle_rad[i], arm->min_rad[i]), arm->max_rad[i]);
        if (fabs(angle_rad[i] - goal->angle_rad[i]) > LIMIT_SLACK_RAD)
            return false;
    }
    return true;
}

static bool pose_goal(const struct arm *arm, const struct arm_goal *goal, const double *near_rad,
                      double angle_rad[ARM_JOINTS])
{
    if (!all_finite(goal->position_m, 3) || !all_finite(goal->quaternion, 4))
        return false;
    double norm = 0, unit[4], rotation[9];
    for (unsigned i = 0; i < 4; i++)
        norm += goal->quaternion[i] * goal->quaternion[i];
    norm = sqrt(norm);
    if (fabs(norm - 1) > UNIT_NORM_SLACK)
        return false;
    for (unsigned i = 0; i < 4; i++)
        unit[i] = goal->quaternion[i] / norm;
    rotation_quaternion(unit, rotation);
    return arm_inverse(arm, goal->position_m, rotation, near_rad, angle_rad) == STATUS_OK;
}

static bool bounds_ok(const struct arm_goal *goal)
{
    return isfinite(goal->velocity_nominal_rad_s) && goal->velocity_nominal_rad_s >= 0 &&
           isfinite(goal->acceleration_nominal_rad_s2) && goal->acceleration_nominal_rad_s2 >= 0;
}

// Where the arm is, or is going to: of several solutions the nearest to this is wanted.
static const double *nearby(const struct arms *arms, enum side side,
                            const struct state_message *state, double measured_rad[ARM_JOINTS])
{
    if (arms->target[side].set)
        return arms->target[side].angle_rad;
    if (!state)
        return NULL;
    for (unsigned i = 0; i < ARM_JOINTS; i++)
        measured_rad[i] = state->joint[arms->arm[side].joint[i]].position_rad;
    return measured_rad;
}

static bool accept_arm(struct arms *arms, enum side side, const struct arm_goal *goal,
                       const struct state_message *state)
{
    const struct arm *arm = &arms->arm[side];
    double measured_rad[ARM_JOINTS], angle_rad[ARM_JOINTS];
    bool solved = bounds_ok(goal);
    if (goal->kind == ARM_GOAL_ANGLES)
        solved = solved && angles_goal(arm, goal, angle_rad);
    else if (goal->kind == ARM_GOAL_POSE)
        solved = solved && pose_goal(arm, goal, nearby(arms, side, state, measured_rad), angle_rad);
    else
        solved = false;
    if (!solved)
        return false;
    struct arm_target *target = &arms->target[side];
    for (unsigned i = 0; i < ARM_JOINTS; i++)
        target->angle_rad[i] = angle_rad[i];
    target->velocity_nominal_rad_s = goal->velocity_nominal_rad_s;
    target->acceleration_nominal_rad_s2 = goal->acceleration_nominal_rad_s2;
    target->set = true;
    return true;
}

void arms_accept(struct arms *arms, const struct manipulation_command_message *command,
                 const struct state_message *state)
{
    bool all = true;
    for (unsigned side = 0; side < SIDE_COUNT; side++)
        if (command->arm[side].kind != ARM_GOAL_NONE)
            all &= accept_arm(arms, (enum side)side, &command->arm[side], state);
    if (all)
        arms->status.accepted_id = command->id;
    else
        arms->status.refused_id = command->id;
}

// ---- commands and status -----------------------------------------------------------------------

bool arms_command(const struct arms *arms, const struct state_message *state, instant now,
                  struct command_message *command)
{
    *command = (struct command_message){
        .state_cycle = state ? state->cycle : 0,
        .time = now,
        .joint_count = arms->description->joint_count,
    };
    for (unsigned side = 0; side < SIDE_COUNT; side++) {
        const struct arm_target *target = &arms->target[side];
        for (unsigned i = 0; target->set && i < ARM_JOINTS; i++)
            command->joint[arms->arm[side].joint[i]] = (struct joint_command){
                .mode = JOINT_MODE_POSITION,
                .value = target->angle_rad[i],
                .velocity_nominal_rad_s = target->velocity_nominal_rad_s,
                .acceleration_nominal_rad_s2 = target->acceleration_nominal_rad_s2,
            };
    }
    return arms->target[SIDE_RIGHT].set || arms->target[SIDE_LEFT].set;
}

void arms_report(struct arms *arms, const struct state_message *state, instant now)
{
    bool reached = true;
    for (unsigned side = 0; side < SIDE_COUNT; side++) {
        double error = 0;
        for (unsigned i = 0; arms->target[side].set && i < ARM_JOINTS; i++) {
            const struct joint_reading *joint = &state->joint[arms->arm[side].joint[i]];
            error = fmax(error, fabs(joint->position_rad - arms->target[side].angle_rad[i]));
        }
        arms->status.error_rad[side] = error;
        reached &= error < REACHED_RAD;
    }
    if (reached)
        arms->status.reached_id = arms->status.accepted_id;
    arms->status.time = now;
}
