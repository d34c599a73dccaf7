#include <math.h>
#include <string.h>

#include "robot/participant.h"
#include "robot/robot_private.h"

#define REACHED_RAD 0.01
#define AGE_MAX_NS 100000000        // of a reading
#define POWER_AGE_MAX_NS 5000000000 // which is polled at a low rate

static const char *const joint_names[ROBOT_JOINTS] = {
#define ROBOT_JOINT_NAME(name) #name,
    ROBOT_JOINT_TABLE(ROBOT_JOINT_NAME)
#undef ROBOT_JOINT_NAME
};

int robot_joint_number(const char *name)
{
    for (int j = 0; j < ROBOT_JOINTS; j++)
        if (strcmp(joint_names[j], name) == 0)
            return j;
    return -1;
}

const char *robot_joint_name(unsigned joint)
{
    return joint < ROBOT_JOINTS ? joint_names[joint] : NULL;
}

// ---- commands ----------------------------------------------------------------------------------

static bool is_balances(unsigned joint)
{
    return joint == ROBOT_WST || (joint >= ROBOT_LHY && joint <= ROBOT_RAR);
}

static enum status check(const struct joint_command command[ROBOT_JOINTS])
{
    for (unsigned j = 0; j < ROBOT_JOINTS; j++) {
        if (command[j].mode == JOINT_MODE_NONE)
            continue;
        if (is_balances(j))
            return STATUS_DENIED;
        if (command[j].mode > JOINT_MODE_PASSTHROUGH || !isfinite(command[j].value) ||
            command[j].timeout.ns < 0)
            return STATUS_INVALID;
    }
    return STATUS_OK;
}

static void note_asked(struct robot *robot, const struct joint_command command[ROBOT_JOINTS])
{
    for (unsigned j = 0; j < ROBOT_JOINTS; j++) {
        if (command[j].mode == JOINT_MODE_NONE)
            continue;
        robot->asked &= ~(UINT64_C(1) << j);
        if (command[j].mode != JOINT_MODE_VELOCITY)
            robot->asked |= UINT64_C(1) << j;
        robot->asked_rad[j] = command[j].value;
    }
}

enum status robot_command_joints(struct robot *robot,
                                 const struct joint_command command[ROBOT_JOINTS])
{
    enum status status = check(command);
    if (status == STATUS_OK && robot->joint_command_channel == NULL)
        status = participant_channel("arm-command", CHANNEL_WRITE, sizeof(struct command_message),
                                     &robot->joint_command_channel);
    if (status != STATUS_OK)
        return status;
    const struct state_message *state = robot_state(robot);
    if (state == NULL)
        return STATUS_EMPTY;
    struct command_message message = {.state_cycle = state->cycle,
                                      .time = clk_now(robot->clk),
                                      .joint_count = state->joint_count};
    memcpy(message.joint, command, ROBOT_JOINTS * sizeof *command);
    note_asked(robot, command);
    return channel_put(robot->joint_command_channel, &message, sizeof message, message.time);
}

// `count` joints from `first` on, all in one mode.
static enum status command_some(struct robot *robot, unsigned first, unsigned count,
                                enum joint_mode mode, const double *value, duration timeout)
{
    struct joint_command command[ROBOT_JOINTS] = {0};
    if (first >= ROBOT_JOINTS)
        return STATUS_NOT_FOUND;
    for (unsigned i = 0; i < count; i++)
        command[first + i] =
            (struct joint_command){.mode = mode, .value = value[i], .timeout = timeout};
    return robot_command_joints(robot, command);
}

enum status robot_set_joint(struct robot *robot, unsigned joint, double angle_rad)
{
    return command_some(robot, joint, 1, JOINT_MODE_POSITION, &angle_rad, DURATION_ZERO);
}

enum status robot_set_joint_velocity(struct robot *robot, unsigned joint, double velocity_rad_s,
                                     duration timeout)
{
    return command_some(robot, joint, 1, JOINT_MODE_VELOCITY, &velocity_rad_s, timeout);
}

enum status robot_pass_joint(struct robot *robot, unsigned joint, double reference_rad)
{
    return command_some(robot, joint, 1, JOINT_MODE_PASSTHROUGH, &reference_rad, DURATION_ZERO);
}

enum status robot_set_neck_angles(struct robot *robot, const double angle_rad[ROBOT_NECK_JOINTS])
{
    return command_some(robot, ROBOT_NKY, ROBOT_NECK_JOINTS, JOINT_MODE_POSITION, angle_rad,
                        DURATION_ZERO);
}

enum status robot_set_right_hand_angles(struct robot *robot,
                                        const double angle_rad[ROBOT_HAND_JOINTS])
{
    return command_some(robot, ROBOT_RF1, ROBOT_HAND_JOINTS, JOINT_MODE_POSITION, angle_rad,
                        DURATION_ZERO);
}

