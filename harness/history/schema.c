#include "harness/history/schema.h"

#include <stdlib.h>
#include <string.h>

#include "harness/history/history.h"
#include "message/io.h"
#include "message/message.h"

#define TYPE(name)                                                                                 \
    "================================================================================\n"           \
    "MSG: ukemi/" #name "\n"

#define JOINT_READING                                                                              \
    TYPE(JointReading)                                                                             \
    "float64 position_rad\nfloat64 velocity_rad_s\nfloat64 reference_rad\nint64 time_ns\n"         \
    "uint32 valid\nuint32 velocity_valid\nuint32 missed\nuint32 reference_active\n"

#define FORCE_TORQUE_READING                                                                       \
    TYPE(ForceTorqueReading)                                                                       \
    "float64 moment_x_nm\nfloat64 moment_y_nm\nfloat64 force_z_n\nint64 time_ns\n"                 \
    "uint32 valid\nuint32 missed\n"

#define IMU_READING                                                                                \
    TYPE(ImuReading)                                                                               \
    "float64 roll_rad\nfloat64 pitch_rad\nfloat64 roll_rate_rad_s\nfloat64 pitch_rate_rad_s\n"     \
    "int64 time_ns\nuint32 valid\nuint32 missed\n"

#define TILT_READING                                                                               \
    TYPE(TiltReading)                                                                              \
    "float64 angle_x_rad\nfloat64 angle_y_rad\nfloat64 acceleration_z_g\nint64 time_ns\n"          \
    "uint32 valid\nuint32 missed\n"

#define POWER_READING                                                                              \
    TYPE(PowerReading)                                                                             \
    "float64 voltage_v\nfloat64 current_a\nfloat64 power_w\nint64 time_ns\n"                       \
    "uint32 valid\nuint32 missed\n"

#define JOINT_HEALTH                                                                               \
    TYPE(JointHealth)                                                                              \
    "float64 current_a\nfloat64 temperature_c\nint64 time_ns\nuint32 flags\nuint32 valid\n"

#define BUS_HEALTH                                                                                 \
    TYPE(BusHealth)                                                                                \
    "uint32 wrong_kind\nuint32 wrong_id\nuint32 wrong_length\nuint32 wrong_value\nuint32 late\n"   \
    "uint32 error_frames\nuint32 refused\nuint32 lost\nuint32 transmit_errors\n"                   \
    "uint32 receive_errors\nuint32 controller\nuint32 padding\n"

#define POSE2D TYPE(Pose2d) "float64 x_m\nfloat64 y_m\nfloat64 yaw_rad\n"

static const char state_fields[] =
    "uint64 cycle\nint64 time_ns\nint64 cycle_start_ns\nuint32 joint_count\n"
    "uint32 rejected_frames\nuint32 late_frames\nuint32 period_us\n"
    "ukemi/JointReading[40] joint\nukemi/ForceTorqueReading[4] force_torque\n"
    "ukemi/ImuReading imu\nukemi/TiltReading[2] tilt\nukemi/PowerReading power\n"
    "ukemi/JointHealth[40] health\nuint64 dead_boards\nuint32 board_deaths\n"
    "uint32 board_returns\nukemi/BusHealth[2] bus\nuint64 sent_cycle\nint64 sent_taken_ns\n"
    "int64 sent_queued_ns\n" JOINT_READING FORCE_TORQUE_READING IMU_READING TILT_READING
        POWER_READING JOINT_HEALTH BUS_HEALTH;

static const char reference_fields[] = "uint64 state_cycle\nint64 time_ns\nuint64 active\n"
                                       "uint32 joint_count\nuint32 padding\n"
                                       "float64[40] reference_rad\nint64 taken_ns\n"
                                       "uint64 leg_cycle\nuint64 arm_cycle\n";

static const char command_fields[] =
    "uint64 state_cycle\nint64 time_ns\nuint32 joint_count\nuint32 padding\n"
    "ukemi/JointCommand[40] joint\nint64 taken_ns\n" TYPE(
        JointCommand) "uint32 mode\nuint32 padding\nfloat64 value\nfloat64 "
                      "velocity_nominal_rad_s\n"
                      "float64 acceleration_nominal_rad_s2\nint64 timeout_ns\n";

static const char balance_command_fields[] =
    "uint64 id\nint64 time_ns\nuint32 kind\nuint32 gait\nuint32 steps\nuint32 padding\n"
    "float64 angle_rad\n";

static const char balance_status_fields[] =
    "int64 time_ns\nuint32 phase\nuint32 gait\nuint64 epoch\nuint64 plan_id\n"
    "uint64 segment_number\nint64 sample\nint64 last_sample\nukemi/Pose2d[2] foot\n"
    "uint64 accepted_id\nuint64 done_id\nuint64 ignored_id\nuint64 request_id\n"
    "uint32 request_kind\nuint32 request_steps\nfloat64 request_angle_rad\n" POSE2D;

