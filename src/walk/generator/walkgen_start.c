// Where a motion of walkgen starts, and the gains that fit the robot's start and settings.
#include <math.h>
#include <string.h>

#include "model/spatial.h"
#include "walk/generator/walkgen_private.h"

#define JERK_WEIGHT 1e-7        // of the first preview, a tenth of Kajita's
#define FILTER_JERK_WEIGHT 1e-8 // of the second
#define ONE_FLOOR_M 0.005       // two soles on one floor, from each other

// Soles of a pose with the waist in the origin: their middle, and whether they are on one floor.
static bool stands(const struct walk_body *body, double leg_rad[SIDE_COUNT][LEG_JOINTS],
                   double sole_m[SIDE_COUNT][3], double sole[SIDE_COUNT][9])
{
    bool level = true;
    for (enum side side = SIDE_RIGHT; side < SIDE_COUNT; side++) {
        leg_forward(&body->leg[side], leg_rad[side], sole_m[side], sole[side]);
        level = level && sole[side][8] > cos(0.02);
    }
    return level && fabs(sole_m[SIDE_RIGHT][2] - sole_m[SIDE_LEFT][2]) < ONE_FLOOR_M;
}

static double yaw_of(const double rotation[9])
{
    return atan2(rotation[3], rotation[0]);
}

enum status walk_start_find(struct walkgen *walkgen, const double *joint_rad)
{
    struct walk_start *start = &walkgen->start;
    const struct walk_body *body = &walkgen->body;
    const double *angle = joint_rad != NULL ? joint_rad : walkgen->stand_rad;
    double leg_rad[SIDE_COUNT][LEG_JOINTS], sole_m[SIDE_COUNT][3], sole[SIDE_COUNT][9];
    for (enum side side = SIDE_RIGHT; side < SIDE_COUNT; side++)
        for (int i = 0; i < LEG_JOINTS; i++)
            leg_rad[side][i] = angle[body->leg[side].joint[i]];
    if (!stands(body, leg_rad, sole_m, sole))
        return STATUS_UNREACHABLE;
    const double yaw = -0.5 * (yaw_of(sole[SIDE_RIGHT]) + yaw_of(sole[SIDE_LEFT]));
    struct walk_body_soles soles;
    double waist[9], middle[3], turned[SIDE_COUNT][3];
    rotation_z(yaw, waist);
    for (enum side side = SIDE_RIGHT; side < SIDE_COUNT; side++)
        rotate(waist, sole_m[side], turned[side]);
    for (int k = 0; k < 3; k++)
        middle[k] = 0.5 * (turned[SIDE_RIGHT][k] + turned[SIDE_LEFT][k]);
    for (enum side side = SIDE_RIGHT; side < SIDE_COUNT; side++) {
        vec_subtract(turned[side], middle, soles.position_m[side]);
        soles.position_m[side][2] = 0;
        const double foot_yaw = yaw + yaw_of(sole[side]);
        rotation_z(foot_yaw, soles.rotation[side]);
        struct walk_foot *foot = &start->reference.foot[side];
        *foot = (struct walk_foot){.yaw_rad = foot_yaw};
        memcpy(foot->position_m, soles.position_m[side], sizeof foot->position_m);
    }
    struct walk_body_pose pose = {.pelvis_m = {-middle[0], -middle[1], -middle[2]}};
    walk_upper_stand(body, pose.upper_rad);
    static const double over[2] = {0, 0};
    const enum status status = joint_rad != NULL
                                   ? walk_body_place(body, waist, &soles, &pose)
                                   : walk_body_over(body, over, 1e-9, waist, &soles, &pose);
    for (int a = 0; a < 2; a++)
        start->com_m[a] = joint_rad != NULL ? pose.com_m[a] : 0;
    memcpy(start->waist_m, pose.pelvis_m, sizeof start->waist_m);
    for (int a = 0; a < 2; a++)
        start->com_to_waist_m[a] = start->waist_m[a] - pose.com_m[a];
    walkgen->stance_m = turned[SIDE_LEFT][1] - turned[SIDE_RIGHT][1]; // sideways
    return status;
}

// What the standing robot makes of a move of the centre of mass along an axis that is asked of its
// realisation: the share that it makes, and the height of a point mass of the same angular
// momentum.
static void find_lever(struct walkgen *walkgen, const struct walk_settings *settings, int axis)
{
    const double move_m = 1e-3;
    const struct walk_start *start = &walkgen->start;
    struct walk_body_pose pose[2];
    struct walk_body_momentum momentum;
    walkgen->filter_share[axis] = 1;
    walkgen->filter_lever_m[axis] = settings->com_height_m;
    for (int i = 0; i < 2; i++) {
        double com_m[2] = {start->com_m[0], start->com_m[1]};
        com_m[axis] += move_m * (i - 0.5);
        const struct walk_posture wanted =
            walk_posture_wanted(walkgen, settings, &start->reference, com_m);
        memcpy(pose[i].pelvis_m, start->waist_m, sizeof start->waist_m);
        walk_upper_stand(&walkgen->body, pose[i].upper_rad);
        if (walk_realisation(settings->realisation)->realise(&walkgen->body, &wanted, &pose[i]) !=
            STATUS_OK)
            return; // stretched legs: the pendulum's will do
    }
    walk_body_momentum(&walkgen->body, &pose[0], &pose[1], 1, &momentum);
    const double linear = momentum.linear[axis];
    walkgen->filter_share[axis] = (pose[1].com_m[axis] - pose[0].com_m[axis]) / move_m;
    walkgen->filter_lever_m[axis] =
        (axis == 0 ? momentum.angular[1] : -momentum.angular[0]) / linear;
}

enum status walk_gains(struct walkgen *walkgen, const struct walk_settings *settings)
{
    const unsigned window = walk_samples(settings->window_s, settings->period_s);
    const double T = settings->period_s;
    enum status status =
        preview_compute(settings->com_height_m, T, window, 1.0, JERK_WEIGHT, &walkgen->gains);
    walkgen->window = window;
    if (status == STATUS_OK)
        status = walk_plan_set(walkgen, settings);
    for (int a = 0; a < 2 && status == STATUS_OK; a++) {
        find_lever(walkgen, settings, a);
        status = preview_compute(walkgen->filter_lever_m[a], T, window, 1.0, FILTER_JERK_WEIGHT,
                                 &walkgen->filter_gains[a]);
    }
    return status;
}
