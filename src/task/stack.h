// Stack of tasks: what a robot does at once, in order of priority (Mansard, Stasse, Evrard and
// Kheddar 2009), solved each period for the velocities of root and joints.
//
// A task asks for a velocity that lets its error decay, e' = -lambda(|e|) e, plus one given. A
// lower level has the freedom that the levels above leave. Joints keep within their ranges, speeds
// and accelerations whatever tasks ask; so tasks may come, go and change places at any time, and
// speeds change by no more than the accelerations allow. Near a singular pose they are bounded
// likewise.
//
// Pure. task_stack_create takes the memory; everything else is real-time safe.
#pragma once

#include <stdbool.h>

#include "model/robot_model.h"
#include "qp/hierarchy.h"
#include "task/kinematics.h"

#ifdef __cplusplus
extern "C" {
#endif

#define TASKS_MAX 16
#define TASK_LEVELS_MAX HIERARCHY_LEVELS_MAX

enum task_kind {
    TASK_POSE,        // 6 rows: place and orientation of a link's point
    TASK_POSITION,    // 3: its place
    TASK_ORIENTATION, // 3: its orientation
    TASK_COM,         // 3: centre of mass
    TASK_GAZE,        // 2: the link's direction points at the place
    TASK_POSTURE,     // joints: their angles
    TASK_DISTANCE,    // 1, an inequality: the point stays `distance_m` away from the place, or from
                      // the stretch that begins there
    TASK_KINDS
};

// lambda(|e|) = (at_zero - far) exp(-decay |e|) + far, 1/s.
struct task_gain {
    double at_zero, far, decay;
};

struct task {
    char name[ROBOT_NAME_MAX];
    enum task_kind kind;
    unsigned level;    // 0 is the first; tasks of one level share it in the least squares sense
    int link;          // not of TASK_COM, TASK_POSTURE
    double point_m[3]; // in the link's frame; of TASK_GAZE the direction, a unit vector
    struct task_gain gain;
    // POSE, POSITION, ORIENTATION and DISTANCE alone: targets are those seen from the link `base`,
    // whose own motion then neither helps nor hinders. false: from the world.
    bool based;
    int base;
    // Targets, to be written each period, all in the world frame but for a base.
    double place_m[3];
    double rotation[9];
    double velocity[6]; // added: linear (m/s), angular (rad/s)
    double joint_rad[ROBOT_JOINTS_MAX], joint_rad_s[ROBOT_JOINTS_MAX]; // and speeds, added
    double distance_m;
    double along_m[3]; // of a DISTANCE: from the place to the stretch's other end; 0: a point
    // Of the last period: the norm of the error (m, rad).
    double error;
};

struct task_limits {
    double speed_max_rad_s, acceleration_max_rad_s2; // of each joint
    double range_margin_rad;                         // kept from the ends of the joints' ranges
};

struct task_report {
    enum qp_status status;
    unsigned levels, iterations, approximated, rank; // see hierarchy.h
    unsigned limited;                                // joints whose speed a limit holds
};

struct task_stack;

// A stack without tasks for a robot that stands still. `model` is borrowed. INVALID if a limit is
// not above 0, NO_MEMORY. Free with task_stack_free. Not real-time.
enum status task_stack_create(const struct robot_model *model, const struct task_limits *limits,
                              struct task_stack **stack) MUST_CHECK;
void task_stack_free(struct task_stack *stack);

// Adds a copy. INVALID: the name is there already or empty, link or level do not exist, or a number
// of gain, point or target is not finite or negative where it may not be; FULL.
enum status task_stack_add(struct task_stack *stack, const struct task *task) MUST_CHECK;
// NOT_FOUND.
enum status task_stack_remove(struct task_stack *stack, const char *name) MUST_CHECK;
// Two tasks change levels. NOT_FOUND.
enum status task_stack_swap(struct task_stack *stack, const char *one,
                            const char *other) MUST_CHECK;
// The task of this name, to write its targets; NULL without one. Valid until one is removed.
struct task *task_stack_find(struct task_stack *stack, const char *name);

// Forgets where the last solution was: the next one starts cold.
void task_stack_forget(struct task_stack *stack);

// The robot stands still: the next solution starts from rest, and cold.
void task_stack_rest(struct task_stack *stack);

// The velocities for one period (TASK_ROOT + joint_count). Without a solution of all levels it is
// that of the levels solved, within the limits all the same.
struct task_report task_stack_solve(struct task_stack *stack, const double root_m[3],
                                    const double root_rotation[9], const double *joint_rad,
                                    double period_s, double *velocity);

#ifdef __cplusplus
}
#endif
