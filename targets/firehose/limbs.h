// All joints of the robot at once, by a stack of tasks: soles, centre of mass, waist, then the hand
// that holds the hose and the eyes, then the posture. In place of the legs' inverse kinematics of
// hubo2's balance, whose plan and stabiliser say where soles and centre of mass are to be.
//
// The stack moves a robot of references, not the measured one. Real-time safe after limbs_create.
#pragma once

#include "targets/hubo2/balance/balance_core.h"
#include "task/stack.h"
#include "walk/steps/walking_task.h"
#include "whole_body_status.h"

struct limbs {
    struct balance_limbs called; // first: what balance calls
    const struct robot_model *model;
    const struct description *description;
    struct task_stack *stack;
    int torso, hand_site, sole_site[SIDE_COUNT];
    double hand_height_m; // above the soles as the robot stands, to the millimetre
    double root_m[3], root_rotation[9], joint_rad[ROBOT_JOINTS_MAX], velocity[TASK_UNKNOWNS_MAX];
    double lean_wanted_m[2];   // of the centre of mass, body frame, while the robot walks
    struct lean lean;          // as it is
    double lean_now_m;         // ahead, by the force of now
    double hand_goal_m[3];     // in the torso's frame
    bool hand_evenly;          // the hand goes at an even pace, however the waist sways
    double hand_back_m;        // from its goal, for that
    struct task_report report; // of the last period
    bool moved;                // there are references to be sent
};

// Model and description are borrowed. INVALID, logged to standard error, if the model has no such
// limbs; NO_MEMORY. Not real-time.
enum status limbs_create(struct limbs *limbs, const struct robot_model *model,
                         const struct description *description) MUST_CHECK;

// Where the left hand is to be, in the torso's frame. kind NONE: nowhere; its task leaves the
// stack, and the posture brings the arm back. A goal that is no pose is refused.
enum status limbs_hold(struct limbs *limbs, const struct arm_goal *goal) MUST_CHECK;

// References of arms, hands and neck in answer to a state; false before the robot stands.
bool limbs_command(const struct limbs *limbs, const struct balance *balance,
                   const struct state_message *state, struct command_message *command);

// How far the references are from what the tasks of the last period asked for.
void limbs_report(const struct limbs *limbs, instant now, struct whole_body_status_message *status);
