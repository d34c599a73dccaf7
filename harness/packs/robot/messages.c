#include "harness/packs/robot/messages.h"

#include "message/message.h"

// clang-format off
#define END {.path = NULL}
#define WHOLE(type, table)                                                                         \
    {#type, sizeof(struct type), sizeof(struct type), table}
#define COUNTED(type, sequence, table)                                                             \
    {#type, sizeof(struct type), offsetof(struct type, sequence), table}

#define STATE(member) MEMBER(state_message, member)
#define STATE_AS(path, member) MEMBER_AS(path, state_message, member)
#define STATE_EACH(array, member) EACH(state_message, array, member)
#define STATE_EACH_AS(path, array, member) EACH_AS(path, state_message, array, member)
static const struct message_member state[] = {
    STATE(cycle), STATE_AS("time_ns", time), STATE_AS("cycle_start_ns", cycle_start),
    STATE(joint_count), STATE(rejected_frames), STATE(late_frames), STATE(period_us),
    STATE_EACH(joint, position_rad), STATE_EACH(joint, velocity_rad_s),
    STATE_EACH(joint, reference_rad), STATE_EACH_AS("joint[*].time_ns", joint, time),
    STATE_EACH(joint, valid), STATE_EACH(joint, velocity_valid), STATE_EACH(joint, missed),
    STATE_EACH(joint, reference_active),
    STATE_EACH_AS("force_torque[*].moment_x_nm", force_torque, moment_x_Nm),
    STATE_EACH_AS("force_torque[*].moment_y_nm", force_torque, moment_y_Nm),
    STATE_EACH_AS("force_torque[*].force_z_n", force_torque, force_z_N),
    STATE_EACH_AS("force_torque[*].time_ns", force_torque, time),
    STATE_EACH(force_torque, valid), STATE_EACH(force_torque, missed),
    STATE(imu.roll_rad), STATE(imu.pitch_rad), STATE(imu.roll_rate_rad_s),
    STATE(imu.pitch_rate_rad_s), STATE_AS("imu.time_ns", imu.time), STATE(imu.valid),
    STATE(imu.missed),
    STATE_EACH(tilt, angle_x_rad), STATE_EACH(tilt, angle_y_rad),
    STATE_EACH(tilt, acceleration_z_g), STATE_EACH_AS("tilt[*].time_ns", tilt, time),
    STATE_EACH(tilt, valid), STATE_EACH(tilt, missed),
    STATE_AS("power.voltage_v", power.voltage_V), STATE_AS("power.current_a", power.current_A),
    STATE_AS("power.power_w", power.power_W), STATE_AS("power.time_ns", power.time),
    STATE(power.valid), STATE(power.missed),
    STATE_EACH_AS("health[*].current_a", health, current_A),
    STATE_EACH_AS("health[*].temperature_c", health, temperature_C),
    STATE_EACH_AS("health[*].time_ns", health, time), STATE_EACH(health, flags),
    STATE_EACH(health, valid),
    STATE(dead_boards), STATE(board_deaths), STATE(board_returns),
    STATE_EACH(bus, wrong_kind), STATE_EACH(bus, wrong_id), STATE_EACH(bus, wrong_length),
    STATE_EACH(bus, wrong_value), STATE_EACH(bus, late), STATE_EACH(bus, error_frames),
    STATE_EACH(bus, refused), STATE_EACH(bus, lost), STATE_EACH(bus, transmit_errors),
    STATE_EACH(bus, receive_errors), STATE_EACH(bus, controller), STATE_EACH(bus, padding),
    STATE(sent_cycle), STATE_AS("sent_taken_ns", sent_taken),
    STATE_AS("sent_queued_ns", sent_queued), END};
const struct message_structure robot_state = WHOLE(state_message, state);

#define REFERENCE(member) MEMBER(reference_message, member)
static const struct message_member reference[] = {
    REFERENCE(state_cycle), MEMBER_AS("time_ns", reference_message, time), REFERENCE(active),
    REFERENCE(joint_count), REFERENCE(padding), ARRAY(reference_message, reference_rad, [0]),
    MEMBER_AS("taken_ns", reference_message, taken), REFERENCE(leg_cycle), REFERENCE(arm_cycle),
    END};
const struct message_structure robot_reference = WHOLE(reference_message, reference);

#define COMMAND(member) MEMBER(command_message, member)
#define COMMAND_EACH(member) EACH(command_message, joint, member)
static const struct message_member command[] = {
    COMMAND(state_cycle), MEMBER_AS("time_ns", command_message, time), COMMAND(joint_count),
    COMMAND(padding), COMMAND_EACH(mode), COMMAND_EACH(padding), COMMAND_EACH(value),
    COMMAND_EACH(velocity_nominal_rad_s), COMMAND_EACH(acceleration_nominal_rad_s2),
    EACH_AS("joint[*].timeout_ns", command_message, joint, timeout),
    MEMBER_AS("taken_ns", command_message, taken), END};
const struct message_structure robot_command = WHOLE(command_message, command);

#define BALANCE_COMMAND(member) MEMBER(balance_command_message, member)
static const struct message_member balance_command[] = {
    BALANCE_COMMAND(id), MEMBER_AS("time_ns", balance_command_message, time),
    BALANCE_COMMAND(kind), BALANCE_COMMAND(gait), BALANCE_COMMAND(steps), BALANCE_COMMAND(padding),
    BALANCE_COMMAND(angle_rad), END};
const struct message_structure robot_balance_command =
    WHOLE(balance_command_message, balance_command);

#define BALANCE_STATUS(member) MEMBER(balance_status_message, member)
static const struct message_member balance_status[] = {
    MEMBER_AS("time_ns", balance_status_message, time), BALANCE_STATUS(phase),
    BALANCE_STATUS(gait), BALANCE_STATUS(epoch), BALANCE_STATUS(plan_id),
    BALANCE_STATUS(segment_number), BALANCE_STATUS(sample), BALANCE_STATUS(last_sample),
    EACH(balance_status_message, foot, x_m), EACH(balance_status_message, foot, y_m),
    EACH(balance_status_message, foot, yaw_rad), BALANCE_STATUS(accepted_id),
    BALANCE_STATUS(done_id), BALANCE_STATUS(ignored_id), BALANCE_STATUS(request_id),
    BALANCE_STATUS(request_kind), BALANCE_STATUS(request_steps),
    BALANCE_STATUS(request_angle_rad), END};
const struct message_structure robot_balance_status = WHOLE(balance_status_message, balance_status);

#define PLANNER_COMMAND(member) MEMBER(planner_command_message, member)
static const struct message_member planner_command[] = {
    PLANNER_COMMAND(id), MEMBER_AS("time_ns", planner_command_message, time),
    PLANNER_COMMAND(kind), PLANNER_COMMAND(gait), END};
const struct message_structure robot_planner_command =
    WHOLE(planner_command_message, planner_command);

#define PLANNER_STATUS(member) MEMBER(planner_status_message, member)
static const struct message_member planner_status[] = {
    MEMBER_AS("time_ns", planner_status_message, time), PLANNER_STATUS(command_id),
    PLANNER_STATUS(reached_id), PLANNER_STATUS(plan_id), PLANNER_STATUS(segments),
    PLANNER_STATUS(distance_to_goal_m), PLANNER_STATUS(perception_fresh),
    PLANNER_STATUS(steps_planned), END};
const struct message_structure robot_planner_status = WHOLE(planner_status_message, planner_status);

#define FOOTSTEPS(member) MEMBER(footsteps_message, member)
static const struct message_member footsteps[] = {
    FOOTSTEPS(plan_id), FOOTSTEPS(number), FOOTSTEPS(epoch), FOOTSTEPS(request_id),
    MEMBER_AS("time_ns", footsteps_message, time), FOOTSTEPS(gait), FOOTSTEPS(final),
    FOOTSTEPS(first), FOOTSTEPS(count),
    FOOTSTEPS(step[0].side), FOOTSTEPS(step[0].padding), FOOTSTEPS(step[0].pose.x_m),
    FOOTSTEPS(step[0].pose.y_m), FOOTSTEPS(step[0].pose.yaw_rad), END};
const struct message_structure robot_footsteps = COUNTED(footsteps_message, step, footsteps);

#define SEGMENT(member) MEMBER(segment_message, member)
static const struct message_member segment[] = {
    SEGMENT(plan_id), SEGMENT(segment_number), SEGMENT(epoch), SEGMENT(request_id),
    MEMBER_AS("time_ns", segment_message, time), SEGMENT(first), SEGMENT(count), SEGMENT(gait),
    SEGMENT(final), SEGMENT(padding),
    ARRAY(segment_message, sample[0].pelvis_m, [0]), SEGMENT(sample[0].pelvis_yaw_rad),
    ARRAY(segment_message, sample[0].foot_m, [0][0]),
    ARRAY(segment_message, sample[0].foot_yaw_rad, [0]),
    ARRAY(segment_message, sample[0].zmp_m, [0]), ARRAY(segment_message, sample[0].com_m, [0]),
    ARRAY(segment_message, sample[0].com_velocity_m_s, [0]), SEGMENT(sample[0].support),
    SEGMENT(sample[0].step), SEGMENT(sample[0].phase), END};
const struct message_structure robot_segment = COUNTED(segment_message, sample, segment);

#define TRUTH(member) MEMBER(truth_message, member)
#define TRUTH_ARRAY(array) ARRAY(truth_message, array, [0])
static const struct message_member truth[] = {
    MEMBER_AS("time_ns", truth_message, time), TRUTH(joint_count), TRUTH(contact_count),
    TRUTH_ARRAY(position_rad), TRUTH_ARRAY(velocity_rad_s), TRUTH_ARRAY(setpoint_rad),
    ARRAY_AS("torque_nm[*]", truth_message, torque_Nm, [0]), TRUTH_ARRAY(pelvis_m),
    TRUTH_ARRAY(pelvis_quaternion), TRUTH_ARRAY(pelvis_velocity_m_s), TRUTH_ARRAY(com_m),
    TRUTH_ARRAY(com_velocity_m_s), ARRAY(truth_message, foot_m, [0][0]),
    ARRAY(truth_message, foot_quaternion, [0][0]),
    ARRAY_AS("foot_force_n[*]", truth_message, foot_force_N, [0]),
    ARRAY(truth_message, contact_m, [0][0]), TRUTH(other_contact), TRUTH(physics_warning),
    TRUTH_ARRAY(goal_m), TRUTH(physics_steps),
    ARRAY(truth_message, step_position_rad, [0][0]), TRUTH(step_count), TRUTH(padding), END};
const struct message_structure robot_truth = WHOLE(truth_message, truth);

#define BUS_LOG(member) MEMBER(bus_log_message, member)
static const struct message_member bus_log[] = {
    MEMBER_AS("time_ns", bus_log_message, time), BUS_LOG(count), BUS_LOG(dropped),
    EACH(bus_log_message, account, busy_ns), EACH(bus_log_message, account, frames),
    EACH(bus_log_message, account, error_frames),
    MEMBER_AS("frame[0].time_ns", bus_log_message, frame[0].time), BUS_LOG(frame[0].bus),
    BUS_LOG(frame[0].can_id), BUS_LOG(frame[0].length), BUS_LOG(frame[0].sender),
    BUS_LOG(frame[0].failed), ARRAY(bus_log_message, frame[0].data, [0]), END};
const struct message_structure robot_bus_log = COUNTED(bus_log_message, frame, bus_log);
// clang-format on
