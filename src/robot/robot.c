#include "robot/robot.h"

#include <stdlib.h>

#include "robot/participant.h"
#include "robot/robot_private.h"

#define LOOK_ROUND_NS 50000000    // while waiting for a status
#define REPEAT_AFTER_NS 500000000 // a command that the planner's status does not show

// ---- start and end -----------------------------------------------------------------------------

static enum status open_readers(struct robot *robot)
{
    enum status status =
        participant_channel("balance-status", CHANNEL_READ, sizeof robot->balance_status,
                            &robot->balance_status_channel);
    if (status == STATUS_OK)
        status = participant_channel("planner-status", CHANNEL_READ, sizeof robot->planner_status,
                                     &robot->planner_status_channel);
    if (status == STATUS_OK)
        status = participant_channel("manipulation-status", CHANNEL_READ,
                                     sizeof robot->manipulation_status,
                                     &robot->manipulation_status_channel);
    return status;
}

static enum status open_writers(struct robot *robot)
{
    enum status status =
        participant_channel("balance-command", CHANNEL_WRITE, sizeof robot->balance_command,
                            &robot->balance_command_channel);
    if (status == STATUS_OK)
        status =
            participant_channel("planner-command", CHANNEL_WRITE, sizeof robot->planner_command,
                                &robot->planner_command_channel);
    if (status == STATUS_OK)
        status = participant_channel("manipulation-command", CHANNEL_WRITE,
                                     sizeof robot->manipulation_command,
                                     &robot->manipulation_command_channel);
    return status;
}

// What was said last in a channel before this process came. False, and zeros, if nothing was.
static bool predecessor(const char *name, void *message, size_t size_B)
{
    struct channel *channel;
    if (channel_open(name, CHANNEL_READ, &channel) != STATUS_OK)
        return false;
    struct channel_frame frame;
    const enum status status = channel_get(channel, message, size_B, CHANNEL_LAST, &frame);
    channel_close(channel);
    return (status == STATUS_OK || status == STATUS_MISSED) && frame.size_B == size_B;
}

// Ids must go on increasing, and an arm that is not mentioned must keep its goal, when a client is
// restarted.
static void continue_from_predecessor(struct robot *robot)
{
    (void)predecessor("balance-command", &robot->balance_command, sizeof robot->balance_command);
    (void)predecessor("planner-command", &robot->planner_command, sizeof robot->planner_command);
    (void)predecessor("manipulation-command", &robot->manipulation_command,
                      sizeof robot->manipulation_command);
}

enum status robot_open(struct robot **opened)
{
    struct robot *robot = calloc(1, sizeof *robot);
    if (!robot)
        return STATUS_NO_MEMORY;
    enum status status = open_readers(robot);
    if (status == STATUS_OK)
        status = open_writers(robot);
    if (status == STATUS_OK)
        status = participant_join(&robot->clk);
    if (status != STATUS_OK) {
        robot_close(robot);
        return status;
    }
    continue_from_predecessor(robot);
    *opened = robot;
    return STATUS_OK;
}

void robot_close(struct robot *robot)
{
    struct channel *channels[] = {
        robot->balance_status_channel,
        robot->planner_status_channel,
        robot->manipulation_status_channel,
        robot->balance_command_channel,
        robot->planner_command_channel,
        robot->manipulation_command_channel,
        robot->state_channel,
        robot->joint_command_channel,
    };
    for (size_t i = 0; i < sizeof channels / sizeof channels[0]; i++)
        if (channels[i])
            channel_close(channels[i]);
    if (robot->clk)
        clk_leave(robot->clk);
    free(robot);
}

instant robot_now(const struct robot *robot)
{
    return clk_now(robot->clk);
}

void robot_wait(struct robot *robot, duration time)
{
    clk_sleep_until(robot->clk, instant_add(clk_now(robot->clk), time));
}

// ---- what the robot says -----------------------------------------------------------------------

