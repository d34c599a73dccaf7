// Operators whole: their command lines, and the client library src/robot on whatever daemons and
// predecessors publish. An operator ends, or goes on waiting; what it sends has the size of a
// message and finite numbers.
#define DAEMON_SLEEP_MAX_NS INT64_C(10000000000) // an operator may let the robot walk for a while
#include "daemon.h"

#include "robot/robot.h"

int commands_main(int argc, char **argv);
int walk_main(int argc, char **argv);
int example_main(int argc, char **argv);
#define main commands_main
#include "targets/hubo2/operator/operator_commands.c"
#undef main
#define main walk_main
#include "targets/hubo2/operator/operator_walk.c"
#undef main
#define main example_main
#include "targets/hubo2/operator/example.c"
#undef main

static struct robot *volatile opened;
static struct balance_command_message walking;
static struct planner_command_message going;
static struct manipulation_command_message handling;

enum status __real_robot_open(struct robot **robot);
enum status __wrap_robot_open(struct robot **robot);
void __real_robot_close(struct robot *robot);
void __wrap_robot_close(struct robot *robot);

enum status __wrap_robot_open(struct robot **robot)
{
    const enum status status = __real_robot_open(robot);
    opened = status == STATUS_OK ? *robot : NULL;
    return status;
}

void __wrap_robot_close(struct robot *robot)
{
    opened = NULL;
    __real_robot_close(robot);
}

static size_t put_message(void *to, const void *from, size_t size_B)
{
    memcpy(to, from, size_B);
    return size_B;
}

static size_t daemon_message(const char *channel, void *message, size_t capacity_B)
{
    (void)capacity_B;
    const uint8_t what = fuzz_u8(&daemon_input);
    if (strcmp(channel, "state") == 0)
        return put_message(message, &(struct state_message){.cycle = what, .time = daemon_now},
                           sizeof(struct state_message));
    if (strcmp(channel, "balance-status") == 0)
        return put_message(
            message,
            &(struct balance_status_message){.time = daemon_now,
                                             .phase = what & 1 ? BALANCE_PHASE_STANDING : what % 6,
                                             .done_id = what & 2 ? walking.id : 0,
                                             .ignored_id = what == 0xff},
            sizeof(struct balance_status_message));
    if (strcmp(channel, "planner-status") == 0)
        return put_message(message,
                           &(struct planner_status_message){.time = daemon_now,
                                                            .reached_id = what & 1 ? going.id : 0},
                           sizeof(struct planner_status_message));
    if (strcmp(channel, "manipulation-status") == 0)
        return put_message(
            message,
            &(struct manipulation_status_message){.time = daemon_now,
                                                  .reached_id = what & 1 ? handling.id : 0,
                                                  .refused_id = what & 2 ? handling.id : 0},
            sizeof(struct manipulation_status_message));
    if (strcmp(channel, "balance-command") == 0)
        return put_message(message, &walking, sizeof walking);
    if (strcmp(channel, "planner-command") == 0)
        return put_message(message, &going, sizeof going);
    if (strcmp(channel, "manipulation-command") == 0)
        return put_message(message, &handling, sizeof handling);
    return put_message(message, &(struct perception_message){.time = daemon_now},
                       sizeof(struct perception_message));
}

static void daemon_said(const char *channel, const void *frame, size_t size_B)
{
    if (strcmp(channel, "balance-command") == 0) {
        fuzz_check(size_B == sizeof walking);
        memcpy(&walking, frame, size_B);
        fuzz_check(isfinite(walking.angle_rad) && walking.gait < GAIT_COUNT);
        fuzz_check(walking.steps < 1000);
    } else if (strcmp(channel, "planner-command") == 0) {
        fuzz_check(size_B == sizeof going);
        memcpy(&going, frame, size_B);
    } else {
        fuzz_check(strcmp(channel, "manipulation-command") == 0 && size_B == sizeof handling);
        memcpy(&handling, frame, size_B);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static int (*const programs[])(int, char **) = {commands_main, walk_main, example_main};
    static const char *const known[] = {"quasi-static", "dynamic", "forward=2",  "backward=1",
                                        "left=",        "right=1", "turn=90",    "turn=-1e308",
                                        "stop",         "stand",   "forward=nan"};
    static char storage[FUZZ_WORDS_MAX][256], *word[FUZZ_WORDS_MAX + 2] = {"operator"};
    if (size < 2)
        return 0;
    // The command line first, then what the channels say.
    const size_t words_B = data[1] < size - 2 ? data[1] : size - 2;
    struct fuzz_input words = {.data = data + 2, .size = words_B};
    const int count = fuzz_words(&words, known, sizeof known / sizeof known[0], storage, word + 1);
    walking = (struct balance_command_message){0};
    going = (struct planner_command_message){0};
    handling = (struct manipulation_command_message){0};
    daemon_begin(data + 2 + words_B, size - 2 - words_B);
    if (setjmp(daemon_ended) == 0)
        (void)programs[data[0] % 3](count + 1, word);
    if (opened != NULL)
        __wrap_robot_close(opened);
    return 0;
}
