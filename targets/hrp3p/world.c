// The robot's body and boards, and the network, which the lab lets go first whenever time has
// advanced. Part of the bench, not of the stack under test.
//
//   world [wire]    wire: it also publishes the frames that cross the cables
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>

#include "base/log.h"
#include "body.h"
#include "ethernet/tell.h"
#include "plant/motors/link_board.h"
#include "plant/physics.h"
#include "plant/varied.h"
#include "robot/participant.h"
#include "targets/ethernet/wire_log.h"
#include "targets/hrp3p/frames.h"
#include "targets/hrp3p/robot_files.h"
#include "targets/hrp3p/sensing.h"
#include "walk/zmp/geometry.h"
#include "wire.h"

#define WIRE_HEAD_B sizeof(((struct WireFrame *)0)->head)
#define WIRE_MAX (sizeof((struct wire_message *)0)->frame / sizeof(struct WireFrame))

struct world {
    struct description *description;
    struct physics *physics;
    struct varied varied;
    struct motor motor[ROBOT_JOINTS_MAX];
    struct link_board board[DESCRIPTION_BOARDS_MAX];
    struct channel *body;
    struct eth_told told;  // of the network
    struct wire_log *wire; // NULL: nobody asked for it
    duration step;
    instant time; // of the physics
};

static void load_board(struct world *world, unsigned b)
{
    const struct board_description *described = &world->description->board[b];
    struct link_board *board = &world->board[b];
    while (board->joint_count < LINK_JOINTS && described->joint[board->joint_count] >= 0) {
        const struct joint_description *joint =
            &world->description->joint[described->joint[board->joint_count]];
        board->joint[board->joint_count++] =
            (struct link_joint){joint->ticks_per_rad, joint->torque_max_Nm, LINK_AMBIENT_C};
    }
}

static uint64_t seed(void)
{
    const char *text = getenv("UKEMI_SEED");
    return text == NULL ? 0 : strtoull(text, NULL, 10);
}

static bool load(struct world *world)
{
    char model[PATH_MAX];
    return varied_read(&world->varied, seed()) == STATUS_OK &&
           robot_description(&world->description) == STATUS_OK &&
           robot_file("robot.xml", model) == STATUS_OK &&
           physics_create(model, world->description, NULL, NULL, NULL, &world->varied, world->motor,
                          &world->physics) == STATUS_OK;
}

static bool make_boards(struct world *world)
{
    world->step = physics_step_length(world->physics);
    for (unsigned b = 0; b < world->description->board_count; b++) {
        load_board(world, b);
        const char *name = world->description->board[b].name;
        if (link_page_create(name, &world->board[b].registers) == STATUS_OK)
            continue;
        log_error("the registers of board %s cannot be made; is there room in /dev/shm?", name);
        return false;
    }
    return true;
}

// What the drives exert from now on.
static void take_outputs(struct world *world)
{
    for (unsigned b = 0; b < world->description->board_count; b++) {
        double torque_Nm[LINK_JOINTS];
        link_board_outputs(&world->board[b], world->time.ns, torque_Nm);
        for (unsigned c = 0; c < world->board[b].joint_count; c++)
            world->motor[world->description->board[b].joint[c]].open_loop_Nm = torque_Nm[c];
    }
}

static void show_inputs(struct world *world)
{
    for (unsigned b = 0; b < world->description->board_count; b++) {
        double angle_rad[LINK_JOINTS], torque_Nm[LINK_JOINTS];
        for (unsigned c = 0; c < world->board[b].joint_count; c++) {
            const struct motor *motor = &world->motor[world->description->board[b].joint[c]];
            angle_rad[c] = motor->position_rad;
            torque_Nm[c] = motor->torque_Nm;
        }
        link_board_inputs(&world->board[b], angle_rad, torque_Nm, duration_to_s(world->step));
    }
}

static void show_sensors(struct world *world)
{
    struct sensor_truth sensors;
    physics_sensors(world->physics, &sensors);
    varied_noise(&world->varied, &sensors);
    for (unsigned b = 0; b < world->description->board_count; b++) {
        double volts[LINK_SENSORS] = {0};
        sensing_volts(world->description->board[b].name, &sensors, volts);
        for (unsigned i = 0; i < LINK_SENSORS; i++)
            world->board[b].registers->sensor[i] = link_code(volts[i], LINK_SENSOR_BITS);
    }
}

