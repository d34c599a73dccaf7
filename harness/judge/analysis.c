#include "harness/judge/analysis.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/trouble.h"

// What a state may say of its period.
#define PERIOD_MIN_US 1000
#define RECOVERY_S 1.0 // what a fault has held up may take so long to be as before
#define PERIOD_MAX_US 100000

static const struct event *event_at(const struct series *series, size_t index)
{
    assert(index < series->count && series->event[index] != NULL);
    return series->event[index];
}

bool series_collect(const struct history *history, const char *topic, size_t size_min_B,
                    struct series *series)
{
    int index = history_topic(history, topic);
    if (index < 0)
        return true;
    size_t length = history_length(history), count = 0;
    for (size_t i = 0; i < length; i++)
        count += history_event(history, i)->topic == index;
    series->event = calloc(count + 1, sizeof(const struct event *));
    if (series->event == NULL)
        return false;
    for (size_t i = 0; i < length; i++) {
        const struct event *event = history_event(history, i);
        if (event->topic == index && event->size_B >= size_min_B)
            series->event[series->count++] = event;
    }
    return true;
}

static bool collect_all(struct analysis *a)
{
    return series_collect(a->history, "truth", sizeof(struct truth_message), &a->truth) &&
           series_collect(a->history, "state", sizeof(struct state_message), &a->state) &&
           series_collect(a->history, "segment", offsetof(struct segment_message, sample),
                          &a->segment) &&
           series_collect(a->history, "balance-status", sizeof(struct balance_status_message),
                          &a->status) &&
           series_collect(a->history, "reference", sizeof(struct reference_message),
                          &a->reference) &&
           series_collect(a->history, "leg-command", sizeof(struct command_message),
                          &a->leg_command) &&
           series_collect(a->history, "arm-command", sizeof(struct command_message),
                          &a->arm_command) &&
           series_collect(a->history, "bus-log", offsetof(struct bus_log_message, frame),
                          &a->bus_log) &&
           series_collect(a->history, TOPIC_PROCESS, sizeof(struct process_event), &a->process) &&
           series_collect(a->history, TOPIC_FAULT, sizeof(struct fault_event), &a->fault) &&
           series_collect(a->history, TOPIC_LIMIT, sizeof(struct limit_event), &a->limit) &&
           series_collect(a->history, TOPIC_LOSS, sizeof(struct loss_event), &a->loss) &&
           series_collect(a->history, TOPIC_END, sizeof(struct end_event), &a->end);
}

// The proof may have come later.
static bool is_proven(const struct analysis *a, const struct fault_event *applied)
{
    if (!applied->proven || !applied->proof_follows)
        return applied->proven;
    for (size_t i = 0; i < a->fault.count; i++) {
        const struct fault_event *event = event_at(&a->fault, i)->data;
        if (event->kind == FAULT_EFFECT && event->index == applied->index)
            return event->proven;
    }
    return false;
}

static void find_in_force(struct analysis *a)
{
    for (size_t i = 0; i < a->fault.count && a->in_force_count < FAULTS_MAX; i++) {
        const struct fault_event *event = event_at(&a->fault, i)->data;
        if (event->kind == FAULT_APPLIED && event->index < a->scenario->fault_count &&
            is_proven(a, event))
            a->in_force[a->in_force_count++] =
                (struct in_force){.request = &a->scenario->fault[event->index],
                                  .event = event,
                                  .from_s = instant_to_s(event->time),
                                  .to_s = fault_over_s(a->history, event) + RECOVERY_S};
    }
}

bool was_spoiled(const struct analysis *a)
{
    const struct limit_event *limit = a->limit.count == 0 ? NULL : event_at(&a->limit, 0)->data;
    for (size_t i = 0; i < a->process.count; i++) {
        const struct process_event *event = event_at(&a->process, i)->data;
        if (event->kind == PROCESS_HUNG && event->value == HUNG_PAGE_SPOILED)
            return true;
    }
    return limit != NULL && limit->limit == LIMIT_SHARED_PAGES;
}

bool of_the_bench(const struct process_event *event)
{
    return event->component[0] == '\0' && strcmp(event->process, "operator") != 0;
}

// A trial has one rate from beginning to end.
static void find_period(struct analysis *a)
{
    a->period_s = CONTROL_PERIOD_S;
    if (a->state.count == 0)
        return;
    const struct state_message *first = event_at(&a->state, 0)->data;
    if (first->period_us >= PERIOD_MIN_US && first->period_us <= PERIOD_MAX_US)
        a->period_s = first->period_us * 1e-6;
}

