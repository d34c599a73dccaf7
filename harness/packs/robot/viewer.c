// The robot's joints and where its pelvis is, as the standard messages of ROS have them: of ground
// truth, for viewers.
#include "harness/packs/robot/viewer.h"

#include <stdio.h>

#include "harness/history/cdr.h"
#include "message/message.h"
#include "model/description.h"

#define NS_PER_S 1000000000
#define TRUTH "truth", sizeof(struct truth_message)
#define RULE "================================================================================\n"
#define HEADER_TYPES                                                                               \
    RULE "MSG: std_msgs/Header\nbuiltin_interfaces/Time stamp\nstring frame_id\n" RULE             \
         "MSG: builtin_interfaces/Time\nint32 sec\nuint32 nanosec\n"

static size_t put_head(struct bytes *bytes, instant time, const char *frame)
{
    const size_t start = cdr_begin(bytes);
    cdr_append_u32(bytes, start, (uint32_t)(time.ns / NS_PER_S));
    cdr_append_u32(bytes, start, (uint32_t)(time.ns % NS_PER_S));
    cdr_append_string(bytes, start, frame);
    return start;
}

static void put_numbers(struct bytes *bytes, size_t start, const double *values, uint32_t count)
{
    cdr_append_u32(bytes, start, count);
    for (uint32_t i = 0; i < count; i++)
        cdr_append_f64(bytes, start, values[i]);
}

static void encode_joints(const void *context, const struct event *event, struct bytes *bytes)
{
    const struct description *description = context;
    const struct truth_message *truth = event->data;
    uint32_t count = truth->joint_count < ROBOT_JOINTS_MAX ? truth->joint_count : ROBOT_JOINTS_MAX;
    size_t start = put_head(bytes, truth->time, "");
    cdr_append_u32(bytes, start, count);
    for (uint32_t i = 0; i < count; i++) {
        char number[16];
        snprintf(number, sizeof number, "joint_%u", i);
        cdr_append_string(bytes, start,
                          i < description->joint_count ? description->joint[i].name : number);
    }
    put_numbers(bytes, start, truth->position_rad, count);
    put_numbers(bytes, start, truth->velocity_rad_s, count);
    put_numbers(bytes, start, truth->torque_Nm, count);
}

static void encode_pelvis(const void *context, const struct event *event, struct bytes *bytes)
{
    (void)context;
    const struct truth_message *truth = event->data;
    static const int xyzw[] = {1, 2, 3, 0}; // ours is (w, x, y, z)
    size_t start = put_head(bytes, truth->time, "world");
    for (int i = 0; i < 3; i++)
        cdr_append_f64(bytes, start, truth->pelvis_m[i]);
    for (int i = 0; i < 4; i++)
        cdr_append_f64(bytes, start, truth->pelvis_quaternion[xyzw[i]]);
}

const struct derived_topic robot_viewer_topics[] = {
    {"/joint_states", "sensor_msgs/msg/JointState",
     "std_msgs/Header header\nstring[] name\nfloat64[] position\nfloat64[] velocity\n"
     "float64[] effort\n" HEADER_TYPES,
     TRUTH, encode_joints},
    {"/pelvis", "geometry_msgs/msg/PoseStamped",
     "std_msgs/Header header\ngeometry_msgs/Pose pose\n" HEADER_TYPES RULE
     "MSG: geometry_msgs/Pose\ngeometry_msgs/Point position\n"
     "geometry_msgs/Quaternion orientation\n" RULE
     "MSG: geometry_msgs/Point\nfloat64 x\nfloat64 y\nfloat64 z\n" RULE
     "MSG: geometry_msgs/Quaternion\nfloat64 x\nfloat64 y\nfloat64 z\nfloat64 w\n",
     TRUTH, encode_pelvis},
    {.topic = NULL},
};
