#include "targets/firehose/limbs.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/log.h"
#include "model/spatial.h"
#include "targets/firehose/clearance.h"
#include "walk/segments/even_pace.h"

#define LOOK_AHEAD_M 2.0 // where the eyes rest, on the way
#define UNIT_NORM_SLACK 0.01
#define UPRIGHT_S 1.6      // before its end a plan leans no more
#define STEP_SAMPLES 80    // of a step of 0.8 s
#define ARM_LATE_SAMPLES 2 // the arm's joints follow so much later than the legs'
#define HAND_BACK_M_S 0.12 // more than the waist sways: a broken plan does not jerk the hand

enum { LEVEL_FEET, LEVEL_BALANCE, LEVEL_WAIST, LEVEL_HAND, LEVEL_POSTURE };

static const struct task_limits limits = {
    .speed_max_rad_s = 7, .acceleration_max_rad_s2 = 120, .range_margin_rad = 0.01};
// What plan and stabiliser ask for is asked for exactly, within one period. The hand comes to its
// place gently when it is far from it; the posture has time.
static const struct task_gain exact = {1 / BALANCE_PERIOD_S, 1 / BALANCE_PERIOD_S, 0};
static const struct task_gain near = {1 / BALANCE_PERIOD_S, 2, 60};
static const struct task_gain gentle = {2, 2, 0};

static const char *const sole_task[SIDE_COUNT] = {"right sole", "left sole"};
static const char *const waist_task[] = {"pelvis", "torso"};

// ---- which tasks
// ---------------------------------------------------------------------------------

static enum status add(struct limbs *limbs, const char *name, enum task_kind kind, unsigned level,
                       int link, struct task_gain gain)
{
    struct task task = {.kind = kind, .level = level, .link = link, .gain = gain};
    (void)snprintf(task.name, sizeof task.name, "%s", name);
    rotation_z(0, task.rotation);
    memcpy(task.joint_rad, limbs->model->stand_rad, sizeof task.joint_rad);
    return task_stack_add(limbs->stack, &task);
}

static enum status add_at_site(struct limbs *limbs, const char *name, unsigned level, int site,
                               struct task_gain gain)
{
    const struct robot_site *at = &limbs->model->site[site];
    const enum status status = add(limbs, name, TASK_POSE, level, at->link, gain);
    if (status == STATUS_OK)
        memcpy(task_stack_find(limbs->stack, name)->point_m, at->position_m, sizeof at->position_m);
    return status;
}

static enum status add_all(struct limbs *limbs, int head)
{
    enum status status = STATUS_OK;
    for (int side = 0; side < SIDE_COUNT && status == STATUS_OK; side++)
        status = add_at_site(limbs, sole_task[side], LEVEL_FEET, limbs->sole_site[side], exact);
    if (status == STATUS_OK)
        status = clearance_add(limbs->stack, limbs->model, LEVEL_FEET);
    if (status == STATUS_OK)
        status = add(limbs, "balance", TASK_COM, LEVEL_BALANCE, 0, exact);
    if (status == STATUS_OK)
        status = add(limbs, waist_task[0], TASK_ORIENTATION, LEVEL_WAIST, 0, exact);
    if (status == STATUS_OK)
        status = add(limbs, waist_task[1], TASK_ORIENTATION, LEVEL_WAIST, limbs->torso, exact);
    if (status == STATUS_OK)
        status = add(limbs, "gaze", TASK_GAZE, LEVEL_HAND, head, gentle);
    if (status == STATUS_OK)
        task_stack_find(limbs->stack, "gaze")->point_m[0] = 1;
    if (status == STATUS_OK)
        status = add(limbs, "posture", TASK_POSTURE, LEVEL_POSTURE, 0, gentle);
    return status;
}

// ---- one period
// ----------------------------------------------------------------------------------

