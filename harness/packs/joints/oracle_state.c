// Does the state say what is true? Every valid position and velocity of a joint, in every state
// that was published, against ground truth.
//
// A reading may be as old as its request, not older: it was taken between the start of its cycle
// and the time stamp of the reply. A board replies with the position after the latest step of the
// physics, and ground truth holds that of every step. So the reading must lie within the positions
// after the steps from the last one before the cycle to the last one before the stamp. A velocity
// is the way between two such readings over the time between their stamps: so the true way must
// have been possible, between some step of the one span and some step of the other. A reading that
// slipped by a cycle, that is another joint's, or a velocity over another time than its own does
// not pass.
//
// Tolerance: one encoder tick, for the rounding.
//
// Faults that falsify data before the frame's checksum is made (`falsifies` in the catalogue)
// cannot be seen by the daemon unless the value is impossible: joints of the boards whose frames
// such a fault may hit are not judged while it acts, and as long after it as a velocity may reach
// back.
#include "harness/packs/joints/oracles.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "harness/files/scenario.h"
#include "harness/packs/robot/facts.h"

#define VELOCITY_REACH_S 0.06 // a velocity rests on two readings that are no further apart
#define CYCLE_MAX_S 0.1       // no reply of a cycle comes later
#define STATES_BETWEEN_MAX 16 // states to go back for the first of them
#define WINDOWS_MAX FAULTS_MAX

struct steps { // of the physics, in order
    size_t count;
    struct step {
        double time_s;
        const float *position_rad; // of all joints, from then on
        bool follows;              // the step before it is the entry before it
    } * step;
};

struct range {
    bool known;
    double low, high; // rad
};

struct window { // of a fault that falsifies
    const struct fault_request *request;
    double from_s, to_s;
};

struct scan {
    const struct analysis *a;
    struct series state;
    struct steps steps;
    unsigned window_count;
    struct window window[WINDOWS_MAX];
    unsigned long readings, velocities, exempt;
    struct range last[ROBOT_JOINTS_MAX]; // of the reading of state last_state
    size_t last_state[ROBOT_JOINTS_MAX];
    bool any;
    double margin_rad; // the smallest
    double broken_s;   // NAN: it is not
    char words[160];   // where
};

// ---- ground truth, step by step -----------------------------------------------------------------

static void add_steps(struct steps *steps, const struct truth_message *before,
                      const struct truth_message *truth)
{
    const unsigned count = truth->step_count;
    const double end_s = instant_to_s(truth->time), start_s = instant_to_s(before->time);
    if (count == 0 || count > TRUTH_STEPS_MAX)
        return;
    const bool complete = truth->physics_steps - before->physics_steps == count;
    for (unsigned k = 0; k < count; k++) {
        struct step *step = &steps->step[steps->count];
        step->time_s = start_s + (end_s - start_s) * (k + 1) / count;
        step->position_rad = truth->step_position_rad[k];
        step->follows = complete && steps->count > 0;
        steps->count++;
    }
}

static bool find_steps(const struct analysis *a, struct steps *steps)
{
    steps->step = calloc(facts(a)->truth.count * TRUTH_STEPS_MAX + 1, sizeof *steps->step);
    for (size_t i = 1; steps->step != NULL && i < facts(a)->truth.count; i++)
        add_steps(steps, truth_at(a, i - 1), truth_at(a, i));
    return steps->step != NULL;
}

// The last step before time_s; 0 if there is none.
static size_t step_before(const struct steps *steps, double time_s)
{
    size_t low = 0, high = steps->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (steps->step[middle].time_s < time_s)
            low = middle + 1;
        else
            high = middle;
    }
    return low == 0 ? 0 : low - 1;
}

// All positions that joint j may be said to have had from from_s to to_s, tolerance included.
static struct range true_range(const struct scan *scan, int j, double from_s, double to_s)
{
    const struct description *description = scan->a->description;
    const struct steps *steps = &scan->steps;
    const double tick_rad = 1 / fabs(description->joint[j].ticks_per_rad);
    // Fingers are moved at the beginning of a step, all others at its end.
    const bool early = description->board[description->joint[j].board].finger;
    const size_t first = step_before(steps, from_s), last = step_before(steps, to_s) + early;
    struct range range = {false, INFINITY, -INFINITY};
    if (last + 1 >= steps->count || steps->step[first].time_s >= from_s)
        return range; // before or after all that is known
    range.known = true;
    for (size_t k = first; k <= last; k++) {
        range.low = fmin(range.low, (double)steps->step[k].position_rad[j] - tick_rad);
        range.high = fmax(range.high, (double)steps->step[k].position_rad[j] + tick_rad);
        range.known &= k == first || steps->step[k].follows;
    }
    return range;
}

// ---- faults that falsify ------------------------------------------------------------------------

static void find_windows(struct scan *scan)
{
    const struct analysis *a = scan->a;
    for (size_t i = 0; i < a->fault.count && scan->window_count < WINDOWS_MAX; i++) {
        const struct fault_event *event = a->fault.event[i]->data;
        if (event->kind != FAULT_APPLIED || event->index >= a->scenario->fault_count)
            continue;
        const struct fault_request *request = &a->scenario->fault[event->index];
        if (request->falsifies)
            scan->window[scan->window_count++] =
                (struct window){request, instant_to_s(event->time),
                                fault_over_s(a->history, event) + VELOCITY_REACH_S};
    }
}

