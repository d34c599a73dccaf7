// A robot from a URDF file is the robot from its MuJoCo file, however the frames are turned.
#include "tests/unit/walk/walkgen_begin.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/random.h"
#include "model/spatial.h"
#include "tests/unit/common/folder.h"

static const char *model_name(const struct robot_model *model, int joint)
{
    return joint >= 0 ? model->joint[joint].name : "fixed";
}

static void print_origin(FILE *file, const double at_m[3], const double R[9])
{
    fprintf(file, "<origin xyz=\"%.17g %.17g %.17g\" rpy=\"%.17g %.17g %.17g\"/>", at_m[0], at_m[1],
            at_m[2], atan2(R[7], R[8]), asin(fmax(-1, fmin(1, -R[6]))), atan2(R[3], R[0]));
}

// One link and the joint that it hangs on; R: each link's frame in the root's.
static void print_link(FILE *file, const struct robot_model *model, unsigned i, double (*R)[9])
{
    static const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    const struct robot_link *link = &model->link[i];
    double turned[9], at_m[3];
    rotation_relative(R[i], identity, turned);
    rotate_back(R[i], link->com_m, at_m);
    fprintf(file, "<link name=\"%s\"><inertial>", link->name);
    print_origin(file, at_m, turned);
    fprintf(file, "<mass value=\"%.17g\"/><inertia ixx=\"%.17g\" iyy=\"%.17g\" izz=\"%.17g\"/>",
            link->mass_kg, link->inertia_kg_m2[0], link->inertia_kg_m2[1], link->inertia_kg_m2[2]);
    fprintf(file, "</inertial>");
    if (link->boxed && strstr(link->name, "foot") != NULL) {
        double middle_m[3];
        for (int k = 0; k < 3; k++)
            middle_m[k] = 0.5 * (link->box_m[k][0] + link->box_m[k][1]);
        rotate_back(R[i], middle_m, at_m);
        fprintf(file, "<collision>");
        print_origin(file, at_m, turned);
        fprintf(file, "<geometry><box size=\"%.17g %.17g %.17g\"/></geometry></collision>",
                link->box_m[0][1] - link->box_m[0][0], link->box_m[1][1] - link->box_m[1][0],
                link->box_m[2][1] - link->box_m[2][0]);
    }
    fprintf(file, "</link>\n");
    if (link->parent < 0)
        return;
    double axis[3];
    rotation_relative(R[link->parent], R[i], turned);
    rotate_back(R[link->parent], link->offset_m, at_m);
    rotate_back(R[i], link->axis, axis);
    fprintf(file, "<joint name=\"%s_%u\" type=\"%s\"><parent link=\"%s\"/><child link=\"%s\"/>",
            model_name(model, link->joint), i, link->joint < 0 ? "fixed" : "revolute",
            model->link[link->parent].name, link->name);
    print_origin(file, at_m, turned);
    fprintf(file, "<axis xyz=\"%.17g %.17g %.17g\"/>", axis[0], axis[1], axis[2]);
    if (link->joint >= 0)
        fprintf(file, "<limit lower=\"%.17g\" upper=\"%.17g\" effort=\"1\" velocity=\"1\"/>",
                model->joint[link->joint].position_min_rad,
                model->joint[link->joint].position_max_rad);
    fprintf(file, "</joint>\n");
}

// Writes a model as URDF and its standing pose as SRDF; children come before their parents.
static void write_urdf(const struct robot_model *model, const char *urdf, const char *srdf)
{
    struct random_stream random;
    double R[ROBOT_LINKS_MAX][9];
    random_start(&random, 3, "frames");
    FILE *file = fopen(urdf, "w"), *states = fopen(srdf, "w");
    ck_assert(file != NULL && states != NULL);
    fprintf(file, "<robot name=\"turned\">\n");
    fprintf(states, "<robot name=\"turned\"><group_state name=\"half_sitting\" group=\"all\">\n"
                    "<joint name=\"root\" value=\"0 0 1 0 0 0 1\"/>\n");
    for (unsigned i = model->link_count; i-- > 0;)
        rotation_rpy(i == 0 ? 0 : random_uniform(&random, -3, 3),
                     i == 0 ? 0 : random_uniform(&random, -1.5, 1.5),
                     i == 0 ? 0 : random_uniform(&random, -3, 3), R[i]);
    for (unsigned i = model->link_count; i-- > 0;) {
        print_link(file, model, i, R);
        const int joint = model->link[i].joint;
        if (joint >= 0)
            fprintf(states, "<joint name=\"%s_%u\" value=\"%.17g\"/>\n", model_name(model, joint),
                    i, model->stand_rad[joint]);
    }
    fprintf(file, "</robot>\n");
    fprintf(states, "</group_state></robot>\n");
    ck_assert(fclose(file) == 0 && fclose(states) == 0);
}

