// hose: the law of a dragged string, the chain of links beside it, and motion capture.
#include "tests/unit/common/unit.h"

#include <math.h>
#include <string.h>

#include "plant/scenery/hose.h"
#include "plant/scenery/hose_law.h"
#include "plant/mocap.h"
#include "plant/physics.h"
#include "plant/physics_private.h"

#define DRAG_M_S 0.125
#define STEP_S 0.002
#define HAND_M 0.568
#define DRAGGED_S 12.0

// Where a hand is that walks on, with the surge of a step of 0.8 s each way.
static double hand_at_m(double time_s, double surge_m)
{
    return DRAG_M_S * time_s + surge_m * sin(2 * M_PI / 0.8 * time_s);
}

// The chain dragged over the floor by its front end alone: the mean force over the last 4 s.
static double dragged_N(const struct hose_config *config, double surge_m, double time_s)
{
    mjModel *model = physics_load_with("targets/hubo2/robot.xml", config, NULL, NULL);
    ck_assert_ptr_nonnull(model);
    mjData *data = mj_makeData(model);
    mj_resetDataKeyframe(model, data, 0);
    mj_forward(model, data);
    struct hose *hose;
    ck_assert_int_eq(hose_create(model, data, config, &hose), STATUS_OK);
    mjtNum *place = model->eq_data + mj_name2id(model, mjOBJ_EQUALITY, "hose_rest") * mjNEQDATA + 3;
    const int tie = mj_name2id(model, mjOBJ_EQUALITY, "hose_rest");
    double sum_N = 0;
    int counted = 0;
    place[0] += 10, place[2] = HAND_M; // beside the robot, which stands still far off
    const double from_m = place[0];
    data->qpos[model->jnt_qposadr[model->body_jntadr[mj_name2id(model, mjOBJ_BODY, "hose_1")]]] +=
        10;
    for (int i = 0; i < time_s / STEP_S; i++) {
        place[0] = from_m + hand_at_m((i + 1) * STEP_S, surge_m);
        hose_step(hose);
        mj_step(model, data);
        for (int row = 0; row < data->nefc && i * STEP_S > time_s - 4; row++)
            if (data->efc_type[row] == mjCNSTR_EQUALITY && data->efc_id[row] == tie) {
                sum_N += data->efc_force[row];
                counted++;
                break;
            }
    }
    for (int i = 0; i < mjNWARNING; i++)
        ck_assert_int_eq(data->warning[i].number, 0);
    hose_free(hose);
    mj_deleteData(data);
    mj_deleteModel(model);
    return sum_N / counted;
}

static struct hose_law law_of(const struct hose_config *config)
{
    return (struct hose_law){.weight_N_m = 9.81 * config->kg_m,
                             .length_m = config->length_m,
                             .friction = config->friction,
                             .end_N = 9.81 * config->nozzle_kg};
}

START_TEST(the_law_gives_what_was_worked_out_by_hand)
{
    // T = mu w (L - s), s = sqrt(z^2 + 2 z T / w): 7 m of 1.8 kg/m, mu 0.4, hand at 0.568 m.
    const struct hose_law law = law_of(&hose_config_default);
    const struct hose_pull pull = hose_law_pull(&law, 0.568);
    const double s_m = sqrt(0.568 * 0.568 + 2 * 0.568 * pull.horizontal_N / law.weight_N_m);
    ck_assert_double_eq_tol(pull.horizontal_N, 0.4 * law.weight_N_m * (7 - s_m), 1e-6);
    ck_assert_double_eq_tol(pull.hanging_m, s_m, 1e-9);
    ck_assert(37 < pull.horizontal_N && pull.horizontal_N < 39);
    ck_assert_double_eq_tol(pull.vertical_N, law.weight_N_m * s_m + 5.886, 1e-9);
    struct hose_law reel = law;
    reel.tail_N = 10; // holds back besides, and lifts some of the hose
    const double more_N = hose_law_pull(&reel, 0.568).horizontal_N - pull.horizontal_N;
    ck_assert(8 < more_N && more_N < 10);
}
END_TEST

