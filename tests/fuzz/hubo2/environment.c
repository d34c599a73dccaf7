// The environment that programs of a cell find: folder, name, seed, surroundings, further faults.
// Whatever it holds, what is accepted is finite and in range, and the camera's image of it is one
// that Perception may refuse but survives.
#include "tests/fuzz/fuzz.h"

#include "can/can.h"
#include "harness/files/fault/catalogue.h"
#include "targets/hubo2/perception/perception_scene.h"

int simulator_main(int argc, char **argv);
#define main simulator_main
#include "targets/simulator/simulator.c"
#undef main

#include "targets/hubo2/target_files.h"

static const char *const names[] = {"UKEMI_SEED",
                                    "UKEMI_TARGET",
                                    "UKEMI_CELL",
                                    "UKEMI_PARTICIPANT",
                                    "UKEMI_FAULTS",
                                    "UKEMI_ENV_GOAL_X_M",
                                    "UKEMI_ENV_GOAL_Y_M",
                                    "UKEMI_ENV_GOAL_YAW_RAD",
                                    "UKEMI_ENV_OBSTACLE1_X_M",
                                    "UKEMI_ENV_OBSTACLE1_Y_M",
                                    "UKEMI_ENV_OBSTACLE1_RADIUS_M",
                                    "UKEMI_ENV_OBSTACLE8_X_M",
                                    "UKEMI_ENV_BOX_X_M",
                                    "UKEMI_ENV_BOX_HEIGHT_M",
                                    "UKEMI_ENV_BOX_SPREAD_M",
                                    "UKEMI_ENV_HOSE",
                                    "UKEMI_ENV_HOSE_LINKS",
                                    "UKEMI_ENV_HOSE_KG_M",
                                    "UKEMI_ENV_MOCAP_LATENCY_S"};
#define NAMES (sizeof names / sizeof names[0])

static void set_variables(struct fuzz_input *input)
{
    static const char *const known[] = {
        "0",   "1.5",       "-1",    "1e308", "1e-320",
        "nan", "inf",       "0x1p3", " 7",    "18446744073709551616",
        ".",   "tests/fuzz"};
    for (size_t i = 0; i < NAMES; i++)
        unsetenv(names[i]);
    while (fuzz_more(input)) {
        char value[600];
        const char *name = names[fuzz_u8(input) % NAMES];
        const uint8_t what = fuzz_u8(input);
        size_t length = 0;
        if (what < 128) {
            snprintf(value, sizeof value, "%s", known[what % (sizeof known / sizeof known[0])]);
        } else {
            for (uint8_t byte; fuzz_more(input) && (byte = fuzz_u8(input)) != 0;)
                if (length < sizeof value - 1)
                    value[length++] = (char)byte;
            value[length] = '\0';
        }
        fuzz_check(setenv(name, value, 1) == 0);
    }
}

static void check_surroundings(void)
{
    struct surroundings around;
    if (world_read(&around) != STATUS_OK)
        return;
    fuzz_check(isfinite(around.goal.x_m) && isfinite(around.goal.y_m));
    fuzz_check(isfinite(around.goal.yaw_rad) && around.obstacle_count <= ROBOT_OBSTACLES_MAX);
    for (unsigned i = 0; i < around.obstacle_count; i++)
        fuzz_check(isfinite(around.obstacle[i].x_m) && isfinite(around.obstacle[i].y_m) &&
                   isfinite(around.obstacle[i].radius_m) && around.obstacle[i].radius_m >= 0);
    struct camera_message image;
    struct perception_message scene;
    const struct pose camera = {.position_m = {0, 0, 1}, .quaternion = {1}};
    camera_see(&camera, &camera, &around, instant_ns(0), &image);
    (void)perception_scene(&image, image.time, &scene);
}

static void check_hose(void)
{
    struct hose_config hose;
    struct mocap_config mocap;
    if (world_read_hose(1, &hose, &mocap) != STATUS_OK)
        return;
    fuzz_check(hose.links >= 2 && hose.links <= HOSE_LINKS_MAX && hose.kg_m > 0);
    fuzz_check(mocap.latency_s >= 0 && mocap.latency_s <= MOCAP_LATENCY_MAX_S);
}

static void check_box(void)
{
    struct box_config box;
    if (world_read_box(1, &box) != STATUS_OK)
        return;
    for (int k = 0; k < 3; k++)
        fuzz_check(box.size_m[k] > 0 && box.size_m[k] <= 10);
    fuzz_check(fabs(box.position_m[0]) <= 25 && fabs(box.position_m[1]) <= 25);
    fuzz_check(isfinite(box.yaw_rad) && box.noise_m >= 0 && box.noise_rad >= 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_input input = {.data = data, .size = size};
    set_variables(&input);
    check_surroundings();
    check_hose();
    check_box();
    uint64_t seed;
    const char *text = getenv("UKEMI_SEED");
    if (read_seed(&seed) == STATUS_OK && text != NULL) {
        char again[32];
        snprintf(again, sizeof again, "%llu", (unsigned long long)seed);
        fuzz_check(strcmp(text + strspn(text, "0"), again + strspn(again, "0")) == 0);
    }
    char path[PATH_MAX];
    if (target_file("robot.xml", path) == STATUS_OK)
        fuzz_check(strlen(path) < PATH_MAX);
    struct description *description = NULL;
    if (target_files_load(&description, NULL) == STATUS_OK)
        description_free(description);
    struct channel *channel;
    if (channel_open("state", CHANNEL_READ, &channel) == STATUS_OK)
        channel_close(channel);
    struct can_port *port;
    if (can_open("can0", "host", &port) == STATUS_OK)
        can_close(port);
    struct clk *clk;
    if (getenv("UKEMI_CELL") != NULL && clk_join(&clk) == STATUS_OK)
        clk_leave(clk);
    struct catalogue *catalogue;
    if (catalogue_load(&catalogue) == STATUS_OK)
        catalogue_free(catalogue);
    return 0;
}
