// simulator: the simulated robot as a process of the cell. Part of the bench, not of the stack
// under test.
//
// In virtual mode it is a follower of the clock: granted first whenever time has advanced, it
// brings buses, boards and physics up to the present. In wall mode it does the same every 2 ms, or
// as --wall-period-us says. It publishes what really happens ("truth", "bus-log": for the lab
// alone) and what the head camera sees ("camera"). With --can it is a robot for programs outside:
// it answers on the kernel's interfaces in real time, and nobody watches. See simulator(1).
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>

#include "base/log.h"
#include "can/bus.h"
#include "plant/camera.h"
#include "plant/plant.h"
#include "plant/varied.h"
#include "robot/participant.h"
#include "targets/simulator/options.h"
#include "targets/simulator/robot_check.h"
#include "targets/simulator/world.h"

#define WALL_PHASE_PERCENT 75 // of the step, behind its multiples

struct simulator {
    struct clk *clk;
    struct plant *plant;
    struct surroundings surroundings;
    struct channel *truth, *bus_log, *camera;
    bool has_hose, has_box;
    struct channel *push, *push_change;                   // NULL: the target has none
    struct channel *world_fault, *world_change;           // likewise
    struct channel *box, *sight;                          // NULL: none, or no box in the world
    struct channel *toe;                                  // NULL: the target's robot has no toes
    struct channel *mocap, *hose, *gripper, *hose_change; // with a hose
    struct channel *hand_wrench;                          // NULL: the sensor has three axes
    bool six_axes;
    struct truth_message truth_message;
    struct bus_log_message bus_log_message;
    struct camera_message camera_message;
    bool pushed;  // since the first push its truth is told,
    bool changed; // and since the first change that of the world's faults
};

static volatile sig_atomic_t ended;

// A frame that cannot be published is missing from the record; the recorder sees the gap. Nothing
// to do here.
static void publish(struct channel *channel, const void *message, size_t size_B, instant t)
{
    if (channel_put(channel, message, size_B, t) != STATUS_OK)
        return;
}

static bool take(struct channel *channel, void *message, size_t size_B)
{
    struct channel_frame frame;
    const enum status got = channel_get(channel, message, size_B, CHANNEL_NEXT, &frame);
    return (got == STATUS_OK || got == STATUS_MISSED) && frame.size_B == size_B;
}

// What is done to the hose, and what is true of it.
static void attend_hose(struct simulator *simulator, instant t)
{
    struct gripper_message gripper;
    struct hose_change_message change;
    struct hose_message hose;
    if (take(simulator->gripper, &gripper, sizeof gripper))
        plant_grasp(simulator->plant, gripper.closed != 0);
    if (take(simulator->hose_change, &change,
             sizeof change)) // one at a time; the next is seen soon
        plant_change_hose(simulator->plant, &change);
    plant_hose_truth(simulator->plant, &hose);
    publish(simulator->hose, &hose, sizeof hose, t);
}

static void tell_hand_wrench(struct simulator *simulator, instant t)
{
    struct hand_wrench wrench = {.time = t};
    plant_hand_wrench(simulator->plant, &wrench);
    publish(simulator->hand_wrench, &wrench, sizeof wrench, t);
}

// Whoever pushes does so from the present on.
static void feel_pushes(struct simulator *simulator)
{
    struct push_change_message change;
    while (simulator->push_change != NULL && take(simulator->push_change, &change, sizeof change)) {
        plant_push(simulator->plant, &change);
        simulator->pushed = true;
    }
}

static void tell_pushes(struct simulator *simulator, instant t)
{
    struct push_message push;
    plant_push_truth(simulator->plant, &push);
    publish(simulator->push, &push, sizeof push, t);
}

// The world's faults begin and end at the present, too.
static void feel_changes(struct simulator *simulator)
{
    struct world_change_message change;
    while (simulator->world_change != NULL &&
           take(simulator->world_change, &change, sizeof change)) {
        plant_world_change(simulator->plant, &change);
        simulator->changed = true;
    }
}

static void tell_changes(struct simulator *simulator, instant t)
{
    struct world_fault_message fault;
    plant_world_truth(simulator->plant, &fault);
    publish(simulator->world_fault, &fault, sizeof fault, t);
}

static void tell_box(struct simulator *simulator, instant t)
{
    struct box_message box;
    struct sight_message sight;
    plant_box_truth(simulator->plant, &box);
    publish(simulator->box, &box, sizeof box, t);
    if (t.ns % PLANT_CAMERA_NS != 0)
        return;
    plant_sight(simulator->plant, &sight);
    publish(simulator->sight, &sight, sizeof sight, t);
}

