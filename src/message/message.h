// The messages of a humanoid controller stack: plain C structures, one per channel.
//
// Layout rule: fixed-size arrays, natural alignment, no implicit padding (padding is written out),
// little-endian. So a structure's bytes are at the same time its CDR encoding, and histories can be
// opened by existing viewers; the files targets/hubo2/*.msg say the same, field by field
// (tests/unit/packs/messages_test.c). Enums travel as uint32_t. SI units, radians, quaternions (w,
// x, y, z). World frame: x forward at the start of the trial, y left, z up, origin on the floor
// between the feet.
//
// Joint arrays are indexed by the joint's number in the robot description (model/description.h).
//
// Trace fields let the lab follow one state through the stack (harness/bench/latency/latency.h). No
// daemon acts on them, and with UKEMI_ENV_PROBES=off their instants are 0.
#pragma once

#include <stdint.h>

#include "base/time.h"

#define ROBOT_JOINTS_MAX 40
#define ROBOT_FORCE_TORQUE_MAX 4
#define ROBOT_CONTACTS_MAX 16
#define ROBOT_OBSTACLES_MAX 8
#define SEGMENT_SAMPLES_MAX 2400 // 24 s at 10 ms
#define BUS_LOG_FRAMES_MAX 1024

enum side {
    SIDE_RIGHT,
    SIDE_LEFT,
    SIDE_COUNT
}; // order of force-torque sensors and boards on the robot

// ---- channel "state": Hardware -> all -----------------------------------------------------------

struct joint_reading {
    double position_rad;
    double velocity_rad_s; // from real time stamps; 0 with velocity_valid == 0
    double reference_rad;  // last reference this Hardware daemon sent to the board; position_rad
                           // before the first
    instant time;          // when the encoder reply was received
    uint32_t valid;        // 1: a reply to this cycle's request arrived in this cycle, and nothing
                           // contradicts it
    uint32_t velocity_valid;
    uint32_t missed;           // consecutive cycles without a reply
    uint32_t reference_active; // 1: of the references sent last, since the state before this one,
                               // one was for this joint
};

enum force_torque_sensor { FT_RIGHT_FOOT, FT_LEFT_FOOT, FT_RIGHT_HAND, FT_LEFT_HAND };

struct force_torque_reading {
    double moment_x_Nm;
    double moment_y_Nm;
    double force_z_N; // positive: the ground pushes the robot up
    instant time;
    uint32_t valid;
    uint32_t missed;
};

struct imu_reading {
    double roll_rad;
    double pitch_rad;
    double roll_rate_rad_s;
    double pitch_rate_rad_s;
    instant time;
    uint32_t valid;
    uint32_t missed;
};

struct tilt_reading { // foot accelerometer
    double angle_x_rad;
    double angle_y_rad;
    double acceleration_z_g;
    instant time;
    uint32_t valid;
    uint32_t missed;
};

struct power_reading {
    double voltage_V;
    double current_A;
    double power_W;
    instant time;
    uint32_t valid;
    uint32_t missed;
};

enum joint_flag {
    JOINT_DRIVER_ON = 1,
    JOINT_CONTROL_ON = 2,
    JOINT_LIMIT_SWITCH = 4,
    JOINT_HOMED = 8,
    JOINT_ERRORS_SHIFT = 8, // bits 8..23: the board's two error bytes (protocol/hubo_frames.h)
};

struct joint_health { // polled board by board at a low rate
    double current_A;
    double temperature_C;
    instant time;   // of the last status reply
    uint32_t flags; // enum joint_flag
    uint32_t valid; // 1: a status reply has arrived since start
};

#define STATE_BUSES 2

