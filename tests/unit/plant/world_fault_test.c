// Faults of the simulated world: each begins, is to be seen, and leaves nothing when it is over.
#include "tests/unit/common/unit.h"

#include <math.h>

#include "can/bus.h"
#include "plant/plant.h"
#include "plant/scenery/world_fault_list.h"

#define GRAVITY_M_S2 9.81

struct robot {
    struct description *description;
    struct plant *plant;
    double weight_N; // on its feet, of the last 0.2 s, as a mean
    unsigned looked;
};

static void weigh(void *context, struct plant *plant, instant t)
{
    struct robot *robot = context;
    struct truth_message truth;
    plant_truth(plant, &truth);
    (void)t;
    robot->weight_N += truth.foot_force_N[SIDE_RIGHT] + truth.foot_force_N[SIDE_LEFT];
    robot->looked++;
}

static void new_cell(void)
{
    static char cell[64];
    make_folder(cell, sizeof cell);
    setenv("UKEMI_CELL", cell, 1);
    for (int i = 0; i < 2; i++)
        ck_assert_int_eq(can_bus_create(cell, i == 0 ? "can0" : "can1",
                                        &(struct can_bus_config){.bitrates = {1000000, 0}}),
                         STATUS_OK);
}

// It stands on its held references.
static struct robot new_robot(void)
{
    struct robot robot = {0};
    new_cell();
    ck_assert_int_eq(description_load("targets/hubo2/hubo2.xml", &robot.description), STATUS_OK);
    ck_assert_int_eq(plant_create("targets/hubo2/robot.xml", robot.description,
                                  &(struct plant_config){.seed = 1}, &robot.plant),
                     STATUS_OK);
    return robot;
}

static void free_robot(struct robot *robot)
{
    plant_free(robot->plant);
    description_free(robot->description);
}

// Goes on to an instant; then for 0.2 s more, over which it is weighed.
static double weight_at(struct robot *robot, double time_s)
{
    plant_observe(robot->plant, weigh, robot);
    plant_advance(robot->plant, instant_s(time_s));
    robot->weight_N = 0;
    robot->looked = 0;
    plant_advance(robot->plant, instant_s(time_s + 0.2));
    return robot->weight_N / robot->looked;
}

static struct world_fault_message truth_of(const struct robot *robot)
{
    struct world_fault_message truth;
    plant_world_truth(robot->plant, &truth);
    return truth;
}

START_TEST(a_payload_weighs_as_long_as_it_is_held)
{
    struct robot robot = new_robot();
    const double before_N = weight_at(&robot, 0.5);
    plant_world_change(robot.plant, &(struct world_change_message){.id = 1,
                                                                   .kind = WORLD_FAULT_payload,
                                                                   .acts = 1,
                                                                   .value = {3},
                                                                   .body = "right_hand_sensor"});
    ck_assert_double_eq_tol(truth_of(&robot).shown[WORLD_FAULT_payload], 3, 1e-9);
    ck_assert_double_eq_tol(weight_at(&robot, 1.5), before_N + 3 * GRAVITY_M_S2, 3);
    plant_world_change(robot.plant, &(struct world_change_message){
                                        .id = 2, .kind = WORLD_FAULT_payload, .acts = 0});
    ck_assert_double_eq_tol(truth_of(&robot).shown[WORLD_FAULT_payload], 0, 1e-9);
    ck_assert_double_eq_tol(weight_at(&robot, 2.5), before_N, 3);
    ck_assert_uint_eq(truth_of(&robot).refused, 0);
    ck_assert_uint_eq(truth_of(&robot).change_id, 2);
    free_robot(&robot);
}
END_TEST

START_TEST(a_further_payload_takes_the_place_of_the_first)
{
    struct robot robot = new_robot();
    const char *const body[] = {"right_hand_sensor", "left_hand_sensor"};
    for (unsigned i = 0; i < 2; i++) {
        struct world_change_message change = {
            .id = i + 1, .kind = WORLD_FAULT_payload, .acts = 1, .value = {1 + i}};
        snprintf(change.body, sizeof change.body, "%s", body[i]);
        plant_world_change(robot.plant, &change);
        plant_world_change(robot.plant, &change); // seen before: no difference
    }
    ck_assert_double_eq_tol(truth_of(&robot).shown[WORLD_FAULT_payload], 2, 1e-9);
    free_robot(&robot);
}
END_TEST

START_TEST(a_change_that_makes_no_sense_is_refused_and_counted)
{
    static const struct world_change_message wrong[] = {
        {.id = 1, .kind = WORLD_FAULT_payload, .acts = 1, .value = {1}, .body = "tail"},
        {.id = 2, .kind = WORLD_FAULT_payload, .acts = 1, .value = {-1}, .body = "torso"},
        {.id = 3, .kind = WORLD_FAULT_payload, .acts = 1, .value = {NAN}, .body = "torso"},
        {.id = 4, .kind = WORLD_FAULT_COUNT, .acts = 1, .value = {1}, .body = "torso"},
        {.id = 5, .kind = WORLD_FAULT_payload, .acts = 1, .value = {1}, .body = "world"}};
    struct robot robot = new_robot();
    for (unsigned i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        plant_world_change(robot.plant, &wrong[i]);
        ck_assert_uint_eq(truth_of(&robot).refused, i + 1);
        ck_assert_double_eq_tol(truth_of(&robot).shown[WORLD_FAULT_payload], 0, 1e-9);
    }
    free_robot(&robot);
}
END_TEST

UNIT_MAIN("world_fault", a_payload_weighs_as_long_as_it_is_held,
          a_further_payload_takes_the_place_of_the_first,
          a_change_that_makes_no_sense_is_refused_and_counted)