static void tell_toes(struct simulator *simulator, instant t)
{
    struct toe_message toe;
    plant_toe_truth(simulator->plant, &toe);
    publish(simulator->toe, &toe, sizeof toe, t);
}

// Brings everything up to the present.
static void advance(struct simulator *simulator)
{
    const instant now = clk_now(simulator->clk);
    plant_advance(simulator->plant, now);
    feel_pushes(simulator);
    feel_changes(simulator);
    struct mocap_message pose;
    while (simulator->has_hose && plant_mocap(simulator->plant, now, &pose))
        publish(simulator->mocap, &pose, sizeof pose, pose.told);
}

static void on_grid(void *context, struct plant *plant, instant t)
{
    struct simulator *simulator = context;
    plant_truth(plant, &simulator->truth_message);
    simulator->truth_message.goal_m[0] = simulator->surroundings.goal.x_m;
    simulator->truth_message.goal_m[1] = simulator->surroundings.goal.y_m;
    publish(simulator->truth, &simulator->truth_message, sizeof simulator->truth_message, t);

    size_t size_B = plant_bus_log(plant, &simulator->bus_log_message);
    publish(simulator->bus_log, &simulator->bus_log_message, size_B, t);

    if (simulator->pushed)
        tell_pushes(simulator, t);
    if (simulator->changed)
        tell_changes(simulator, t);
    if (simulator->box != NULL)
        tell_box(simulator, t);
    if (simulator->toe != NULL)
        tell_toes(simulator, t);
    if (simulator->has_hose)
        attend_hose(simulator, t);
    if (simulator->hand_wrench != NULL)
        tell_hand_wrench(simulator, t);
    if (t.ns % PLANT_CAMERA_NS == 0) {
        plant_camera(plant, &simulator->surroundings, &simulator->camera_message);
        publish(simulator->camera, &simulator->camera_message, sizeof simulator->camera_message, t);
    }
}

static void run_virtual(struct simulator *simulator)
{
    for (;;) {
        advance(simulator);
        if (clk_wait(simulator->clk, NULL, 0, INSTANT_NEVER) == STATUS_SYSTEM) {
            log_error("the clock is gone");
            exit(3);
        }
    }
}

// Off the instants at which a target's cycles begin and their parts are due, which are whole
// multiples of most steps: then all would want to run at once, and what is asked at the start of a
// cycle would be answered a whole step later. And nearer to the next such instant than to the last:
// who computes from then on is interrupted, and its caches emptied, as late as can be.
static void run_wall(struct simulator *simulator, duration wall_period)
{
    const instant phase = instant_ns(wall_period.ns / 100 * WALL_PHASE_PERCENT);
    struct clk_period period = clk_period_start(simulator->clk, phase, wall_period);
    for (;;) {
        advance(simulator);
        (void)clk_period_wait(simulator->clk,
                              &period); // a missed tick is caught up by plant_advance
    }
}

// Until a signal ends it: frames are answered as they come.
static void run_alone(struct simulator *simulator)
{
    while (!ended) {
        const instant now = clk_now(simulator->clk);
        plant_advance(simulator->plant, now);
        plant_await(simulator->plant, now);
    }
    const struct plant_traffic traffic = plant_traffic(simulator->plant);
    printf("%.1f s; %llu frames, %llu error frames",
           duration_to_s(instant_sub(clk_now(simulator->clk), instant_ns(0))),
           (unsigned long long)traffic.frames, (unsigned long long)traffic.error_frames);
    if (traffic.refused > 0)
        printf("; %llu frames of other programs REFUSED: more than %d waited",
               (unsigned long long)traffic.refused, CAN_BUS_OUTSIDE_MAX);
    putchar('\n');
}

static enum status read_seed(uint64_t *seed)
{
    const char *text = getenv("UKEMI_SEED");
    char *end = NULL;
    errno = 0;
    *seed = text ? strtoull(text, &end, 10) : 0;
    if (!text || (text[0] >= '0' && text[0] <= '9' && !*end && errno == 0)) // no sign, no blank
        return STATUS_OK;
    log_error("UKEMI_SEED=%s: is not a decimal number below 2^64; write for example UKEMI_SEED=1",
              text);
    return STATUS_INVALID;
}

