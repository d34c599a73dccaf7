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

#define ROBOT_ARM_JOINTS 6 // shoulder pitch, roll, yaw, elbow, wrist yaw, wrist pitch

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
