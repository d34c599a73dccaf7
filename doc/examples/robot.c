// A program that tells the robot what to do: arms, neck, a finger, two steps. Beside robot.cpp, robot.py.
#include <stdio.h>

#include "robot/robot.h"

static enum status perform(struct robot *robot)
{
    const double left[ROBOT_ARM_JOINTS] = {-0.5, 0.2, 0, -1.0, 0, 0};
    const double right[ROBOT_ARM_JOINTS] = {-0.5, -0.2, 0, -1.0, 0, 0};
    const double neck[ROBOT_NECK_JOINTS] = {0.3, 0.1, 0};
    const double hand[ROBOT_HAND_JOINTS] = {0.2, 0.2, 0.2, 0.2, 0.2};
    double angle_rad, velocity_rad_s;
    enum status status = robot_wait_until_standing(robot, duration_s(10));
    if (status == STATUS_OK)
        status = robot_set_left_arm_angles(robot, left);
    if (status == STATUS_OK)
        status = robot_set_right_arm_angles(robot, right);
    if (status == STATUS_OK)
        status = robot_set_neck_angles(robot, neck);
    if (status == STATUS_OK)
        status = robot_set_left_hand_angles(robot, hand);
    if (status == STATUS_OK)
        status = robot_wait_arms(robot, duration_s(20));
    if (status == STATUS_OK)
        status = robot_wait_joints(robot, duration_s(20));
    if (status == STATUS_OK)
        status = robot_set_joint_velocity(robot, ROBOT_NKY, -0.2, duration_ms(400));
    robot_wait(robot, duration_ms(1500));
    if (status == STATUS_OK)
        status = robot_read_joint(robot, ROBOT_NK1, &angle_rad, &velocity_rad_s);
    if (status == STATUS_OK)
        status = robot_pass_joint(robot, ROBOT_NK1, angle_rad + 0.001);
    if (status == STATUS_OK)
        status = robot_walk_forward(robot, 2, GAIT_QUASI_STATIC);
    return status == STATUS_OK ? robot_wait_walk(robot, duration_s(60)) : status;
}

static enum status tell(struct robot *robot)
{
    static const char *const phases[] = {"waiting",   "preparing",  "standing",
                                         "executing", "recovering", "fallen"};
    double neck[2], finger[2], moment_Nm[2], force_N[2], angle_rad[2], rate_rad_s[2], power[2];
    enum balance_phase phase = BALANCE_PHASE_WAITING;
    enum status status = robot_read_joint(robot, ROBOT_NKY, &neck[0], &neck[1]);
    if (status == STATUS_OK)
        status = robot_read_joint(robot, ROBOT_LF1, &finger[0], &finger[1]);
    if (status == STATUS_OK)
        status = robot_read_force_torque(robot, FT_RIGHT_FOOT, moment_Nm, &force_N[0]);
    if (status == STATUS_OK)
        status = robot_read_force_torque(robot, FT_LEFT_FOOT, moment_Nm, &force_N[1]);
    if (status == STATUS_OK)
        status = robot_read_imu(robot, angle_rad, rate_rad_s);
    if (status == STATUS_OK)
        status = robot_read_power(robot, &power[0], &power[1]);
    if (status == STATUS_OK)
        status = robot_read_phase(robot, &phase);
    if (status == STATUS_OK)
        printf("neck %.2f rad, finger %.2f rad, feet %.0f N, roll %.2f rad, %.0f V, %s\n", neck[0],
               finger[0], force_N[0] + force_N[1], angle_rad[0], power[0], phases[phase]);
    return status;
}

int main(void)
{
    struct robot *robot;
    if (robot_open(&robot) != STATUS_OK)
        return 2; // what went wrong has been said
    enum status status = perform(robot);
    if (status == STATUS_OK)
        status = tell(robot);
    if (status != STATUS_OK)
        fprintf(stderr, "robot: %s\n", status_text(status));
    robot_close(robot);
    return status == STATUS_OK ? 0 : 1;
}
