// Standard ROS messages derived from ground truth, so that viewers show the robot without knowing
// Ukemi's own types. They are written to files only; no verdict rests on them.
#pragma once

#include "harness/history/bytes.h"
#include "harness/history/history.h"
#include "message/message.h"

struct viewer_topic {
    const char *topic;  // "/joint_states"
    const char *schema; // "sensor_msgs/msg/JointState"
    const char *fields; // .msg text
    // Appends one CDR message, encapsulation head included.
    void (*encode)(const struct history *history, const struct truth_message *truth,
                   struct bytes *bytes);
};

#define VIEWER_TOPICS 2
// Name of the topic they are derived from, "" if the history has none.
const char *viewer_source(const struct history *history);
extern const struct viewer_topic viewer_topics[VIEWER_TOPICS];