// The posture is that of standing on legs as the plan bends them. Plan and stabiliser speak of its
// centre of mass.
static void write_posture(struct limbs *limbs, const struct balance *balance,
                          const struct stabilizer_output *output)
{
    struct task *posture = task_stack_find(limbs->stack, "posture");
    struct robot_pose pose;
    for (int side = 0; side < SIDE_COUNT; side++)
        for (int i = 0; i < LEG_JOINTS; i++) {
            const int joint = balance->leg[side].joint[i];
            const double moved_rad = output->leg_rad[side][i] - posture->joint_rad[joint];
            posture->joint_rad_s[joint] = moved_rad / BALANCE_PERIOD_S;
            posture->joint_rad[joint] = output->leg_rad[side][i];
        }
    robot_model_forward(limbs->model, output->placement.pelvis_m, output->placement.pelvis_rotation,
                        posture->joint_rad, &pose);
    memcpy(task_stack_find(limbs->stack, "balance")->place_m, pose.com_m, sizeof pose.com_m);
}

// The plan tells how the waist will sway. The hand moves against that, so that the hose does not
// feel it.
static void write_hand(struct limbs *limbs, const struct balance *balance)
{
    const bool sways = limbs->hand_evenly && balance->phase == BALANCE_PHASE_EXECUTING;
    const double back_m =
        sways ? -even_pace_ahead_m(&balance->buffer, balance->executing + ARM_LATE_SAMPLES,
                                   STEP_SAMPLES)
              : 0;
    const double most_m = HAND_BACK_M_S * BALANCE_PERIOD_S;
    limbs->hand_back_m += fmin(fmax(back_m - limbs->hand_back_m, -most_m), most_m);
    struct task *hand = task_stack_find(limbs->stack, "hand");
    if (hand == NULL)
        return;
    memcpy(hand->place_m, limbs->hand_goal_m, sizeof hand->place_m);
    hand->place_m[0] += limbs->hand_back_m;
}

static void write_targets(struct limbs *limbs, const struct balance *balance,
                          const struct stabilizer_output *output)
{
    const struct stabilizer_placement *at = &output->placement;
    for (int side = 0; side < SIDE_COUNT; side++) {
        struct task *sole = task_stack_find(limbs->stack, sole_task[side]);
        memcpy(sole->place_m, at->soles.position_m[side], sizeof sole->place_m);
        memcpy(sole->rotation, at->soles.rotation[side], sizeof sole->rotation);
    }
    write_posture(limbs, balance, output);
    write_hand(limbs, balance);
    for (int i = 0; i < 2; i++)
        memcpy(task_stack_find(limbs->stack, waist_task[i])->rotation, at->pelvis_rotation,
               sizeof at->pelvis_rotation);
    const double ahead[3] = {LOOK_AHEAD_M, 0, 0};
    struct task *gaze = task_stack_find(limbs->stack, "gaze");
    rotate(at->pelvis_rotation, ahead, gaze->place_m);
    vec_add(gaze->place_m, at->pelvis_m, gaze->place_m);
}

// Takes the references that the state tells: balance was not at work, or has just begun.
static void begin_anew(struct limbs *limbs, const struct balance *balance,
                       const struct state_message *state, const struct stabilizer_output *output)
{
    memcpy(limbs->root_m, output->placement.pelvis_m, sizeof limbs->root_m);
    memcpy(limbs->root_rotation, output->placement.pelvis_rotation, sizeof limbs->root_rotation);
    for (unsigned j = 0; j < limbs->model->joint_count; j++) {
        const struct joint_reading *joint = &state->joint[balance->model_joint[j]];
        limbs->joint_rad[j] = joint->reference_active ? joint->reference_rad : joint->position_rad;
    }
    memset(limbs->velocity, 0, sizeof limbs->velocity);
    task_stack_rest(limbs->stack);
}

// Whether the plan goes on for some time: at its end the robot stands upright.
static bool goes_on(const struct balance *balance)
{
    const double left_s = (double)(balance->buffer.end - balance->executing) * SEGMENT_PERIOD_S;
    return balance->phase == BALANCE_PHASE_EXECUTING && left_s > UPRIGHT_S;
}

