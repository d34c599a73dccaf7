// simulator: the simulated robot as a process of the cell. Part of the bench, not of the stack
// under test.
//
// In virtual mode it is a follower of the clock: granted first whenever time has advanced, it
// brings buses, boards and physics up to the present. In wall mode it does the same every 2 ms, or
// as --wall-period-us says. It publishes what really happens ("truth", "bus-log": for the lab
// alone) and what the head camera sees ("camera"). See simulator(1).
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>

#include "base/log.h"
#include "plant/boards.h"
#include "plant/camera.h"
#include "plant/plant.h"
#include "robot/participant.h"
#include "targets/simulator/robot_check.h"
#include "targets/simulator/world.h"

// In real time, unless the command line says otherwise. A stack of a higher rate needs a shorter
// one: at most a quarter of its cycle.
#define WALL_PERIOD_DEFAULT_US 2000
#define WALL_PERIOD_MIN_US 50
#define WALL_PERIOD_MAX_US 10000
#define WALL_PHASE_PERCENT 75 // of the step, behind its multiples
#define INTERPOLATION_MIN_US 1000
#define INTERPOLATION_MAX_US 100000

struct simulator {
    struct clk *clk;
    struct plant *plant;
    struct surroundings surroundings;
    struct channel *truth, *bus_log, *camera;
    struct truth_message truth_message;
    struct bus_log_message bus_log_message;
    struct camera_message camera_message;
};

struct options {
    duration wall_period;
    duration interpolation;          // of the motor boards
    const char *model, *description; // file names in the target's folder
    bool check;                      // robot and surroundings only
};

// A frame that cannot be published is missing from the record; the recorder sees the gap. Nothing
// to do here.
static void publish(struct channel *channel, const void *message, size_t size_B, instant t)
{
    if (channel_put(channel, message, size_B, t) != STATUS_OK)
        return;
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

    if (t.ns % PLANT_CAMERA_NS == 0) {
        plant_camera(plant, &simulator->surroundings, &simulator->camera_message);
        publish(simulator->camera, &simulator->camera_message, sizeof simulator->camera_message, t);
    }
}

static void run_virtual(struct simulator *simulator)
{
    for (;;) {
        plant_advance(simulator->plant, clk_now(simulator->clk));
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
        plant_advance(simulator->plant, clk_now(simulator->clk));
        (void)clk_period_wait(simulator->clk,
                              &period); // a missed tick is caught up by plant_advance
    }
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

static enum status load_robot(struct simulator *simulator, const char *model,
                              const char *description_name)
{
    static char model_path[PATH_MAX], description_path[PATH_MAX];
    uint64_t seed;
    struct description *description; // the plant keeps it
    enum status status = read_seed(&seed);
    if (status == STATUS_OK)
        status = target_file(model, model_path);
    if (status == STATUS_OK)
        status = target_file(description_name, description_path);
    if (status == STATUS_OK)
        status = description_load(description_path, &description);
    if (status != STATUS_OK)
        return status;
    status = plant_create(model_path, description, seed, &simulator->plant);
    if (status != STATUS_OK)
        description_free(description);
    return status;
}

static enum status check_robot(const char *model, const char *description)
{
    static char model_path[PATH_MAX], description_path[PATH_MAX];
    enum status status = target_file(model, model_path);
    if (status == STATUS_OK)
        status = target_file(description, description_path);
    return status == STATUS_OK ? robot_check(model_path, description_path) : status;
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
    return status;
}

// The value of an option: microseconds from `least` to `most`. False if it is not (said on standard
// error).
static bool read_us(const char *option, const char *text, int least, int most, duration *value)
{
    char *end;
    errno = 0;
    const long us = strtol(text, &end, 10);
    if (text[0] < '0' || text[0] > '9' || *end || errno || us < least || us > most) {
        log_error("--%s %s: is not a number from %d to %d; give for example 2000", option, text,
                  least, most);
        return false;
    }
    *value = duration_us(us);
    return true;
}

// False if the command line is not as it must be (said on standard error).
static bool read_options(int argc, char **argv, struct options *options)
{
    static const struct option known[] = {{"wall-period-us", required_argument, NULL, 'w'},
                                          {"interpolation-us", required_argument, NULL, 'i'},
                                          {"check", no_argument, NULL, 'c'},
                                          {0}};
    *options = (struct options){.wall_period = duration_us(WALL_PERIOD_DEFAULT_US),
                                .interpolation = duration_ns(BOARD_INTERPOLATION_DEFAULT_NS),
                                .model = "robot.xml",
                                .description = "hubo2.xml"};
    bool good = true;
    opterr = 0;
    for (int option; good && (option = getopt_long(argc, argv, "", known, NULL)) != -1;)
        good = (option == 'c' && (options->check = true)) ||
               (option == 'w' && read_us("wall-period-us", optarg, WALL_PERIOD_MIN_US,
                                         WALL_PERIOD_MAX_US, &options->wall_period)) ||
               (option == 'i' && read_us("interpolation-us", optarg, INTERPOLATION_MIN_US,
                                         INTERPOLATION_MAX_US, &options->interpolation));
    if (argc - optind == 2) {
        options->model = argv[optind];
        options->description = argv[optind + 1];
    }
    if (good && (argc == optind || argc - optind == 2))
        return true;
    fprintf(stderr, "usage: simulator [--check] [--wall-period-us N] [--interpolation-us N]\n"
                    "                 [ROBOT_MODEL ROBOT_DESCRIPTION]\n"
                    "Files in the folder $UKEMI_TARGET; default robot.xml hubo2.xml.\n");
    return false;
}

int main(int argc, char **argv)
{
    static struct simulator simulator;
    log_program("simulator");
    // It says what is true; the stack under test may be of the same user, and must not change it.
    (void)prctl(PR_SET_DUMPABLE, 0);
    struct options options;
    if (!read_options(argc, argv, &options))
        return 2;
    if (world_read(&simulator.surroundings) != STATUS_OK)
        return 2;
    if (options.check)
        return check_robot(options.model, options.description) == STATUS_OK ? 0 : 2;
    enum status status = load_robot(&simulator, options.model, options.description);
    if (status != STATUS_OK)
        return status == STATUS_INVALID ? 2 : 3;
    if (open_channels(&simulator) != STATUS_OK)
        return 3;
    plant_interpolate(simulator.plant, options.interpolation);
    plant_observe(simulator.plant, on_grid, &simulator);
    if (participant_join(&simulator.clk) != STATUS_OK)
        return 3;
    if (clk_mode(simulator.clk) == CLK_VIRTUAL)
        run_virtual(&simulator);
    else
        run_wall(&simulator, options.wall_period);
    return 0;
}
