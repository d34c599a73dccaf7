#include "walk/body/walk_body.h"

#include <string.h>

#include "walk/steps/footsteps.h"
#include "model/spatial.h"
#include "walk/zmp/preview.h"

static int leg_link(enum side side, int joint)
{
    return 1 + (int)side * LEG_JOINTS + joint;
}

// The lump a link belongs to: the leg or upper link that carries it, or 0, the pelvis with all that
// does not move against it.
static int lump_of(const struct walk_body *body, const struct robot_model *model, int link)
{
    for (; link >= 0; link = model->link[link].parent) {
        for (unsigned n = WALK_BODY_CARRIED; n < body->links; n++)
            if (model->link[link].joint == body->upper[n - WALK_BODY_CARRIED].joint)
                return (int)n;
        for (enum side side = SIDE_RIGHT; side < SIDE_COUNT; side++)
            for (int i = 0; i < LEG_JOINTS; i++)
                if (model->link[link].joint == body->leg[side].joint[i])
                    return leg_link(side, i);
    }
    return 0;
}

// Adds inertia of a mass m at d from the reference point.
static void add_point(double inertia[9], double m, const double d[3])
{
    double square = vec_dot(d, d);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            inertia[3 * i + j] += m * ((i == j ? square : 0.0) - d[i] * d[j]);
}

static void add_inertia(const struct robot_link *link, const double R[9], const double offset[3],
                        double inertia[9])
{
    const double *moment = link->inertia_kg_m2, *product = link->product_kg_m2;
    const double own[9] = {moment[0],  product[0], product[1], product[0], moment[1],
                           product[2], product[1], product[2], moment[2]};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 3; k++)
                for (int l = 0; l < 3; l++)
                    inertia[3 * i + j] += R[3 * i + k] * own[3 * k + l] * R[3 * j + l];
    add_point(inertia, link->mass_kg, offset);
}

static void link_com(const struct robot_model *model, const struct robot_pose *pose, unsigned i,
                     double com[3])
{
    rotate(pose->rotation[i], model->link[i].com_m, com);
    vec_add(pose->origin_m[i], com, com);
}

// All joints between lumps at zero: the lumps' frames are parallel to the pelvis'.
static void lump(struct walk_body *body, const struct robot_model *model,
                 const struct robot_pose *pose)
{
    double origin[WALK_BODY_LINKS][3] = {{0}};
    for (enum side side = SIDE_RIGHT; side < SIDE_COUNT; side++)
        for (int i = 0; i < LEG_JOINTS; i++)
            memcpy(origin[leg_link(side, i)],
                   pose->origin_m[model->joint[body->leg[side].joint[i]].link], sizeof origin[0]);
    for (unsigned n = WALK_BODY_CARRIED; n < body->links; n++)
        memcpy(origin[n],
               pose->origin_m[model->joint[body->upper[n - WALK_BODY_CARRIED].joint].link],
               sizeof origin[0]);
    for (unsigned i = 0; i < model->link_count; i++) {
        struct walk_body_link *to = &body->link[lump_of(body, model, (int)i)];
        double com[3];
        link_com(model, pose, i, com);
        to->mass_kg += model->link[i].mass_kg;
        for (int k = 0; k < 3; k++)
            to->com_m[k] += model->link[i].mass_kg * com[k];
    }
    for (unsigned n = 0; n < body->links; n++)
        for (int k = 0; k < 3; k++)
            body->link[n].com_m[k] /= body->link[n].mass_kg;
    for (unsigned i = 0; i < model->link_count; i++) {
        struct walk_body_link *to = &body->link[lump_of(body, model, (int)i)];
        double com[3], offset[3];
        link_com(model, pose, i, com);
        vec_subtract(com, to->com_m, offset);
        add_inertia(&model->link[i], pose->rotation[i], offset, to->inertia_kg_m2);
    }
    for (unsigned n = 0; n < body->links; n++)
        vec_subtract(body->link[n].com_m, origin[n], body->link[n].com_m);
}

