// The behaviour classifier of the failure table: what the robot did at and after the first fault,
// from ground truth.
//
// Which motion it was in is measured, not declared: static when no set point of arms or legs
// travels; quasi-static when, over the last gait cycle, the centre of mass's projection never left
// the support polygon; dynamic when it did.
#include "harness/packs/walking/oracles.h"

#include <math.h>

#include "harness/files/fault/fault_request.h"
#include "harness/packs/walking/behaviour.h"
#include "harness/packs/robot/facts.h"
#include "walk/zmp/geometry.h"

#define BEFORE_S 1.0      // looked back at the least
#define ARMS_BEFORE_S 2.0 // arms pause between two goals
#define LOADED_N 30       // a foot that carries more stands on the floor
#define LIFTED_M 0.02     // centre of the sole above the floor: in the air,
#define DOWN_M 0.01       // down again

static const struct segment_sample *executed(const struct analysis *a,
                                             const struct balance_status_message *status)
{
    return status->phase == BALANCE_PHASE_EXECUTING
               ? plan_sample(a, status->plan_id, status->sample, instant_to_s(status->time))
               : NULL;
}

// Start of the last gait cycle before the fault: back over the executed samples until the phase has
// gone round once. *phase is that at the fault, NAN if the robot did not walk.
static double gait_cycle_start_s(const struct analysis *a, double *phase)
{
    *phase = NAN;
    double start_s = a->fault_s, round = 0, later = NAN;
    for (size_t i = facts(a)->status.count; i-- > 0 && round < 1;) {
        const struct balance_status_message *status = facts(a)->status.event[i]->data;
        if (instant_to_s(facts(a)->status.event[i]->time) > a->fault_s)
            continue;
        const struct segment_sample *sample = executed(a, status);
        if (sample == NULL)
            break;
        if (isnan(later))
            *phase = sample->phase;
        else
            round += later - sample->phase - floor(later - sample->phase);
        later = sample->phase;
        start_s = instant_to_s(status->time);
    }
    return start_s;
}

static double worst_com_margin_m(const struct analysis *a, double from_s, double to_s)
{
    double worst_m = NAN;
    for (size_t i = truth_index(a, from_s); i < facts(a)->truth.count && truth_time_s(a, i) <= to_s;
         i++) {
        double margin_m = com_margin_m(a, i);
        if (isnan(worst_m) || margin_m < worst_m)
            worst_m = margin_m;
    }
    return worst_m;
}

static void measure_motion(const struct analysis *a, double cycle_s, struct biped_observation *o)
{
    o->com_margin_worst_m = worst_com_margin_m(a, a->fault_s - cycle_s, a->fault_s);
    if (!limbs_travel(a, JOINTS_ALL, a->fault_s - cycle_s, a->fault_s))
        o->motion = MOTION_STATIC;
    else
        o->motion = o->com_margin_worst_m < 0 ? MOTION_DYNAMIC : MOTION_QUASI_STATIC;
}

// Landings of a foot that was really lifted: a sole that rocks on its edge takes no step.
static double steps_taken(const struct analysis *a, double from_s, double to_s)
{
    double steps = 0;
    bool lifted[SIDE_COUNT] = {false};
    for (size_t i = truth_index(a, from_s); i < facts(a)->fall && truth_time_s(a, i) <= to_s; i++)
        for (unsigned side = 0; side < SIDE_COUNT; side++) {
            const struct truth_message *truth = truth_at(a, i);
            double height_m = truth->foot_m[side][2], force_N = truth->foot_force_N[side];
            if (lifted[side] && force_N > LOADED_N && height_m < DOWN_M) {
                lifted[side] = false;
                steps++;
            } else if (force_N <= 0 && height_m > LIFTED_M) {
                lifted[side] = true;
            }
        }
    return steps;
}

static void measure_stop(const struct analysis *a, unsigned joints, const struct limb_motion *arms,
                         const struct limb_motion *legs, struct biped_observation *o)
{
    const struct limb_motion *limb[] = {joints & JOINTS_ARMS ? arms : NULL,
                                        joints & JOINTS_LEGS ? legs : NULL};
    o->joints = joints;
    o->stop_time_s = 0;
    o->reaction_time_s = INFINITY;
    o->deceleration_max_rad_s2 = 0;
    for (int i = 0; i < 2; i++) {
        if (limb[i] == NULL)
            continue;
        o->stop_time_s = fmax(o->stop_time_s, limb[i]->stop_s - a->fault_s);
        o->reaction_time_s = fmin(o->reaction_time_s, limb[i]->slowing_s - a->fault_s);
        o->deceleration_max_rad_s2 =
            fmax(o->deceleration_max_rad_s2, limb[i]->deceleration_max_rad_s2);
    }
}