const void *robot_newest(struct channel *channel, void *message, size_t size_B)
{
    struct channel_frame frame;
    const enum status status = channel_get(channel, message, size_B, CHANNEL_LAST, &frame);
    const bool delivered = status == STATUS_OK || status == STATUS_MISSED;
    return delivered && frame.size_B == size_B ? message : NULL; // of another size: no message
}

const struct balance_status_message *robot_balance_status(struct robot *robot)
{
    return robot_newest(robot->balance_status_channel, &robot->balance_status,
                        sizeof robot->balance_status);
}

const struct planner_status_message *robot_planner_status(struct robot *robot)
{
    return robot_newest(robot->planner_status_channel, &robot->planner_status,
                        sizeof robot->planner_status);
}

const struct manipulation_status_message *robot_manipulation_status(struct robot *robot)
{
    return robot_newest(robot->manipulation_status_channel, &robot->manipulation_status,
                        sizeof robot->manipulation_status);
}

// Looks at `done` until it is not TIMEOUT or the time is over.
enum status robot_wait_for(struct robot *robot, enum status (*done)(struct robot *),
                           duration timeout)
{
    const instant deadline = instant_add(clk_now(robot->clk), timeout);
    for (;;) {
        const enum status status = done(robot);
        const instant now = clk_now(robot->clk);
        if (status != STATUS_TIMEOUT || !instant_before(now, deadline))
            return status;
        clk_sleep_until(robot->clk,
                        instant_min(deadline, instant_add(now, duration_ns(LOOK_ROUND_NS))));
    }
}

// ---- arms --------------------------------------------------------------------------------------

static enum status send_arms(struct robot *robot)
{
    struct manipulation_command_message *command = &robot->manipulation_command;
    command->id++;
    command->time = clk_now(robot->clk);
    return channel_put(robot->manipulation_command_channel, command, sizeof *command,
                       command->time);
}

static void set_angles(struct robot *robot, enum side side,
                       const double angle_rad[ROBOT_ARM_JOINTS])
{
    struct arm_goal *goal = &robot->manipulation_command.arm[side];
    *goal = (struct arm_goal){.kind = ARM_GOAL_ANGLES};
    for (unsigned i = 0; i < ROBOT_ARM_JOINTS; i++)
        goal->angle_rad[i] = angle_rad[i];
}

static void set_pose(struct robot *robot, enum side side, const struct hand_pose *pose)
{
    struct arm_goal *goal = &robot->manipulation_command.arm[side];
    *goal = (struct arm_goal){.kind = ARM_GOAL_POSE};
    for (unsigned i = 0; i < 3; i++)
        goal->position_m[i] = pose->position_m[i];
    for (unsigned i = 0; i < 4; i++)
        goal->quaternion[i] = pose->quaternion[i];
}

enum status robot_set_right_arm_angles(struct robot *robot,
                                       const double angle_rad[ROBOT_ARM_JOINTS])
{
    set_angles(robot, SIDE_RIGHT, angle_rad);
    return send_arms(robot);
}

enum status robot_set_left_arm_angles(struct robot *robot, const double angle_rad[ROBOT_ARM_JOINTS])
{
    set_angles(robot, SIDE_LEFT, angle_rad);
    return send_arms(robot);
}

enum status robot_set_hand_poses(struct robot *robot, const struct hand_pose *right,
                                 const struct hand_pose *left)
{
    set_pose(robot, SIDE_RIGHT, right);
    set_pose(robot, SIDE_LEFT, left);
    return send_arms(robot);
}

static enum status arms_done(struct robot *robot)
{
    const struct manipulation_status_message *status = robot_manipulation_status(robot);
    const uint64_t id = robot->manipulation_command.id;
    if (status && status->refused_id == id)
        return STATUS_INVALID;
    return status && status->reached_id == id ? STATUS_OK : STATUS_TIMEOUT;
}

enum status robot_wait_arms(struct robot *robot, duration timeout)
{
    return robot_wait_for(robot, arms_done, timeout);
}

// ---- walking on command ------------------------------------------------------------------------