enum status walk_body_from_model(const struct robot_model *model, struct walk_body *body)
{
    static const double zero[3] = {0}, identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    double angle[ROBOT_JOINTS_MAX], stand[LEG_JOINTS], sole[3], R[9];
    struct robot_pose pose;
    memset(body, 0, sizeof *body);
    body->links = WALK_BODY_CARRIED;
    for (enum side side = SIDE_RIGHT; side < SIDE_COUNT; side++) {
        enum status status = leg_from_model(model, side, &body->leg[side]);
        if (status != STATUS_OK)
            return status;
    }
    memcpy(angle, model->stand_rad, sizeof angle);
    robot_model_forward(model, zero, identity, angle, &pose);
    for (int i = 0; i < LEG_JOINTS; i++)
        stand[i] = angle[body->leg[SIDE_RIGHT].joint[i]];
    leg_forward(&body->leg[SIDE_RIGHT], stand, sole, R);
    body->pelvis_height_m = -sole[2];
    body->com_height_m = pose.com_m[2] - sole[2];
    body->mass_kg = model->mass_kg;
    for (enum side side = SIDE_RIGHT; side < SIDE_COUNT; side++)
        for (int i = 0; i < LEG_JOINTS; i++)
            angle[body->leg[side].joint[i]] = 0.0;
    robot_model_forward(model, zero, identity, angle, &pose);
    lump(body, model, &pose);
    return walk_toe_from_model(model, &body->toe);
}

void walk_body_tips(const struct walk_body *body, double tip_m[2])
{
    const struct sole *sole = &body->leg[SIDE_RIGHT].sole;
    tip_m[0] = sole->back_m;
    tip_m[1] = body->toe.there ? body->toe.tip_m : sole->front_m;
}

// Which joints move in the upper body, where they hang, and what they may do.
static bool find_upper(const struct robot_model *model, struct walk_body *body)
{
    static const char *const name[WALK_UPPER_JOINTS] = {"WST", "RSP", "LSP", "REB", "LEB"};
    for (int i = 0; i < WALK_UPPER_JOINTS; i++) {
        const int joint = robot_model_joint(model, name[i]);
        if (joint < 0)
            return false;
        body->upper[i] = (struct walk_upper_joint){.joint = joint,
                                                   .stand_rad = model->stand_rad[joint],
                                                   .min_rad = model->joint[joint].position_min_rad,
                                                   .max_rad = model->joint[joint].position_max_rad};
    }
    return robot_model_site(model, "right_hand") >= 0 && robot_model_site(model, "left_hand") >= 0;
}

bool walk_body_articulate(const struct robot_model *model, struct walk_body *body)
{
    static const double zero[3] = {0}, identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    static const char *const hand[SIDE_COUNT] = {"right_hand", "left_hand"};
    double angle[ROBOT_JOINTS_MAX];
    struct robot_pose pose;
    if (!find_upper(model, body))
        return false;
    memcpy(angle, model->stand_rad, sizeof angle);
    for (enum side side = SIDE_RIGHT; side < SIDE_COUNT; side++)
        for (int i = 0; i < LEG_JOINTS; i++)
            angle[body->leg[side].joint[i]] = 0;
    for (int i = 0; i < WALK_UPPER_JOINTS; i++)
        angle[body->upper[i].joint] = 0;
    robot_model_forward(model, zero, identity, angle, &pose);
    body->links = WALK_BODY_LINKS;
    memset(body->link, 0, sizeof body->link);
    lump(body, model, &pose);
    for (int i = 0; i < WALK_UPPER_JOINTS; i++) {
        struct walk_upper_joint *upper = &body->upper[i];
        const int link = model->joint[upper->joint].link, parent = model->link[link].parent;
        upper->parent = lump_of(body, model, parent);
        const double *from = zero;
        if (upper->parent >= WALK_BODY_CARRIED) {
            const int on = body->upper[upper->parent - WALK_BODY_CARRIED].joint;
            from = pose.origin_m[model->joint[on].link];
        }
        vec_subtract(pose.origin_m[link], from, upper->origin_m);
        rotate(pose.rotation[link], model->link[link].axis, upper->axis);
    }
    for (enum side side = SIDE_RIGHT; side < SIDE_COUNT; side++) {
        const int elbow = model->joint[body->upper[UPPER_ELBOW + side].joint].link;
        double at[3];
        robot_model_site_position(model, &pose, robot_model_site(model, hand[side]), at);
        vec_subtract(at, pose.origin_m[elbow], body->hand_m[side]);
    }
    return true;
}

