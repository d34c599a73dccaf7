// What the packs of robots share: the messages of a robot's stack and of its simulated world,
// unpacked once. Times in seconds since the start of the trial.
#pragma once

#include "harness/judge/analysis.h"
#include "harness/packs/list.h"
#include "message/message.h"

#define CONTROL_PERIOD_S 0.01   // the cycle of a stack whose states do not say theirs
#define MOVING_SPEED_RAD_S 0.03 // a set point slower than this is at rest
#define TRAVELLED_M 0.03        // a robot that moved less than this stayed where it was

enum joint_set { JOINTS_NONE = 0, JOINTS_ARMS = 1, JOINTS_LEGS = 2, JOINTS_ALL = 3 };

struct facts {
    struct series truth, state, segment, status, reference;
    struct series leg_command, arm_command; // as Control got them
    double period_s;          // the cycle of the stack under test, as its first state says
    double standing_height_m; // of the pelvis when the trial began
    size_t fall;              // first truth sample of a fallen robot, truth.count if it never fell
    double sole_half_length_m,
        sole_half_width_m; // as its contacts with the floor show; 0 if there were none
};

// Of an analysis in which the pack `robot` is in force.
static inline const struct facts *facts(const struct analysis *analysis)
{
    return analysis->found[PACK_robot];
}

const struct truth_message *truth_at(const struct analysis *analysis, size_t index);
double truth_time_s(const struct analysis *analysis, size_t index);
// First truth sample at or after `time_s`; truth.count if there is none.
size_t truth_index(const struct analysis *analysis, double time_s);

// Speed of a joint's set point between truth samples index - 1 and index; 0 for index 0. rad/s,
// signed.
double setpoint_velocity(const struct analysis *analysis, size_t index, unsigned joint);

// Whether the robot fell at all.
bool has_fallen_ever(const struct analysis *analysis);

// Signed distance of centre of mass and capture point to the edge of the support polygon at a
// sample; NAN without contact.
double com_margin_m(const struct analysis *analysis, size_t index);
double capture_margin_m(const struct analysis *analysis, size_t index);

// Sample `index` of plan `plan_id` as known at `time_s`; NULL if no segment held it.
const struct segment_sample *plan_sample(const struct analysis *analysis, uint64_t plan_id,
                                         int64_t index, double time_s);

// Whether all joints, force-torque sensors, IMU and tilt sensors gave a valid reading in its cycle.
bool state_is_complete(const struct state_message *state, unsigned joint_count);

// Joints of the arms or legs: bit of enum joint_set, 0 for others (waist, neck, hands).
unsigned joint_set_of(const struct description *description, unsigned joint);