static enum status send_balance(struct robot *robot, enum balance_command_kind kind, unsigned steps,
                                double angle_rad, enum gait gait)
{
    robot->balance_command = (struct balance_command_message){
        .id = robot->balance_command.id + 1,
        .time = clk_now(robot->clk),
        .kind = kind,
        .gait = gait,
        .steps = steps,
        .angle_rad = angle_rad,
    };
    return channel_put(robot->balance_command_channel, &robot->balance_command,
                       sizeof robot->balance_command, robot->balance_command.time);
}

enum status robot_walk_forward(struct robot *robot, unsigned steps, enum gait gait)
{
    return send_balance(robot, BALANCE_WALK_FORWARD, steps, 0, gait);
}

enum status robot_walk_backward(struct robot *robot, unsigned steps, enum gait gait)
{
    return send_balance(robot, BALANCE_WALK_BACKWARD, steps, 0, gait);
}

enum status robot_walk_left(struct robot *robot, unsigned steps, enum gait gait)
{
    return send_balance(robot, BALANCE_WALK_LEFT, steps, 0, gait);
}

enum status robot_walk_right(struct robot *robot, unsigned steps, enum gait gait)
{
    return send_balance(robot, BALANCE_WALK_RIGHT, steps, 0, gait);
}

enum status robot_turn(struct robot *robot, double angle_rad, enum gait gait)
{
    return send_balance(robot, BALANCE_TURN, 0, angle_rad, gait);
}

enum status robot_stand(struct robot *robot)
{
    return send_balance(robot, BALANCE_STAND, 0, 0, GAIT_QUASI_STATIC);
}

enum status robot_stop(struct robot *robot)
{
    return send_balance(robot, BALANCE_STOP, 0, 0, GAIT_QUASI_STATIC);
}

static enum status walk_done(struct robot *robot)
{
    const struct balance_status_message *status = robot_balance_status(robot);
    const uint64_t id = robot->balance_command.id;
    if (status && status->ignored_id == id)
        return STATUS_INVALID;
    return status && status->done_id == id ? STATUS_OK : STATUS_TIMEOUT;
}

enum status robot_wait_walk(struct robot *robot, duration timeout)
{
    return robot_wait_for(robot, walk_done, timeout);
}

static enum status stands(struct robot *robot)
{
    const struct balance_status_message *status = robot_balance_status(robot);
    return status && status->phase == BALANCE_PHASE_STANDING ? STATUS_OK : STATUS_TIMEOUT;
}

enum status robot_wait_until_standing(struct robot *robot, duration timeout)
{
    return robot_wait_for(robot, stands, timeout);
}

// ---- walking to the goal -----------------------------------------------------------------------

static enum status send_planner(struct robot *robot)
{
    robot->planner_command.time = clk_now(robot->clk);
    return channel_put(robot->planner_command_channel, &robot->planner_command,
                       sizeof robot->planner_command, robot->planner_command.time);
}

static enum status command_planner(struct robot *robot, enum planner_command_kind kind,
                                   enum gait gait)
{
    robot->planner_command.id++;
    robot->planner_command.kind = kind;
    robot->planner_command.gait = gait;
    return send_planner(robot);
}

enum status robot_go_to_goal(struct robot *robot, enum gait gait)
{
    return command_planner(robot, PLANNER_GO_TO_GOAL, gait);
}

static enum status goal_done(struct robot *robot)
{
    const struct planner_status_message *status = robot_planner_status(robot);
    const uint64_t id = robot->planner_command.id;
    if (status && status->reached_id == id)
        return STATUS_OK;
    const duration since = instant_sub(clk_now(robot->clk), robot->planner_command.time);
    const bool known = status && status->command_id == id;
    if (!known && since.ns >= REPEAT_AFTER_NS)
        return send_planner(robot) == STATUS_FULL ? STATUS_FULL : STATUS_TIMEOUT;
    return STATUS_TIMEOUT;
}

bool robot_goal_reached(struct robot *robot)
{
    return goal_done(robot) == STATUS_OK;
}