// out = R Rx(angle), Ry or Rz for axis 0, 1, 2.
static void turn(const double R[9], int axis, double angle_rad, double out[9])
{
    int a = (axis + 1) % 3, b = (axis + 2) % 3;
    double c = cos(angle_rad), s = sin(angle_rad);
    for (int i = 0; i < 3; i++) {
        double u = R[3 * i + a], v = R[3 * i + b];
        out[3 * i + axis] = R[3 * i + axis];
        out[3 * i + a] = c * u + s * v;
        out[3 * i + b] = c * v - s * u;
    }
}

static void place(const struct walk_body *body, int link, const double origin[3],
                  struct walk_body_pose *pose)
{
    double com[3];
    rotate(pose->link_rotation[link], body->link[link].com_m, com);
    vec_add(origin, com, pose->link_com_m[link]);
}

static void place_leg(const struct walk_body *body, enum side side, const double pelvis_rotation[9],
                      struct walk_body_pose *pose)
{
    static const int axis[LEG_JOINTS] = {2, 0, 1, 1, 1, 0};
    const struct leg *leg = &body->leg[side];
    const double *R = pelvis_rotation;
    double origin[3];
    rotate(R, leg->hip_m, origin);
    vec_add(pose->pelvis_m, origin, origin);
    for (int i = 0; i < LEG_JOINTS; i++) {
        int link = leg_link(side, i);
        double down = i == LEG_KN ? leg->thigh_m : i == LEG_AP ? leg->shank_m : 0.0;
        for (int k = 0; k < 3; k++)
            origin[k] -= down * R[3 * k + 2];
        turn(R, axis[i], pose->leg_rad[side][i], pose->link_rotation[link]);
        R = pose->link_rotation[link];
        place(body, link, origin, pose);
    }
}

// Upper links, each after its parent.
static void place_upper(const struct walk_body *body, struct walk_body_pose *pose)
{
    double origin[WALK_BODY_LINKS][3];
    memcpy(origin[0], pose->pelvis_m, sizeof origin[0]);
    for (unsigned n = WALK_BODY_CARRIED; n < body->links; n++) {
        const struct walk_upper_joint *upper = &body->upper[n - WALK_BODY_CARRIED];
        const double *R = pose->link_rotation[upper->parent];
        double offset[3], turned[9];
        rotate(R, upper->origin_m, offset);
        vec_add(origin[upper->parent], offset, origin[n]);
        rotation_axis(upper->axis, pose->upper_rad[n - WALK_BODY_CARRIED], turned);
        rotation_product(R, turned, pose->link_rotation[n]);
        place(body, (int)n, origin[n], pose);
    }
}

enum status walk_body_place(const struct walk_body *body, const double pelvis_rotation[9],
                            const struct walk_body_soles *soles, struct walk_body_pose *pose)
{
    enum status status = STATUS_OK;
    memcpy(pose->link_rotation[0], pelvis_rotation, sizeof pose->link_rotation[0]);
    place(body, 0, pose->pelvis_m, pose);
    place_upper(body, pose);
    for (enum side side = SIDE_RIGHT; side < SIDE_COUNT; side++) {
        enum status leg =
            leg_inverse(&body->leg[side], pose->pelvis_m, pelvis_rotation, soles->position_m[side],
                        soles->rotation[side], pose->leg_rad[side]);
        status = leg != STATUS_OK ? leg : status;
        place_leg(body, side, pelvis_rotation, pose);
    }
    double moment[3] = {0};
    for (unsigned n = 0; n < body->links; n++)
        for (int k = 0; k < 3; k++)
            moment[k] += body->link[n].mass_kg * pose->link_com_m[n][k];
    for (int k = 0; k < 3; k++)
        pose->com_m[k] = moment[k] / body->mass_kg;
    return status;
}

enum status walk_body_over(const struct walk_body *body, const double com_m[2], double within_m,
                           const double pelvis_rotation[9], const struct walk_body_soles *soles,
                           struct walk_body_pose *pose)
{
    enum status status = STATUS_OK;
    // The legs follow the pelvis, so moving it by the error leaves about a sixth of it; three
    // rounds from the sample before are enough for micrometres.
    for (int round = 0; round < 3; round++) {
        status = walk_body_place(body, pelvis_rotation, soles, pose);
        double error[2] = {com_m[0] - pose->com_m[0], com_m[1] - pose->com_m[1]};
        if (round == 2 || fabs(error[0]) + fabs(error[1]) < within_m)
            break;
        pose->pelvis_m[0] += 1.15 * error[0];
        pose->pelvis_m[1] += 1.15 * error[1];
    }
    return status;
}

