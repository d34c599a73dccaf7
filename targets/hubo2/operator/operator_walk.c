// Operator of the moving scenarios: walks to the goal while both hands draw circles.
//
//   operator_walk quasi-static|dynamic
//
// The hands are streamed at 20 Hz, like the motion tracker of the seed paper's teleoperation. When
// the goal is reached the robot keeps standing; the hands go on until the lab ends the trial.
#include <math.h>
#include <string.h>

#include "base/log.h"
#include "robot/robot.h"

#define STREAM_NS 50000000
#define CIRCLE_RADIUS_M 0.03 // with this period the joints stay below their nominal 0.4 rad/s2
#define CIRCLE_PERIOD_S 6.0

// Elbows bent, hands in front: the middle of the right hand's circle; the left one is its mirror
// image.
static const struct hand_pose middle = {
    .position_m = {0.3118, -0.2683, 0.0215},
    .quaternion = {0.710852, -0.090952, -0.696220, 0.041163},
};

static struct hand_pose mirrored(const struct hand_pose *pose)
{
    struct hand_pose mirror = *pose;
    mirror.position_m[1] = -pose->position_m[1];
    mirror.quaternion[1] = -pose->quaternion[1];
    mirror.quaternion[3] = -pose->quaternion[3];
    return mirror;
}

// One more point of the hands' circles; the first one is their middle.
static void stream_hands(struct robot *robot, double time_s)
{
    const double angle = 2 * M_PI * time_s / CIRCLE_PERIOD_S;
    struct hand_pose right = middle;
    right.position_m[1] += CIRCLE_RADIUS_M * sin(angle);
    right.position_m[2] += CIRCLE_RADIUS_M * (1 - cos(angle));
    const struct hand_pose left = mirrored(&right);
    (void)robot_set_hand_poses(robot, &right, &left); // a lost one is followed by the next
}

static bool parse_gait(int argc, char **argv, enum gait *gait)
{
    if (argc == 2 && strcmp(argv[1], "quasi-static") == 0)
        *gait = GAIT_QUASI_STATIC;
    else if (argc == 2 && strcmp(argv[1], "dynamic") == 0)
        *gait = GAIT_DYNAMIC;
    else
        return false;
    return true;
}

int main(int argc, char **argv)
{
    log_program(argv[0]);
    enum gait gait;
    if (!parse_gait(argc, argv, &gait)) {
        log_error("gait: one of quasi-static, dynamic is needed as the only argument");
        return 2;
    }
    struct robot *robot;
    if (robot_open(&robot) != STATUS_OK)
        return 2;
    stream_hands(robot, 0); // while Balance takes up the standing pose
    while (robot_wait_until_standing(robot, duration_s(1)) != STATUS_OK)
        continue;
    if (robot_wait_arms(robot, duration_s(10)) != STATUS_OK)
        log_info("the hands are not where the circles begin; going on");
    const instant start = robot_now(robot);
    (void)robot_go_to_goal(robot, gait); // said again below until the planner knows it
    for (;;) {
        stream_hands(robot, duration_to_s(instant_sub(robot_now(robot), start)));
        (void)robot_goal_reached(robot);
        robot_wait(robot, duration_ns(STREAM_NS));
    }
}
