// The upper body: arms that swing against the legs (:armparameters), and a posture that is given
// (:walkmode 3 with :UpperBodyMotionParameters).
#include <math.h>
#include <string.h>

#include "model/spatial.h"
#include "walk/generator/walkgen_private.h"

#define SWING_MAX 0.8 // sine of an arm's angle from hanging

static int joint_of(enum side side, int first)
{
    return first + (int)side;
}

// Forward from the waist, along its axis, to a point; as it stands less what is asked.
static double ahead_m(const double waist_m[2], double yaw_rad, const double point_m[3])
{
    return cos(yaw_rad) * (point_m[0] - waist_m[0]) + sin(yaw_rad) * (point_m[1] - waist_m[1]);
}

// Where the hand is against the shoulder, in a plane along the robot, the arm as it stands.
static void arm_of(const struct walk_body *body, enum side side, double *ahead_m, double *below_m)
{
    const struct walk_upper_joint *shoulder = &body->upper[joint_of(side, UPPER_SHOULDER)];
    const struct walk_upper_joint *elbow = &body->upper[joint_of(side, UPPER_ELBOW)];
    double upper[9], fore[9], R[9], at[3], hand[3];
    rotation_axis(shoulder->axis, shoulder->stand_rad, upper);
    rotation_axis(elbow->axis, elbow->stand_rad, fore);
    rotation_product(upper, fore, R);
    rotate(upper, elbow->origin_m, at);
    rotate(R, body->hand_m[side], hand);
    vec_add(at, hand, at);
    *ahead_m = at[0];
    *below_m = -at[2];
}

// The shoulder's turn that moves the hand forward by so much.
static double swing_rad(const struct walk_body *body, enum side side, double forward_m)
{
    double x_m, z_m;
    arm_of(body, side, &x_m, &z_m);
    const double length_m = hypot(x_m, z_m);
    const double sine = fmax(-SWING_MAX, fmin(SWING_MAX, (x_m + forward_m) / length_m));
    return asin(x_m / length_m) - asin(sine);
}

void walk_upper_stand(const struct walk_body *body, double upper_rad[WALK_UPPER_JOINTS])
{
    for (int i = 0; i < WALK_UPPER_JOINTS; i++)
        upper_rad[i] = body->upper[i].stand_rad;
}

void walk_upper_posture(const struct walkgen *walkgen, const struct walk_reference *reference,
                        const double waist_m[2], double upper_rad[WALK_UPPER_JOINTS])
{
    const struct walk_body *body = &walkgen->body;
    const struct walk_start *start = &walkgen->start;
    walk_upper_stand(body, upper_rad);
    if (body->links == WALK_BODY_CARRIED)
        return;
    upper_rad[UPPER_WAIST] += reference->upper_rad[0];
    for (enum side side = SIDE_RIGHT; side < SIDE_COUNT; side++) {
        const enum side opposite = side == SIDE_RIGHT ? SIDE_LEFT : SIDE_RIGHT;
        const double foot_m =
            ahead_m(waist_m, reference->yaw_rad, reference->foot[opposite].position_m) -
            ahead_m(start->waist_m, 0, start->reference.foot[opposite].position_m);
        upper_rad[joint_of(side, UPPER_SHOULDER)] += reference->upper_rad[1];
        upper_rad[joint_of(side, UPPER_ELBOW)] += reference->upper_rad[2];
        if (reference->arm_gain > 0)
            upper_rad[joint_of(side, UPPER_SHOULDER)] +=
                swing_rad(body, side, reference->arm_gain * foot_m);
    }
}

void walk_upper_wanted(const struct walk_settings *settings, double upper_rad[3])
{
    for (int i = 0; i < 3; i++)
        upper_rad[i] = settings->mode == 3 ? settings->upper_body[i] * M_PI / 180 : 0;
}

void walk_upper_move(const struct walk_maker *maker, const struct walk_settings *settings,
                     double share, struct walk_reference *now)
{
    double wanted_rad[3];
    walk_upper_wanted(settings, wanted_rad);
    for (int i = 0; i < 3; i++)
        now->upper_rad[i] = maker->upper_rad[i] + share * (wanted_rad[i] - maker->upper_rad[i]);
    now->arm_gain = maker->arm_gain + share * (settings->arm_gain - maker->arm_gain);
}

enum status walk_upper_check(struct walk_trial *trial)
{
    static const char *const what[] = {"waist", "shoulders", "elbows"};
    const struct walk_body *body = &trial->walkgen->body;
    const struct walk_settings *settings = &trial->request.settings;
    double wanted_rad[3];
    walk_upper_wanted(settings, wanted_rad);
    const bool moves = settings->arm_gain > 0 || settings->mode == 3;
    if (moves && body->links == WALK_BODY_CARRIED)
        return walk_refuse(trial, "this robot's upper body has no joints to move");
    for (int i = 0; i < WALK_UPPER_JOINTS && moves; i++) {
        const struct walk_upper_joint *upper = &body->upper[i];
        const int which = i >= UPPER_ELBOW ? 2 : i >= UPPER_SHOULDER ? 1 : 0;
        const double at_rad = upper->stand_rad + wanted_rad[which];
        if (at_rad < upper->min_rad || at_rad > upper->max_rad)
            return walk_refuse(trial, "%.6g degrees are not from %.0f to %.0f, what the %s may do",
                               wanted_rad[which] * 180 / M_PI,
                               ceil((upper->min_rad - upper->stand_rad) * 180 / M_PI),
                               floor((upper->max_rad - upper->stand_rad) * 180 / M_PI),
                               what[which]);
    }
    return STATUS_OK;
}
