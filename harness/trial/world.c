#include "harness/trial/world.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "walk/geometry.h"

#define PLAN_SAMPLES_MAX 100000 // 1000 s of plan

struct planned {
    float phase;
    uint32_t step;
};

struct world {
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

enum status world_create(const struct history *history, struct world **world)
{
    *world = calloc(1, sizeof **world);
    if (*world == NULL)
        return STATUS_NO_MEMORY;
    (*world)->truth_topic = history_topic(history, "truth");
    (*world)->status_topic = history_topic(history, "balance-status");
    (*world)->segment_topic = history_topic(history, "segment");
    (*world)->goal_topic = history_topic(history, "planner-command");
    (*world)->goal_status_topic = history_topic(history, "planner-status");
    (*world)->walk_topic = history_topic(history, "balance-command");
    return STATUS_OK;
}

void world_free(struct world *world)
{
    free(world);
}

// Notes the phases of a segment from its first sample on, as balance splices it in.
static void take_segment(struct world *world, const struct event *event)
{
    const struct segment_message *segment = event->data;
    const size_t head_B = offsetof(struct segment_message, sample);
    if (event->size_B < head_B || segment->count > SEGMENT_SAMPLES_MAX ||
        event->size_B < head_B + segment->count * sizeof segment->sample[0] || segment->first < 0 ||
        segment->first > PLAN_SAMPLES_MAX - (int64_t)segment->count)
        return;
    if (segment->plan_id != world->plan_id) {
        world->plan_id = segment->plan_id;
        world->planned_count = 0;
    }
    if (segment->first > world->planned_count)
        return;
    for (uint32_t i = 0; i < segment->count; i++) {
        const struct segment_sample *sample = &segment->sample[i];
        world->planned[segment->first + i] =
            (struct planned){.phase = (float)sample->phase, .step = sample->step};
    }
    world->planned_count = segment->first + segment->count;
}

// What the operator asks for and what is said to be done.
static void take_request(struct world *world, const struct event *event)
{
    if (event->topic == world->goal_topic &&
        event->size_B == sizeof(struct planner_command_message)) {
        const struct planner_command_message *command = event->data;
        world->goal_id = command->kind == PLANNER_GO_TO_GOAL ? command->id : 0;
    } else if (event->topic == world->goal_status_topic &&
               event->size_B == sizeof(struct planner_status_message)) {
        const struct planner_status_message *status = event->data;
        if (status->reached_id > world->goal_reached_id)
            world->goal_reached_id = status->reached_id;
    } else if (event->topic == world->walk_topic &&
               event->size_B == sizeof(struct balance_command_message)) {
        const struct balance_command_message *command = event->data;
        if (command->kind != BALANCE_NONE && command->kind != BALANCE_STAND)
            world->walk_id = command->id;
    }
}

void world_take(struct world *world, const struct event *event)
{
    if (event->topic == world->truth_topic && event->size_B == sizeof world->truth) {
        memcpy(&world->truth, event->data, sizeof world->truth);
        if (!world->have_truth)
            world->standing_height_m = world->truth.pelvis_m[2];
        world->have_truth = true;
    } else if (event->topic == world->status_topic && event->size_B == sizeof world->status) {
        memcpy(&world->status, event->data, sizeof world->status);
        world->have_status = true;
        if (world->status.done_id > world->walk_done_id)
            world->walk_done_id = world->status.done_id;
    } else if (event->topic == world->segment_topic) {
        take_segment(world, event);
    } else {
        take_request(world, event);
    }
}

bool world_completed(const struct world *world)
{
    if (world->goal_id > 0)
        return world->goal_reached_id >= world->goal_id;
    return world->walk_id > 0 && world->walk_done_id >= world->walk_id;
}

const struct truth_message *world_truth(const struct world *world)
{
    return world->have_truth ? &world->truth : NULL;
}

bool world_fallen(const struct world *world)
{
    return world->have_truth && has_fallen(&world->truth, world->standing_height_m);
}

static const struct planned *executing(const struct world *world)
{
    const struct balance_status_message *status = &world->status;
    if (!world->have_status || status->phase != BALANCE_PHASE_EXECUTING ||
        status->plan_id != world->plan_id || status->sample < 0 ||
        status->sample >= world->planned_count)
        return NULL;
    return &world->planned[status->sample];
}

bool world_phase(const struct world *world, double *phase)
{
    const struct planned *planned = executing(world);
    if (planned == NULL)
        return false;
    *phase = (double)planned->phase;
    return true;
}

unsigned world_steps(const struct world *world)
{
    const struct planned *planned = executing(world);
    return planned == NULL ? 0 : planned->step;
}

bool world_quantity(const struct world *world, const char *quantity, double *value)
{
    if (strcmp(quantity, "steps") == 0) {
        *value = world_steps(world);
        return executing(world) != NULL;
    }
    if (!world->have_truth)
        return false;
    if (strcmp(quantity, "pelvis_height_m") == 0) {
        *value = world->truth.pelvis_m[2];
    } else if (strcmp(quantity, "tilt_rad") == 0) {
        *value = tilt_rad(world->truth.pelvis_quaternion);
    } else {
        struct point2 hull[ROBOT_CONTACTS_MAX + 1];
        size_t corners = support_polygon(&world->truth, hull);
        struct point2 com = {world->truth.com_m[0], world->truth.com_m[1]};
        *value = -polygon_margin(hull, corners, com);
    }
    return isfinite(*value);
}
