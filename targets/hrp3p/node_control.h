// What a node does with its joints each millisecond: torque loops on encoder counters. Pure; no
// allocation; real-time safe.
//
//   START   no command yet: holds the joints where they were found
//   TRACK   follows the references, a straight line from one to the next
//   REJOIN  the same, beside that line: approaches it at a bounded speed, so that nothing jumps
//   HOLD    no command for two cycles: stays where the last one led
//   SOFT    none for long: the gains go down
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "plant/motors/link_board.h"

#define NODE_TICK_S 0.001
#define NODE_TICKS 5              // of a cycle
#define NODE_HOLD_TICKS 11        // without a command, until it holds
#define NODE_SOFT_TICKS 2000      // ... until the gains go down,
#define NODE_SOFTENING_TICKS 2000 // in so many,
#define NODE_SOFT_SHARE 0.1       // to this share
#define NODE_REJOIN_RAD_S 0.5
#define NODE_STIFF_RAD 0.03 // off by so much, a joint gets its greatest torque
#define NODE_DAMPING_S 0.01 // D gain by P gain

enum node_mode { NODE_START, NODE_REJOIN, NODE_TRACK, NODE_HOLD, NODE_SOFT };

struct node_joint {
    // Set by the caller before node_begin:
    double ticks_per_rad, torque_max_Nm, min_rad, max_rad;
    // Of the loop:
    double angle_rad, velocity_rad_s;
    double reference_rad, speed_rad_s;
    double line_rad, target_rad; // as commanded: now, and at the end of the cycle
    double beside_rad;           // the reference, of the line
    double p_Nm_rad, d_Nms_rad;
};

struct node_control {
    unsigned joint_count;
    struct node_joint joint[LINK_JOINTS];
    enum node_mode mode;
    unsigned ticks_left;   // of the line to the target
    unsigned silent_ticks; // since the last command
};

// The gains that the robot is driven with: those of the joint's torque. 300 Nm: 10,000 and 100.
double node_p_Nm_rad(double torque_max_Nm);
double node_d_Nms_rad(double torque_max_Nm);

struct node_command { // of one joint
    double reference_rad, p_Nm_rad, d_Nms_rad;
};

// The joints are found where the counters say; holds them there.
void node_begin(struct node_control *control, const uint32_t counter[LINK_JOINTS]);
// A command has come: one entry a joint. What is beyond a joint's limits is cut to them.
void node_take(struct node_control *control, const struct node_command command[LINK_JOINTS]);
// A millisecond: counters in, codes for the outputs out.
void node_tick(struct node_control *control, const uint32_t counter[LINK_JOINTS],
               uint32_t output[LINK_JOINTS]);
