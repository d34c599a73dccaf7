#include "targets/bioloid/joints.h"

#include <math.h>
#include <string.h>

void joints_start(struct joints *joints, const struct joints_limits *limits)
{
    memset(joints, 0, sizeof *joints);
    joints->limits = *limits;
}

void joints_hold(struct joints *joints, unsigned servo, double angle_rad)
{
    if ((joints->known & 1u << servo) != 0)
        return;
    joints->known |= 1u << servo;
    joints->joint[servo] = (struct joint){.mode = JOINT_HOLDS, .angle_rad = angle_rad};
}

void joints_forget(struct joints *joints, unsigned servo)
{
    joints->known &= ~(1u << servo);
}

static bool usable(const struct joint_request_message *request)
{
    for (unsigned i = 0; i < MOVEMENT_SERVOS; i++)
        if ((request->servos & 1u << i) != 0 &&
            (!isfinite(request->angle_rad[i]) || !isfinite(request->velocity_rad_s[i])))
            return false;
    return request->start_ns >= 0 && request->end_ns > request->start_ns;
}

void joints_ask(struct joints *joints, const struct joint_request_message *request)
{
    if (!usable(request) || joints->waiting_count == JOINTS_WAITING_MAX) {
        joints->refused++;
        return;
    }
    unsigned at = joints->waiting_count++;
    for (; at > 0 && joints->waiting[at - 1].start_ns > request->start_ns; at--)
        joints->waiting[at] = joints->waiting[at - 1];
    joints->waiting[at] = *request;
}

static void state_at(struct joint *joint, double t_s)
{
    if (joint->mode == JOINT_KNEE) {
        const double end_s = joint->problem.t2_s;
        knee_state(&joint->problem, &joint->knee, fmin(t_s, end_s), &joint->angle_rad,
                   &joint->velocity_rad_s);
    } else if (joint->mode == JOINT_LATE) {
        const double since_s = fmin(t_s - joint->from_s, joint->trajectory.duration_s);
        const struct motion_state state = trajectory_at(&joint->trajectory, since_s);
        joint->angle_rad = state.position;
        joint->velocity_rad_s = state.velocity;
    }
}

static bool plan_knee(const struct joints_limits *limits, const struct knee_problem *problem,
                      struct joint *joint)
{
    struct knee knee;
    if (knee_plan(problem, limits->method, limits->energy, &knee) != KNEE_OK ||
        fabs(knee.a1) > limits->acceleration_max_rad_s2 ||
        fabs(knee.a2) > limits->acceleration_max_rad_s2 ||
        fabs(knee.wm) > limits->velocity_max_rad_s)
        return false;
    joint->mode = JOINT_KNEE;
    joint->problem = *problem;
    joint->knee = knee;
    return true;
}

// As soon as the limits allow, but at rest at the end. What cannot be planned is held.
static void plan_late(const struct joints_limits *limits, const struct knee_problem *problem,
                      struct joint *joint)
{
    const struct motion_bounds bounds = {.velocity = limits->velocity_max_rad_s,
                                         .acceleration = limits->acceleration_max_rad_s2,
                                         .jerk = INFINITY};
    const struct motion_state start = {.position = problem->q1, .velocity = problem->w1};
    const struct motion_state end = {.position = problem->q2};
    const struct trajectory_problem asked = {
        .count = 1, .bounds = &bounds, .start = &start, .end = &end};
    unsigned culprit;
    joint->from_s = problem->t1_s;
    joint->mode = trajectory_plan(&asked, &joint->trajectory, &culprit) == TRAJECTORY_OK
                      ? JOINT_LATE
                      : JOINT_HOLDS;
}

// A motion that should have gone on, and does not, ends as soon as the limits allow.
static void run_out(const struct joints_limits *limits, struct joint *joint)
{
    const double way_rad =
        joint->problem.w2 * fabs(joint->problem.w2) / (2 * limits->acceleration_max_rad_s2);
    const struct knee_problem stop = {.t1_s = joint->problem.t2_s,
                                      .q1 = joint->problem.q2,
                                      .q2 = joint->problem.q2 + way_rad,
                                      .w1 = joint->problem.w2};
    plan_late(limits, &stop, joint);
}

static void move_on(const struct joints_limits *limits, struct joint *joint, double t_s)
{
    if (joint->mode == JOINT_KNEE && t_s > joint->problem.t2_s && joint->problem.w2 != 0)
        run_out(limits, joint);
    state_at(joint, t_s);
}

static void begin(struct joints *joints, const struct joint_request_message *request, double t_s)
{
    const double start_s = fmax(t_s, (double)request->start_ns * 1e-9);
    for (unsigned i = 1; i < MOVEMENT_SERVOS; i++) {
        struct joint *joint = &joints->joint[i];
        if ((request->servos & joints->known & 1u << i) == 0)
            continue;
        if (request->slope[i] > 0)
            joint->slope = request->slope[i];
        move_on(&joints->limits, joint, start_s);
        const struct knee_problem problem = {.t1_s = start_s,
                                             .t2_s = (double)request->end_ns * 1e-9,
                                             .q1 = joint->angle_rad,
                                             .q2 = request->angle_rad[i],
                                             .w1 = joint->velocity_rad_s,
                                             .w2 = request->velocity_rad_s[i],
                                             .acceleration_max =
                                                 joints->limits.acceleration_max_rad_s2};
        joints->begun |= 1u << i;
        if (joints->limits.jumps)
            *joint = (struct joint){.angle_rad = problem.q2, .slope = joint->slope};
        else if (!plan_knee(&joints->limits, &problem, joint)) {
            joints->late++;
            plan_late(&joints->limits, &problem, joint);
        }
    }
}

void joints_advance(struct joints *joints, double t_s)
{
    unsigned begun = 0;
    joints->begun = 0;
    for (; begun < joints->waiting_count; begun++) {
        const struct joint_request_message *request = &joints->waiting[begun];
        if ((double)request->start_ns * 1e-9 > t_s)
            break;
        begin(joints, request, joints->now_s);
    }
    joints->waiting_count -= begun;
    memmove(joints->waiting, joints->waiting + begun,
            joints->waiting_count * sizeof joints->waiting[0]);
    for (unsigned i = 1; i < MOVEMENT_SERVOS; i++)
        move_on(&joints->limits, &joints->joint[i], t_s);
    joints->now_s = t_s;
}