struct bus_health { // of one bus, as the Hardware daemon saw it since its start
    // Frames that were rejected: extended, remote or CAN FD; an identifier nobody here replies with
    // (filters keep these away, and a real interface does not count them); another length than that
    // identifier's; a value that cannot be.
    uint32_t wrong_kind;
    uint32_t wrong_id;
    uint32_t wrong_length;
    uint32_t wrong_value;
    uint32_t late;         // replies to requests of an earlier cycle
    uint32_t error_frames; // that the controller reported
    uint32_t refused;      // frames that found the transmit queue full or the bus gone
    uint32_t lost;         // frames that found the receive queue full
    uint32_t transmit_errors, receive_errors; // the controller's error counters now
    uint32_t controller;                      // enum can_controller_state (can/controller.h)
    uint32_t padding;
};

struct state_message {
    uint64_t cycle;      // counts this Hardware daemon's cycles; restarts at 1
    instant time;        // when this state was complete
    instant cycle_start; // when this cycle's references and requests were queued
    uint32_t joint_count;
    uint32_t rejected_frames; // of both buses, since start
    uint32_t late_frames;     // likewise
    uint32_t period_us;       // of this daemon's cycle, nominal
    struct joint_reading joint[ROBOT_JOINTS_MAX];
    struct force_torque_reading force_torque[ROBOT_FORCE_TORQUE_MAX];
    struct imu_reading imu;
    struct tilt_reading tilt[SIDE_COUNT];
    struct power_reading power;
    struct joint_health health[ROBOT_JOINTS_MAX];
    uint64_t dead_boards;  // alarm: bit b: board b has not replied, not even late, for so long that
                           // it counts as dead
    uint32_t board_deaths; // since start
    uint32_t board_returns; // likewise: a dead board gave a valid position again
    struct bus_health bus[STATE_BUSES];
    // Trace: the last reference that was sent since the state before this one.
    uint64_t sent_cycle; // its state_cycle, 0: none was sent
    instant sent_taken;  // when this daemon had it in hand
    instant sent_queued; // when its last frame was handed to the buses
};

// ---- channel "reference": Control -> Hardware ---------------------------------------------------

struct reference_message {
    uint64_t state_cycle; // the state it answers
    instant time;
    uint64_t active; // bit j: reference_rad[j] is to be sent
    uint32_t joint_count;
    uint32_t padding;
    double reference_rad[ROBOT_JOINTS_MAX];
    // Trace: what it was made from.
    instant taken; // when Control had the state and the commands in hand
    uint64_t leg_cycle,
        arm_cycle; // state_cycle of the newest leg and arm command taken up, 0: none
};

// ---- channels "leg-command" (Balance) and "arm-command" (Manipulation) -> Control ---------------

enum joint_mode {
    JOINT_MODE_NONE,        // says nothing about this joint
    JOINT_MODE_POSITION,    // value: desired position [rad]; carried through to completion
    JOINT_MODE_VELOCITY,    // value: desired velocity [rad/s]; expires after timeout
    JOINT_MODE_PASSTHROUGH, // value: reference [rad], unfiltered
};

struct joint_command {
    uint32_t mode; // enum joint_mode
    uint32_t padding;
    double value;
    double velocity_nominal_rad_s; // 0: the description's nominal value; clipped to its maximum
    double acceleration_nominal_rad_s2; // likewise
    duration timeout;                   // velocity mode; 0: the description's default (0.5 s)
};

struct command_message {
    uint64_t state_cycle; // the state it answers
    instant time;
    uint32_t joint_count;
    uint32_t padding;
    struct joint_command joint[ROBOT_JOINTS_MAX];
    instant taken; // trace: when the daemon had that state in hand
};

// ---- channel "balance-command": operator -> Balance ---------------------------------------------

enum balance_command_kind {
    BALANCE_NONE,
    BALANCE_STAND,         // finish the running segment, then stand
    BALANCE_WALK_FORWARD,  // n steps
    BALANCE_WALK_BACKWARD, // n steps
    BALANCE_WALK_LEFT,     // sideways, n steps
    BALANCE_WALK_RIGHT,
    BALANCE_TURN, // by angle_rad, positive left
    BALANCE_STOP, // stop at the next stable configuration
};

