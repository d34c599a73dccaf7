// world: the simulated robots of a scene, with their servos; see world-bioloid(1).
//
// The first robot of the scene is the target's; the others stand as they are.
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "plant/solids_world.h"
#include "robot/participant.h"
#include "servo_state.h"
#include "targets/bioloid/servos.h"
#include "truth.h"

#define GRID_NS 10000000 // truth
#define STEP_S (SOLIDS_WORLD_STEP_NS * 1e-9)
#define AXES_MAX (SOLIDS_ROBOTS_MAX * SOLIDS_AXES_MAX * 2)

// A foot has been lifted above the first, and has landed below the second.
#define FOOT_UP_M 0.005
#define FOOT_DOWN_M 0.002

struct foot {
    unsigned solid; // of the robot's file
    double rest_m, lift_m;
    bool up;
};

struct bench {
    struct scene *scene;
    struct solids_world *world;
    struct robot_servos servos[SOLIDS_ROBOTS_MAX];
    double position_rad[AXES_MAX], velocity_rad_s[AXES_MAX], torque_Nm[AXES_MAX],
        friction_Nm[AXES_MAX];
    uint64_t steps, cycle, landings;
    struct foot foot[2]; // right, left
    unsigned feet;
    struct channel *truth, *command, *state;
    struct clk *clk;
};

static double height_m(const struct bench *bench, const struct foot *foot)
{
    double position_m[3];
    solids_world_solid(bench->world, 0, foot->solid, position_m);
    return position_m[2];
}

// The feet of the first robot, by what its file calls them; none: nothing of them is told.
static void find_feet(struct bench *bench)
{
    static const char *const names[] = {"Right Foot", "Left Foot"};
    const struct solid_robot *robot = bench->scene->robot[0].robot;
    for (unsigned f = 0; f < 2; f++)
        for (unsigned s = 0; s < robot->solid_count; s++)
            if (strcmp(robot->solid[s].name, names[f]) == 0 && bench->feet == f)
                bench->foot[bench->feet++].solid = s;
    for (unsigned f = 0; f < bench->feet; f++)
        bench->foot[f].rest_m = robot->solid[bench->foot[f].solid].size_m[2] / 2;
}

static void watch_feet(struct bench *bench)
{
    for (unsigned f = 0; f < bench->feet; f++) {
        struct foot *foot = &bench->foot[f];
        foot->lift_m = height_m(bench, foot) - foot->rest_m;
        bench->landings += foot->up && foot->lift_m < FOOT_DOWN_M;
        foot->up = foot->lift_m > (foot->up ? FOOT_DOWN_M : FOOT_UP_M);
    }
}

static enum status load(struct bench *bench, const char *name)
{
    static char path[PATH_MAX];
    const char *folder = getenv("UKEMI_TARGET");
    if (folder == NULL || snprintf(path, sizeof path, "%s/%s", folder, name) >= (int)sizeof path) {
        log_error("UKEMI_TARGET is not set, or too long; set it to the target's folder");
        return STATUS_INVALID;
    }
    enum status status = scene_read(path, &bench->scene);
    if (status == STATUS_OK)
        status = solids_world_create(bench->scene, SERVO_ARMATURE_KG_M2, &bench->world);
    if (status != STATUS_OK)
        return status;
    for (unsigned i = 0; i < bench->scene->robot_count; i++)
        robot_servos_start(&bench->servos[i], &bench->scene->robot[i]);
    solids_world_motion(bench->world, bench->position_rad, bench->velocity_rad_s);
    find_feet(bench);
    return STATUS_OK;
}