static void same_body(const struct walk_body *a, const struct walk_body *b)
{
    ck_assert_double_eq_tol(a->mass_kg, b->mass_kg, 1e-9);
    ck_assert_double_eq_tol(a->com_height_m, b->com_height_m, 1e-9);
    for (enum side side = SIDE_RIGHT; side < SIDE_COUNT; side++) {
        ck_assert_double_eq_tol(a->leg[side].thigh_m, b->leg[side].thigh_m, 1e-9);
        ck_assert_double_eq_tol(a->leg[side].ankle_m, b->leg[side].ankle_m, 1e-9);
        ck_assert_double_eq_tol(a->leg[side].hip_m[1], b->leg[side].hip_m[1], 1e-9);
        ck_assert_double_eq_tol(a->leg[side].sole.front_m, b->leg[side].sole.front_m, 1e-9);
        ck_assert_double_eq_tol(a->leg[side].sole.left_m, b->leg[side].sole.left_m, 1e-9);
    }
    for (unsigned i = 0; i < a->links; i++) {
        for (int k = 0; k < 3; k++)
            ck_assert_double_eq_tol(a->link[i].com_m[k], b->link[i].com_m[k], 1e-9);
        for (int k = 0; k < 9; k++)
            ck_assert_double_eq_tol(a->link[i].inertia_kg_m2[k], b->link[i].inertia_kg_m2[k], 1e-9);
    }
}

START_TEST(however_frames_are_turned_it_is_the_same_robot)
{
    char folder[PATH_MAX / 2], urdf[PATH_MAX], srdf[PATH_MAX];
    struct robot_model *drawn, *read;
    struct walk_body a, b;
    struct walkgen *walkgen, *other;
    struct walkgen_output out, same;
    make_folder(folder, sizeof folder);
    snprintf(urdf, sizeof urdf, "%s/robot.urdf", folder);
    snprintf(srdf, sizeof srdf, "%s/robot.srdf", folder);
    ck_assert_int_eq(robot_model_load(HUBO2, &drawn), STATUS_OK);
    write_urdf(drawn, urdf, srdf);
    ck_assert_int_eq(robot_model_load_urdf(urdf, srdf, &read), STATUS_OK);
    ck_assert_int_eq(walk_body_from_model(drawn, &a), STATUS_OK);
    ck_assert_int_eq(walk_body_from_model(read, &b), STATUS_OK);
    same_body(&a, &b);
    ck_assert_int_eq(walkgen_create(drawn, &walkgen), STATUS_OK);
    ck_assert_int_eq(walkgen_create(read, &other), STATUS_OK);
    command(walkgen, ":stepseq 0 -0.0885 0  0.2 0.177 0  0.2 -0.177 10  0 0.177 0");
    command(other, ":stepseq 0 -0.0885 0  0.2 0.177 0  0.2 -0.177 10  0 0.177 0");
    for (bool more = true; more;) {
        more = walkgen_tick(walkgen, &out);
        ck_assert(walkgen_tick(other, &same) == more);
        for (int k = 0; k < 2; k++)
            ck_assert_double_eq_tol(out.zmp_multibody_m[k], same.zmp_multibody_m[k], 1e-6);
        for (int i = 0; i < LEG_JOINTS; i++)
            ck_assert_double_eq_tol(out.joint_rad[a.leg[SIDE_LEFT].joint[i]],
                                    same.joint_rad[b.leg[SIDE_LEFT].joint[i]], 1e-6);
    }
    walkgen_free(walkgen);
    walkgen_free(other);
    robot_model_free(drawn);
    robot_model_free(read);
    remove_folder(folder);
}
END_TEST

START_TEST(a_sole_is_what_the_model_draws)
{
    struct walk_body body;
    walkgen_free(create(HRP2, &body));
    ck_assert_double_eq_tol(body.leg[SIDE_LEFT].sole.front_m, 0.1086, 1e-12);
    ck_assert_double_eq_tol(body.leg[SIDE_LEFT].sole.right_m, -0.069, 1e-12);
    walkgen_free(create(TOES, &body));
    double tip_m[2];
    walk_body_tips(&body, tip_m);
    ck_assert_double_eq_tol(tip_m[0], -0.105, 1e-12);
    ck_assert_double_gt(tip_m[1], body.leg[SIDE_LEFT].sole.front_m); // the toe's
}
END_TEST

// None of these has two legs.
START_TEST(what_is_no_robot_on_two_legs_is_refused_with_its_reason)
{
    static const char *const bad[] = {
        "<mujoco/>",
        "<robot/>",
        "<robot><link/></robot>",
        "<robot><link name=\"a\"/><link name=\"b\"/></robot>",
        "<robot><link name=\"a\"/></robot>",
        "<robot><link name=\"a\"/><joint name=\"j\" type=\"revolute\"><parent link=\"a\"/>"
        "<child link=\"c\"/></joint></robot>",
        "<robot><link name=\"a\"/><link name=\"b\"/><joint name=\"j\" type=\"revolute\">"
        "<parent link=\"b\"/><child link=\"b\"/></joint></robot>",
        "<robot><link name=\"a\"/><link name=\"b\"/><joint name=\"j\" type=\"revolute\">"
        "<parent link=\"a\"/><child link=\"b\"/><axis xyz=\"0 nan 0\"/></joint></robot>"};
    char folder[PATH_MAX / 2], path[PATH_MAX];
    make_folder(folder, sizeof folder);
    snprintf(path, sizeof path, "%s/bad.urdf", folder);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct robot_model *model;
        FILE *file = fopen(path, "w");
        ck_assert(file != NULL && fputs(bad[i], file) >= 0 && fclose(file) == 0);
        ck_assert_msg(robot_model_load_urdf(path, NULL, &model) == STATUS_INVALID, "%s", bad[i]);
        ck_assert_ptr_null(model);
    }
    remove_folder(folder);
}
END_TEST

UNIT_MAIN("urdf", however_frames_are_turned_it_is_the_same_robot, a_sole_is_what_the_model_draws,
          what_is_no_robot_on_two_legs_is_refused_with_its_reason)
