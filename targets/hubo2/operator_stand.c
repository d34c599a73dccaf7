// Operator of the static scenarios: lets the robot stand and commands nothing.
#include "base/log.h"
#include "robot/robot.h"

int main(int argc, char **argv)
{
    (void)argc;
    log_program(argv[0]);
    struct robot *robot;
    if (robot_open(&robot) != STATUS_OK)
        return 2;
    for (;;)
        robot_wait(robot, duration_s(10));
}
