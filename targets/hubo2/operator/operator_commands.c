// Operator that gives Balance one command of its finite list after the other.
//
//   operator_commands quasi-static|dynamic COMMAND...
//
// COMMAND: forward=N, backward=N, left=N, right=N (steps), turn=DEGREES (positive left), stop,
// stand. Each is awaited before the next is given, except that one followed by `stop` is left alone
// for 2.5 steps only. Ends when the last is done.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "robot/robot.h"

#define COMMAND_LIMIT_S 120
#define BEFORE_STOP_S 5.0

struct order {
    const char *name;
    double value; // after '=', 0 without
};

static bool parse(const char *text, struct order *order, char *name, size_t size)
{
    const char *equals = strchr(text, '=');
    size_t length = equals != NULL ? (size_t)(equals - text) : strlen(text);
    if (length == 0 || length >= size)
        return false;
    memcpy(name, text, length);
    name[length] = '\0';
    *order = (struct order){.name = name};
    if (equals == NULL)
        return true;
    char *end;
    order->value = strtod(equals + 1, &end);
    return end != equals + 1 && *end == '\0' && isfinite(order->value);
}

// NOT_FOUND: no such command.
static enum status give(struct robot *robot, const struct order *order, enum gait gait)
{
    unsigned steps = order->value > 0 && order->value < 1000 ? (unsigned)order->value : 0;
    if (strcmp(order->name, "forward") == 0)
        return robot_walk_forward(robot, steps, gait);
    if (strcmp(order->name, "backward") == 0)
        return robot_walk_backward(robot, steps, gait);
    if (strcmp(order->name, "left") == 0)
        return robot_walk_left(robot, steps, gait);
    if (strcmp(order->name, "right") == 0)
        return robot_walk_right(robot, steps, gait);
    if (strcmp(order->name, "turn") == 0)
        return robot_turn(robot, order->value * (M_PI / 180), gait);
    if (strcmp(order->name, "stop") == 0)
        return robot_stop(robot);
    if (strcmp(order->name, "stand") == 0)
        return robot_stand(robot);
    return STATUS_NOT_FOUND;
}

static int obey(struct robot *robot, enum gait gait, char **texts)
{
    for (char **text = texts; *text != NULL; text++) {
        struct order order;
        char name[16];
        enum status status = STATUS_NOT_FOUND;
        if (parse(*text, &order, name, sizeof name))
            status = give(robot, &order, gait);
        if (status == STATUS_NOT_FOUND) {
            log_error("%s: not a command; use forward=N, backward=N, left=N, right=N, "
                      "turn=DEGREES, stop or stand",
                      *text);
            return 2;
        }
        if (text[1] != NULL && strcmp(text[1], "stop") == 0) {
            robot_wait(robot, duration_s(BEFORE_STOP_S));
            continue;
        }
        status = robot_wait_walk(robot, duration_s(COMMAND_LIMIT_S));
        log_info("%s: %s, at %.2f s", *text, status_name(status), instant_to_s(robot_now(robot)));
        if (status != STATUS_OK)
            return 1;
    }
    return 0;
}

int main(int argc, char **argv)
{
    log_program(argv[0]);
    bool dynamic = argc > 1 && strcmp(argv[1], "dynamic") == 0;
    if (argc < 3 || (!dynamic && strcmp(argv[1], "quasi-static") != 0)) {
        log_error("usage: operator_commands quasi-static|dynamic COMMAND...");
        return 2;
    }
    struct robot *robot;
    if (robot_open(&robot) != STATUS_OK)
        return 2;
    if (robot_wait_until_standing(robot, duration_s(10)) != STATUS_OK) {
        log_error("the robot does not stand after 10 s: is Balance running?");
        return 1;
    }
    int result = obey(robot, dynamic ? GAIT_DYNAMIC : GAIT_QUASI_STATIC, argv + 2);
    robot_close(robot);
    return result;
}
