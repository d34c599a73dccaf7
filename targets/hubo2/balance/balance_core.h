// Balance without its channels: one state in, one leg command and one status out, once per cycle.
//
//   WAITING -> PREPARING or RECOVERING -> STANDING <-> EXECUTING, and from anywhere RECOVERING
//   after an interruption (epoch changes, the plan is void) and FALLEN beyond 45 degrees of tilt
//   (commands nothing any more).
// Real-time safe after balance_init: no allocation, no files, no waiting.
#pragma once

#include "model/description.h"
#include "model/leg_ik.h"
#include "model/robot_model.h"
#include "targets/hubo2/balance/balance_commands.h"
#include "targets/hubo2/balance/balance_recovery.h"
#include "targets/hubo2/balance/balance_watch.h"
#include "walk/steps/footsteps.h"
#include "walk/segments/segment_buffer.h"
#include "walk/balance/stabilizer.h"
#include "walk/steps/step_stack.h"
#include "walk/body/walk_body.h"

#define BALANCE_PERIOD_S 0.01
#define BALANCE_WAIST (2 * LEG_JOINTS) // after the right and the left leg's joints in balance.joint
#define BALANCE_JOINTS (2 * LEG_JOINTS + 1)

// How soles and pelvis become joint angles, in place of the legs' own inverse kinematics: fills the
// angles of balance.joint. anew: the robot stood still, and its references are the state's.
struct balance;
struct balance_limbs {
    // Changes the sample that is to be carried out, before the stabiliser sees it.
    void (*lean)(struct balance_limbs *limbs, const struct balance *balance,
                 struct segment_sample *sample);
    void (*place)(struct balance_limbs *limbs, const struct balance *balance,
                  const struct state_message *state, const struct stabilizer_output *output,
                  bool anew, double angle_rad[BALANCE_JOINTS]);
};

struct balance {
    const struct description *description; // borrowed
    const struct robot_model *model;       // borrowed
    struct walk_body body;                 // tells how the robot stands
    unsigned joint[BALANCE_JOINTS];        // indices in the state
    int model_joint[ROBOT_JOINTS_MAX];     // description's joint of each of the model's
    struct leg leg[SIDE_COUNT];
    struct stabilizer stabilizer;
    struct balance_watch watch;
    struct balance_commands commands;
    struct segment_buffer buffer;
    struct recovery recovery;
    struct balance_limbs *limbs; // borrowed; NULL: none, the legs alone
    struct step_stack *steps;    // borrowed; NULL: motion comes as segments (balance_steps.h)
    int64_t steps_follow;        // the sample up to which that stack follows; -1: it does not

    enum balance_phase phase;
    uint64_t epoch;
    enum interruption interruption;    // the last one
    struct pose2d foot[SIDE_COUNT];    // soles in the odometry frame
    struct segment_sample stand;       // how the robot stands now
    struct segment_sample stand_exact; // ... and how it should stand on its feet where they are
    int64_t executing;                 // plan index commanded last
    double begin_yaw_rad;              // of the middle between the feet when the plan began
    bool started_before;               // a predecessor of this process had commanded the robot
    bool moving;                       // the recovery motion is under way (else: settling)
    unsigned active_cycles, rest_cycles;
    double desired_rad[BALANCE_JOINTS]; // references commanded for the next cycle
    bool driving;                       // desired_rad is to be commanded (else: come to rest)
    bool following;                     // motion comes by balance_follow
    struct segment_sample followed;     // its newest sample
    double followed_waist_rad;          // and the waist's joint
    uint64_t splices[SPLICE_COUNT];     // what became of the segments received
};

// Prepares; `last` (may be NULL) is the last status of a predecessor, `command` (may be NULL) the
// last command on the channel. INVALID (logged to standard error) when description and model do not
// fit. Not real-time.
enum status balance_init(struct balance *balance, const struct description *description,
                         const struct robot_model *model, const struct balance_status_message *last,
                         const struct balance_command_message *command) MUST_CHECK;

void balance_receive_command(struct balance *balance,
                             const struct balance_command_message *command);
enum splice balance_receive_segment(struct balance *balance, const struct segment_message *segment);

// Motion that is made as it goes: while the robot stands or walks, it takes this sample (odometry
// frame) in place of a segment's, and keeps it until the next one. moving: it is not at rest yet.
// An interruption ends it. pitch_rad: of the soles; waist_rad: of the waist's joint.
void balance_follow(struct balance *balance, const struct segment_sample *sample,
                    const double pitch_rad[SIDE_COUNT], double waist_rad, bool moving);

// The joints (model order) as the robot stands. false: the legs do not reach.
bool balance_stand_joints(const struct balance *balance, double joint_rad[ROBOT_JOINTS_MAX]);

// For two processes that do the same, of which one commands the robot (targets/firehose/turns.h).
// leave: balance is not what the other one says; it waits, and meanwhile keeps sound segments.
// join, in place of a cycle's beginning: goes along with the status `other` from here on; false:
// not yet, the other one neither stands nor is at a sample that is held. succeed: takes over from
// where `last` left off (NULL: from nothing).
void balance_leave(struct balance *balance);
bool balance_join(struct balance *balance, const struct balance_status_message *other,
                  const struct state_message *state);
void balance_succeed(struct balance *balance, const struct balance_status_message *last);

// One cycle. Returns whether `command` is to be published.
bool balance_cycle(struct balance *balance, const struct state_message *state,
                   struct command_message *command);

void balance_report(const struct balance *balance, instant now,
                    struct balance_status_message *status);