// Moves pelvis and centre of mass, the reference ZMP staying.
static void lean(struct balance_limbs *own, const struct balance *balance,
                 struct segment_sample *sample)
{
    static const double upright_m[2] = {0, 0};
    struct limbs *limbs = (struct limbs *)own; // its first member
    lean_step(&limbs->lean, goes_on(balance) ? limbs->lean_wanted_m : upright_m, BALANCE_PERIOD_S);
    const double c = cos(sample->pelvis_yaw_rad), s = sin(sample->pelvis_yaw_rad);
    const double *o = limbs->lean.offset_m, *v = limbs->lean.velocity_m_s;
    const double shift_m[2] = {c * o[0] - s * o[1], s * o[0] + c * o[1]};
    for (int i = 0; i < 2; i++) {
        sample->pelvis_m[i] += shift_m[i];
        sample->com_m[i] += shift_m[i];
    }
    sample->com_velocity_m_s[0] += c * v[0] - s * v[1];
    sample->com_velocity_m_s[1] += s * v[0] + c * v[1];
}

static void place(struct balance_limbs *own, const struct balance *balance,
                  const struct state_message *state, const struct stabilizer_output *output,
                  bool anew, double angle_rad[BALANCE_JOINTS])
{
    struct limbs *limbs = (struct limbs *)own; // its first member
    if (anew || !limbs->moved)
        begin_anew(limbs, balance, state, output);
    write_targets(limbs, balance, output);
    limbs->report = task_stack_solve(limbs->stack, limbs->root_m, limbs->root_rotation,
                                     limbs->joint_rad, BALANCE_PERIOD_S, limbs->velocity);
    integrate_velocity(limbs->model, limbs->velocity, BALANCE_PERIOD_S, limbs->root_m,
                       limbs->root_rotation, limbs->joint_rad);
    limbs->moved = true;
    for (unsigned j = 0; j < limbs->model->joint_count; j++)
        for (unsigned i = 0; i < BALANCE_JOINTS; i++)
            if (balance->joint[i] == (unsigned)balance->model_joint[j])
                angle_rad[i] = limbs->joint_rad[j];
}

// ---- from and to others
// -------------------------------------------------------------------------

static double standing_hand_m(const struct limbs *limbs)
{
    const double origin_m[3] = {0, 0, 0};
    struct robot_pose pose;
    double rotation[9], hand_m[3], sole_m[3];
    rotation_z(0, rotation);
    robot_model_forward(limbs->model, origin_m, rotation, limbs->model->stand_rad, &pose);
    robot_model_site_position(limbs->model, &pose, limbs->hand_site, hand_m);
    robot_model_site_position(limbs->model, &pose, limbs->sole_site[SIDE_LEFT], sole_m);
    return round((hand_m[2] - sole_m[2]) * 1e3) / 1e3;
}

enum status limbs_create(struct limbs *limbs, const struct robot_model *model,
                         const struct description *description)
{
    memset(limbs, 0, sizeof *limbs);
    limbs->called = (struct balance_limbs){.lean = lean, .place = place};
    limbs->model = model;
    limbs->description = description;
    limbs->torso = robot_model_link(model, "torso");
    limbs->hand_site = robot_model_site(model, "left_hand");
    limbs->sole_site[SIDE_RIGHT] = robot_model_site(model, "ft_right_foot");
    limbs->sole_site[SIDE_LEFT] = robot_model_site(model, "ft_left_foot");
    const int head = robot_model_link(model, "head");
    if (limbs->torso < 0 || limbs->hand_site < 0 || limbs->sole_site[SIDE_RIGHT] < 0 ||
        limbs->sole_site[SIDE_LEFT] < 0 || head < 0) {
        log_error("robot model: links torso and head, and sites left_hand, ft_right_foot and "
                  "ft_left_foot are needed; add them");
        return STATUS_INVALID;
    }
    limbs->hand_height_m = standing_hand_m(limbs);
    const enum status status = task_stack_create(model, &limits, &limbs->stack);
    return status == STATUS_OK ? add_all(limbs, head) : status;
}

static bool is_pose(const struct arm_goal *goal)
{
    double norm = 0;
    for (int i = 0; i < 3; i++)
        if (!isfinite(goal->position_m[i]))
            return false;
    for (int i = 0; i < 4; i++)
        norm += goal->quaternion[i] * goal->quaternion[i];
    return goal->kind == ARM_GOAL_POSE && fabs(norm - 1) < UNIT_NORM_SLACK; // no NaN is
}

