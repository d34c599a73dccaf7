// Stabiliser: makes a walking pattern robust on the real robot. Called once per 10 ms cycle; pure
// state in, numbers out; real-time safe (no allocation, bounded).
//
// Three loops, after Kajita et al., IROS 2010 ("Biped walking stabilization based on linear
// inverted pendulum tracking") and Caron et al., ICRA 2019 ("Stair climbing stabilization of the
// HRP-4 humanoid robot using whole-body admittance control"):
//  - capture-point feedback: the capture point's error c + c'/omega, from encoders and IMU, asks
//    for a different ZMP;
//  - ankle admittance: each foot turns so that its centre of pressure goes where that ZMP wants it;
//    the pelvis gives way to the difference;
//  - in double support the leg lengths move against each other until the feet carry the shares of
//    weight wanted.
// A foot that is turned about a passive toe has a spring between its ankle and the ground, which no
// ankle can move the centre of pressure by: it is where the plan has it. On a flat foot it stays
// behind the toe's joint.
//
// The corrections are bounded and fade to zero when nothing is wrong. They are low-passed, so that
// the output's velocity steps stay within the joints' acceleration limits.
#pragma once

#include <stdbool.h>

#include "message/message.h"
#include "model/leg_ik.h"
#include "model/robot_model.h"
#include "walk/body/walk_body.h"

#define STABILIZER_DELAY_MAX 8 // samples

struct stabilizer_parameters {
    double com_height_m;                // LIPM's zc: pattern_com_height_m
    double capture_point_gain;          // [1] ZMP moved per capture-point error, beyond 1
    double capture_point_integral;      // [1/s]
    double ankle_admittance;            // [rad/s per Nm]
    double com_admittance;              // [m/s per m] pelvis velocity per ZMP error
    double force_difference_admittance; // [m/s per N]
    double correction_decay_1_s;        // corrections fade at this rate
    double observer_1_s;                // velocity per error of the centre of mass at each sample
    double level_swing;     // share of the body's tilt that is taken from a lifted sole; 0: none
    double sole_margin_m;   // a centre of pressure is wanted so far from a sole's side, at least
    unsigned delay_samples; // age of the measurements: they show the pattern this many samples ago
};

struct stabilizer_foot {
    double moment_x_Nm, moment_y_Nm,
        force_z_N; // at the sole's centre; positive force_z: the ground pushes up
    bool valid;
};

struct stabilizer_input {
    const struct segment_sample *desired; // the sample the references computed now are for
    const double *joint_rad;              // measured joint angles, model order
    double roll_rad, pitch_rad;           // of the pelvis
    double roll_rate_rad_s, pitch_rate_rad_s;
    bool imu_valid;
    struct stabilizer_foot foot[SIDE_COUNT];
};

// Where pelvis and soles are to be, corrections included; odometry frame.
struct stabilizer_placement {
    double pelvis_m[3], pelvis_rotation[9];
    struct walk_body_soles soles;
};

struct stabilizer_output {
    struct stabilizer_placement placement;
    double leg_rad[SIDE_COUNT][LEG_JOINTS];
    bool unreachable;                    // a leg could not reach: the nearest answer was taken
    double com_m[2], capture_point_m[2]; // estimates, odometry frame
    double zmp_m[2];                     // measured; the desired one without foot force
    double tilt_rad;                     // how far the pelvis is from upright
};

struct stabilizer {
    const struct robot_model *model; // borrowed
    struct stabilizer_parameters parameters;
    struct leg leg[SIDE_COUNT];
    struct walk_toe toe;
    struct robot_pose pose; // scratch
    bool started;
    unsigned history_count; // samples in history, up to the delay
    struct segment_sample history[STABILIZER_DELAY_MAX];
    double com_m[2], com_velocity_m_s[2]; // estimates
    double capture_point_integral_m[2];
    double foot_pitch_rad[SIDE_COUNT];   // of the soles, as planned; whoever plans it sets it
    double foot_tilt_rad[SIDE_COUNT][2]; // ankle corrections, roll and pitch, in the foot's frame
    double leg_difference_m;             // right sole down, left sole up by half of it
    double pelvis_shift_m[2];
    double zmp_error_m[2]; // low-passed
};

// Parameters tuned for the HUBO2 of targets/hubo2.
struct stabilizer_parameters stabilizer_defaults(double com_height_m);

// Prepares a stabiliser. `model` must outlive it. INVALID if the model's legs are not as leg_ik
// wants them.
enum status stabilizer_init(struct stabilizer *stabilizer, const struct robot_model *model,
                            const struct stabilizer_parameters *parameters) MUST_CHECK;

// Forgets measurements and corrections: call when motion starts anew (first state after a gap,
// recovery).
void stabilizer_reset(struct stabilizer *stabilizer);

// One cycle. A missing IMU or foot sensor (valid false) switches off the loops that need it; their
// corrections fade.
void stabilizer_step(struct stabilizer *stabilizer, const struct stabilizer_input *input,
                     struct stabilizer_output *output);

// The pattern alone, without feedback: leg angles for a sample. UNREACHABLE as leg_inverse.
enum status stabilizer_feedforward(const struct stabilizer *stabilizer,
                                   const struct segment_sample *sample,
                                   double leg_rad[SIDE_COUNT][LEG_JOINTS]) MUST_CHECK;
