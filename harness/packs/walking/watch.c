// What a trial sees of a biped while it runs: the newest ground truth, and where in its plan and
// gait cycle it is.
#include "harness/packs/walking/watch.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "walk/zmp/geometry.h"

#define PLAN_SAMPLES_MAX 100000 // 1000 s of plan

struct planned {
    float phase;
    uint32_t step;
};

struct biped {
    int truth_topic, status_topic, segment_topic;
    int goal_topic, goal_status_topic, walk_topic;
    uint64_t goal_id, goal_reached_id; // last one asked for; last one reached
    uint64_t walk_id, walk_done_id;
    bool have_truth, have_status;
    double standing_height_m;
    struct truth_message truth;
    struct balance_status_message status;
    uint64_t plan_id;
    int64_t planned_count;
    struct planned planned[PLAN_SAMPLES_MAX];
};

static enum status create(const struct history *history, void **seen)
{
    struct biped *biped = *seen = calloc(1, sizeof *biped);
    if (biped == NULL)
        return STATUS_NO_MEMORY;
    biped->truth_topic = history_topic(history, "truth");
    biped->status_topic = history_topic(history, "balance-status");
    biped->segment_topic = history_topic(history, "segment");
    biped->goal_topic = history_topic(history, "planner-command");
    biped->goal_status_topic = history_topic(history, "planner-status");
    biped->walk_topic = history_topic(history, "balance-command");
    return STATUS_OK;
}

// Notes the phases of a segment from its first sample on, as balance splices it in.
static void take_segment(struct biped *biped, const struct event *event)
{
    const struct segment_message *segment = event->data;
    const size_t head_B = offsetof(struct segment_message, sample);
    if (event->size_B < head_B || segment->count > SEGMENT_SAMPLES_MAX ||
        event->size_B < head_B + segment->count * sizeof segment->sample[0] || segment->first < 0 ||
        segment->first > PLAN_SAMPLES_MAX - (int64_t)segment->count)
        return;
    if (segment->plan_id != biped->plan_id) {
        biped->plan_id = segment->plan_id;
        biped->planned_count = 0;
    }
    if (segment->first > biped->planned_count)
        return;
    for (uint32_t i = 0; i < segment->count; i++) {
        const struct segment_sample *sample = &segment->sample[i];
        biped->planned[segment->first + i] =
            (struct planned){.phase = (float)sample->phase, .step = sample->step};
    }
    biped->planned_count = segment->first + segment->count;
}

// What the operator asks for and what is said to be done.
static void take_request(struct biped *biped, const struct event *event)
{
    if (event->topic == biped->goal_topic &&
        event->size_B == sizeof(struct planner_command_message)) {
        const struct planner_command_message *command = event->data;
        biped->goal_id = command->kind == PLANNER_GO_TO_GOAL ? command->id : 0;
    } else if (event->topic == biped->goal_status_topic &&
               event->size_B == sizeof(struct planner_status_message)) {
        const struct planner_status_message *status = event->data;
        if (status->reached_id > biped->goal_reached_id)
            biped->goal_reached_id = status->reached_id;
    } else if (event->topic == biped->walk_topic &&
               event->size_B == sizeof(struct balance_command_message)) {
        const struct balance_command_message *command = event->data;
        if (command->kind != BALANCE_NONE && command->kind != BALANCE_STAND)
            biped->walk_id = command->id;
    }
}

static void take(void *seen, const struct event *event)
{
    struct biped *biped = seen;
    if (event->topic == biped->truth_topic && event->size_B == sizeof biped->truth) {
        memcpy(&biped->truth, event->data, sizeof biped->truth);
        if (!biped->have_truth)
            biped->standing_height_m = biped->truth.pelvis_m[2];
        biped->have_truth = true;
    } else if (event->topic == biped->status_topic && event->size_B == sizeof biped->status) {
        memcpy(&biped->status, event->data, sizeof biped->status);
        biped->have_status = true;
        if (biped->status.done_id > biped->walk_done_id)
            biped->walk_done_id = biped->status.done_id;
    } else if (event->topic == biped->segment_topic) {
        take_segment(biped, event);
    } else {
        take_request(biped, event);
    }
}

static bool completed(const void *seen)
{
    const struct biped *biped = seen;
    if (biped->goal_id > 0)
        return biped->goal_reached_id >= biped->goal_id;
    return biped->walk_id > 0 && biped->walk_done_id >= biped->walk_id;
}

static bool fell(const void *seen)
{
    const struct biped *biped = seen;
    return biped->have_truth && has_fallen(&biped->truth, biped->standing_height_m);
}

static const struct planned *executing(const struct biped *biped)
{
    const struct balance_status_message *status = &biped->status;
    if (!biped->have_status || status->phase != BALANCE_PHASE_EXECUTING ||
        status->plan_id != biped->plan_id || status->sample < 0 ||
        status->sample >= biped->planned_count)
        return NULL;
    return &biped->planned[status->sample];
}

static bool phase_of(const void *seen, double *phase)
{
    const struct planned *planned = executing(seen);
    if (planned == NULL)
        return false;
    *phase = (double)planned->phase;
    return true;
}

static bool steps(const struct biped *biped, double *value)
{
    const struct planned *planned = executing(biped);
    *value = planned == NULL ? 0 : planned->step;
    return planned != NULL;
}

static bool com_outside_m(const struct biped *biped, double *value)
{
    struct point2 hull[ROBOT_CONTACTS_MAX + 1];
    const size_t corners = support_polygon(&biped->truth, hull);
    const struct point2 com = {biped->truth.com_m[0], biped->truth.com_m[1]};
    *value = -polygon_margin(hull, corners, com);
    return biped->have_truth && isfinite(*value);
}

static bool pelvis_height_m(const struct biped *biped, double *value)
{
    *value = biped->truth.pelvis_m[2];
    return biped->have_truth && isfinite(*value);
}

static bool tilt_of_pelvis_rad(const struct biped *biped, double *value)
{
    *value = tilt_rad(biped->truth.pelvis_quaternion);
    return biped->have_truth && isfinite(*value);
}

static const struct {
    const char *name;
    bool (*value)(const struct biped *biped, double *value); // false: not known now
} quantities[] = {{"com_outside_m", com_outside_m},
                  {"pelvis_height_m", pelvis_height_m},
                  {"tilt_rad", tilt_of_pelvis_rad},
                  {"steps", steps}};

static bool quantity(const void *seen, const char *name, double *value)
{
    for (size_t i = 0; i < sizeof quantities / sizeof quantities[0]; i++)
        if (strcmp(quantities[i].name, name) == 0)
            return quantities[i].value(seen, value);
    return false;
}

const struct watcher walking_watcher = {.create = create,
                                        .free = free,
                                        .take = take,
                                        .quantity = quantity,
                                        .phase = phase_of,
                                        .given_up = fell,
                                        .completed = completed};
