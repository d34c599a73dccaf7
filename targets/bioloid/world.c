// world: the simulated robots of a scene, with their servos; see doc/bioloid.md.
//
// The servos of the first robot are on the line `servos`; those of the others hold their joints.
// With --pty the line is behind a pseudo-terminal, without the lab and in real time.
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "dynamixel/line.h"
#include "dynamixel/pty.h"
#include "plant/motors/servos.h"
#include "plant/solids_world.h"
#include "plant/varied.h"
#include "bystander.h"
#include "robot/participant.h"
#include "targets/bioloid/feet.h"
#include "truth.h"

#define BITRATE_BIT_S 1000000
#define GRID_NS 10000000 // truth
#define STEP_S (SOLIDS_WORLD_STEP_NS * 1e-9)
#define WALL_PERIOD_NS 250000 // in real time: how often the line is looked after
#define BYSTANDERS 2          // robots beyond the first that the lab is told of
#define AXES_MAX (SOLIDS_ROBOTS_MAX * SOLIDS_AXES_MAX * 2)
#define NUMBERS_MAX (sizeof((struct truth_message *)NULL)->position_rad / sizeof(double))

// A robot's servos, and the axes of the world that they drive.
struct bank {
    struct servos *servos;
    unsigned count, axis[SERVOS_MAX];
    uint8_t id[SERVOS_MAX];
};

struct bench {
    struct scene *scene;
    struct solids_world *world;
    struct varied varied; // of the first robot
    struct bank bank[SOLIDS_ROBOTS_MAX];
    double position_rad[AXES_MAX], velocity_rad_s[AXES_MAX], torque_Nm[AXES_MAX],
        friction_Nm[AXES_MAX];
    struct feet feet;
    double unheeded_s[SERVOS_MAX], unheeded_max_s; // of the first robot
    double stored_J;                               // at the start
    uint64_t steps;
    instant time;
    struct dxl_line *line;
    const char *pty_path; // NULL: in the lab
    struct dxl_pty *pty;
    struct channel *truth; // in the lab
    struct channel *bystander[BYSTANDERS];
    struct clk *clk;
};

// ---- loading ------------------------------------------------------------------------------------

static enum status too_many(const struct solid_robot *robot, unsigned number)
{
    log_error("%s:1: servo %u: is one too many, or above %zu; renumber it", robot->path, number,
              NUMBERS_MAX - 1);
    return STATUS_INVALID;
}

// On, at the angle 0.
static enum status fill_bank(const struct scene_robot *robot, struct bank *bank)
{
    static const double position_rad[SERVOS_MAX];
    unsigned axis = robot->axis_first;
    for (unsigned j = 0; j < robot->robot->articulation_count; j++)
        for (unsigned a = 0; a < robot->robot->articulation[j].axes; a++, axis++) {
            const unsigned number = robot->robot->articulation[j].axis[a].servo;
            if (number == 0)
                continue;
            if (number >= NUMBERS_MAX || bank->count == SERVOS_MAX)
                return too_many(robot->robot, number);
            bank->id[bank->count] = (uint8_t)number;
            bank->axis[bank->count++] = axis;
        }
    const enum status status = servos_create(bank->count, bank->id, position_rad, &bank->servos);
    for (unsigned i = 0; i < bank->count && status == STATUS_OK; i++)
        dxl_put(servos_device(bank->servos, i), DXL_TORQUE_ON, 1);
    return status;
}

// A motor has its place among the axes of its robot.
static enum status vary_servos(struct bench *bench)
{
    const struct variation *strength = &bench->varied.of[VARY_motor_strength_share],
                           *friction = &bench->varied.of[VARY_gear_friction_share];
    const struct bank *bank = &bench->bank[0];
    const unsigned axes = bench->scene->robot[0].axis_count;
    if ((strength->count > 1 && strength->count != axes) ||
        (friction->count > 1 && friction->count != axes)) {
        log_error(VARIATION_PREFIX "motor_strength_share, gear_friction_share: the robot has %u "
                                   "axes; write each: %u",
                  axes, axes);
        return STATUS_INVALID;
    }
    for (unsigned i = 0; i < bank->count; i++)
        servos_vary(bank->servos, i, variation_at(strength, bank->axis[i]),
                    variation_at(friction, bank->axis[i]));
    servos_vary_battery(bank->servos, varied_at(&bench->varied, VARY_battery_share, 0));
    return STATUS_OK;
}