enum status limbs_hold(struct limbs *limbs, const struct arm_goal *goal)
{
    const bool holds = task_stack_find(limbs->stack, "hand") != NULL;
    if (goal->kind == ARM_GOAL_NONE)
        return holds ? task_stack_remove(limbs->stack, "hand") : STATUS_OK;
    if (!is_pose(goal))
        return STATUS_INVALID;
    if (!holds && add_at_site(limbs, "hand", LEVEL_HAND, limbs->hand_site, near) != STATUS_OK)
        return STATUS_FULL;
    struct task *hand = task_stack_find(limbs->stack, "hand");
    hand->based = true;
    hand->base = limbs->torso;
    memcpy(limbs->hand_goal_m, goal->position_m, sizeof limbs->hand_goal_m);
    rotation_quaternion(goal->quaternion, hand->rotation);
    return STATUS_OK;
}

static bool is_arm(enum joint_group group)
{
    return group != GROUP_RIGHT_LEG && group != GROUP_LEFT_LEG && group != GROUP_WAIST;
}

bool limbs_command(const struct limbs *limbs, const struct balance *balance,
                   const struct state_message *state, struct command_message *command)
{
    memset(command, 0, sizeof *command);
    command->state_cycle = state->cycle;
    command->time = state->time;
    command->joint_count = limbs->description->joint_count;
    for (unsigned j = 0; j < limbs->model->joint_count; j++) {
        const int at = balance->model_joint[j];
        const struct joint_description *joint = &limbs->description->joint[at];
        if (is_arm(joint->group))
            command->joint[at] = (struct joint_command){
                .mode = JOINT_MODE_POSITION,
                .value = limbs->joint_rad[j],
                .velocity_nominal_rad_s = joint->velocity_max_rad_s,
                .acceleration_nominal_rad_s2 = joint->acceleration_max_rad_s2};
    }
    return limbs->moved;
}

static double distance_m(const double a[3], const double b[3])
{
    double away[3];
    vec_subtract(a, b, away);
    return sqrt(vec_dot(away, away));
}

static double turn_rad(const double from[9], const double to[9])
{
    double turn[3];
    rotation_error(from, to, turn);
    return sqrt(vec_dot(turn, turn));
}

void limbs_report(const struct limbs *limbs, instant now, struct whole_body_status_message *status)
{
    struct robot_pose pose;
    double at[3], wanted[3];
    const struct task *hand = task_stack_find(limbs->stack, "hand");
    *status = (struct whole_body_status_message){.time_ns = now.ns,
                                                 .holds = hand != NULL,
                                                 .levels = limbs->report.levels,
                                                 .iterations = limbs->report.iterations,
                                                 .limited = limbs->report.limited,
                                                 .lean_x_m = limbs->lean.offset_m[0],
                                                 .lean_y_m = limbs->lean.offset_m[1],
                                                 .lean_behind_m =
                                                     limbs->lean_now_m - limbs->lean.offset_m[0]};
    if (!limbs->moved)
        return;
    robot_model_forward(limbs->model, limbs->root_m, limbs->root_rotation, limbs->joint_rad, &pose);
    status->clearance_m = clearance_m(limbs->model, &pose);
    for (int side = 0; side < SIDE_COUNT; side++) {
        const struct task *sole = task_stack_find(limbs->stack, sole_task[side]);
        robot_model_site_position(limbs->model, &pose, limbs->sole_site[side], at);
        status->sole_m = fmax(status->sole_m, distance_m(at, sole->place_m));
    }
    status->balance_m = distance_m(pose.com_m, task_stack_find(limbs->stack, "balance")->place_m);
    for (int i = 0; i < 2; i++) {
        const struct task *waist = task_stack_find(limbs->stack, waist_task[i]);
        status->waist_rad =
            fmax(status->waist_rad, turn_rad(pose.rotation[waist->link], waist->rotation));
    }
    if (!hand)
        return;
    robot_model_site_position(limbs->model, &pose, limbs->hand_site, at);
    rotate(pose.rotation[limbs->torso], hand->place_m, wanted);
    vec_add(wanted, pose.origin_m[limbs->torso], wanted);
    status->hand_m = distance_m(at, wanted);
}