static void note_joints(const struct world *world, struct body_message *body)
{
    body->limit_margin_rad = INFINITY;
    for (unsigned j = 0; j < world->description->joint_count; j++) {
        const struct joint_description *joint = &world->description->joint[j];
        const struct motor *motor = &world->motor[j];
        body->position_rad[j] = motor->position_rad;
        body->velocity_rad_s[j] = motor->velocity_rad_s;
        body->torque_nm[j] = motor->torque_Nm;
        body->torque_share =
            fmax(body->torque_share, fabs(motor->torque_Nm) / joint->torque_max_Nm);
        body->limit_margin_rad =
            fmin(body->limit_margin_rad, fmin(motor->position_rad - joint->position_min_rad,
                                              joint->position_max_rad - motor->position_rad));
    }
    for (unsigned b = 0; b < world->description->board_count; b++)
        for (unsigned c = 0; c < world->board[b].joint_count; c++)
            body->temperature_c = fmax(body->temperature_c, world->board[b].joint[c].temperature_C);
}

static void publish(struct world *world, const struct eth_network *network)
{
    static struct truth_message truth;
    physics_truth(world->physics, &truth);
    struct body_message body = {.time_ns = world->time.ns,
                                .tilt_rad = tilt_rad(truth.pelvis_quaternion),
                                .other_contact = truth.other_contact,
                                .physics_warning = truth.physics_warning};
    memcpy(body.pelvis_m, truth.pelvis_m, sizeof body.pelvis_m);
    memcpy(body.pelvis_quaternion, truth.pelvis_quaternion, sizeof body.pelvis_quaternion);
    memcpy(body.com_m, truth.com_m, sizeof body.com_m);
    memcpy(body.com_velocity_m_s, truth.com_velocity_m_s, sizeof body.com_velocity_m_s);
    memcpy(body.foot_m, truth.foot_m, sizeof body.foot_m);
    memcpy(body.foot_force_n, truth.foot_force_N, sizeof body.foot_force_n);
    note_joints(world, &body);
    eth_network_tell(network, &world->told, world->time);
    body.broken_cable = eth_network_broken(network, &body.links_down);
    if (channel_put(world->body, &body, sizeof body, world->time) != STATUS_OK ||
        (world->wire != NULL && wire_log_publish(world->wire, world->time) != STATUS_OK))
        log_error("the body cannot be published"); // the recorder sees the gap
}

static bool publishes(const struct world *world)
{
    return world->time.ns % CYCLE_NS == 0;
}

// Brings the physics up to `until`. False: its numbers can no longer be trusted.
static bool go_on(struct world *world, const struct eth_network *network, instant until)
{
    for (;;) {
        const instant next = instant_add(world->time, world->step);
        if (instant_before(until, next))
            break;
        take_outputs(world);
        world->time = next;
        physics_step(world->physics, world->motor, publishes(world));
        show_inputs(world);
        show_sensors(world);
        if (publishes(world))
            publish(world, network);
    }
    return !physics_warned(world->physics);
}

// In virtual time hosts take frames when they have woken by themselves, and the world comes first
// at each such instant while frames are under way. In real time nobody waits for
// it.
static enum status await(struct eth_network *network, struct clk *clk, instant next)
{
    enum status status = STATUS_OK;
    if (clk_mode(clk) == CLK_VIRTUAL)
        return eth_network_await_turn(network, clk, next);
    while (status == STATUS_OK && instant_before(clk_now(clk), next))
        status = eth_network_serve(network, clk, next);
    return status;
}

static int run(struct world *world, struct eth_network *network, struct clk *clk)
{
    for (;;) {
        const instant next = instant_add(world->time, world->step);
        if (await(network, clk, next) == STATUS_SYSTEM) {
            log_error("the clock is gone");
            return 3;
        }
        const instant now = clk_now(clk);
        eth_network_advance(network, now);
        if (!go_on(world, network, now)) {
            log_error("the physics engine has warned: bad numbers, or a buffer is full");
            return 3;
        }
    }
}

int main(int argc, char **argv)
{
    static struct world world;
    struct eth_network *network;
    struct clk *clk;
    log_program(argv[0]);
    if (argc >= 2 && strcmp(argv[1], "--check") == 0)
        return load(&world) ? 0 : 2;
    const bool shows_wire = argc == 2 && strcmp(argv[1], "wire") == 0;
    if (participant_begin(shows_wire ? 1 : argc, argv) != STATUS_OK)
        return 2;
    // It says what is true; the stack under test may be of the same user, and must not change it.
    (void)prctl(PR_SET_DUMPABLE, 0);
    if (!load(&world) || !make_boards(&world))
        return 2;
    show_inputs(&world);
    show_sensors(&world);
    if (participant_channel("body", CHANNEL_WRITE, sizeof(struct body_message), &world.body) !=
            STATUS_OK ||
        (shows_wire && wire_log_open(WIRE_HEAD_B, WIRE_MAX, &world.wire) != STATUS_OK) ||
        eth_network_open(NETWORK, &network) != STATUS_OK || participant_join(&clk) != STATUS_OK)
        return 3;
    if (shows_wire)
        eth_network_listen(network, wire_log_frame, world.wire);
    publish(&world, network);
    return run(&world, network, clk);
}