static enum status load(struct bench *bench, const char *name)
{
    static char path[PATH_MAX];
    const char *folder = getenv("UKEMI_TARGET");
    if (folder == NULL || snprintf(path, sizeof path, "%s/%s", folder, name) >= (int)sizeof path) {
        log_error("UKEMI_TARGET is not set, or too long; set it to the target's folder");
        return STATUS_INVALID;
    }
    enum status status = varied_read(&bench->varied, 0);
    if (status == STATUS_OK)
        status = scene_read(path, &bench->scene);
    if (status == STATUS_OK)
        status =
            solids_world_create(bench->scene, SERVO_ARMATURE_KG_M2, &bench->varied, &bench->world);
    for (unsigned i = 0; status == STATUS_OK && i < bench->scene->robot_count; i++)
        status = fill_bank(&bench->scene->robot[i], &bench->bank[i]);
    if (status == STATUS_OK)
        status = vary_servos(bench);
    if (status != STATUS_OK)
        return status;
    solids_world_motion(bench->world, bench->position_rad, bench->velocity_rad_s);
    bench->stored_J = solids_world_energy(bench->world).stored_J;
    feet_find(&bench->feet, bench->scene->robot[0].robot);
    return STATUS_OK;
}

static bool disturb_servo(void *context, unsigned node, const struct dxl_disturbance *what, bool on)
{
    const struct bench *bench = context;
    return servos_disturb(bench->bank[0].servos, node, what, on);
}

static enum status open_line(struct bench *bench)
{
    const struct bank *bank = &bench->bank[0];
    unsigned node;
    enum status status = bench->pty_path != NULL ? dxl_line_open_alone(BITRATE_BIT_S, &bench->line)
                                                 : dxl_line_open("servos", &bench->line);
    for (unsigned i = 0; i < bank->count && status == STATUS_OK; i++)
        status = dxl_line_add_device(bench->line, servos_device(bank->servos, i), &node);
    if (status != STATUS_OK)
        log_error("line servos: %s; is it among the buses of target.yaml?", status_text(status));
    else
        dxl_line_on_servo(bench->line, disturb_servo, bench);
    return status;
}

// ---- truth --------------------------------------------------------------------------------------

static void tell_servo(const struct bench *bench, unsigned i, struct truth_message *truth)
{
    const struct bank *bank = &bench->bank[0];
    const struct servo *servo = servos_servo(bank->servos, i);
    const unsigned number = bank->id[i];
    truth->position_rad[number] = bench->position_rad[bank->axis[i]];
    truth->velocity_rad_s[number] = bench->velocity_rad_s[bank->axis[i]];
    truth->sensed_rad[number] = servo->sensed_rad;
    truth->goal_rad[number] = servo->setpoint_rad;
    truth->torque_nm[number] = servo->torque_Nm;
    truth->temperature_c[number] = servo->temperature_C;
    truth->supply_j[number] = servo->energy.supply_J;
    truth->heat_j[number] = servo->energy.heat_J;
    truth->work_j[number] = servo->energy.work_J;
}

static void tell_energy(struct bench *bench, struct truth_message *truth)
{
    const struct solids_energy energy = solids_world_energy(bench->world);
    truth->stored_j = energy.stored_J - bench->stored_J;
    truth->lost_j = energy.lost_J;
    for (unsigned r = 0; r < bench->scene->robot_count; r++)
        for (unsigned i = 0; i < bench->bank[r].count; i++) {
            const struct servo *servo = servos_servo(bench->bank[r].servos, i);
            truth->supplied_j += servo->energy.supply_J;
            truth->heated_j += servo->energy.heat_J;
        }
}