static void find_fault(struct analysis *a)
{
    a->fault_over_s = INFINITY;
    for (size_t i = 0; i < a->fault.count; i++) {
        const struct fault_event *event = event_at(&a->fault, i)->data;
        if (event->kind != FAULT_APPLIED || event->index >= a->scenario->fault_count)
            continue;
        a->struck = true;
        a->fault_s = instant_to_s(event->time);
        a->fault_request = &a->scenario->fault[event->index];
        a->fault_over_s = fault_over_s(a->history, event);
        break;
    }
    // What the robot does without the component is watched until it is back; a stall or a quick
    // restart is watched whole.
    a->watch_end_s = fmin(a->fault_s + a->scenario->watch_s, a->end_s);
    if (a->struck && a->fault_request->restart_after_s > 0.5 * a->scenario->watch_s)
        a->watch_end_s = fmin(a->watch_end_s, a->fault_over_s);
}

// The soles are as large as their contacts with the floor show: no robot description is needed, and
// none can be wrong.
static void measure_soles(struct analysis *a)
{
    for (size_t i = 0; i < a->truth.count && i < a->fall; i++) {
        const struct truth_message *truth = truth_at(a, i);
        for (unsigned c = 0; c < truth->contact_count && c < ROBOT_CONTACTS_MAX; c++) {
            double nearest = INFINITY;
            struct pose2d in_foot = {0};
            for (unsigned side = 0; side < SIDE_COUNT; side++) {
                struct pose2d foot = {truth->foot_m[side][0], truth->foot_m[side][1],
                                      yaw_rad(truth->foot_quaternion[side])};
                struct pose2d point = {truth->contact_m[c][0], truth->contact_m[c][1], 0};
                struct pose2d seen = pose_relative(foot, point);
                double distance = hypot(seen.x_m, seen.y_m);
                if (tilt_rad(truth->foot_quaternion[side]) < 0.02 && distance < nearest) {
                    nearest = distance;
                    in_foot = seen;
                }
            }
            if (nearest > 0.25) // no part of a foot that stands flat
                continue;
            a->sole_half_length_m = fmax(a->sole_half_length_m, fabs(in_foot.x_m));
            a->sole_half_width_m = fmax(a->sole_half_width_m, fabs(in_foot.y_m));
        }
    }
}

bool analysis_start(struct analysis *analysis, const struct history *history,
                    const struct scenario *scenario, const struct target *target,
                    const struct description *description)
{
    *analysis = (struct analysis){
        .history = history, .scenario = scenario, .target = target, .description = description};
    if (!collect_all(analysis))
        return false;
    size_t length = history_length(history);
    const int end = history_topic(history, TOPIC_END);
    for (size_t i = 0; i < length; i++) {
        const double time_s = instant_to_s(history_event(history, i)->time);
        analysis->end_s = fmax(analysis->end_s, time_s);
        if (history_event(history, i)->topic != end)
            analysis->recorded_s = fmax(analysis->recorded_s, time_s);
    }
    find_period(analysis);
    find_fault(analysis);
    find_in_force(analysis);
    if (analysis->truth.count > 0)
        analysis->standing_height_m = truth_at(analysis, 0)->pelvis_m[2];
    for (analysis->fall = 0; analysis->fall < analysis->truth.count; analysis->fall++)
        if (fallen(analysis, analysis->fall))
            break;
    measure_soles(analysis);
    return true;
}

void analysis_free(struct analysis *a)
{
    struct series *all[] = {&a->state,     &a->truth,       &a->segment,     &a->status,
                            &a->reference, &a->leg_command, &a->arm_command, &a->bus_log,
                            &a->process,   &a->fault,       &a->limit,       &a->loss,
                            &a->end};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        free(all[i]->event);
}

const struct truth_message *truth_at(const struct analysis *analysis, size_t index)
{
    return event_at(&analysis->truth, index)->data;
}

double truth_time_s(const struct analysis *analysis, size_t index)
{
    return instant_to_s(truth_at(analysis, index)->time);
}