enum status robot_set_left_hand_angles(struct robot *robot,
                                       const double angle_rad[ROBOT_HAND_JOINTS])
{
    return command_some(robot, ROBOT_LF1, ROBOT_HAND_JOINTS, JOINT_MODE_POSITION, angle_rad,
                        DURATION_ZERO);
}

enum status robot_set_right_arm_velocities(struct robot *robot,
                                           const double velocity_rad_s[ROBOT_ARM_JOINTS],
                                           duration timeout)
{
    return command_some(robot, ROBOT_RSP, ROBOT_ARM_JOINTS, JOINT_MODE_VELOCITY, velocity_rad_s,
                        timeout);
}

enum status robot_set_left_arm_velocities(struct robot *robot,
                                          const double velocity_rad_s[ROBOT_ARM_JOINTS],
                                          duration timeout)
{
    return command_some(robot, ROBOT_LSP, ROBOT_ARM_JOINTS, JOINT_MODE_VELOCITY, velocity_rad_s,
                        timeout);
}

static enum status joints_done(struct robot *robot)
{
    for (unsigned j = 0; j < ROBOT_JOINTS; j++) {
        double angle_rad, velocity_rad_s;
        if ((robot->asked >> j & 1) != 0 &&
            (robot_read_joint(robot, j, &angle_rad, &velocity_rad_s) != STATUS_OK ||
             !(fabs(angle_rad - robot->asked_rad[j]) <= REACHED_RAD)))
            return STATUS_TIMEOUT;
    }
    return STATUS_OK;
}

enum status robot_wait_joints(struct robot *robot, duration timeout)
{
    return robot_wait_for(robot, joints_done, timeout);
}

// ---- readings ----------------------------------------------------------------------------------

const struct state_message *robot_state(struct robot *robot)
{
    if (robot->state_channel == NULL &&
        participant_channel("state", CHANNEL_READ, sizeof robot->state, &robot->state_channel) !=
            STATUS_OK)
        return NULL;
    return robot_newest(robot->state_channel, &robot->state, sizeof robot->state);
}

// A reading that one cycle missed is still that of the last.
static bool is_fresh(const struct robot *robot, instant time, int64_t age_max_ns)
{
    return time.ns > 0 && instant_sub(clk_now(robot->clk), time).ns <= age_max_ns;
}

enum status robot_read_joint(struct robot *robot, unsigned joint, double *angle_rad,
                             double *velocity_rad_s)
{
    const struct state_message *state = robot_state(robot);
    if (joint >= ROBOT_JOINTS)
        return STATUS_NOT_FOUND;
    if (state == NULL || !is_fresh(robot, state->joint[joint].time, AGE_MAX_NS))
        return STATUS_EMPTY;
    *angle_rad = state->joint[joint].position_rad;
    *velocity_rad_s = state->joint[joint].velocity_rad_s;
    return STATUS_OK;
}

enum status robot_read_force_torque(struct robot *robot, enum force_torque_sensor sensor,
                                    double moment_Nm[2], double *force_N)
{
    const struct state_message *state = robot_state(robot);
    if ((unsigned)sensor >= ROBOT_FORCE_TORQUE_MAX)
        return STATUS_NOT_FOUND;
    if (state == NULL || !is_fresh(robot, state->force_torque[sensor].time, AGE_MAX_NS))
        return STATUS_EMPTY;
    moment_Nm[0] = state->force_torque[sensor].moment_x_Nm;
    moment_Nm[1] = state->force_torque[sensor].moment_y_Nm;
    *force_N = state->force_torque[sensor].force_z_N;
    return STATUS_OK;
}

enum status robot_read_imu(struct robot *robot, double angle_rad[2], double rate_rad_s[2])
{
    const struct state_message *state = robot_state(robot);
    if (state == NULL || !is_fresh(robot, state->imu.time, AGE_MAX_NS))
        return STATUS_EMPTY;
    angle_rad[0] = state->imu.roll_rad;
    angle_rad[1] = state->imu.pitch_rad;
    rate_rad_s[0] = state->imu.roll_rate_rad_s;
    rate_rad_s[1] = state->imu.pitch_rate_rad_s;
    return STATUS_OK;
}

enum status robot_read_power(struct robot *robot, double *voltage_V, double *current_A)
{
    const struct state_message *state = robot_state(robot);
    if (state == NULL || !is_fresh(robot, state->power.time, POWER_AGE_MAX_NS))
        return STATUS_EMPTY;
    *voltage_V = state->power.voltage_V;
    *current_A = state->power.current_A;
    return STATUS_OK;
}

enum status robot_read_phase(struct robot *robot, enum balance_phase *phase)
{
    const struct balance_status_message *status = robot_balance_status(robot);
    if (status == NULL)
        return STATUS_EMPTY;
    *phase = (enum balance_phase)status->phase;
    return STATUS_OK;
}