enum gait { GAIT_QUASI_STATIC, GAIT_DYNAMIC, GAIT_COUNT };

struct balance_command_message {
    uint64_t id; // chosen by the sender, increasing; the status echoes it
    instant time;
    uint32_t kind; // enum balance_command_kind
    uint32_t gait; // enum gait
    uint32_t steps;
    uint32_t padding;
    double angle_rad;
};

// ---- channel "balance-status": Balance -> planner, operator -------------------------------------

enum balance_phase {
    BALANCE_PHASE_WAITING,    // no state yet, or not yet in the initial pose
    BALANCE_PHASE_PREPARING,  // moving to the standing pose
    BALANCE_PHASE_STANDING,   // stable on both feet; accepts a plan
    BALANCE_PHASE_EXECUTING,  // runs a segment
    BALANCE_PHASE_RECOVERING, // after an interruption: back to a stable stance
    BALANCE_PHASE_FALLEN,
};

struct pose2d {
    double x_m;
    double y_m;
    double yaw_rad;
};

struct balance_status_message {
    instant time;
    uint32_t phase; // enum balance_phase
    uint32_t gait;
    uint64_t epoch; // changes whenever planned motion was broken off: plans made for another epoch
                    // are void
    uint64_t plan_id;        // plan of the segment being executed, 0 if none
    uint64_t segment_number; // its segment, 0 if none
    int64_t sample;          // index in plan time (10 ms) of the sample being executed
    int64_t last_sample;     // last sample held: the stable end of the last plan provided
    struct pose2d
        foot[SIDE_COUNT];  // where balance believes the soles are, in its own odometry frame
    uint64_t accepted_id;  // last balance command taken up
    uint64_t done_id;      // last balance command completed
    uint64_t ignored_id;   // last balance command refused
    uint64_t request_id;   // motion balance wants a plan for (a balance command's id), 0 if none
    uint32_t request_kind; // enum balance_command_kind
    uint32_t request_steps;
    double request_angle_rad;
};

// ---- channel "planner-command": operator -> Planner ---------------------------------------------

enum planner_command_kind {
    PLANNER_NONE,
    PLANNER_GO_TO_GOAL, // walk to the goal as perceived
    PLANNER_HALT,       // no further plans
};

struct planner_command_message {
    uint64_t id;
    instant time;
    uint32_t kind; // enum planner_command_kind
    uint32_t gait; // enum gait
};

// ---- channel "planner-status": Planner -> operator ----------------------------------------------

struct planner_status_message {
    instant time;
    uint64_t command_id; // goal being pursued, 0 if none
    uint64_t reached_id; // last goal command completed
    uint64_t plan_id;
    uint64_t segments; // segments sent so far
    double distance_to_goal_m;
    uint32_t perception_fresh;
    uint32_t steps_planned;
};

// ---- channel "footsteps": Planner -> Balance ----------------------------------------------------

#define FOOTSTEPS_MAX 8

struct planned_step {
    uint32_t side; // enum side: the foot that swings
    uint32_t padding;
    struct pose2d pose; // where it lands, in balance's odometry frame
};

// Steps of a plan, in place of all from number `first` on. Behind them balance closes the stance
// and comes to rest, unless further steps come in time.
struct footsteps_message {
    uint64_t plan_id;    // a new plan starts from standing
    uint64_t number;     // 1, 2, 3 ... within the plan
    uint64_t epoch;      // balance_status_message.epoch they were made for
    uint64_t request_id; // balance command they fulfil, 0 for a goal of the planner's own
    instant time;
    uint32_t gait;  // enum gait
    uint32_t final; // 1: the motion asked for is complete with these steps
    uint32_t first;
    uint32_t count;
    struct planned_step step[FOOTSTEPS_MAX]; // only the first `count` are sent
};

// ---- channel "segment": Balance, of the steps it holds; or a planner -> Balance -----------------

enum support { SUPPORT_BOTH, SUPPORT_RIGHT, SUPPORT_LEFT }; // which feet are to carry weight

