#include "targets/firehose/grip.h"

#include <math.h>
#include <string.h>

#include "model/spatial.h"
#include "motion/wrist.h"

#define APART_MAX_N 20.0

void grip_angles(const struct arm *arm, const struct state_message *state,
                 double angle_rad[ARM_JOINTS])
{
    for (unsigned i = 0; i < ARM_JOINTS; i++)
        angle_rad[i] = state->joint[arm->joint[i]].position_rad;
}

bool grip_force(const struct state_message *state, double hand_N[3])
{
    const struct force_torque_reading *reading = &state->force_torque[FT_LEFT_HAND];
    wrist_grip_force(reading->moment_x_Nm, reading->moment_y_Nm, reading->force_z_N, GRIP_M,
                     hand_N);
    return reading->valid != 0;
}

void grip_look(struct grip_look *look, const struct state_message *state)
{
    double angle_rad[ARM_JOINTS], hand_m[3], rotation[9], hand_N[3];
    struct grip *seen = &look->seen;
    if (state->cycle == look->cycle)
        return;
    look->cycle = state->cycle;
    grip_angles(look->arm, state, angle_rad);
    arm_forward(look->arm, angle_rad, hand_m, rotation);
    look->valid = grip_force(state, hand_N);
    rotate(rotation, hand_N, seen->now_N);
    look->valid = look->valid && isfinite(seen->now_N[0] + seen->now_N[1] + seen->now_N[2]);
    if (!look->valid)
        return;
    memcpy(seen->hand_m, hand_m, sizeof seen->hand_m);
    for (int i = 0; i < 3; i++)
        seen->slow_N[i] +=
            (seen->now_N[i] - seen->slow_N[i]) * (look->begun ? GRIP_CYCLE_S / GRIP_SLOW_S : 1);
    look->begun = true;
}

static double apart_N(const double a_N[3], const double b_N[3])
{
    double apart[3];
    vec_subtract(a_N, b_N, apart);
    return sqrt(vec_dot(apart, apart));
}

bool grip_can_be(const struct grip_look *look, const double said_N[3], const double before_N[3])
{
    const double jump_N = apart_N(said_N, before_N);
    if (!look->valid)
        return isfinite(jump_N);
    return apart_N(said_N, look->seen.slow_N) <= APART_MAX_N || // no NaN is
           jump_N < apart_N(look->seen.slow_N, before_N);
}
