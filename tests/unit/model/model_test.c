// model: the robot read from its MJCF, forward kinematics against MuJoCo, leg and arm inverse
// kinematics.
#include "tests/unit/common/unit.h"

#include <math.h>
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <string.h>

#include "base/random.h"
#include "model/arm_ik.h"
#include "model/leg_ik.h"
#include "model/robot_model.h"
#include "model/spatial.h"
#include "plant/physics_private.h"

#define ROBOT_XML "targets/hubo2/robot.xml"

#define TOES_XML "targets/walkgen-toe/robot.xml"
// Wherever the file is.
#define LIKE_HUBO2 "<mujoco like='../../../../../proc/self/cwd/targets/hubo2/robot.xml'>"

static const char *const walker[] = {ROBOT_XML, "targets/walkgen/hrp2.xml", TOES_XML};
#define WALKERS (sizeof walker / sizeof walker[0])

static struct robot_model *load_of(const char *path)
{
    struct robot_model *model;
    ck_assert_int_eq(robot_model_load(path, &model), STATUS_OK);
    return model;
}

static struct robot_model *load(void)
{
    return load_of(ROBOT_XML);
}

static double largest_difference(const double *a, const double *b, int count)
{
    double largest = 0.0;
    for (int i = 0; i < count; i++)
        largest = fmax(largest, fabs(a[i] - b[i]));
    return largest;
}

// Angles within a share of each joint's range around its middle.
static void random_angles(struct random_stream *random, const double *min, const double *max,
                          int count, double share, double *angle)
{
    for (int i = 0; i < count; i++) {
        double middle = 0.5 * (min[i] + max[i]), half = 0.5 * share * (max[i] - min[i]);
        angle[i] = random_uniform(random, middle - half, middle + half);
    }
}

START_TEST(the_model_has_28_joints_in_description_order_and_42_kg)
{
    struct robot_model *model = load();
    ck_assert_uint_eq(model->joint_count, 28);
    ck_assert_int_eq(robot_model_joint(model, "WST"), 0);
    ck_assert_int_eq(robot_model_joint(model, "LHY"), 16);
    ck_assert_int_eq(robot_model_joint(model, "RAR"), 27);
    ck_assert_int_eq(robot_model_joint(model, "XXX"), -1);
    ck_assert_int_eq(robot_model_link(model, "pelvis"), 0);
    ck_assert_double_eq_tol(model->mass_kg, 42.0, 0.01);
    ck_assert_double_eq_tol(model->joint[19].position_max_rad, 2.609, 1e-12); // LKN
    robot_model_free(model);
}
END_TEST

START_TEST(a_joint_with_a_spring_and_no_motor_is_passive)
{
    struct robot_model *model = load_of(TOES_XML);
    const int toe = robot_model_passive(model, "LTO");
    ck_assert_uint_eq(model->joint_count, 28);
    ck_assert_uint_eq(model->passive_count, 2);
    ck_assert_int_eq(robot_model_joint(model, "LTO"), -1);
    ck_assert_int_eq(robot_model_passive(model, "LAR"), -1);
    ck_assert_int_eq(model->link[model->passive[toe].link].passive, toe);
    ck_assert_double_eq(model->passive[toe].stiffness_Nm_rad, 10);
    ck_assert_double_eq(model->passive[toe].damping_Nms_rad, 5);
    ck_assert_double_eq(model->passive[toe].position_max_rad, 0.7);
    ck_assert_double_eq_tol(model->mass_kg, 42.0, 0.01);
    robot_model_free(model);
}
END_TEST

