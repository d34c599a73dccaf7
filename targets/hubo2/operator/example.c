// An example for programs that use the robot: raises both arms, walks, turns, comes to rest.
#include <math.h>

#include "base/log.h"
#include "robot/participant.h"
#include "robot/robot.h"

int main(int argc, char **argv)
{
    struct robot *robot;
    if (participant_begin(argc, argv) != STATUS_OK || robot_open(&robot) != STATUS_OK)
        return 2; // what went wrong has been said
    if (robot_wait_until_standing(robot, duration_s(10)) != STATUS_OK) {
        log_error("the robot does not stand after 10 s: is Balance running?");
        return 1;
    }
    const double right[ROBOT_ARM_JOINTS] = {-0.5, -0.2, 0, -1.0, 0, 0};
    const double left[ROBOT_ARM_JOINTS] = {-0.5, 0.2, 0, -1.0, 0, 0};
    (void)robot_set_right_arm_angles(robot, right); // one look at the result is enough:
    (void)robot_set_left_arm_angles(robot, left);
    if (robot_wait_arms(robot, duration_s(20)) != STATUS_OK)
        log_error("the arms did not get there");

    (void)robot_walk_forward(robot, 6, GAIT_QUASI_STATIC);
    enum status walked = robot_wait_walk(robot, duration_s(60));
    if (walked == STATUS_OK) {
        (void)robot_turn(robot, M_PI / 6, GAIT_QUASI_STATIC);
        walked = robot_wait_walk(robot, duration_s(60));
    }
    log_info("walked: %s, at %.2f s", status_name(walked), instant_to_s(robot_now(robot)));
    robot_close(robot);
    return walked == STATUS_OK ? 0 : 1;
}