static void publish_truth(struct bench *bench, instant t)
{
    const struct robot_servos *servos = &bench->servos[0];
    struct solids_truth seen;
    struct truth_message truth = {.time_ns = t.ns,
                                  .servo_count = servos->count,
                                  .physics_warning = solids_world_warned(bench->world),
                                  .foot_lift_m = {bench->foot[0].lift_m, bench->foot[1].lift_m},
                                  .landings = bench->landings,
                                  .physics_steps = bench->steps};
    solids_world_truth(bench->world, 0, &seen);
    memcpy(truth.trunk_m, seen.trunk_m, sizeof truth.trunk_m);
    memcpy(truth.trunk_quaternion, seen.trunk_quaternion, sizeof truth.trunk_quaternion);
    memcpy(truth.com_m, seen.com_m, sizeof truth.com_m);
    memcpy(truth.com_velocity_m_s, seen.com_velocity_m_s, sizeof truth.com_velocity_m_s);
    truth.upright = seen.upright;
    for (unsigned i = 1; i < MOVEMENT_SERVOS; i++) {
        if (servos->axis[i] < 0)
            continue;
        truth.position_rad[i] = bench->position_rad[servos->axis[i]];
        truth.velocity_rad_s[i] = bench->velocity_rad_s[servos->axis[i]];
        truth.goal_rad[i] = servos->servo[i].setpoint_rad;
        truth.torque_nm[i] = servos->servo[i].torque_Nm;
    }
    if (channel_put(bench->truth, &truth, sizeof truth, t) != STATUS_OK)
        log_error("cannot publish the truth");
}

static void publish_state(struct bench *bench, instant t)
{
    const struct robot_servos *servos = &bench->servos[0];
    struct servo_state_message state = {.time_ns = t.ns, .cycle = ++bench->cycle};
    for (unsigned i = 1; i < MOVEMENT_SERVOS; i++) {
        if (servos->axis[i] < 0)
            continue;
        state.servos |= 1u << i;
        state.position_rad[i] =
            round(bench->position_rad[servos->axis[i]] / SERVO_STEP_RAD) * SERVO_STEP_RAD;
        state.velocity_rad_s[i] = bench->velocity_rad_s[servos->axis[i]];
        state.load[i] = servos->servo[i].duty;
        state.voltage_v[i] = servos->servo[i].voltage_V;
        state.temperature_c[i] = servos->servo[i].temperature_C;
    }
    if (channel_put(bench->state, &state, sizeof state, t) != STATUS_OK)
        log_error("cannot publish the servos' state");
}

static void step(struct bench *bench)
{
    for (unsigned i = 0; i < bench->scene->robot_count; i++)
        robot_servos_step(&bench->servos[i], STEP_S, bench->position_rad, bench->velocity_rad_s,
                          bench->torque_Nm, bench->friction_Nm);
    solids_world_step(bench->world, bench->torque_Nm, bench->friction_Nm);
    solids_world_motion(bench->world, bench->position_rad, bench->velocity_rad_s);
    bench->steps++;
    watch_feet(bench);
}

static void take_command(struct bench *bench)
{
    struct servo_command_message command;
    const enum status got =
        channel_get(bench->command, &command, sizeof command, CHANNEL_NEWEST, NULL);
    if (got == STATUS_OK || got == STATUS_MISSED)
        robot_servos_command(&bench->servos[0], &command);
}

static void run(struct bench *bench)
{
    struct clk_period period =
        clk_period_start(bench->clk, instant_ns(0), duration_ns(SOLIDS_WORLD_STEP_NS));
    for (int64_t at_ns = 0;;) {
        const instant now = clk_now(bench->clk);
        take_command(bench);
        for (; at_ns <= now.ns; at_ns += SOLIDS_WORLD_STEP_NS) {
            if (at_ns > 0)
                step(bench);
            if (at_ns % GRID_NS == 0) {
                publish_truth(bench, instant_ns(at_ns));
                publish_state(bench, instant_ns(at_ns));
            }
        }
        (void)clk_period_wait(bench->clk, &period); // a missed tick is caught up
    }
}

int main(int argc, char **argv)
{
    static struct bench bench;
    log_program("world");
    if (argc != 2) {
        fputs("usage: world SCENE.xml\nThe file lies in the folder $UKEMI_TARGET.\n", stderr);
        return 2;
    }
    const enum status status = load(&bench, argv[1]);
    if (status != STATUS_OK)
        return status == STATUS_INVALID ? 2 : 3;
    if (participant_channel("truth", CHANNEL_WRITE, sizeof(struct truth_message), &bench.truth) !=
            STATUS_OK ||
        participant_channel("servo-state", CHANNEL_WRITE, sizeof(struct servo_state_message),
                            &bench.state) != STATUS_OK ||
        participant_channel("servo-command", CHANNEL_READ, sizeof(struct servo_command_message),
                            &bench.command) != STATUS_OK ||
        participant_join(&bench.clk) != STATUS_OK)
        return 3;
    run(&bench);
}
