#include "plant/plant.h"

#include <stdlib.h>
#include <string.h>

#include "base/invariant.h"
#include "base/log.h"
#include "can/bus.h"
#include "protocol/hubo_frames.h"
#include "plant/motors/boards.h"
#include "plant/bus_log.h"
#include "plant/camera.h"
#include "plant/scenery/hose.h"
#include "plant/mocap.h"
#include "plant/physics.h"
#include "plant/sensors.h"
#include "plant/varied.h"

#define BUSES PLANT_BUSES
_Static_assert(PLANT_BUSES == BUS_LOG_BUSES, "the log has them all");
#define BOARD_DELAY_NS 30000  // from the end of a request until the reply competes for the bus
#define SENSOR_DELAY_NS 50000 // these filter and convert first

struct plant_bus {
    struct plant *plant;
    unsigned number;
    struct can_bus *can;
};

struct plant {
    const struct description *description;
    struct motor motor[ROBOT_JOINTS_MAX];
    struct physics *physics;
    struct boards *boards;
    struct sensors sensors;
    struct bus_log log;
    struct mocap mocap;
    struct plant_bus bus[BUSES];
    unsigned board_node[DESCRIPTION_BOARDS_MAX];
    unsigned sensor_node[SENSOR_BOARDS];
    plant_observer *observer;
    void *context;
    duration step;
    instant time; // of the physics
    instant next_observation;
    // Since the last observation; as in truth_message.
    unsigned step_count;
    float step_position_rad[TRUTH_STEPS_MAX][ROBOT_JOINTS_MAX];
};

static void no_observer(void *context, struct plant *plant, instant t)
{
    (void)context, (void)plant, (void)t;
}

static bool hears(const struct can_delivery *delivery, unsigned node)
{
    return (delivery->heard >> node & 1) != 0;
}

static enum bus_log_sender sender_for_log(const struct can_delivery *delivery)
{
    return delivery->sender == CAN_BUS_FROM_HOST       ? BUS_LOG_HOST
           : delivery->sender == CAN_BUS_FROM_STRANGER ? BUS_LOG_STRANGER
                                                       : BUS_LOG_BOARD;
}

// A frame on a bus: log it, and let the board it is for answer.
static void on_frame(void *context, const struct can_stamped *frame,
                     const struct can_delivery *delivery)
{
    struct plant_bus *bus = context;
    struct plant *plant = bus->plant;
    bus_log_add(&plant->log, bus->number, frame, sender_for_log(delivery), delivery->failed);
    if (delivery->sender >= 0 || delivery->failed) // boards do not listen to boards
        return;

    struct can_frame reply;
    unsigned node;
    duration delay;
    const int board = boards_addressee(plant->boards, bus->number, &frame->frame);
    if (board >= 0) {
        node = plant->board_node[board];
        delay = duration_ns(BOARD_DELAY_NS);
        if (!hears(delivery, node) ||
            !boards_receive(plant->boards, (unsigned)board, frame, &reply))
            return;
    } else {
        int sensor = sensors_receive(&plant->sensors, bus->number, &frame->frame, plant->physics,
                                     plant->motor, plant->description->joint_count, &reply);
        if (sensor < 0 || !hears(delivery, plant->sensor_node[sensor]))
            return;
        node = plant->sensor_node[sensor];
        delay = duration_ns(SENSOR_DELAY_NS);
    }
    if (can_bus_send(bus->can, node, &reply, instant_add(frame->time, delay)) != STATUS_OK)
        return; // a board that cannot get rid of its replies loses them, as the real one does
}

// A node's board starts anew.
static void on_reset(void *context, unsigned node, instant t)
{
    const struct plant_bus *bus = context;
    struct plant *plant = bus->plant;
    for (unsigned b = 0; b < plant->description->board_count; b++)
        if (plant->description->board[b].bus == bus->number && plant->board_node[b] == node)
            boards_reset(plant->boards, b, t);
}

// ---- creation -----------------------------------------------------------------------------------

static enum status open_bus(const struct plant_config *config, const char *name,
                            struct can_bus **bus)
{
    const struct can_bitrates bitrates = {.nominal_bit_s = HUBO_BITRATE_BIT_S};
    const enum status status =
        config->alone ? can_bus_open_alone(name, bitrates, bus) : can_bus_open(name, bus);
    if (status == STATUS_OK)
        can_bus_classical(*bus); // as HUBO's boards are, and as the bus log is
    if (status == STATUS_UNSUPPORTED)
        log_error("bus %s: the kernel has no CAN sockets; use one that has (modprobe can_raw)",
                  name);
    else if (status != STATUS_OK)
        log_error("bus %s: %s; %s", name, status_text(status),
                  config->alone ? "create the interface (ip link add NAME type vcan) and set it up"
                                : "add it to the target's buses");
    return status;
}

