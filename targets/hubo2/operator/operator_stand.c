// Operator of the static scenarios: lets the robot stand and commands nothing.
#include "robot/participant.h"
#include "robot/robot.h"

int main(int argc, char **argv)
{
    struct robot *robot;
    if (participant_begin(argc, argv) != STATUS_OK || robot_open(&robot) != STATUS_OK)
        return 2;
    for (;;)
        robot_wait(robot, duration_s(10));
}