static void publish_truth(struct bench *bench)
{
    struct solids_truth seen;
    struct truth_message truth = {
        .time_ns = bench->time.ns,
        .servo_count = bench->bank[0].count,
        .physics_warning = solids_world_warned(bench->world),
        .battery_v = servos_voltage_V(bench->bank[0].servos),
        .foot_lift_m = {bench->feet.foot[0].lift_m, bench->feet.foot[1].lift_m},
        .landings = bench->feet.landings,
        .unheeded_s = bench->unheeded_max_s,
        .physics_steps = bench->steps};
    solids_world_truth(bench->world, 0, &seen);
    memcpy(truth.trunk_m, seen.trunk_m, sizeof truth.trunk_m);
    memcpy(truth.trunk_quaternion, seen.trunk_quaternion, sizeof truth.trunk_quaternion);
    memcpy(truth.com_m, seen.com_m, sizeof truth.com_m);
    memcpy(truth.com_velocity_m_s, seen.com_velocity_m_s, sizeof truth.com_velocity_m_s);
    truth.upright = seen.upright;
    for (unsigned i = 0; i < bench->bank[0].count; i++)
        tell_servo(bench, i, &truth);
    tell_energy(bench, &truth);
    if (channel_put(bench->truth, &truth, sizeof truth, bench->time) != STATUS_OK)
        log_error("cannot publish the truth");
}

// Of robot `r`, beyond the first.
static void publish_bystander(struct bench *bench, unsigned r)
{
    const struct bank *bank = &bench->bank[r];
    struct bystander_message told = {.time_ns = bench->time.ns};
    struct solids_truth seen;
    solids_world_truth(bench->world, r, &seen);
    memcpy(told.trunk_m, seen.trunk_m, sizeof told.trunk_m);
    memcpy(told.trunk_quaternion, seen.trunk_quaternion, sizeof told.trunk_quaternion);
    memcpy(told.com_m, seen.com_m, sizeof told.com_m);
    memcpy(told.com_velocity_m_s, seen.com_velocity_m_s, sizeof told.com_velocity_m_s);
    told.upright = seen.upright;
    for (unsigned i = 0; i < bank->count; i++) {
        const struct servo *servo = servos_servo(bank->servos, i);
        told.position_rad[bank->id[i]] = bench->position_rad[bank->axis[i]];
        told.velocity_rad_s[bank->id[i]] = bench->velocity_rad_s[bank->axis[i]];
        told.goal_rad[bank->id[i]] = servo->setpoint_rad;
        told.torque_nm[bank->id[i]] = servo->torque_Nm;
        told.temperature_c[bank->id[i]] = servo->temperature_C;
        told.supply_j[bank->id[i]] = servo->energy.supply_J;
    }
    if (channel_put(bench->bystander[r - 1], &told, sizeof told, bench->time) != STATUS_OK)
        log_error("cannot publish robot %u", r + 1);
}

static void publish(struct bench *bench)
{
    publish_truth(bench);
    for (unsigned r = 1; r < bench->scene->robot_count && r <= BYSTANDERS; r++)
        publish_bystander(bench, r);
}

static bool open_channels(struct bench *bench)
{
    static const char *const name[BYSTANDERS] = {"second", "third"};
    bool fine = participant_channel("truth", CHANNEL_WRITE, sizeof(struct truth_message),
                                    &bench->truth) == STATUS_OK;
    for (unsigned i = 0; i < BYSTANDERS && fine; i++)
        fine = participant_channel(name[i], CHANNEL_WRITE, sizeof(struct bystander_message),
                                   &bench->bystander[i]) == STATUS_OK;
    return fine;
}

// ---- time ---------------------------------------------------------------------------------------

static void drive(struct bench *bench, const struct bank *bank)
{
    double position_rad[SERVOS_MAX], velocity_rad_s[SERVOS_MAX];
    struct servo_output output[SERVOS_MAX];
    for (unsigned i = 0; i < bank->count; i++) {
        position_rad[i] = bench->position_rad[bank->axis[i]];
        velocity_rad_s[i] = bench->velocity_rad_s[bank->axis[i]];
    }
    servos_step(bank->servos, position_rad, velocity_rad_s, STEP_S, output);
    for (unsigned i = 0; i < bank->count; i++) {
        bench->torque_Nm[bank->axis[i]] = output[i].torque_Nm;
        bench->friction_Nm[bank->axis[i]] = output[i].friction_Nm;
    }
}

// How long servos have had their motors on since they shut themselves down.
static void watch_alarms(struct bench *bench)
{
    const struct bank *bank = &bench->bank[0];
    for (unsigned i = 0; i < bank->count; i++) {
        const struct dxl_device *device = servos_device(bank->servos, i);
        const bool unheeded = (device->alarms & dxl_get(device, DXL_SHUTDOWN)) != 0 &&
                              dxl_get(device, DXL_TORQUE_LIMIT) == 0 &&
                              dxl_get(device, DXL_TORQUE_ON) != 0;
        bench->unheeded_s[i] = unheeded ? bench->unheeded_s[i] + STEP_S : 0;
        bench->unheeded_max_s = fmax(bench->unheeded_max_s, bench->unheeded_s[i]);
    }
}

