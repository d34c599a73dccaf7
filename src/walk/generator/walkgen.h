// Walking pattern generator after Stasse et al., "Modular architecture for humanoid walking pattern
// prototyping and experiments" (Advanced Robotics 22, 2008): commands as text go in; each tick
// gives the robot's posture one period later.
//
// A tick takes one reference of ZMP and feet, and runs five stages: preview control brings the
// centre of mass over the ZMP; the posture is realised; its multi-body ZMP is compared with the
// reference; a second preview control follows the difference; the corrected posture is realised.
// Steps wait in a stack. While on-line sequencing is on, the stack never runs dry: the robot steps
// on the spot. Whatever was given, the motion ends at rest on both feet.
//
// Which realisation, ZMP reference, foot trajectory and dynamics are used is chosen by commands
// (walk_strategy.h); which commands there are is up to plug-ins. A command is taken whole, or
// refused whole with a reason.
//
// Frame: the middle between the feet at the start, x forward, y left, z up, on the floor. Pure.
// Memory is taken by walkgen_create; everything else is real-time safe, but for commands that
// change height, period or window (milliseconds), and may be called by one thread at a time.
//
//   walkgen_create(robot_model, &walkgen);
//   walkgen_command(walkgen, ":stepseq 0 -0.095 0  0.2 0.19 0  0 -0.19 0");
//   while (walkgen_tick(walkgen, &out)) ...
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "model/robot_model.h"

