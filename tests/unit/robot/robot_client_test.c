// The client's table of joints is that of the robot.
#include "tests/unit/common/unit.h"

#include "model/description.h"
#include "robot/robot.h"

START_TEST(its_joints_are_those_of_the_robot)
{
    struct description *description;
    ck_assert_int_eq(description_load("targets/hubo2/hubo2.xml", &description), STATUS_OK);
    ck_assert_uint_eq(description->joint_count, ROBOT_JOINTS);
    for (unsigned j = 0; j < ROBOT_JOINTS; j++) {
        ck_assert_str_eq(robot_joint_name(j), description->joint[j].name);
        ck_assert_int_eq(robot_joint_number(description->joint[j].name), (int)j);
    }
    ck_assert_int_eq(robot_joint_number("XYZ"), -1);
    ck_assert_ptr_null(robot_joint_name(ROBOT_JOINTS));
    description_free(description);
}
END_TEST

// What is wrong is refused before any channel is opened.
START_TEST(what_is_not_the_clients_is_refused)
{
    struct joint_command command[ROBOT_JOINTS] = {0};
    command[ROBOT_LKN] = (struct joint_command){.mode = JOINT_MODE_POSITION};
    ck_assert_int_eq(robot_command_joints(NULL, command), STATUS_DENIED);
    command[ROBOT_LKN] = (struct joint_command){0};
    command[ROBOT_NKY] = (struct joint_command){.mode = JOINT_MODE_POSITION, .value = 0.0 / 0.0};
    ck_assert_int_eq(robot_command_joints(NULL, command), STATUS_INVALID);
    command[ROBOT_NKY] = (struct joint_command){.mode = JOINT_MODE_PASSTHROUGH + 1};
    ck_assert_int_eq(robot_command_joints(NULL, command), STATUS_INVALID);
    ck_assert_int_eq(robot_set_joint(NULL, ROBOT_JOINTS, 0), STATUS_NOT_FOUND);
    ck_assert_int_eq(robot_set_joint(NULL, ROBOT_WST, 0), STATUS_DENIED);
}
END_TEST

UNIT_MAIN("robot joints", its_joints_are_those_of_the_robot, what_is_not_the_clients_is_refused)