// The string on the same way: the mean force over the last 4 s.
static double string_N(const struct hose_config *config, double surge_m, double time_s)
{
    struct hose_string string = {
        .law = law_of(config), .stiffness_N_m = 800, .damping_Ns_m = 20}; // as in the world
    double hand_m[3] = {0, 0, HAND_M}, speed_m_s[3] = {0}, force_N[3], sum_N = 0;
    int counted = 0;
    hose_string_lay(&string, hand_m, (const double[2]){-1, 0});
    for (int i = 0; i < time_s / STEP_S; i++) {
        const double next_m = hand_at_m((i + 1) * STEP_S, surge_m);
        speed_m_s[0] = (next_m - hand_m[0]) / STEP_S;
        hand_m[0] = next_m;
        hose_string_step(&string, hand_m, speed_m_s, force_N);
        if (i * STEP_S > time_s - 4) {
            sum_N -= force_N[0];
            counted++;
        }
    }
    return sum_N / counted;
}

static struct hose_config hose_of(double length_m, double kg_m)
{
    struct hose_config config = hose_config_default;
    config.length_m = length_m;
    config.links = (unsigned)(2 * length_m);
    config.kg_m = kg_m;
    return config;
}

START_TEST(a_chain_that_is_dragged_pulls_within_a_tenth_of_the_law)
{
    static const double hose[][2] = {{3, 2.7}, {5, 0.9}, {7, 1.8}}; // m, kg/m
    for (int i = 0; i < 3; i++) {
        const struct hose_config config = hose_of(hose[i][0], hose[i][1]);
        const struct hose_law law = law_of(&config);
        const double law_N = hose_law_pull(&law, HAND_M).horizontal_N;
        ck_assert_double_eq_tol(dragged_N(&config, 0, DRAGGED_S), law_N, 0.10 * law_N);
    }
}
END_TEST

START_TEST(a_string_in_a_hand_that_walks_pulls_within_15_percent_of_the_chain)
{
    const struct hose_config config = hose_of(5, 1.8);
    const double surge_m = 0.01;
    const double chain_N = dragged_N(&config, surge_m, DRAGGED_S);
    ck_assert_double_eq_tol(string_N(&config, surge_m, DRAGGED_S), chain_N, 0.15 * chain_N);
}
END_TEST

START_TEST(a_string_pulls_as_the_law_while_it_slides_and_less_at_rest)
{
    struct hose_string string = {
        .law = law_of(&hose_config_default), .stiffness_N_m = 800, .damping_Ns_m = 20};
    double hand_m[3] = {0, 0, 0.568}, force_N[3];
    const double speed_m_s[3] = {DRAG_M_S, 0, 0}, rest_m_s[3] = {0};
    const struct hose_pull pull = hose_law_pull(&string.law, hand_m[2]);
    hose_string_lay(&string, hand_m, (const double[2]){-1, 0});
    hose_string_step(&string, hand_m, rest_m_s, force_N);
    ck_assert_double_eq(force_N[0], 0); // it lies slack
    for (int i = 0; i < 5000; i++) {
        hand_m[0] += DRAG_M_S * STEP_S;
        hose_string_step(&string, hand_m, speed_m_s, force_N);
    }
    ck_assert_double_eq_tol(force_N[0], -pull.horizontal_N, 1e-6);
    ck_assert_double_eq_tol(force_N[2], -pull.vertical_N, 1e-6);
    ck_assert_double_eq_tol(hand_m[0] - string.floor_m[0], pull.span_m, 1e-6);
    hand_m[0] -= 0.02;
    hose_string_step(&string, hand_m, rest_m_s, force_N);
    ck_assert(-force_N[0] < 0.7 * pull.horizontal_N);
}
END_TEST