START_TEST(forward_kinematics_and_centre_of_mass_agree_with_mujoco)
{
    char error[256];
    struct robot_model *model = load();
    mjModel *physics = mj_loadXML(ROBOT_XML, NULL, error, sizeof error);
    ck_assert_msg(physics != NULL, "%s", error);
    mjData *data = mj_makeData(physics);
    struct random_stream random;
    random_start(&random, 1, "model");
    for (int trial = 0; trial < 100; trial++) {
        double angle[ROBOT_JOINTS_MAX], rotation[9], root[3] = {0.3, -0.2, 0.8};
        double q[4] = {1, 0, 0, 0};
        for (int i = 0; i < 4; i++)
            q[i] += random_uniform(&random, -0.5, 0.5);
        mju_normalize4(q);
        mju_copy(data->qpos, root, 3);
        mju_copy(data->qpos + 3, q, 4);
        for (unsigned j = 0; j < model->joint_count; j++) {
            angle[j] = random_uniform(&random, model->joint[j].position_min_rad,
                                      model->joint[j].position_max_rad);
            int id = mj_name2id(physics, mjOBJ_JOINT, model->joint[j].name);
            data->qpos[physics->jnt_qposadr[id]] = angle[j];
        }
        mj_forward(physics, data);
        struct robot_pose pose;
        rotation_quaternion(q, rotation);
        robot_model_forward(model, root, rotation, angle, &pose);
        int pelvis = mj_name2id(physics, mjOBJ_BODY, "pelvis");
        ck_assert_double_lt(largest_difference(pose.com_m, data->subtree_com + 3 * pelvis, 3),
                            1e-9);
        for (unsigned i = 0; i < model->link_count; i++) {
            int id = mj_name2id(physics, mjOBJ_BODY, model->link[i].name);
            ck_assert_double_lt(largest_difference(pose.origin_m[i], data->xpos + 3 * id, 3), 1e-9);
            ck_assert_double_lt(largest_difference(pose.rotation[i], data->xmat + 9 * id, 9), 1e-9);
        }
        for (unsigned i = 0; i < model->site_count; i++) {
            double position[3];
            int id = mj_name2id(physics, mjOBJ_SITE, model->site[i].name);
            robot_model_site_position(model, &pose, (int)i, position);
            ck_assert_double_lt(largest_difference(position, data->site_xpos + 3 * id, 3), 1e-9);
        }
    }
    mj_deleteData(data);
    mj_deleteModel(physics);
    robot_model_free(model);
}
END_TEST

START_TEST(leg_inverse_recovers_the_angles_of_any_pose_within_the_limits)
{
    struct random_stream random;
    random_start(&random, 2, "model");
    for (size_t i = 0; i < WALKERS * SIDE_COUNT; i++) {
        struct robot_model *model = load_of(walker[i / SIDE_COUNT]);
        struct leg leg;
        ck_assert_int_eq(leg_from_model(model, (enum side)(i % SIDE_COUNT), &leg), STATUS_OK);
        for (int trial = 0; trial < 2000; trial++) {
            double angle[LEG_JOINTS], found[LEG_JOINTS], in_root[3], R_in_root[9];
            double root[3] = {0.1, 0.2, 0.6}, R_root[9], sole[3], R_sole[9];
            // ankle and hip within 45 degrees, where the branch is unique
            random_angles(&random, leg.min_rad, leg.max_rad, LEG_JOINTS, 0.5, angle);
            rotation_rpy(random_uniform(&random, -0.3, 0.3), random_uniform(&random, -0.3, 0.3),
                         random_uniform(&random, -3, 3), R_root);
            leg_forward(&leg, angle, in_root, R_in_root);
            rotate(R_root, in_root, sole);
            vec_add(root, sole, sole);
            rotation_product(R_root, R_in_root, R_sole);
            ck_assert_int_eq(leg_inverse(&leg, root, R_root, sole, R_sole, found), STATUS_OK);
            ck_assert_double_lt(largest_difference(angle, found, LEG_JOINTS), 1e-7);
        }
        robot_model_free(model);
    }
}
END_TEST

START_TEST(leg_forward_agrees_with_the_whole_model)
{
    struct leg leg;
    double angle[ROBOT_JOINTS_MAX] = {0}, some[LEG_JOINTS] = {0.2, -0.1, -0.6, 1.1, -0.5, 0.15};
    double root[3] = {0, 0, 0}, identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, a[3], R[9], b[3];
    for (size_t w = 0; w < WALKERS; w++) {
        struct robot_model *model = load_of(walker[w]);
        ck_assert_int_eq(leg_from_model(model, SIDE_LEFT, &leg), STATUS_OK);
        for (int i = 0; i < LEG_JOINTS; i++)
            angle[leg.joint[i]] = some[i];
        struct robot_pose pose;
        robot_model_forward(model, root, identity, angle, &pose);
        robot_model_site_position(model, &pose, robot_model_site(model, "ft_left_foot"), b);
        leg_forward(&leg, some, a, R);
        ck_assert_double_lt(largest_difference(a, b, 3), 1e-12);
        robot_model_free(model);
    }
}
END_TEST