// FOLDER/NAME of a file of the target into `path`.
static enum status target_file(const char *name, char path[PATH_MAX])
{
    const char *folder = getenv("UKEMI_TARGET");
    if (!folder) {
        log_error("UKEMI_TARGET is not set; set it to the target's folder");
        return STATUS_INVALID;
    }
    int length = snprintf(path, PATH_MAX, "%s/%s", folder, name);
    if (length >= 0 && length < PATH_MAX)
        return STATUS_OK;
    log_error("UKEMI_TARGET=%s: is too long; move the target's folder", folder);
    return STATUS_INVALID;
}

static enum status load_robot(struct simulator *simulator, const struct options *options)
{
    static char model_path[PATH_MAX], description_path[PATH_MAX];
    struct description *description; // the plant keeps it
    struct plant_config config = {.bus = {options->alone ? options->interface[0] : NULL,
                                          options->alone ? options->interface[1] : NULL},
                                  .alone = options->alone};
    static struct hose_config hose;
    static struct mocap_config mocap;
    static struct ground ground;
    static struct box_config box;
    static struct varied varied;
    enum status status = read_seed(&config.seed);
    if (status == STATUS_OK)
        status = varied_read(&varied, config.seed);
    config.varied = &varied;
    if (status == STATUS_OK)
        status = world_read_ground(&ground);
    if (status == STATUS_OK)
        status = world_read_box(config.seed, &box);
    config.ground = ground_is_level(&ground) ? NULL : &ground;
    config.box = box.present ? &box : NULL;
    simulator->has_box = box.present;
    if (status == STATUS_OK && options->hose) {
        status = world_read_hose(config.seed, &hose, &mocap);
        config.hose = &hose;
        config.mocap = &mocap;
        simulator->has_hose = true;
        simulator->six_axes = hose.six_axes;
    }
    if (status == STATUS_OK)
        status = target_file(options->model, model_path);
    if (status == STATUS_OK)
        status = target_file(options->description, description_path);
    if (status == STATUS_OK)
        status = description_load(description_path, &description);
    if (status != STATUS_OK)
        return status;
    status = plant_create(model_path, description, &config, &simulator->plant);
    if (status != STATUS_OK) {
        description_free(description);
        return status;
    }
    plant_interpolate(simulator->plant, options->interpolation);
    if (options->brief_encoders)
        plant_brief_encoders(simulator->plant);
    if (options->unhomed)
        plant_unhome(simulator->plant);
    return STATUS_OK;
}

static enum status check_robot(const char *model, const char *description,
                               const struct hose_config *hose)
{
    static char model_path[PATH_MAX], description_path[PATH_MAX];
    static struct varied varied;
    enum status status = varied_read(&varied, 0);
    if (status == STATUS_OK)
        status = target_file(model, model_path);
    if (status == STATUS_OK)
        status = target_file(description, description_path);
    return status == STATUS_OK ? robot_check(model_path, description_path, hose, &varied) : status;
}

static enum status open_hose_channels(struct simulator *simulator)
{
    enum status status = participant_channel("mocap", CHANNEL_WRITE, sizeof(struct mocap_message),
                                             &simulator->mocap);
    if (status == STATUS_OK)
        status = participant_channel("hose", CHANNEL_WRITE, sizeof(struct hose_message),
                                     &simulator->hose);
    if (status == STATUS_OK)
        status = participant_channel("gripper", CHANNEL_READ, sizeof(struct gripper_message),
                                     &simulator->gripper);
    if (status == STATUS_OK)
        status = participant_channel("hose-change", CHANNEL_READ,
                                     sizeof(struct hose_change_message), &simulator->hose_change);
    if (status == STATUS_OK && simulator->six_axes)
        status = participant_channel("hand-wrench", CHANNEL_WRITE, sizeof(struct hand_wrench),
                                     &simulator->hand_wrench);
    return status;
}

// A target may have a channel or not.
static bool has_channel(const char *name, enum channel_role role)
{
    struct channel *there;
    if (channel_open(name, role, &there) != STATUS_OK)
        return false;
    channel_close(there);
    return true;
}

static enum status open_push_channels(struct simulator *simulator)
{
    if (!has_channel("push-change", CHANNEL_READ))
        return STATUS_OK;
    const enum status status = participant_channel(
        "push-change", CHANNEL_READ, sizeof(struct push_change_message), &simulator->push_change);
    return status == STATUS_OK ? participant_channel("push", CHANNEL_WRITE,
                                                     sizeof(struct push_message), &simulator->push)
                               : status;
}

