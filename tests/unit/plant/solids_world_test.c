// solids_world: a robot of solids falls, hangs and turns as its file says.
#include "tests/unit/common/unit.h"

#include <math.h>
#include <stdio.h>

#include "plant/solids_world.h"

#define STEP_S (SOLIDS_WORLD_STEP_NS * 1e-9)
#define G 9.81

static struct solids_world *world_of(const char *text, struct scene **scene)
{
    char path[80];
    struct solids_world *world;
    choose_file(path, sizeof path);
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    fputs(text, file);
    ck_assert_int_eq(fclose(file), 0);
    ck_assert_int_eq(scene_read(path, scene), STATUS_OK);
    ck_assert_int_eq(solids_world_create(*scene, 0, NULL, &world), STATUS_OK);
    return world;
}

#define PENDULUM(connect)                                                                          \
    "<robot><kind value='p'/><solids><sphere><ID value='bob'/><mass value='2'/><radius "           \
    "value='0.001'/><pos x='0' y='0' z='1'/></sphere></solids><articulations><joint><ID "          \
    "value='0'/><pos x='0' y='0' z='2'/><axis x='0' y='1' z='0'/>" connect                         \
    "</joint></articulations></robot>"

// Positive about y takes what hangs below to the back; the angle is that of B1 against B2.
START_TEST(an_angle_is_that_of_B1_against_B2)
{
    static const char *const connect[] = {"<connect B1='bob' B2='world'/>",
                                          "<connect B1='world' B2='bob'/>"};
    static const char *const text[] = {PENDULUM("<connect B1='bob' B2='world'/>"),
                                       PENDULUM("<connect B1='world' B2='bob'/>")};
    for (int i = 0; i < 2; i++) {
        struct scene *scene;
        struct solids_truth truth;
        const double torque_Nm = 1, friction_Nm = 0;
        double position_rad, velocity_rad_s;
        struct solids_world *world = world_of(text[i], &scene);
        for (int k = 0; k < 50; k++)
            solids_world_step(world, &torque_Nm, &friction_Nm);
        solids_world_motion(world, &position_rad, &velocity_rad_s);
        solids_world_truth(world, 0, &truth);
        ck_assert_msg(position_rad > 0, "%s", connect[i]);
        ck_assert_msg(i == 0 ? truth.com_m[0] < -1e-4 : truth.com_m[0] > 1e-4, "%s", connect[i]);
        solids_world_free(world);
        scene_free(scene);
    }
}
END_TEST

START_TEST(friction_holds_up_to_its_torque)
{
    struct scene *scene;
    const double torque_Nm = 1, holds_Nm = 1.1;
    double position_rad, velocity_rad_s;
    struct solids_world *world = world_of(PENDULUM("<connect B1='bob' B2='world'/>"), &scene);
    for (int k = 0; k < 200; k++)
        solids_world_step(world, &torque_Nm, &holds_Nm);
    solids_world_motion(world, &position_rad, &velocity_rad_s);
    ck_assert_double_lt(fabs(position_rad), 0.01);
    solids_world_free(world);
    scene_free(scene);
}
END_TEST

START_TEST(what_is_not_connected_falls_to_the_floor)
{
    struct scene *scene;
    struct solids_truth truth;
    struct solids_world *world =
        world_of("<robot><kind value='p'/><solids><cuboid><ID value='1'/><mass value='2'/><size "
                 "x='0.1' y='0.1' z='0.2'/><pos x='0' y='0' z='1'/></cuboid></solids></robot>",
                 &scene);
    ck_assert_double_eq_tol(solids_world_mass_kg(world, 0), 2, 1e-9);
    for (int k = 0; k < 100; k++)
        solids_world_step(world, NULL, NULL);
    solids_world_truth(world, 0, &truth);
    const double t_s = 100 * STEP_S;
    ck_assert_double_eq_tol(truth.com_m[2], 1 - G * t_s * t_s / 2, 0.01);
    ck_assert_double_eq_tol(truth.com_velocity_m_s[2], -G * t_s, 1e-6);
    for (int k = 0; k < 900; k++)
        solids_world_step(world, NULL, NULL);
    solids_world_truth(world, 0, &truth);
    ck_assert_double_eq_tol(truth.com_m[2], 0.1, 0.002);
    ck_assert_double_gt(truth.upright, 0.999);
    ck_assert(!solids_world_warned(world));
    solids_world_free(world);
    scene_free(scene);
}
END_TEST

START_TEST(robots_and_obstacles_share_a_world)
{
    struct scene *scene;
    struct solids_world *world;
    struct solids_truth truth[3];
    ck_assert_int_eq(scene_read("targets/bioloid/scene-three.xml", &scene), STATUS_OK);
    ck_assert_int_eq(solids_world_create(scene, 0.005, NULL, &world), STATUS_OK);
    ck_assert_uint_eq(solids_world_axes(world), 57);
    ck_assert_uint_gt(scene->obstacle_count, 0);
    for (unsigned i = 0; i < 3; i++) {
        solids_world_truth(world, i, &truth[i]);
        ck_assert_double_eq_tol(solids_world_mass_kg(world, i), 2, 1e-9);
        ck_assert_double_eq_tol(truth[i].trunk_m[2], 0.2855, 1e-9);
    }
    ck_assert_double_gt(
        hypot(truth[0].trunk_m[0] - truth[1].trunk_m[0], truth[0].trunk_m[1] - truth[1].trunk_m[1]),
        0.3);
    solids_world_free(world);
    scene_free(scene);
}
END_TEST

// What the torque gives is stored, or lost to friction.
START_TEST(no_energy_is_made_or_missed)
{
    static const double frictions_Nm[] = {0, 0.5};
    for (int i = 0; i < 2; i++) {
        struct scene *scene;
        const double torque_Nm = 1;
        double position_rad, velocity_rad_s;
        struct solids_world *world = world_of(PENDULUM("<connect B1='bob' B2='world'/>"), &scene);
        const double stored_J = solids_world_energy(world).stored_J;
        for (int k = 0; k < 300; k++)
            solids_world_step(world, &torque_Nm, &frictions_Nm[i]);
        solids_world_motion(world, &position_rad, &velocity_rad_s);
        const struct solids_energy energy = solids_world_energy(world);
        ck_assert_double_gt(fabs(position_rad), 0.01);
        ck_assert_double_eq_tol(energy.stored_J - stored_J + energy.lost_J,
                                torque_Nm * position_rad, 0.01 * torque_Nm * fabs(position_rad));
        // Without friction only what the steps take, which is as small as they are.
        ck_assert(i == 0 ? energy.lost_J < 0.01 * torque_Nm * fabs(position_rad)
                         : energy.lost_J > 0.001);
        solids_world_free(world);
        scene_free(scene);
    }
}
END_TEST

UNIT_MAIN("solids_world", no_energy_is_made_or_missed, an_angle_is_that_of_B1_against_B2,
          friction_holds_up_to_its_torque, what_is_not_connected_falls_to_the_floor,
          robots_and_obstacles_share_a_world)