static const char planner_command_fields[] = "uint64 id\nint64 time_ns\nuint32 kind\nuint32 gait\n";

static const char planner_status_fields[] =
    "int64 time_ns\nuint64 command_id\nuint64 reached_id\nuint64 plan_id\nuint64 segments\n"
    "float64 distance_to_goal_m\nuint32 perception_fresh\nuint32 steps_planned\n";

static const char segment_fields[] =
    "uint64 plan_id\nuint64 segment_number\nuint64 epoch\nuint64 request_id\nint64 time_ns\n"
    "int64 first\nuint32 count\nuint32 gait\nuint32 final\nuint32 padding\n"
    "ukemi/SegmentSample[] sample\n" TYPE(
        SegmentSample) "float64[3] pelvis_m\nfloat64 pelvis_yaw_rad\nfloat64[6] "
                       "foot_m\nfloat64[2] foot_yaw_rad\n"
                       "float64[2] zmp_m\nfloat64[3] com_m\nfloat64[2] com_velocity_m_s\nuint32 "
                       "support\n"
                       "uint32 step\nfloat64 phase\n";

static const char manipulation_command_fields[] =
    "uint64 id\nint64 time_ns\nukemi/ArmGoal[2] arm\n" TYPE(
        ArmGoal) "uint32 kind\nuint32 padding\nfloat64[6] angle_rad\nfloat64[3] position_m\n"
                 "float64[4] quaternion\nfloat64 velocity_nominal_rad_s\n"
                 "float64 acceleration_nominal_rad_s2\n";

static const char manipulation_status_fields[] =
    "int64 time_ns\nuint64 accepted_id\nuint64 reached_id\nuint64 refused_id\n"
    "float64[2] error_rad\n";

static const char camera_fields[] =
    "int64 time_ns\nfloat64[3] position_m\nfloat64[4] quaternion\nfloat64[3] pelvis_in_camera_m\n"
    "float64 pelvis_yaw_in_camera_rad\nfloat64[3] goal_in_camera_m\n"
    "float64 goal_yaw_in_camera_rad\nfloat64[24] obstacle_in_camera_m\n"
    "float64[8] obstacle_radius_m\nuint32 obstacle_count\nuint32 goal_visible\n";

static const char perception_fields[] =
    "int64 time_ns\nint64 image_time_ns\nukemi/Pose2d robot\nukemi/Pose2d goal\n"
    "uint32 goal_valid\nuint32 obstacle_count\nukemi/Obstacle[8] obstacle\n" POSE2D TYPE(
        Obstacle) "float64 x_m\nfloat64 y_m\nfloat64 radius_m\n";

static const char truth_fields[] =
    "int64 time_ns\nuint32 joint_count\nuint32 contact_count\nfloat64[40] position_rad\n"
    "float64[40] velocity_rad_s\nfloat64[40] setpoint_rad\nfloat64[40] torque_nm\n"
    "float64[3] pelvis_m\nfloat64[4] pelvis_quaternion\nfloat64[3] pelvis_velocity_m_s\n"
    "float64[3] com_m\nfloat64[3] com_velocity_m_s\nfloat64[6] foot_m\n"
    "float64[8] foot_quaternion\nfloat64[2] foot_force_n\nfloat64[32] contact_m\n"
    "uint32 other_contact\nuint32 physics_warning\nfloat64[2] goal_m\nuint64 physics_steps\n"
    "float32[400] step_position_rad\nuint32 step_count\nuint32 padding\n";

#define BUS_ACCOUNT TYPE(BusAccount) "int64 busy_ns\nuint64 frames\nuint64 error_frames\n"
#define BUS_LOG_FRAME                                                                              \
    TYPE(BusLogFrame)                                                                              \
    "int64 time_ns\nuint32 bus\nuint32 can_id\nuint32 length\nuint16 sender\n"                     \
    "uint16 failed\nuint8[8] data\n"

static const char bus_log_fields[] =
    "int64 time_ns\nuint32 count\nuint32 dropped\nukemi/BusAccount[2] account\n"
    "ukemi/BusLogFrame[] frame\n" BUS_ACCOUNT BUS_LOG_FRAME;

static const char io_fields[] =
    "int64 time_ns\nuint64 count\nuint64 hash\nuint32 call\nint32 descriptor\nuint32 size_b\n"
    "uint32 task\nuint8[48] participant\nuint8[64] words\n";

static const char process_event_fields[] =
    "int64 time_ns\nuint32 kind\nint32 value\nint32 pid\nuint32 generation\nuint8[48] process\n"
    "uint8[48] component\nuint8[256] last_words\n";

static const char fault_event_fields[] = "int64 time_ns\nuint32 index\nuint32 kind\nuint32 "
                                         "proven\nuint32 proof_follows\nuint8[48] fault\n"
                                         "uint8[48] component\nuint8[160] evidence\n";