size_t truth_index(const struct analysis *analysis, double time_s)
{
    size_t low = 0, high = analysis->truth.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (truth_time_s(analysis, middle) < time_s)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

double setpoint_velocity(const struct analysis *analysis, size_t index, unsigned joint)
{
    if (index == 0 || index >= analysis->truth.count)
        return 0;
    double elapsed_s = truth_time_s(analysis, index) - truth_time_s(analysis, index - 1);
    if (elapsed_s <= 0)
        return 0;
    return (truth_at(analysis, index)->setpoint_rad[joint] -
            truth_at(analysis, index - 1)->setpoint_rad[joint]) /
           elapsed_s;
}

bool fallen(const struct analysis *analysis, size_t index)
{
    return has_fallen(truth_at(analysis, index), analysis->standing_height_m);
}

static double support_margin_m(const struct truth_message *truth, struct point2 point)
{
    struct point2 hull[ROBOT_CONTACTS_MAX + 1];
    return polygon_margin(hull, support_polygon(truth, hull), point);
}

double com_margin_m(const struct analysis *analysis, size_t index)
{
    const struct truth_message *truth = truth_at(analysis, index);
    return support_margin_m(truth, (struct point2){truth->com_m[0], truth->com_m[1]});
}

double capture_margin_m(const struct analysis *analysis, size_t index)
{
    const struct truth_message *truth = truth_at(analysis, index);
    return support_margin_m(truth, capture_point(truth->com_m, truth->com_velocity_m_s));
}

const struct event *latest(const struct series *series, double time_s)
{
    size_t low = 0, high = series->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (instant_to_s(series->event[middle]->time) <= time_s)
            low = middle + 1;
        else
            high = middle;
    }
    return low == 0 ? NULL : series->event[low - 1];
}

const struct segment_sample *plan_sample(const struct analysis *analysis, uint64_t plan_id,
                                         int64_t index, double time_s)
{
    for (size_t i = analysis->segment.count; i-- > 0;) {
        const struct event *event = analysis->segment.event[i];
        const struct segment_message *segment = event->data;
        size_t held =
            (event->size_B - offsetof(struct segment_message, sample)) / sizeof segment->sample[0];
        if (instant_to_s(event->time) <= time_s && segment->plan_id == plan_id &&
            index >= segment->first && index - segment->first < segment->count &&
            (size_t)(index - segment->first) < held)
            return &segment->sample[index - segment->first];
    }
    return NULL;
}

bool state_is_complete(const struct state_message *state, unsigned joint_count)
{
    bool all = state->imu.valid;
    for (unsigned j = 0; j < joint_count && j < ROBOT_JOINTS_MAX; j++)
        all &= state->joint[j].valid != 0;
    for (unsigned i = 0; i < ROBOT_FORCE_TORQUE_MAX; i++)
        all &= state->force_torque[i].valid != 0;
    for (unsigned i = 0; i < SIDE_COUNT; i++)
        all &= state->tilt[i].valid != 0;
    return all;
}

unsigned joint_set_of(const struct description *description, unsigned joint)
{
    switch (description->joint[joint].group) {
    case GROUP_RIGHT_ARM:
    case GROUP_LEFT_ARM:
        return JOINTS_ARMS;
    case GROUP_RIGHT_LEG:
    case GROUP_LEFT_LEG:
        return JOINTS_LEGS;
    default:
        return JOINTS_NONE;
    }
}

void verdict_margin(struct oracle_verdict *verdict, double margin, const char *unit,
                    const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(verdict->detail, sizeof verdict->detail, format, arguments);
    va_end(arguments);
    verdict->verdict = margin > 0 ? VERDICT_PASS : VERDICT_FAIL;
    verdict->margin = margin;
    snprintf(verdict->unit, sizeof verdict->unit, "%s", unit);
}

void verdict_count(struct oracle_verdict *verdict, unsigned count, enum verdict bad,
                   const char *unit, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(verdict->detail, sizeof verdict->detail, format, arguments);
    va_end(arguments);
    verdict->verdict = count == 0 ? VERDICT_PASS : bad;
    verdict->margin = 1.0 - count;
    snprintf(verdict->unit, sizeof verdict->unit, "%s", unit);
}

void verdict_no_memory(struct oracle_verdict *verdict)
{
    (void)trouble_note(ENOMEM);
    verdict_count(verdict, 1, VERDICT_ERROR, "oracles", "out of memory");
}

void verdict_nothing(struct oracle_verdict *verdict, const char *why)
{
    verdict->verdict = VERDICT_SKIP;
    verdict->margin = NAN;
    snprintf(verdict->detail, sizeof verdict->detail, "%s", why);
}

size_t bus_log_frames(const struct event *event)
{
    const struct bus_log_message *log = event->data;
    size_t head_B = offsetof(struct bus_log_message, frame);
    size_t held = event->size_B < head_B ? 0 : (event->size_B - head_B) / sizeof log->frame[0];
    return log->count < held ? log->count : held;
}

const struct board_description *reference_board(const struct description *description,
                                                const struct bus_log_frame *frame)
{
    for (unsigned b = 0; b < description->board_count; b++) {
        const struct board_description *board = &description->board[b];
        if (board->bus == frame->bus && board->reference_can_id == frame->can_id && !board->finger)
            return board;
    }
    return NULL;
}