static const char *parameter(const struct fault_request *request, const char *name)
{
    const size_t length = strlen(name);
    for (unsigned i = 0; i < request->parameter_count; i++)
        if (strncmp(request->parameter[i], name, length) == 0 &&
            request->parameter[i][length] == '=')
            return request->parameter[i] + length + 1;
    return "";
}

// Whether the fault may hit encoder replies of this board: by its bus, its name and the identifier.
static bool concerns(const struct fault_request *request, const struct board_description *board)
{
    char bus[NAME_MAX_LENGTH];
    snprintf(bus, sizeof bus, "can%u", board->bus);
    if (strcmp(request->component, bus) != 0)
        return false;
    const char *name = parameter(request, "board"), *id = parameter(request, "id");
    if (name[0] != '\0' && strcmp(name, "any") != 0 && strcmp(name, board->name) != 0)
        return false;
    const long number = id[0] == '\0' ? -1 : strtol(id, NULL, 0);
    return number < 0 || number == (long)board->encoder_can_id;
}

static bool is_exempt(const struct scan *scan, int j, double from_s, double to_s)
{
    const struct description *description = scan->a->description;
    for (unsigned w = 0; w < scan->window_count; w++)
        if (from_s <= scan->window[w].to_s && to_s >= scan->window[w].from_s &&
            concerns(scan->window[w].request, &description->board[description->joint[j].board]))
            return true;
    return false;
}

// ---- the scan -----------------------------------------------------------------------------------

static const struct state_message *state_at(const struct scan *scan, size_t i)
{
    return scan->state.event[i]->data;
}

static void note(struct scan *scan, double margin_rad, int j, double time_s, const char *what,
                 double value, const struct range *range, const char *unit)
{
    note_broken(&scan->broken_s, margin_rad, time_s);
    if (scan->any && margin_rad >= scan->margin_rad)
        return;
    scan->any = true;
    scan->margin_rad = margin_rad;
    snprintf(scan->words, sizeof scan->words, "%s %s at %.3f s: %.5g %s, true %.5g to %.5g",
             scan->a->description->joint[j].name, what, time_s, value, unit, range->low,
             range->high);
}

static struct range sampled(const struct scan *scan, size_t i, int j)
{
    const struct state_message *state = state_at(scan, i);
    const double start_s = instant_to_s(state->cycle_start);
    return true_range(scan, j, start_s,
                      fmin(instant_to_s(state->joint[j].time), start_s + CYCLE_MAX_S));
}

// The state that holds the reading a velocity of state i rests on; false if a state in between was
// not published.
static bool reading_before(const struct scan *scan, size_t i, int j, size_t *before)
{
    for (size_t k = i; k > 0 && i - k < STATES_BETWEEN_MAX; k--) {
        if (state_at(scan, k - 1)->cycle + 1 != state_at(scan, k)->cycle)
            return false;
        if (state_at(scan, k - 1)->joint[j].valid) {
            *before = k - 1;
            return true;
        }
    }
    return false;
}

static void judge_velocity(struct scan *scan, size_t i, int j, const struct range *now)
{
    const struct joint_reading *reading = &state_at(scan, i)->joint[j];
    size_t k;
    if (!reading->velocity_valid || !reading_before(scan, i, j, &k))
        return;
    const double apart_s =
        duration_to_s(instant_sub(reading->time, state_at(scan, k)->joint[j].time));
    const struct range before = scan->last_state[j] == k ? scan->last[j] : sampled(scan, k, j);
    if (!before.known || apart_s <= 0)
        return;
    const struct range range = {true, (now->low - before.high) / apart_s,
                                (now->high - before.low) / apart_s};
    const double v = reading->velocity_rad_s;
    scan->velocities++;
    note(scan, fmin(v - range.low, range.high - v) * apart_s, j, instant_to_s(reading->time),
         "velocity", v, &range, "rad/s");
}

static void judge_reading(struct scan *scan, size_t i, int j)
{
    const struct state_message *state = state_at(scan, i);
    const struct joint_reading *reading = &state->joint[j];
    if (!reading->valid)
        return;
    const double time_s = instant_to_s(reading->time), start_s = instant_to_s(state->cycle_start);
    if (is_exempt(scan, j, start_s, time_s)) {
        scan->exempt++;
        return;
    }
    const struct range range = sampled(scan, i, j);
    if (!range.known)
        return;
    const double p = reading->position_rad;
    scan->readings++;
    note(scan, fmin(p - range.low, range.high - p), j, time_s, "position", p, &range, "rad");
    judge_velocity(scan, i, j, &range);
    scan->last[j] = range;
    scan->last_state[j] = i;
}

void oracle_state_truth(const struct analysis *a, struct oracle_verdict *verdict)
{
    struct scan scan = {.a = a, .state = facts(a)->state, .broken_s = NAN};
    for (unsigned j = 0; j < ROBOT_JOINTS_MAX; j++)
        scan.last_state[j] = SIZE_MAX;
    if (!find_steps(a, &scan.steps)) {
        verdict_no_memory(verdict);
        return;
    }
    find_windows(&scan);
    for (size_t i = 0; i < scan.state.count; i++)
        for (unsigned j = 0; j < a->description->joint_count; j++)
            judge_reading(&scan, i, (int)j);
    free(scan.steps.step);
    if (!scan.any) {
        verdict_silent(a, verdict, "state", "no valid reading was published");
        return;
    }
    verdict_margin(verdict, scan.margin_rad, "rad",
                   "%lu positions, %lu velocities%s; closest is %s", scan.readings, scan.velocities,
                   scan.exempt ? ", some falsified" : "", scan.words);
    verdict_broken_at(verdict, scan.broken_s);
}