static enum status open_buses(struct plant *plant, const struct plant_config *config)
{
    static const char *const names[BUSES] = {"can0", "can1"};
    for (unsigned i = 0; i < BUSES; i++) {
        struct plant_bus *bus = &plant->bus[i];
        *bus = (struct plant_bus){plant, i, NULL};
        enum status status =
            open_bus(config, config->bus[i] != NULL ? config->bus[i] : names[i], &bus->can);
        if (status != STATUS_OK)
            return status;
        can_bus_listen(bus->can, on_frame, bus);
        can_bus_on_reset(bus->can, on_reset, bus);
    }
    can_bus_beside(plant->bus[0].can, plant->bus[1].can);
    return STATUS_OK;
}

static enum status attach_boards(struct plant *plant)
{
    enum status status = STATUS_OK;
    for (unsigned b = 0; b < plant->description->board_count && status == STATUS_OK; b++)
        status = can_bus_add_node(plant->bus[plant->description->board[b].bus].can,
                                  plant->description->board[b].name, &plant->board_node[b]);
    for (unsigned s = 0; s < SENSOR_BOARDS && status == STATUS_OK; s++)
        status = can_bus_add_node(plant->bus[sensors_bus(s)].can, sensors_name(s),
                                  &plant->sensor_node[s]);
    if (status != STATUS_OK)
        log_error("more than %d boards and sensors on one bus; distribute them", CAN_BUS_NODES_MAX);
    return status;
}

static enum status build(struct plant *plant, const char *model_path,
                         const struct plant_config *config)
{
    enum status status =
        physics_create(model_path, plant->description, config->hose, config->ground, config->box,
                       config->varied, plant->motor, &plant->physics);
    if (status == STATUS_OK)
        status = boards_create(plant->description, plant->motor, &plant->boards);
    if (status == STATUS_OK)
        status = open_buses(plant, config);
    if (status == STATUS_OK)
        status = attach_boards(plant);
    if (status == STATUS_OK)
        plant->step = physics_step_length(plant->physics);
    return status;
}

// The boards' own, or what this trial says.
static struct sensor_noise noise_of(const struct varied *varied)
{
    struct sensor_noise noise = sensor_noise_default;
    const struct {
        enum variation_number number;
        double *deviation;
    } rows[] = {{VARY_imu_noise_rad, &noise.angle_rad},
                {VARY_imu_rate_noise_rad_s, &noise.rate_rad_s},
                {VARY_force_noise_N, &noise.force_N},
                {VARY_moment_noise_Nm, &noise.moment_Nm}};
    for (size_t i = 0; varied != NULL && i < sizeof rows / sizeof rows[0]; i++)
        if (varied_has(varied, rows[i].number))
            *rows[i].deviation = varied_at(varied, rows[i].number, 0);
    return noise;
}

enum status plant_create(const char *model_path, const struct description *description,
                         const struct plant_config *config, struct plant **plant)
{
    *plant = NULL;
    struct plant *created = calloc(1, sizeof *created);
    if (!created)
        return STATUS_NO_MEMORY;
    created->description = description;
    created->observer = no_observer;
    if (config->mocap != NULL)
        mocap_start(&created->mocap, config->mocap);
    const struct sensor_noise noise = noise_of(config->varied);
    sensors_start(&created->sensors, config->seed, &noise);
    enum status status = build(created, model_path, config);
    if (status != STATUS_OK) {
        plant_free(created);
        return status;
    }
    *plant = created;
    return STATUS_OK;
}

void plant_free(struct plant *plant)
{
    if (!plant)
        return;
    for (unsigned i = 0; i < BUSES; i++)
        can_bus_close(plant->bus[i].can);
    boards_free(plant->boards);
    physics_free(plant->physics);
    free(plant);
}

void plant_interpolate(struct plant *plant, duration interpolation)
{
    boards_interpolate(plant->boards, interpolation);
}

void plant_brief_encoders(struct plant *plant)
{
    boards_brief_encoders(plant->boards);
}

void plant_unhome(struct plant *plant)
{
    boards_unhome(plant->boards);
}

void plant_observe(struct plant *plant, plant_observer *observer, void *context)
{
    plant->observer = observer;
    plant->context = context;
}

// ---- time ---------------------------------------------------------------------------------------

static void advance_buses(struct plant *plant, instant until)
{
    for (unsigned i = 0; i < BUSES; i++)
        can_bus_advance(plant->bus[i].can, until);
}

static void observe_if_due(struct plant *plant)
{
    if (instant_before(plant->time, plant->next_observation))
        return;
    plant->observer(plant->context, plant, plant->time);
    plant->next_observation.ns += PLANT_GRID_NS;
    plant->step_count = 0;
    ensures(instant_before(plant->time, plant->next_observation)); // steps divide the grid
}

static void look_at_chest(struct plant *plant)
{
    struct pose chest;
    physics_chest(plant->physics, &chest);
    mocap_look(&plant->mocap, plant->time, chest.position_m, pose_yaw_rad(chest.quaternion));
}