START_TEST(a_leg_too_short_stretches_in_the_right_direction_and_says_unreachable)
{
    struct robot_model *model = load();
    struct leg leg;
    double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, root[3] = {0, 0, 0.9},
           sole[3] = {0.4, 0.1, 0};
    double angle[LEG_JOINTS], reached[3], R[9];
    ck_assert_int_eq(leg_from_model(model, SIDE_LEFT, &leg), STATUS_OK);
    ck_assert_int_eq(leg_inverse(&leg, root, identity, sole, identity, angle), STATUS_UNREACHABLE);
    ck_assert_double_eq_tol(angle[LEG_KN], 0.0, 1e-12);
    leg_forward(&leg, angle, reached, R);
    ck_assert_double_lt(largest_difference(R, identity, 9), 1e-9); // the sole stays level
    ck_assert_double_gt(reached[0], 0.2);
    for (int i = 0; i < LEG_JOINTS; i++)
        ck_assert(angle[i] >= leg.min_rad[i] && angle[i] <= leg.max_rad[i]);
    robot_model_free(model);
}
END_TEST

START_TEST(arm_inverse_reaches_every_pose_the_arm_can_take)
{
    struct robot_model *model = load();
    struct random_stream random;
    random_start(&random, 3, "model");
    for (enum side side = SIDE_RIGHT; side < SIDE_COUNT; side++) {
        struct arm arm;
        ck_assert_int_eq(arm_from_model(model, side, &arm), STATUS_OK);
        for (int trial = 0; trial < 2000; trial++) {
            double angle[ARM_JOINTS], found[ARM_JOINTS], hand[3], R[9], again[3], R_again[9];
            random_angles(&random, arm.min_rad, arm.max_rad, ARM_JOINTS, 0.98, angle);
            arm_forward(&arm, angle, hand, R);
            ck_assert_int_eq(arm_inverse(&arm, hand, R, angle, found), STATUS_OK);
            arm_forward(&arm, found, again, R_again);
            ck_assert_double_lt(largest_difference(hand, again, 3), 1e-5);
            ck_assert_double_lt(largest_difference(R, R_again, 9), 1e-5);
            for (int i = 0; i < ARM_JOINTS; i++)
                ck_assert(found[i] >= arm.min_rad[i] && found[i] <= arm.max_rad[i]);
        }
    }
    robot_model_free(model);
}
END_TEST

START_TEST(arm_inverse_stays_on_the_branch_it_is_near)
{
    struct robot_model *model = load();
    struct arm arm;
    double angle[ARM_JOINTS] = {-0.4, 0.3, 0.2, -0.9, 0.3, -0.2}, found[ARM_JOINTS], hand[3], R[9];
    ck_assert_int_eq(arm_from_model(model, SIDE_LEFT, &arm), STATUS_OK);
    arm_forward(&arm, angle, hand, R);
    ck_assert_int_eq(arm_inverse(&arm, hand, R, angle, found), STATUS_OK);
    ck_assert_double_lt(largest_difference(angle, found, ARM_JOINTS), 1e-6);
    robot_model_free(model);
}
END_TEST

START_TEST(a_hand_out_of_reach_goes_as_near_as_the_arm_is_long)
{
    struct robot_model *model = load();
    struct arm arm;
    double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, down[9], hand[3], R[9], angle[ARM_JOINTS];
    ck_assert_int_eq(arm_from_model(model, SIDE_RIGHT, &arm), STATUS_OK);
    double far_m[3] = {arm.shoulder_m[0], arm.shoulder_m[1], arm.shoulder_m[2] - 2.0};
    memcpy(down, identity, sizeof down);
    ck_assert_int_eq(arm_inverse(&arm, far_m, down, NULL, angle), STATUS_UNREACHABLE);
    arm_forward(&arm, angle, hand, R);
    double length = arm.shoulder_m[2] - hand[2];
    ck_assert_double_eq_tol(length, arm.upper_m + arm.fore_m + arm.hand_m, 1e-3);
    robot_model_free(model);
}
END_TEST