#ifdef __cplusplus
extern "C" {
#endif

struct walkgen;
struct walk_plugin;

struct walk_foot { // a sole's centre under the ankle
    double position_m[3];
    double yaw_rad, pitch_rad; // pitch: toes down positive
};

// A step: where the next foot comes down, in the frame of the foot that then carries, the yaw
// applied first.
struct walk_step {
    double x_m, y_m, z_m, yaw_rad;
    double waist_m;            // height of the waist beside the usual one when it has landed
    double single_s, double_s; // 0: as commanded
    double lift_m;             // height of the swing; 0: as commanded
    // 1, 2: the first, the second foot swings over an obstacle, as a plan has found (:walkmode 2);
    // along_m: how far it has come at the two points between which it is at its full height.
    uint32_t over;
    double along_m[2];
    double roll_rad;       // there, in place of :omega
    double zmp_shift_m[2]; // of the ZMP along the foot that carries, from lift-off to landing
    double waist_yaw_rad;  // of the waist beside the foot's when it has landed
};

struct walkgen_output {
    double time_s;
    double joint_rad[ROBOT_JOINTS_MAX]; // in the model's order; velocities, accelerations likewise
    double joint_rad_s[ROBOT_JOINTS_MAX];
    double joint_rad_s2[ROBOT_JOINTS_MAX];
    double waist_m[3], waist_yaw_rad; // the free flyer; the waist is upright
    double waist_m_s[3], waist_yaw_rad_s;
    double com_m[3], com_m_s[2], com_m_s2[2];
    double zmp_m[2];            // reference, world frame
    double load_m[2];           // by which :handload keeps the centre of mass ahead of it
    double zmp_waist_m[3];      // the same in the waist's frame
    double zmp_multibody_m[2];  // of the posture that was realised
    double zmp_unfiltered_m[2]; // of the posture without the second preview
    double first_com_m[2];      // after the first preview
    double first_zmp_m[2];      // of the pendulum there
    struct walk_foot foot[SIDE_COUNT];
    double toe_rad[SIDE_COUNT], toe_moment_Nm[SIDE_COUNT]; // upwards; 0 of a robot without toes
    uint32_t support;                                      // enum support
    uint32_t step;                                         // blocks begun since the start
    double phase;   // of the gait cycle of two steps: 0 before a right foot's swing
    bool over;      // a foot swings over an obstacle, where it may not go elsewhere
    bool reachable; // no leg was too short
};

struct walkgen_counts {
    uint64_t ticks, unreachable; // postures that a leg could not reach: the nearest was taken
    uint64_t dry;                // steps on the spot because the stack was empty
    uint64_t plans, plans_failed, plans_relaxed; // quadratic programs; relaxed: rows gave way
    unsigned steps_waiting;
    unsigned references_ahead; // made, not yet ticked
};

// A generator for a robot that stands as its model does. INVALID as walk_body_from_model,
// NO_MEMORY. The model is only read during this call. Free with walkgen_free.
enum status walkgen_create(const struct robot_model *model, struct walkgen **walkgen) MUST_CHECK;
void walkgen_free(struct walkgen *walkgen);
// Bytes that walkgen_create takes; it takes no others.
size_t walkgen_memory(void);

// Forgets everything: settings, steps, motion. joint_rad (model order) is how the robot stands,
// NULL: as its model does, with the centre of mass over the middle of its feet. UNREACHABLE: it
// does not stand on both feet on one floor.
enum status walkgen_reset(struct walkgen *walkgen, const double *joint_rad) MUST_CHECK;

// Forgets steps and motion, and keeps settings and gains: the robot stands as joint_rad says, and
// its first step may begin standing_s from now, as it has stood long enough for both previews. The
// steps of the walk to come have numbers, from 0 on. Behind the last one the robot comes to rest:
// its ZMP is between the feet after shift_s. UNREACHABLE as walkgen_reset.
enum status walkgen_restart(struct walkgen *walkgen, const double *joint_rad, double standing_s,
                            double shift_s) MUST_CHECK;

// Of such a walk: the steps from number `first` on give way to these. INVALID, nothing has changed:
// as walkgen_step_add; there is no such step; it lands in less than 1.2 s, or lifts now.
enum status walkgen_change(struct walkgen *walkgen, unsigned first, const struct walk_step *step,
                           unsigned count) MUST_CHECK;

// A copy of the generator as it is, on which may be tried what is to come. It is the generator's
// own, and lasts until the next call, or until a step over an obstacle is planned.
struct walkgen *walkgen_rehearsal(const struct walkgen *walkgen);

// Adds a plug-in's commands to those there are. FULL; the plug-in is borrowed.
enum status walkgen_register(struct walkgen *walkgen, const struct walk_plugin *plugin) MUST_CHECK;

// Takes a line: the name of a command and its numbers. INVALID: refused, nothing has changed, and
// walkgen_reason says why. OK: walkgen_reason is "", or what is not done as asked for.
enum status walkgen_command(struct walkgen *walkgen, const char *line) MUST_CHECK;
// The same of a name and its numbers, without text.
enum status walkgen_call(struct walkgen *walkgen, const char *name, const double *number,
                         unsigned count) MUST_CHECK;
// A line between ticks, without a plan's delay: BUSY, the line is planned, and walkgen_go_on does
// it a piece at a time, until it says OK or INVALID. Ticks may come between; another line or step
// gives the plan up. While the robot walks it is refused.
enum status walkgen_begin(struct walkgen *walkgen, const char *line) MUST_CHECK;
// A piece takes as long as so many periods of the planned motion, which is rehearsed: about 15 us
// each.
enum status walkgen_go_on(struct walkgen *walkgen, unsigned periods) MUST_CHECK;
const char *walkgen_reason(const struct walkgen *walkgen);

// Puts a step behind those that wait. INVALID as walkgen_command, or a step over an obstacle.
enum status walkgen_step_add(struct walkgen *walkgen, const struct walk_step *step) MUST_CHECK;

// Makes the references that the next tick would have to make. To be called between ticks.
void walkgen_prepare(struct walkgen *walkgen);

// One period. false: the motion has ended, or not begun; the robot stands, and `out` says how.
bool walkgen_tick(struct walkgen *walkgen, struct walkgen_output *out);

// When, after the sample that walkgen_tick said last, the foot that swings then lands, and what is
// planned for that. false: no foot swings, or its landing is not known yet.
struct walkgen_landing {
    double left_s, both_s; // until it lands; from then until the other one lifts
    double com_m[2], com_m_s[2];
    struct walk_foot foot;
    enum side side;
};
bool walkgen_landing(const struct walkgen *walkgen, struct walkgen_landing *landing);

double walkgen_period_s(const struct walkgen *walkgen);
unsigned walkgen_window(const struct walkgen *walkgen); // samples that a tick looks at
double walkgen_com_height_m(const struct walkgen *walkgen);
struct walkgen_counts walkgen_counts(const struct walkgen *walkgen);

#ifdef __cplusplus
}
#endif