static enum status open_fault_channels(struct simulator *simulator)
{
    if (!has_channel("world-change", CHANNEL_READ))
        return STATUS_OK;
    const enum status status =
        participant_channel("world-change", CHANNEL_READ, sizeof(struct world_change_message),
                            &simulator->world_change);
    return status == STATUS_OK
               ? participant_channel("world-fault", CHANNEL_WRITE,
                                     sizeof(struct world_fault_message), &simulator->world_fault)
               : status;
}

// Of a target whose robot looks for boxes.
static enum status open_box_channels(struct simulator *simulator)
{
    if (!has_channel("sight", CHANNEL_READ))
        return STATUS_OK;
    const enum status status = participant_channel("sight", CHANNEL_WRITE,
                                                   sizeof(struct sight_message), &simulator->sight);
    return status == STATUS_OK ? participant_channel("box", CHANNEL_WRITE,
                                                     sizeof(struct box_message), &simulator->box)
                               : status;
}

static enum status open_toe_channel(struct simulator *simulator)
{
    return has_channel("toe", CHANNEL_READ)
               ? participant_channel("toe", CHANNEL_WRITE, sizeof(struct toe_message),
                                     &simulator->toe)
               : STATUS_OK;
}

static enum status open_channels(struct simulator *simulator)
{
    enum status status = participant_channel("truth", CHANNEL_WRITE, sizeof(struct truth_message),
                                             &simulator->truth);
    if (status == STATUS_OK)
        status = participant_channel("bus-log", CHANNEL_WRITE, sizeof(struct bus_log_message),
                                     &simulator->bus_log);
    if (status == STATUS_OK)
        status = participant_channel("camera", CHANNEL_WRITE, sizeof(struct camera_message),
                                     &simulator->camera);
    if (status == STATUS_OK)
        status = open_push_channels(simulator);
    if (status == STATUS_OK)
        status = open_fault_channels(simulator);
    if (status == STATUS_OK)
        status = open_toe_channel(simulator);
    if (status == STATUS_OK && simulator->has_box)
        status = open_box_channels(simulator);
    return status == STATUS_OK && simulator->has_hose ? open_hose_channels(simulator) : status;
}

// The robot of a cell: it publishes what is true, and the lab ends it.
static int serve_cell(struct simulator *simulator, const struct options *options)
{
    if (open_channels(simulator) != STATUS_OK)
        return 3;
    plant_observe(simulator->plant, on_grid, simulator);
    if (participant_join(&simulator->clk) != STATUS_OK)
        return 3;
    if (clk_mode(simulator->clk) == CLK_VIRTUAL)
        run_virtual(simulator);
    else
        run_wall(simulator, options->wall_period);
    return 0;
}

static void end(int signal)
{
    (void)signal;
    ended = 1;
}

// On interfaces of the kernel: nobody's cell, nobody's clock.
static int serve_interfaces(struct simulator *simulator, const struct options *options)
{
    struct sigaction action = {.sa_handler = end};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    if (clk_join(&simulator->clk) != STATUS_OK)
        return 3;
    printf("boards and physics on %s and %s; SIGINT or SIGTERM ends them\n", options->interface[0],
           options->interface[1]);
    fflush(stdout);
    run_alone(simulator);
    return 0;
}

int main(int argc, char **argv)
{
    static struct simulator simulator;
    log_program("simulator");
    // It says what is true; the stack under test may be of the same user, and must not change it.
    (void)prctl(PR_SET_DUMPABLE, 0);
    struct options options;
    if (!options_read(argc, argv, &options))
        return 2;
    if (world_read(&simulator.surroundings) != STATUS_OK)
        return 2;
    struct hose_config hose;
    struct mocap_config mocap;
    struct box_config box;
    if ((options.hose && world_read_hose(0, &hose, &mocap) != STATUS_OK) ||
        world_read_box(0, &box) != STATUS_OK)
        return 2;
    struct ground ground;
    if (world_read_ground(&ground) != STATUS_OK)
        return 2;
    if (options.check)
        return check_robot(options.model, options.description, options.hose ? &hose : NULL) ==
                       STATUS_OK
                   ? 0
                   : 2;
    const enum status status = load_robot(&simulator, &options);
    if (status != STATUS_OK)
        return status == STATUS_INVALID || status == STATUS_NOT_FOUND ? 2 : 3;
    return options.alone ? serve_interfaces(&simulator, &options)
                         : serve_cell(&simulator, &options);
}
