// Verdicts and observations, and their words: what every room that shows or stores them needs.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "harness/files/scenario.h"

// Of an oracle SKIP says that there was nothing to judge, of a trial that this machine cannot run
// it.
enum verdict { VERDICT_PASS, VERDICT_FAIL, VERDICT_ERROR, VERDICT_SKIP };
#define VERDICT_COUNT (VERDICT_SKIP + 1)

// What the robot was observed to do after the fault: "The failure table" of
// doc/explanation/architecture.md.
enum behaviour {
    BEHAVIOUR_NO_EFFECT,
    BEHAVIOUR_SUDDEN_STOP,
    BEHAVIOUR_SMOOTH_STOP,
    BEHAVIOUR_FINISHES_LAST_PLAN,
    BEHAVIOUR_FALLS_OVER,
    BEHAVIOUR_CONTINUES, // none of the above: the motion goes on undisturbed to its end
    BEHAVIOUR_COUNT
};

enum joint_set { JOINTS_NONE = 0, JOINTS_ARMS = 1, JOINTS_LEGS = 2, JOINTS_ALL = 3 };

#define OBSERVATIONS_MAX 1
// What a job adds to its oracles' verdicts (job.c): each of them once.
enum added_verdict { ADDED_LAB, ADDED_DETERMINISM, ADDED_STORED_HASH, ADDED_VERDICTS };
#define VERDICTS_MAX (64 + PROMISES_MAX) // judge() makes sure that all oracles of all packs fit

struct oracle_verdict {
    char oracle[NAME_MAX_LENGTH]; // "velocity-limit", "restart-and-resume" ...
    enum verdict verdict;
    double margin; // signed distance to the threshold in `unit`; positive holds
    char unit[16];
    char detail[192]; // worst joint, instant, value and bound, in words
};

struct observation {          // at and after the first fault; NAN where it does not apply
    bool present;             // a fault struck
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

#define OBSERVATION_NONE                                                                           \
    {                                                                                              \
        .gait_phase = NAN, .com_margin_m = NAN, .capture_point_margin_m = NAN,                     \
        .com_margin_worst_m = NAN, .fall_time_s = NAN, .reaction_time_s = NAN, .stop_time_s = NAN, \
        .deceleration_max_rad_s2 = NAN, .restart_time_s = NAN, .resume_time_s = NAN,               \
        .steps_after_fault = NAN                                                                   \
    }

struct judgement {
    enum verdict verdict; // the worst of the oracles'
    struct observation observation;
    unsigned count;
    struct oracle_verdict oracle[VERDICTS_MAX];
};

// The worst of so many verdicts of each kind: ERROR, FAIL, PASS; SKIP if there is no other. Nothing
// else weighs verdicts.
enum verdict verdict_worst(const unsigned count[VERDICT_COUNT]);
bool verdict_is_bad(enum verdict verdict); // FAIL or ERROR

// Sets a judgement's verdict to the worst of its oracles'.
void judge_conclude(struct judgement *judgement);

// Adds a verdict that no oracle gives, and concludes again. Asserts that there is room for it
// (enum added_verdict).
void judgement_add(struct judgement *judgement, const char *oracle, enum verdict verdict,
                   double margin, const char *unit, const char *detail);
// Adds the verdict of comparing two hashes of the same trial.
void judgement_compare(struct judgement *judgement, const char *hash, const char *again);

// The first oracle with the judgement's verdict; NULL if none has given one.
const struct oracle_verdict *judgement_decisive(const struct judgement *judgement);

const char *verdict_name(enum verdict verdict);
const char *motion_name(enum motion_class motion); // "Quasi-Static"
// The words of Table I, e.g. "Sudden Stop in All Joints", "Smooth Stop in Arms", "Falls over".
// buffer is filled and returned.
const char *behaviour_text(enum behaviour behaviour, unsigned joints, char *buffer, size_t size);