// A stop is sudden if it came with the end of the references or was harder than a wind-down.
static bool sudden(const struct limb_motion *limb)
{
    return limb->moved_before && limb->rests && (limb->immediate || limb->deceleration_share > 1);
}

static bool stopped(const struct limb_motion *limb)
{
    return limb->moved_before && limb->rests;
}

// Joints that stopped the way the robot stopped. Limbs that paused when the fault struck and never
// moved again stopped with the others.
static unsigned stopped_joints(const struct limb_motion *arms, const struct limb_motion *legs,
                               bool suddenly)
{
    unsigned joints = JOINTS_NONE;
    if (stopped(arms) && (sudden(arms) == suddenly || !(arms->moving_then || arms->moves_after)))
        joints |= JOINTS_ARMS;
    if (stopped(legs) && (sudden(legs) == suddenly || !(legs->moving_then || legs->moves_after)))
        joints |= JOINTS_LEGS;
    return joints;
}

static void classify(const struct analysis *a, double cycle_s, struct biped_observation *o)
{
    struct limb_motion arms, legs;
    limb_motion(a, JOINTS_ARMS, fmax(cycle_s, ARMS_BEFORE_S), &arms);
    limb_motion(a, JOINTS_LEGS, cycle_s, &legs);
    if (facts(a)->fall < facts(a)->truth.count &&
        truth_time_s(a, facts(a)->fall) <= a->watch_end_s) {
        o->behaviour = BEHAVIOUR_FALLS_OVER;
        o->fall_time_s = truth_time_s(a, facts(a)->fall) - a->fault_s;
    } else if (o->motion == MOTION_STATIC) {
        bool still = !limbs_travel(a, JOINTS_ALL, a->fault_s, a->watch_end_s);
        o->behaviour = still ? BEHAVIOUR_NO_EFFECT : BEHAVIOUR_CONTINUES;
    } else if (stopped(&legs) && legs.moves_after && finished_last_plan(a, legs.stop_s)) {
        o->behaviour = BEHAVIOUR_FINISHES_LAST_PLAN;
        measure_stop(a, JOINTS_LEGS, &arms, &legs, o);
        o->joints = JOINTS_NONE;
        o->reaction_time_s = NAN; // it goes on as if nothing had happened, until the plan ends
    } else if (stopped(&legs) || stopped(&arms)) {
        bool suddenly = sudden(&legs) || sudden(&arms);
        o->behaviour = suddenly ? BEHAVIOUR_SUDDEN_STOP : BEHAVIOUR_SMOOTH_STOP;
        measure_stop(a, stopped_joints(&arms, &legs, suddenly), &arms, &legs, o);
    } else {
        o->behaviour = BEHAVIOUR_CONTINUES;
    }
}

static void measure_restart(const struct analysis *a, struct biped_observation *o)
{
    for (size_t i = 0; i < a->process.count; i++) {
        const struct process_event *event = a->process.event[i]->data;
        double time_s = instant_to_s(event->time);
        if (event->kind != PROCESS_READY || event->generation == 0 || time_s < a->fault_s ||
            !names_process(a->fault_request->component, event))
            continue;
        o->restart_time_s = time_s - a->fault_s;
        double moves_s = limb_moves_s(a, o->joints ? o->joints : JOINTS_LEGS, time_s, a->end_s);
        if (isfinite(moves_s) && o->motion != MOTION_STATIC && o->behaviour != BEHAVIOUR_FALLS_OVER)
            o->resume_time_s = moves_s - time_s;
        return;
    }
}

void observe(const struct analysis *a, struct judgement *judgement)
{
    struct biped_observation o = {.gait_phase = NAN,
                                  .com_margin_worst_m = NAN,
                                  .fall_time_s = NAN,
                                  .reaction_time_s = NAN,
                                  .stop_time_s = NAN,
                                  .deceleration_max_rad_s2 = NAN,
                                  .restart_time_s = NAN,
                                  .resume_time_s = NAN};
    size_t fault = a->struck ? truth_index(a, a->fault_s) : 0;
    if (!a->struck || fault >= facts(a)->truth.count)
        return;
    o.fault_time_s = a->fault_s;
    double cycle_s = fmax(a->fault_s - gait_cycle_start_s(a, &o.gait_phase), BEFORE_S);
    o.com_margin_m = com_margin_m(a, fault);
    o.capture_point_margin_m = capture_margin_m(a, fault);
    measure_motion(a, cycle_s, &o);
    classify(a, cycle_s, &o);
    o.steps_after_fault = steps_taken(a, a->fault_s, a->watch_end_s);
    measure_restart(a, &o);
    struct completion completion;
    assess_completion(a, &completion);
    o.completed = completion.completed;
    biped_observe(judgement, &o);
}