START_TEST(the_robot_s_own_model_is_as_it_was_without_a_hose)
{
    struct hose_config none = hose_config_default;
    none.kind = HOSE_NONE;
    none.contact = false;
    mjModel *plain = physics_load("targets/hubo2/robot.xml");
    mjModel *same = physics_load_with("targets/hubo2/robot.xml", &none, NULL, NULL);
    ck_assert(plain != NULL && same != NULL);
    ck_assert_int_eq(plain->nq, same->nq);
    ck_assert_int_eq(plain->opt.cone, same->opt.cone);
    ck_assert_double_eq(plain->opt.impratio, same->opt.impratio);
    mj_deleteModel(plain);
    mj_deleteModel(same);
}
END_TEST

START_TEST(motion_capture_tells_200_poses_a_second_in_order_and_late)
{
    static struct mocap mocap, again;
    struct mocap_config config = {
        .present = true, .noise_m = 0.001, .noise_rad = 0.002, .latency_s = 0.05, .seed = 3};
    mocap_start(&mocap, &config);
    mocap_start(&again, &config);
    const double chest_m[3] = {1, 2, 0.8};
    struct mocap_message pose, other;
    unsigned told = 0;
    double sum_m = 0, square = 0;
    for (int64_t ms = 0; ms < 2000; ms++) {
        mocap_look(&mocap, instant_ns(ms * 1000000), chest_m, 0.3);
        mocap_look(&again, instant_ns(ms * 1000000), chest_m, 0.3);
        while (mocap_tell(&mocap, instant_ns(ms * 1000000), &pose)) {
            ck_assert_int_eq(pose.sequence, ++told);
            ck_assert_int_eq(pose.age.ns, 50000000);
            ck_assert(pose.told.ns <= ms * 1000000);
            ck_assert(mocap_tell(&again, instant_ns(ms * 1000000), &other));
            ck_assert_double_eq(pose.x_m, other.x_m);
            sum_m += pose.x_m - 1;
            square += (pose.x_m - 1) * (pose.x_m - 1);
        }
    }
    ck_assert_uint_eq(told, 390);
    ck_assert(fabs(sum_m / told) < 0.0002);
    ck_assert(0.0008 < sqrt(square / told) && sqrt(square / told) < 0.0012);
}
END_TEST

START_TEST(a_hose_for_a_robot_without_the_hand_is_refused)
{
    char why[1000];
    static const char robot[] = "<mujoco><worldbody><body name='trunk'><freejoint/>"
                                "<geom size='0.1'/></body></worldbody></mujoco>";
    mjVFS *files = malloc(sizeof *files);
    mj_defaultVFS(files);
    ck_assert_int_eq(mj_makeEmptyFileVFS(files, "robot.xml", (int)sizeof robot - 1), 0);
    memcpy(files->filedata[0], robot, sizeof robot - 1);
    mjModel *model = mj_loadXML("robot.xml", files, why, sizeof why);
    ck_assert_ptr_nonnull(model);
    mjData *data = mj_makeData(model);
    struct hose_config config = hose_config_default;
    config.kind = HOSE_STRING;
    struct hose *hose;
    ck_assert_int_eq(hose_create(model, data, &config, &hose), STATUS_INVALID);
    hose_free(hose);
    mj_deleteData(data);
    mj_deleteModel(model);
    mj_deleteVFS(files);
    free(files);
}
END_TEST

UNIT_MAIN("hose", a_hose_for_a_robot_without_the_hand_is_refused,
          the_law_gives_what_was_worked_out_by_hand,
          a_chain_that_is_dragged_pulls_within_a_tenth_of_the_law,
          a_string_in_a_hand_that_walks_pulls_within_15_percent_of_the_chain,
          a_string_pulls_as_the_law_while_it_slides_and_less_at_rest,
          the_robot_s_own_model_is_as_it_was_without_a_hose,
          motion_capture_tells_200_poses_a_second_in_order_and_late)