static const char limit_event_fields[] =
    "int64 time_ns\nuint32 limit\nint32 pid\nfloat64 used\nfloat64 allowed\nuint8[48] process\n"
    "uint8[48] component\nuint8[160] words\n";

static const char loss_event_fields[] =
    "int64 time_ns\nint64 unread_ns\nuint64 frames\nuint32 held\nuint32 padding\n"
    "uint8[48] channel\n";

static const char output_event_fields[] =
    "int64 time_ns\nuint32 generation\nuint8[48] process\nuint32 count\nuint8[] text\n";

static const char tap_event_fields[] =
    "int64 time_ns\nuint64 messages\nuint8[48] tap\nuint8[96] words\n";

static const char end_event_fields[] = "int64 time_ns\n";

#define WHOLE(type, text)                                                                          \
    {                                                                                              \
#type, text, sizeof(struct type), sizeof(struct type), 0, 0                                \
    }
#define COUNTED(type, text, array)                                                                 \
    {                                                                                              \
#type, text, sizeof(struct type), offsetof(struct type, array),                            \
            sizeof((struct type *)0)->array[0], offsetof(struct type, count)                       \
    }

static const struct schema schemas[] = {
    WHOLE(state_message, state_fields),
    WHOLE(reference_message, reference_fields),
    WHOLE(command_message, command_fields),
    WHOLE(balance_command_message, balance_command_fields),
    WHOLE(balance_status_message, balance_status_fields),
    WHOLE(planner_command_message, planner_command_fields),
    WHOLE(planner_status_message, planner_status_fields),
    COUNTED(segment_message, segment_fields, sample),
    WHOLE(manipulation_command_message, manipulation_command_fields),
    WHOLE(manipulation_status_message, manipulation_status_fields),
    WHOLE(camera_message, camera_fields),
    WHOLE(perception_message, perception_fields),
    WHOLE(truth_message, truth_fields),
    COUNTED(bus_log_message, bus_log_fields, frame),
    WHOLE(io_message, io_fields),
    WHOLE(process_event, process_event_fields),
    WHOLE(fault_event, fault_event_fields),
    WHOLE(limit_event, limit_event_fields),
    WHOLE(loss_event, loss_event_fields),
    COUNTED(output_event, output_event_fields, text),
    WHOLE(tap_event, tap_event_fields),
    WHOLE(end_event, end_event_fields),
};

#define BUILT_IN (sizeof schemas / sizeof schemas[0])

// What targets and history files declare, for as long as the process lives.
static struct schema declared[SCHEMAS_DECLARED_MAX];
static size_t declared_count;

size_t schema_count(void)
{
    return BUILT_IN + declared_count;
}

const struct schema *schema_at(size_t index)
{
    return index < BUILT_IN ? &schemas[index] : &declared[index - BUILT_IN];
}

const struct schema *schema_find(const char *name)
{
    const size_t number = schema_number(name);
    return number < schema_count() ? schema_at(number) : NULL;
}

size_t schema_number(const char *name)
{
    size_t number = 0;
    while (number < schema_count() && strcmp(schema_at(number)->name, name) != 0)
        number++;
    return number;
}

enum status schema_declare(const char *name, const char *fields, struct message_mistake *mistake)
{
    struct message_layout layout;
    const struct schema *same = schema_find(name);
    *mistake = (struct message_mistake){0};
    if (same != NULL)
        return strcmp(same->fields, fields) == 0 ? STATUS_OK : STATUS_BUSY;
    if (message_measure(fields, &layout, mistake) != STATUS_OK)
        return STATUS_INVALID;
    if (declared_count == SCHEMAS_DECLARED_MAX)
        return STATUS_FULL;
    char *own_name = strdup(name), *own_fields = strdup(fields);
    if (own_name == NULL || own_fields == NULL) {
        free(own_name);
        free(own_fields);
        return STATUS_NO_MEMORY;
    }
    const size_t element_B = layout.element_size_B;
    declared[declared_count++] = (struct schema){
        .name = own_name,
        .fields = own_fields,
        .size_max_B = element_B == 0             ? layout.size_B
                      : layout.elements_max == 0 ? SCHEMA_SIZE_MAX_B
                                                 : layout.size_B + element_B * layout.elements_max,
        .head_size_B = layout.size_B,
        .element_size_B = element_B,
        .count_offset_B = element_B == 0 ? 0 : layout.count_offset_B};
    return STATUS_OK;
}

bool schema_fits(const struct schema *schema, size_t size_B)
{
    if (schema->element_size_B == 0)
        return size_B == schema->size_max_B;
    return size_B >= schema->head_size_B && size_B <= schema->size_max_B &&
           (size_B - schema->head_size_B) % schema->element_size_B == 0;
}
