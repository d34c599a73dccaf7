// The body of the simulated robot: MuJoCo physics of targets/<name>/robot.xml, and what a perfect
// observer sees of it.
//
// Joints and actuators of the model carry the names of the robot description; fingers may be absent
// from the model. Only create allocates or reads files. A step costs about 40 us; everything else
// is cheap beside it.
#pragma once

#include "base/status.h"
#include "base/time.h"
#include "message/message.h"
#include "model/description.h"

struct physics; // opaque; owned by the caller from physics_create to physics_free

// One motor as its board drives and sees it.
struct motor {
    // Set by the board before a step:
    double setpoint_rad;
    bool enabled;        // the position loop is on; a model's torque motor (<motor>) has none
    double gain;         // of the loop, as a share of the model's
    double open_loop_Nm; // what the motor exerts while the loop is off; 0: the joint is free
    bool kinematic;      // the model has no such joint (a finger): the board moves it. Set by
                         // physics_create
    // Written by the step, for a kinematic joint by the board:
    double position_rad;
    double velocity_rad_s;
    double torque_Nm; // over the step just made
    // The most that the motor exerts. Set by physics_create.
    double torque_max_Nm;
};

// What the sensors measure, in SI units and without noise. Forces and accelerations: over the step
// just made.
struct sensor_truth {
    double force_torque_Nm[ROBOT_FORCE_TORQUE_MAX][3]; // moment x, y about, and force z in, the
                                                       // sensor's frame; the world on the robot
    double imu_quaternion[4];
    double imu_rate_rad_s[3];
    double imu_acceleration_m_s2[3];              // specific force; 0 of a model without the sensor
    double foot_acceleration_m_s2[SIDE_COUNT][3]; // specific force in the foot's frame
};

// Loads the model and puts the robot into its keyframe "stand" (the zero pose without one).
// motor[j] is filled for every joint of the description; setpoints start at the pose. Errors are
// logged to standard error. INVALID: the model cannot be loaded, lacks a joint, sensor or site, or
// its time step does not divide 10 ms.
// hose: what hangs in the robot's hand, and the contact that goes with it (hose.h); NULL: the model
// as it stands. ground: what is on the level floor (ground.h), box: what lies on it (box.h); NULL:
// nothing. varied: what differs in this trial (varied.h), borrowed; NULL: nothing.
struct hose_config;
struct ground;
struct box_config;
struct varied;
enum status physics_create(const char *model_path, const struct description *description,
                           const struct hose_config *hose, const struct ground *ground,
                           const struct box_config *box, const struct varied *varied,
                           struct motor *motor, struct physics **physics) MUST_CHECK;
void physics_free(struct physics *physics);

duration physics_step_length(const struct physics *physics);

// Makes one time step with the motors' setpoints and writes their new positions. `observe`: note
// contacts and forces too, for the physics_truth that follows.
void physics_step(struct physics *physics, struct motor *motor, bool observe);

// What the sensors measure now, with the zeros and shares that vary.
void physics_sensors(const struct physics *physics, struct sensor_truth *sensors);
// All that acts on the left hand's sensor, in its frame, as of physics_sensors: force, moment.
void physics_hand_wrench(const struct physics *physics, double force_N[3], double moment_Nm[3]);

// Whether MuJoCo has warned since the start (bad numbers, exhausted buffers): the physics can no
// longer be trusted.
bool physics_warned(const struct physics *physics);

// Fills everything of *truth that the physics knows: pelvis, centre of mass, feet, contacts,
// warning, steps.
void physics_truth(struct physics *physics, struct truth_message *truth);

struct pose {
    double position_m[3];
    double quaternion[4];
};
double pose_yaw_rad(const double quaternion[4]);

// Somebody pushes, until the next change.
void physics_push(struct physics *physics, const struct push_change_message *change);
void physics_push_truth(const struct physics *physics, struct push_message *message);

// Faults of the world (scenery/world_fault.h); time is left to the caller.
void physics_world_change(struct physics *physics, const struct world_change_message *change);
void physics_world_truth(const struct physics *physics, struct world_fault_message *message);

// The box: what is true of it, and what the camera measures; time is left to the caller.
void physics_box_truth(const struct physics *physics, struct box_message *message);
void physics_box_sight(struct physics *physics, struct sight_message *message);

// What is true of passive toes; time is left to the caller.
void physics_toe_truth(const struct physics *physics, struct toe_message *message);

// Its hose; NULL: there is none.
struct hose;
struct hose *physics_hose(const struct physics *physics);

// Position and orientation of the chest, the body "torso"; of the pelvis without one.
void physics_chest(const struct physics *physics, struct pose *chest);
// Position and orientation of the camera, and of the pelvis, in the world.
void physics_camera(const struct physics *physics, struct pose *camera, struct pose *pelvis);
