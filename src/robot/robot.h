// Client library for programs that tell a robot what to do: one call opens everything, one call
// says what is wanted; messages, ids and channels are looked after here.
//
//   struct robot *robot;
//   if (robot_open(&robot) != STATUS_OK) return 2;       // what went wrong has been said
//   robot_wait_until_standing(robot, duration_s(10));
//   robot_walk_forward(robot, 6, GAIT_QUASI_STATIC);
//   robot_wait_walk(robot, duration_s(60));
//
// Commands only send and never block; daemons that are dead, stopped or restarted cannot hold a
// client up. The wait functions return TIMEOUT when their time is over, and repeat a command to the
// planner that a restart has made it forget. Functions that send return what channel_put returns
// (FULL if the channel has more live writers than slots). A robot is used by one thread. Frames:
// hands in the torso's, SI units, quaternions (w, x, y, z).
#pragma once

#include <stdbool.h>

#include "base/status.h"
#include "base/time.h"
#include "message/message.h"
#include "robot/joints.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ROBOT_ARM_JOINTS 6 // shoulder pitch, roll, yaw, elbow, wrist yaw, wrist pitch
#define ROBOT_NECK_JOINTS 3
#define ROBOT_HAND_JOINTS 5

struct robot; // opaque; owned by the caller from robot_open to robot_close

struct hand_pose {
    double position_m[3];
    double quaternion[4];
};

// Opens all channels of the cell and joins its clock; blocks until the trial runs. Errors are
// reported on standard error: NOT_FOUND (no cell, no channel), TOO_LARGE, CORRUPT, SYSTEM,
// NO_MEMORY.
enum status robot_open(struct robot **robot) MUST_CHECK;
void robot_close(struct robot *robot);

// ---- time --------------------------------------------------------------------------------------

instant robot_now(const struct robot *robot); // since the start of the trial
void robot_wait(struct robot *robot, duration time);

// ---- arms --------------------------------------------------------------------------------------

// One arm moves, the other goes on with what it was told before.
enum status robot_set_right_arm_angles(struct robot *robot,
                                       const double angle_rad[ROBOT_ARM_JOINTS]);
enum status robot_set_left_arm_angles(struct robot *robot,
                                      const double angle_rad[ROBOT_ARM_JOINTS]);

// Both hands at once, for streaming (teleoperation).
enum status robot_set_hand_poses(struct robot *robot, const struct hand_pose *right,
                                 const struct hand_pose *left);

// Until both arms are where the last arm command wanted them. INVALID: the command was refused (out
// of reach).
enum status robot_wait_arms(struct robot *robot, duration timeout) MUST_CHECK;

// ---- joints ------------------------------------------------------------------------------------
//
// Neck, hands and arms, joint by joint, in each of Control's modes. Legs and waist are Balance's
// and refused: DENIED. EMPTY: Hardware has not said anything yet. NOT_FOUND: no such joint.
// INVALID: not finite.
//
// Control carries the newest command of each joint through. Manipulation repeats what it was told
// of an arm 20 times a second: lead an arm by the functions above, or joint by joint, but not by
// both.

enum status robot_set_joint(struct robot *robot, unsigned joint, double angle_rad);
// For `timeout`, then it winds down to rest; 0: for 0.5 s.
enum status robot_set_joint_velocity(struct robot *robot, unsigned joint, double velocity_rad_s,
                                     duration timeout);
// Past the filters: the reference as it is, within the joint's limits. Whoever uses it sees to the
// smoothness of the motion.
enum status robot_pass_joint(struct robot *robot, unsigned joint, double reference_rad);

// Any number of joints at once, each in its mode, JOINT_MODE_NONE for the others.
enum status robot_command_joints(struct robot *robot,
                                 const struct joint_command command[ROBOT_JOINTS]);

enum status robot_set_neck_angles(struct robot *robot, const double angle_rad[ROBOT_NECK_JOINTS]);
enum status robot_set_right_hand_angles(struct robot *robot,
                                        const double angle_rad[ROBOT_HAND_JOINTS]);
enum status robot_set_left_hand_angles(struct robot *robot,
                                       const double angle_rad[ROBOT_HAND_JOINTS]);
enum status robot_set_right_arm_velocities(struct robot *robot,
                                           const double velocity_rad_s[ROBOT_ARM_JOINTS],
                                           duration timeout);
enum status robot_set_left_arm_velocities(struct robot *robot,
                                          const double velocity_rad_s[ROBOT_ARM_JOINTS],
                                          duration timeout);

// Until all joints that were last told an angle are within 0.01 rad of it.
enum status robot_wait_joints(struct robot *robot, duration timeout) MUST_CHECK;

// "LSP" is ROBOT_LSP; -1: no such joint. And back; NULL.
int robot_joint_number(const char *name);
const char *robot_joint_name(unsigned joint);

// ---- walking on command ------------------------------------------------------------------------

enum status robot_walk_forward(struct robot *robot, unsigned steps, enum gait gait);
enum status robot_walk_backward(struct robot *robot, unsigned steps, enum gait gait);
enum status robot_walk_left(struct robot *robot, unsigned steps, enum gait gait);
enum status robot_walk_right(struct robot *robot, unsigned steps, enum gait gait);
enum status robot_turn(struct robot *robot, double angle_rad, enum gait gait); // positive: left
enum status robot_stand(struct robot *robot); // finish the present motion, then stand
enum status robot_stop(struct robot *robot);  // stop in the next stable configuration

// Until the last of these commands is completed. INVALID: Balance refused it.
enum status robot_wait_walk(struct robot *robot, duration timeout) MUST_CHECK;

// Until the robot stands stably on both feet and accepts a plan.
enum status robot_wait_until_standing(struct robot *robot, duration timeout) MUST_CHECK;

// ---- walking to the goal that perception sees --------------------------------------------------

enum status robot_go_to_goal(struct robot *robot, enum gait gait);

// Whether the last robot_go_to_goal is completed. Call it now and then: it says the goal again to a
// planner that does not know it (any more).
bool robot_goal_reached(struct robot *robot);

// ---- what the robot says -----------------------------------------------------------------------

// The newest message, NULL if there has been none. Valid until the next call with this robot.
const struct balance_status_message *robot_balance_status(struct robot *robot);
const struct planner_status_message *robot_planner_status(struct robot *robot);
const struct manipulation_status_message *robot_manipulation_status(struct robot *robot);
const struct state_message *robot_state(struct robot *robot);

// Readings. EMPTY: there is none yet, or it is older than 0.1 s (of power, 5 s). NOT_FOUND: no such
// joint, sensor.
enum status robot_read_joint(struct robot *robot, unsigned joint, double *angle_rad,
                             double *velocity_rad_s);
// Moments about x and y, force along z.
enum status robot_read_force_torque(struct robot *robot, enum force_torque_sensor sensor,
                                    double moment_Nm[2], double *force_N);
// Roll and pitch, and their rates.
enum status robot_read_imu(struct robot *robot, double angle_rad[2], double rate_rad_s[2]);
enum status robot_read_power(struct robot *robot, double *voltage_V, double *current_A);
// Whether the robot stands, walks, has fallen: enum balance_phase.
enum status robot_read_phase(struct robot *robot, enum balance_phase *phase);

#ifdef __cplusplus
}
#endif