// One sample of a whole-body walking trajectory, 10 ms apart, in balance's odometry frame.
struct segment_sample {
    double pelvis_m[3]; // origin of the pelvis link; pelvis upright
    double pelvis_yaw_rad;
    double foot_m[SIDE_COUNT][3]; // centre of the sole under the ankle
    double foot_yaw_rad[SIDE_COUNT];
    double zmp_m[2]; // reference zero-moment point
    double com_m[3]; // reference centre of mass
    double com_velocity_m_s[2];
    uint32_t support; // enum support
    uint32_t step;    // number of the step within the plan, from 0
    double phase;     // phase of the gait cycle (two steps), 0..1; 0 = start of the double support
                      // before a right-foot swing
};

// A trajectory from plan sample `first` on. It replaces whatever was held from `first` on (splice),
// and always ends standing on both feet at rest with the centre of mass inside the support polygon.
struct segment_message {
    uint64_t plan_id;        // a new plan starts from standing
    uint64_t segment_number; // 1, 2, 3 ... within the plan
    uint64_t epoch;          // balance_status_message.epoch it was made for
    uint64_t request_id;     // balance command it fulfils, 0 for a goal of the planner's own
    instant time;
    int64_t first; // plan index of sample[0]
    uint32_t count;
    uint32_t gait;
    uint32_t final; // 1: the motion asked for is complete with this segment
    uint32_t padding;
    struct segment_sample sample[SEGMENT_SAMPLES_MAX]; // only the first `count` are sent
};

// ---- channel "manipulation-command": operator -> Manipulation -----------------------------------

enum arm_goal_kind { ARM_GOAL_NONE, ARM_GOAL_ANGLES, ARM_GOAL_POSE };

struct arm_goal {
    uint32_t kind; // enum arm_goal_kind
    uint32_t padding;
    double angle_rad[6];  // ANGLES: shoulder pitch, roll, yaw, elbow, wrist yaw, wrist pitch
    double position_m[3]; // POSE: hand in the torso frame
    double quaternion[4];
    double velocity_nominal_rad_s;      // 0: default
    double acceleration_nominal_rad_s2; // 0: default
};

struct manipulation_command_message {
    uint64_t id;
    instant time;
    struct arm_goal arm[SIDE_COUNT];
};

// ---- channel "manipulation-status": Manipulation -> operator ------------------------------------

struct manipulation_status_message {
    instant time;
    uint64_t accepted_id;
    uint64_t reached_id;          // both arms are where command reached_id wanted them
    uint64_t refused_id;          // last command without a solution
    double error_rad[SIDE_COUNT]; // largest joint distance to the goal
};

// ---- channel "camera": simulated robot -> Perception --------------------------------------------

struct camera_message {
    instant time;
    double position_m[3]; // of the camera in the world
    double quaternion[4];
    double pelvis_in_camera_m[3]; // where the robot's pelvis is relative to the camera
    double pelvis_yaw_in_camera_rad;
    double goal_in_camera_m[3]; // the goal marker as seen; obstacles likewise
    double goal_yaw_in_camera_rad;
    double obstacle_in_camera_m[ROBOT_OBSTACLES_MAX][3];
    double obstacle_radius_m[ROBOT_OBSTACLES_MAX];
    uint32_t obstacle_count;
    uint32_t goal_visible;
};

// ---- channel "perception": Perception -> Planner ------------------------------------------------

struct obstacle {
    double x_m;
    double y_m;
    double radius_m;
};

struct perception_message {
    instant time;        // when it was computed
    instant image_time;  // when the image it rests on was taken
    struct pose2d robot; // pelvis on the floor, world frame
    struct pose2d goal;  // world frame
    uint32_t goal_valid;
    uint32_t obstacle_count;
    struct obstacle obstacle[ROBOT_OBSTACLES_MAX];
};

// ---- channel "truth": simulated robot -> lab (no daemon of a target reads it) -------------------