// As the controllers and as MuJoCo read it.
START_TEST(a_model_that_is_like_another_has_what_it_does_not_change_from_that)
{
    struct robot_model *model, *toes;
    ck_assert_int_eq(robot_model_load("targets/hubo2/robot.xml", &model), STATUS_OK);
    ck_assert_int_eq(robot_model_load("targets/walkgen-toe/robot.xml", &toes), STATUS_OK);
    mjModel *physics = physics_load("targets/walkgen-toe/robot.xml");
    ck_assert_ptr_nonnull(physics);
    ck_assert_int_eq(physics->nbody, (int)toes->link_count + 1);
    ck_assert_uint_eq(toes->link_count, model->link_count + SIDE_COUNT);
    unsigned changed = 0;
    for (unsigned i = 0; i < model->link_count; i++) {
        const int same = robot_model_link(toes, model->link[i].name);
        const int body = mj_name2id(physics, mjOBJ_BODY, model->link[i].name);
        ck_assert_int_ge(same, 0);
        ck_assert_double_eq(toes->link[same].mass_kg, physics->body_mass[body]);
        changed += toes->link[same].mass_kg != model->link[i].mass_kg;
    }
    ck_assert_uint_eq(changed, SIDE_COUNT); // the feet
    mj_deleteModel(physics);
    robot_model_free(model);
    robot_model_free(toes);
}
END_TEST

START_TEST(a_broken_model_file_is_refused)
{
    static const char *const broken[] = {
        "<mujoco",
        "<robot/>",
        "<mujoco><worldbody/><actuator/></mujoco>",
        "<mujoco><worldbody><body name='a'><joint name='j' range='1 0'/></body></worldbody>"
        "<actuator/></mujoco>",
        "<mujoco><worldbody><body name='a'><joint name='j' range='0 x'/></body></worldbody>"
        "<actuator/></mujoco>",
        "<mujoco><worldbody><body name='a'><inertial "
        "mass='0'/></body></worldbody><actuator/></mujoco>",
        "<mujoco><worldbody><body name='a'><joint name='j' range='0 1'/></body></worldbody>"
        "<actuator/></mujoco>",
        "<mujoco><worldbody><body name='a'><joint name='j' range='0 1' stiffness='-1' damping='1'/>"
        "</body></worldbody><actuator/></mujoco>",
        "<mujoco><worldbody><body name='a'><joint name='j' range='0 1' stiffness='1'/></body>"
        "</worldbody><actuator/></mujoco>",
        "<mujoco><worldbody><body name='a'><joint name='j' range='1 2' stiffness='1' damping='1'/>"
        "</body></worldbody><actuator/></mujoco>",
        "<mujoco><worldbody><body name='a' quat='1 0 0 0'/></worldbody><actuator/></mujoco>",
        "<mujoco like='nowhere.xml'/>",
        LIKE_HUBO2 "<body name='tail'/></mujoco>",
        LIKE_HUBO2 "<body/></mujoco>",
        LIKE_HUBO2 "<body name='left_thigh'/></mujoco>", // takes the joints away
        LIKE_HUBO2 "text</mujoco>"};
    char path[80];
    choose_file(path, sizeof path);
    for (size_t i = 0; i < sizeof broken / sizeof broken[0]; i++) {
        struct robot_model *model;
        FILE *file = fopen(path, "w");
        ck_assert_ptr_nonnull(file);
        fputs(broken[i], file);
        ck_assert_int_eq(fclose(file), 0);
        ck_assert_int_ne(robot_model_load(path, &model), STATUS_OK);
        ck_assert_ptr_null(model);
    }
}
END_TEST

UNIT_MAIN("model", the_model_has_28_joints_in_description_order_and_42_kg,
          a_joint_with_a_spring_and_no_motor_is_passive,
          forward_kinematics_and_centre_of_mass_agree_with_mujoco,
          leg_inverse_recovers_the_angles_of_any_pose_within_the_limits,
          leg_forward_agrees_with_the_whole_model,
          a_leg_too_short_stretches_in_the_right_direction_and_says_unreachable,
          arm_inverse_reaches_every_pose_the_arm_can_take,
          arm_inverse_stays_on_the_branch_it_is_near,
          a_hand_out_of_reach_goes_as_near_as_the_arm_is_long,
          a_model_that_is_like_another_has_what_it_does_not_change_from_that,
          a_broken_model_file_is_refused)