static void step(struct bench *bench)
{
    for (unsigned i = 0; i < bench->scene->robot_count; i++)
        drive(bench, &bench->bank[i]);
    watch_alarms(bench);
    solids_world_step(bench->world, bench->torque_Nm, bench->friction_Nm);
    solids_world_motion(bench->world, bench->position_rad, bench->velocity_rad_s);
    feet_watch(&bench->feet, bench->world);
    bench->steps++;
}

// Steps begin with the registers as they are then.
static void advance(struct bench *bench, instant until)
{
    for (;;) {
        const instant next = instant_add(bench->time, duration_ns(SOLIDS_WORLD_STEP_NS));
        if (instant_before(until, next))
            break;
        step(bench);
        dxl_line_advance(bench->line, next);
        bench->time = next;
        if (next.ns % GRID_NS == 0 && bench->truth != NULL)
            publish(bench);
    }
    dxl_line_advance(bench->line, until);
}

static void run_virtual(struct bench *bench)
{
    for (;;) {
        advance(bench, clk_now(bench->clk));
        if (clk_wait(bench->clk, NULL, 0, INSTANT_NEVER) == STATUS_SYSTEM) {
            log_error("the clock is gone");
            exit(3);
        }
    }
}

static void run_wall(struct bench *bench)
{
    struct clk_period period =
        clk_period_start(bench->clk, instant_ns(0), duration_ns(WALL_PERIOD_NS));
    for (;;) {
        advance(bench, clk_now(bench->clk));
        (void)clk_period_wait(bench->clk, &period); // a missed tick is caught up
    }
}

static volatile sig_atomic_t ended;

static void end(int signal)
{
    (void)signal;
    ended = 1;
}

// Until a signal.
static int run_alone(struct bench *bench)
{
    const struct sigaction action = {.sa_handler = end};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    if (open_line(bench) != STATUS_OK)
        return 3;
    if (dxl_pty_open(bench->pty_path, bench->line, &bench->pty) != STATUS_OK) {
        log_error("--pty %s: %s; give the name of a file that does not exist yet", bench->pty_path,
                  strerror(errno));
        return 2;
    }
    if (clk_join(&bench->clk) != STATUS_OK)
        return 3;
    printf("the robot's servos are at %s; SIGINT or SIGTERM ends it\n", bench->pty_path);
    fflush(stdout);
    while (!ended) {
        const instant now = clk_now(bench->clk);
        dxl_pty_carry(bench->pty, now);
        advance(bench, now);
        dxl_pty_carry(bench->pty, now);
        dxl_pty_await(bench->pty, now, duration_ns(SOLIDS_WORLD_STEP_NS));
    }
    dxl_pty_close(bench->pty);
    return 0;
}

// [--check | --pty PATH] SCENE
static const char *read_arguments(int argc, char **argv, struct bench *bench, bool *checks)
{
    *checks = argc == 3 && strcmp(argv[1], "--check") == 0;
    if (argc == 4 && strcmp(argv[1], "--pty") == 0)
        bench->pty_path = argv[2];
    return argc == 2 || *checks || bench->pty_path != NULL ? argv[argc - 1] : NULL;
}

int main(int argc, char **argv)
{
    static struct bench bench;
    bool checks;
    log_program("world");
    const char *const scene = read_arguments(argc, argv, &bench, &checks);
    if (scene == NULL) {
        fputs("usage: world [--check | --pty PATH] SCENE.xml\n"
              "The file lies in the folder $UKEMI_TARGET. --check: only reads it. --pty: puts the "
              "servos' line behind a\npseudo-terminal, in real time, without the lab.\n",
              stderr);
        return 2;
    }
    const enum status status = load(&bench, scene);
    if (status != STATUS_OK)
        return status == STATUS_INVALID ? 2 : 3;
    if (checks || bench.pty_path != NULL)
        return checks ? 0 : run_alone(&bench);
    if (open_line(&bench) != STATUS_OK || !open_channels(&bench) ||
        participant_join(&bench.clk) != STATUS_OK)
        return 3;
    publish(&bench);
    if (clk_mode(bench.clk) == CLK_VIRTUAL)
        run_virtual(&bench);
    run_wall(&bench);
}