#define TRUTH_STEPS_MAX 10 // of the physics from one message to the next

struct truth_message {
    instant time;
    uint32_t joint_count;
    uint32_t contact_count;
    double position_rad[ROBOT_JOINTS_MAX];
    double velocity_rad_s[ROBOT_JOINTS_MAX];
    double setpoint_rad[ROBOT_JOINTS_MAX]; // what the motor board's loop tracks now
    double torque_Nm[ROBOT_JOINTS_MAX];
    double pelvis_m[3];
    double pelvis_quaternion[4];
    double pelvis_velocity_m_s[3];
    double com_m[3];
    double com_velocity_m_s[3];
    double foot_m[SIDE_COUNT][3]; // centre of the sole
    double foot_quaternion[SIDE_COUNT][4];
    double foot_force_N[SIDE_COUNT];         // vertical contact force
    double contact_m[ROBOT_CONTACTS_MAX][2]; // floor contact points of the feet
    uint32_t other_contact;                  // 1: something other than a foot touches the floor
    uint32_t physics_warning;                // MuJoCo warned: the trial is ERROR
    double goal_m[2];
    uint64_t physics_steps; // ever made
    // Joint positions after each step since the last message, the one at `time` last; a board
    // replies with that of the latest step. Single precision: off by less than a twentieth of the
    // finest encoder's tick.
    float step_position_rad[TRUTH_STEPS_MAX][ROBOT_JOINTS_MAX];
    uint32_t step_count;
    uint32_t padding;
};

// ---- channel "bus-log": simulated robot -> lab --------------------------------------------------

enum bus_log_sender {
    BUS_LOG_BOARD,    // a board or a sensor of the robot
    BUS_LOG_HOST,     // a host's node, the Hardware daemon's
    BUS_LOG_STRANGER, // neither: a disturbance of the bus, or a program outside the cell's
};

struct bus_log_frame { // one frame as it appeared on a bus
    instant time;      // end of frame
    uint32_t bus;      // 0, 1
    uint32_t can_id;
    uint32_t length;
    uint16_t sender; // enum bus_log_sender
    uint16_t failed; // 1: ended in an error frame; nobody received it
    uint8_t data[8];
};

#define BUS_LOG_BUSES 2

struct bus_account { // of one bus, since its start
    int64_t busy_ns; // time the wire carried something, intermissions included
    uint64_t frames; // delivered
    uint64_t error_frames;
};

struct bus_log_message {
    instant time;
    uint32_t count;
    uint32_t dropped; // frames that did not fit since the last message
    struct bus_account account[BUS_LOG_BUSES];
    struct bus_log_frame frame[BUS_LOG_FRAMES_MAX]; // only the first `count` are sent
};

// ---- channel "mocap": motion capture -> whoever walks by it -------------------------------------

struct mocap_message {
    instant taken; // when the chest was there
    instant told;
    duration age;                  // told - taken
    uint64_t sequence;             // 1, 2, 3 ...
    double x_m, y_m, z_m, yaw_rad; // of the chest in the world
};

// ---- channel "gripper": operator -> simulated robot: the left hand's fingers --------------------

struct gripper_message {
    instant time;
    uint32_t closed;
    uint32_t padding;
};

// ---- channel "hose-change": faults of the world -> simulated robot ------------------------------

enum hose_change { // value
    HOSE_CHANGE_NONE,
    HOSE_CHANGE_SNAG,     // 1: the tail is caught where it is, with 0.1 m of slack; 0: it is free
    HOSE_CHANGE_WEIGHT,   // times as heavy
    HOSE_CHANGE_FRICTION, // times as much
    HOSE_CHANGE_SLIP,     // 1: it slips out of the hand; 0: it is put back into it
    HOSE_CHANGE_PULL,     // at the tail, away from the hand, N
    HOSE_CHANGES,
};

struct hose_change_message {
    uint64_t id;
    uint32_t kind; // enum hose_change
    uint32_t padding;
    double value;
};

