// What the oracles share: a history unpacked once, with the quantities that several of them need.
//
// Pointers lead into the history and stay valid as long as it does. Times in seconds since the
// start of the trial.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "walk/geometry.h"
#include "harness/history/fault_facts.h"
#include "harness/history/history.h"
#include "harness/judge/verdict.h"
#include "model/description.h"
#include "harness/cell/limits.h"

#define CONTROL_PERIOD_S 0.01   // the cycle of a stack whose states do not say theirs
#define MOVING_SPEED_RAD_S 0.03 // a set point slower than this is at rest
#define TRAVELLED_M 0.03        // a robot that moved less than this stayed where it was

// All messages of one topic.
struct series {
    size_t count;
    const struct event **event;
};

// Fills `series` with the events of a topic; none if there is no such topic. Events shorter than size_min_B, the structure they are
// read as, are left out: a reader of foreign files must not run over their end. False when memory is short. The caller frees
// series->event.
bool series_collect(const struct history *history, const char *topic, size_t size_min_B,
                    struct series *series);

// The proven effect of a fault, from the instant it struck until all has had time to recover.
struct in_force {
    const struct fault_request *request;
    const struct fault_event *event;
    double from_s, to_s;
};

struct analysis {
    const struct history *history;
    const struct scenario *scenario;
    const struct target *target; // NULL: not known
    const struct description *description;

    struct series truth, state, segment, status, reference, leg_command, arm_command, bus_log,
        process, fault, limit, loss, end;
    double end_s;      // of the trial
    double recorded_s; // last event of anything but the end
    double period_s;   // the cycle of the stack under test, as its first state says

    double standing_height_m; // of the pelvis when the trial began
    size_t fall;              // first truth sample of a fallen robot, truth.count if it never fell
    double sole_half_length_m,
        sole_half_width_m; // as its contacts with the floor show; 0 if there were none

    bool struck;         // a fault was applied
    double fault_s;      // first one
    double fault_over_s; // its component runs again or goes on again; INFINITY if never
    double watch_end_s;  // the behaviour is observed until here
    const struct fault_request *fault_request; // the first one applied
    unsigned in_force_count;
    struct in_force in_force[FAULTS_MAX]; // in the order of their striking
};

// Unpacks; false when memory is short. analysis_free also after false.
bool analysis_start(struct analysis *analysis, const struct history *history,
                    const struct scenario *scenario, const struct target *target,
                    const struct description *description);
void analysis_free(struct analysis *analysis);

const struct truth_message *truth_at(const struct analysis *analysis, size_t index);
double truth_time_s(const struct analysis *analysis, size_t index);
// First truth sample at or after `time_s`; truth.count if there is none.
size_t truth_index(const struct analysis *analysis, double time_s);

// Speed of a joint's set point between truth samples index - 1 and index; 0 for index 0. rad/s,
// signed.
double setpoint_velocity(const struct analysis *analysis, size_t index, unsigned joint);

// Frames held by an event of the bus log.
size_t bus_log_frames(const struct event *event);

// The board whose references a frame on the bus carries, NULL if it carries none. Fingers have
// none.
const struct board_description *reference_board(const struct description *description,
                                                const struct bus_log_frame *frame);

// Whether the robot lies or topples at this sample.
bool fallen(const struct analysis *analysis, size_t index);

// Signed distance of centre of mass and capture point to the edge of the support polygon at a
// sample; NAN without contact.
double com_margin_m(const struct analysis *analysis, size_t index);
double capture_margin_m(const struct analysis *analysis, size_t index);

// Last event of a series at or before `time_s`, NULL if there is none.
const struct event *latest(const struct series *series, double time_s);

// Sample `index` of plan `plan_id` as known at `time_s`; NULL if no segment held it.
const struct segment_sample *plan_sample(const struct analysis *analysis, uint64_t plan_id,
                                         int64_t index, double time_s);

// Whether a process is the simulated robot: the lab's, not the target's.
bool of_the_bench(const struct process_event *event);

// Whether a page of a channel or of the clock had been written over.
bool was_spoiled(const struct analysis *analysis);

// Whether the process that a fault names had ended before the fault struck, by no other fault
// (oracle_process.c).
bool had_ended_by_itself(const struct analysis *analysis, const struct fault_event *fault);

// Whether the target ended, stopped or cut off the simulated robot (oracle_process.c says how).
bool bench_was_ended(const struct analysis *analysis);

// Whether all joints, force-torque sensors, IMU and tilt sensors gave a valid reading in its cycle.
bool state_is_complete(const struct state_message *state, unsigned joint_count);

// Joints of the arms or legs: bit of enum joint_set, 0 for others (waist, neck, hands).
unsigned joint_set_of(const struct description *description, unsigned joint);

// ---- for oracles: fill the verdict ------------------------------------------------------------

// PASS if margin > 0, else FAIL; with words.
void verdict_margin(struct oracle_verdict *verdict, double margin, const char *unit,
                    const char *format, ...) __attribute__((format(printf, 4, 5)));
// For counts of things that must not be: margin is 1 - count; `bad` is the verdict when count > 0.
void verdict_count(struct oracle_verdict *verdict, unsigned count, enum verdict bad,
                   const char *unit, const char *format, ...) __attribute__((format(printf, 5, 6)));
// ERROR; noted (base/trouble.h).
void verdict_no_memory(struct oracle_verdict *verdict);
// There was nothing to judge: SKIP without a margin.
void verdict_nothing(struct oracle_verdict *verdict, const char *why);
