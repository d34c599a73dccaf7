// The robot walking in MuJoCo, without processes: pattern generator, stabiliser, and an emulation
// of the chain between them and the joints. For the walking bench and the unit test; deterministic.
//
// The chain, per cycle of 10 ms starting at kT: references reach the boards at kT + 2 ms, which
// interpolate linearly over 10 ms; the state is sampled at kT + 4 ms; the stabiliser computes
// desired references for (k+1)T; velocity mode then limits velocity and acceleration of each
// reference, and the reference is rounded to encoder ticks.
#pragma once

#include <mujoco/mujoco.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "walk/segments/pattern.h"
#include "walk/balance/stabilizer.h"

#define SIMULATION_CONTACTS_MAX 16

enum loss { LOSS_NONE, LOSS_FREEZE, LOSS_HOLD_VELOCITY };

struct simulation_options {
    const char *robot_xml;
    enum gait gait;
    bool stabilise;
    bool arms_move; // sinusoids in all arm joints
    bool noise;     // sensors: a little noise, seeded
    double velocity_max_rad_s, acceleration_max_rad_s2;
    int64_t loss_sample; // at this sample commands cease; < 0: never
    enum loss loss;
    double push_N; // on the pelvis, sideways, from push_s for 0.1 s
    double push_s;
    FILE *trace; // one line per cycle, or NULL
};

struct simulation_result {
    bool fell;
    double time_s;
    unsigned steps;       // landings executed
    double com_margin_m;  // least signed distance of the centre of mass from the support polygon's
                          // edge, inside > 0
    double outside_share; // of the walking time with the centre of mass outside
    double loss_margin_m; // the same at the moment of the loss
    double peak_velocity_rad_s[LEG_JOINTS]; // of the references wanted
    double peak_acceleration_rad_s2[LEG_JOINTS];
    unsigned limited;     // cycles in which a limit changed a reference
    unsigned unreachable; // cycles in which a leg could not reach
    double tilt_max_rad;
    double torque_max_Nm;
    double step_us;          // processor time per physics step
    double position_error_m; // where the feet's middle is, against the plan, at the end
};

struct simulation;

// NULL after a message on standard error.
struct simulation *simulation_create(const struct simulation_options *options);
void simulation_free(struct simulation *simulation);

// Walks the given steps with receding-horizon segments, then watches for watch_s. Steps are as for
// pattern_extend.
struct simulation_result simulation_walk(struct simulation *simulation, const struct footstep *step,
                                         unsigned count, double watch_s);

// Parameters, to be changed before simulation_walk.
struct stabilizer_parameters *simulation_parameters(struct simulation *simulation);