// ---- channel "push-change": faults of the world -> simulated robot ------------------------------

struct push_change_message {
    uint64_t id;
    double force_N;       // horizontal; 0: nobody pushes
    double direction_rad; // in the pelvis's frame as it stands then: 0 forward, pi/2 to the left
    char body[32];        // of the model, at its centre of mass; ends with a zero
};

// ---- channel "push": simulated robot -> lab; from the first change on ---------------------------

struct push_message {
    instant time;
    double force_N;             // that pushes now
    double force_world_N[3];    // the same, along the world's axes
    double impulse_world_Ns[3]; // of all pushes so far
    uint64_t change_id;         // last change taken up
    uint64_t refused;           // changes of a body that the model has not
};

// ---- channel "world-change": faults of the world -> simulated robot
// ------------------------------

#define WORLD_FAULT_VALUES_MAX 4

struct world_change_message {
    uint64_t id;
    uint32_t kind; // enum world_fault_kind (plant/scenery/world_fault_list.h)
    uint32_t acts; // from now on; 0: it is over
    double value[WORLD_FAULT_VALUES_MAX]; // the kind's own
    char body[32];                        // of the model; ends with a zero
};

// ---- channel "world-fault": simulated robot -> lab; from the first change on --------------------

#define WORLD_FAULT_KINDS_MAX 8

struct world_fault_message {
    instant time;
    uint64_t change_id;                  // last change taken up
    uint64_t refused;                    // changes that make no sense in this world
    double shown[WORLD_FAULT_KINDS_MAX]; // by kind: what is measured of it; 0: nothing
};

// ---- channel "box": simulated robot -> lab, where a box lies in the world -----------------------

struct box_message {
    instant time;
    double position_m[2]; // of its middle, in the world
    double yaw_rad;
    double size_m[3];               // along its yaw, across, upwards
    double nearest_m;               // of what may touch it; 0.05: nothing is nearer
    double force_N;                 // that presses on it, at most
    uint64_t touched;               // steps in which something touched it
    double leg_m[SIDE_COUNT][3][3]; // right, left: hip, knee, ankle, in the world
};

// ---- channel "toe": simulated robot -> lab, passive toes ----------------------------------------

struct toe_message {
    instant time;
    double angle_rad[SIDE_COUNT]; // upwards
    double rate_rad_s[SIDE_COUNT];
    double moment_Nm[SIDE_COUNT]; // of spring and damper, which bring it down
    double force_N[SIDE_COUNT];   // vertical, of the ground on the toe
};

// ---- channel "sight": simulated robot -> who looks out for the box ------------------------------

struct sight_message {
    instant time;
    double quaternion[4];         // of the camera in the world
    double pelvis_in_camera_m[3]; // where the robot's pelvis is relative to the camera
    double pelvis_yaw_in_camera_rad;
    double box_in_camera_m[3]; // the middle of the box's lower face
    double box_yaw_in_camera_rad;
    double box_size_m[3]; // along its yaw, across, upwards
};

// ---- channel "hose": simulated robot -> lab -----------------------------------------------------

#define HOSE_MESSAGE_LINKS_MAX 32

struct hose_message {
    instant time;
    uint32_t held;
    uint32_t snagged;
    double force_N[3]; // on the hand, in the world
    double pull_N;     // of that, horizontal
    double mass_kg;
    double friction;
    double weight, roughness; // times what the scenario says
    double tail_m[2];
    double tail_N;      // that somebody pulls with there
    uint64_t change_id; // last change taken up
    double hand_m[3];   // where the hand is, in the torso's frame, from the torso
    double hand_m_s;    // how fast it moves there
    double hand_rad;    // how far it has turned there since it closed on the hose; 0: it is open
    uint32_t link_count;
    uint32_t elliptic; // 1: feet and floor touch with elliptic cones, impratio 100
    float link_m[HOSE_MESSAGE_LINKS_MAX][2]; // front ends, x and y
};