static void note_step(struct plant *plant)
{
    invariant(plant->step_count < TRUTH_STEPS_MAX);
    float *position_rad = plant->step_position_rad[plant->step_count++];
    for (unsigned j = 0; j < plant->description->joint_count; j++)
        position_rad[j] = (float)plant->motor[j].position_rad;
}

void plant_advance(struct plant *plant, instant until)
{
    observe_if_due(plant); // time 0
    for (;;) {
        instant next = instant_add(plant->time, plant->step);
        if (instant_before(until, next))
            break;
        boards_update(plant->boards, next); // from the references that have arrived by now
        advance_buses(plant, next);
        physics_step(plant->physics, plant->motor, !instant_before(next, plant->next_observation));
        plant->time = next;
        note_step(plant);
        look_at_chest(plant);
        observe_if_due(plant);
    }
    advance_buses(plant, until);
}

void plant_await(struct plant *plant, instant now)
{
    struct can_bus *const bus[BUSES] = {plant->bus[0].can, plant->bus[1].can};
    can_bus_await(bus, BUSES, instant_sub(instant_add(plant->time, plant->step), now));
}

// ---- observation --------------------------------------------------------------------------------

void plant_truth(struct plant *plant, struct truth_message *truth)
{
    *truth = (struct truth_message){.time = plant->time,
                                    .joint_count = plant->description->joint_count,
                                    .step_count = plant->step_count};
    memcpy(truth->step_position_rad, plant->step_position_rad,
           plant->step_count * sizeof plant->step_position_rad[0]);
    for (unsigned j = 0; j < truth->joint_count; j++) {
        const struct motor *motor = &plant->motor[j];
        truth->position_rad[j] = motor->position_rad;
        truth->velocity_rad_s[j] = motor->velocity_rad_s;
        truth->setpoint_rad[j] = motor->setpoint_rad;
        truth->torque_Nm[j] = motor->torque_Nm;
    }
    physics_truth(plant->physics, truth);
}

struct plant_traffic plant_traffic(const struct plant *plant)
{
    struct plant_traffic traffic = {0};
    for (unsigned i = 0; i < BUSES; i++) {
        const struct can_bus_load load = can_bus_load(plant->bus[i].can);
        traffic.frames += load.frames;
        traffic.error_frames += load.error_frames;
        traffic.refused += can_bus_refused(plant->bus[i].can);
    }
    return traffic;
}

size_t plant_bus_log(struct plant *plant, struct bus_log_message *message)
{
    for (unsigned i = 0; i < BUSES; i++) {
        const struct can_bus_load load = can_bus_load(plant->bus[i].can);
        message->account[i] = (struct bus_account){
            .busy_ns = load.busy.ns, .frames = load.frames, .error_frames = load.error_frames};
    }
    return bus_log_take(&plant->log, plant->time, message);
}

void plant_camera(struct plant *plant, const struct surroundings *surroundings,
                  struct camera_message *message)
{
    struct pose camera, pelvis;
    physics_camera(plant->physics, &camera, &pelvis);
    camera_see(&camera, &pelvis, surroundings, plant->time, message);
}

bool plant_mocap(struct plant *plant, instant now, struct mocap_message *message)
{
    return mocap_tell(&plant->mocap, now, message);
}

void plant_push(struct plant *plant, const struct push_change_message *change)
{
    physics_push(plant->physics, change);
}

void plant_push_truth(const struct plant *plant, struct push_message *message)
{
    physics_push_truth(plant->physics, message);
    message->time = plant->time;
}

void plant_world_change(struct plant *plant, const struct world_change_message *change)
{
    physics_world_change(plant->physics, change);
}

void plant_world_truth(const struct plant *plant, struct world_fault_message *message)
{
    physics_world_truth(plant->physics, message);
    message->time = plant->time;
}

void plant_box_truth(const struct plant *plant, struct box_message *message)
{
    physics_box_truth(plant->physics, message);
    message->time = plant->time;
}

void plant_sight(struct plant *plant, struct sight_message *message)
{
    physics_box_sight(plant->physics, message);
    message->time = plant->time;
}

void plant_toe_truth(const struct plant *plant, struct toe_message *message)
{
    physics_toe_truth(plant->physics, message);
    message->time = plant->time;
}

void plant_hose_truth(const struct plant *plant, struct hose_message *message)
{
    const struct hose *hose = physics_hose(plant->physics);
    *message = (struct hose_message){0};
    if (hose != NULL)
        hose_truth(hose, message);
    message->time = plant->time;
}

void plant_hand_wrench(const struct plant *plant, struct hand_wrench *wrench)
{
    physics_hand_wrench(plant->physics, wrench->force_N, wrench->moment_Nm);
}

void plant_grasp(struct plant *plant, bool closed)
{
    if (physics_hose(plant->physics) != NULL)
        hose_grasp(physics_hose(plant->physics), closed);
}

void plant_change_hose(struct plant *plant, const struct hose_change_message *change)
{
    if (physics_hose(plant->physics) != NULL)
        hose_change(physics_hose(plant->physics), change);
}