enum status walk_body_solve(const struct walk_body *body, const double com_m[2],
                            double pelvis_yaw_rad, const double foot_m[SIDE_COUNT][3],
                            const double foot_yaw_rad[SIDE_COUNT], struct walk_body_pose *pose)
{
    double pelvis_rotation[9];
    struct walk_body_soles soles;
    rotation_z(pelvis_yaw_rad, pelvis_rotation);
    for (enum side side = SIDE_RIGHT; side < SIDE_COUNT; side++)
        rotation_z(foot_yaw_rad[side], soles.rotation[side]);
    memcpy(soles.position_m, foot_m, sizeof soles.position_m);
    pose->pelvis_m[2] = body->pelvis_height_m;
    return walk_body_over(body, com_m, 2e-6, pelvis_rotation, &soles, pose);
}

// Angular velocity between two orientations, by the antisymmetric part of the small rotation from A
// to B.
static void spin(const double A[9], const double B[9], double period_s, double omega[3])
{
    double R[9];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            R[3 * i + j] = vec_dot(B + 3 * i, A + 3 * j);
    omega[0] = 0.5 * (R[7] - R[5]) / period_s;
    omega[1] = 0.5 * (R[2] - R[6]) / period_s;
    omega[2] = 0.5 * (R[3] - R[1]) / period_s;
}

void walk_body_momentum(const struct walk_body *body, const struct walk_body_pose *from,
                        const struct walk_body_pose *to, double period_s,
                        struct walk_body_momentum *momentum)
{
    memset(momentum, 0, sizeof *momentum);
    for (unsigned n = 0; n < body->links; n++) {
        const struct walk_body_link *link = &body->link[n];
        const double *A = from->link_rotation[n];
        double velocity[3], middle[3], orbit[3], omega[3], local[3], turned[3], own[3];
        for (int k = 0; k < 3; k++) {
            velocity[k] = (to->link_com_m[n][k] - from->link_com_m[n][k]) / period_s;
            middle[k] = 0.5 * (to->link_com_m[n][k] + from->link_com_m[n][k]);
        }
        vec_cross(middle, velocity, orbit);
        spin(A, to->link_rotation[n], period_s, omega);
        rotate_back(A, omega, local);
        rotate(link->inertia_kg_m2, local, turned);
        rotate(A, turned, own);
        for (int k = 0; k < 3; k++) {
            momentum->angular[k] += link->mass_kg * orbit[k] + own[k];
            momentum->linear[k] += link->mass_kg * velocity[k];
        }
    }
}

void walk_body_zmp(const struct walk_body *body, const double com_m[3],
                   const struct walk_body_momentum *before, const struct walk_body_momentum *after,
                   double period_s, double floor_m, double zmp_m[2])
{
    double weight = body->mass_kg * PREVIEW_GRAVITY_M_S2;
    double vertical = weight + (after->linear[2] - before->linear[2]) / period_s;
    double moment_x = (after->angular[0] - before->angular[0]) / period_s;
    double moment_y = (after->angular[1] - before->angular[1]) / period_s;
    double force[2];
    for (int k = 0; k < 2; k++)
        force[k] = (after->linear[k] - before->linear[k]) / period_s;
    zmp_m[0] = (weight * com_m[0] + floor_m * force[0] - moment_y) / vertical;
    zmp_m[1] = (weight * com_m[1] + floor_m * force[1] + moment_x) / vertical;
}

enum status walk_body_standing(const struct robot_model *model, double pelvis_m[2])
{
    struct walk_body body;
    enum status status = walk_body_from_model(model, &body);
    if (status != STATUS_OK)
        return status;
    struct stance stance = footsteps_stance((struct pose2d){0, 0, 0});
    double foot[SIDE_COUNT][3] = {0}, yaw[SIDE_COUNT] = {0}, middle[2] = {0, 0};
    for (int side = 0; side < SIDE_COUNT; side++) {
        foot[side][0] = stance.foot[side].x_m;
        foot[side][1] = stance.foot[side].y_m;
    }
    struct walk_body_pose pose = {.pelvis_m = {0, 0, body.pelvis_height_m}};
    status = walk_body_solve(&body, middle, 0, foot, yaw, &pose);
    pelvis_m[0] = pose.pelvis_m[0];
    pelvis_m[1] = pose.pelvis_m[1];
    return status;
}
