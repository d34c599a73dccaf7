// What a biped was seen to do at and after a fault, and how its arms and legs moved, as the set
// points of their motor boards show. Private to the classifier.
#pragma once

#include "harness/judge/analysis.h"
#include "harness/packs/robot/facts.h"

enum motion_class { MOTION_STATIC, MOTION_QUASI_STATIC, MOTION_DYNAMIC, MOTION_COUNT };

// "The failure table" of doc/explanation/architecture.md.
enum behaviour {
    BEHAVIOUR_NO_EFFECT,
    BEHAVIOUR_SUDDEN_STOP,
    BEHAVIOUR_SMOOTH_STOP,
    BEHAVIOUR_FINISHES_LAST_PLAN,
    BEHAVIOUR_FALLS_OVER,
    BEHAVIOUR_CONTINUES, // none of the above: the motion goes on undisturbed to its end
    BEHAVIOUR_COUNT
};

struct biped_observation {    // at and after the first fault; NAN where it does not apply
    enum motion_class motion; // measured over the last gait cycle before the fault
    enum behaviour behaviour;
    unsigned joints; // enum joint_set bits, for the stops
    double fault_time_s;
    double gait_phase;   // 0..1
    double com_margin_m; // signed distance of the centre of mass to the support polygon's edge at
                         // the fault; < 0 outside
    double capture_point_margin_m;
    double com_margin_worst_m;      // worst over the last gait cycle before the fault
    double fall_time_s;             // after the fault, NAN if it did not fall
    double reaction_time_s;         // fault -> first visible change of motion
    double stop_time_s;             // fault -> all affected joints at rest
    double deceleration_max_rad_s2; // largest deceleration of an affected joint's set point while
                                    // stopping
    double restart_time_s;          // killed -> ready again
    double resume_time_s;           // restart -> motion goes on
    double steps_after_fault;
    bool completed; // the motion was completed by the end of the trial
};

// Adds them to a judgement, one by one (observation_rows.c).
void biped_observe(struct judgement *judgement, const struct biped_observation *o);

struct limb_motion {                // of the arms or of the legs
    bool moved_before;              // in the time before the fault
    bool moving_then;               // at the fault
    bool moves_after;               // more than the reach of a stop: somewhere in the watch
    bool rests;                     // at the end of the watch, for a while already
    bool immediate;                 // rested within the reach of a dropped reference
    double stop_s;                  // last instant it moved in the watch; the fault's if it did not
    double slowing_s;               // when its last slowing down began
    double deceleration_max_rad_s2; // from slowing_s to stop_s
    double deceleration_share;      // the same over the joint's wind-down bound: more than 1 is no
                                    // wind-down
};

// `set`: JOINTS_ARMS or JOINTS_LEGS; before_s: how long before the fault counts.
void limb_motion(const struct analysis *analysis, unsigned set, double before_s,
                 struct limb_motion *motion);

// First instant at or after from_s at which a joint of the set moves, INFINITY if none.
double limb_moves_s(const struct analysis *analysis, unsigned set, double from_s, double to_s);

// Whether any arm or leg joint's set point travels more than a little between two instants.
bool limbs_travel(const struct analysis *analysis, unsigned set, double from_s, double to_s);

// Whether the robot went on to the stable end of the last plan provided, as segments and ground
// truth show, though that plan was not the motion's end.
bool finished_last_plan(const struct analysis *analysis, double stop_s);
