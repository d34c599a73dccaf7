// Was the motion completed? What was asked is read from the operator's commands, what was reached
// from ground truth.
#include "harness/packs/walking/oracles.h"

#include <math.h>
#include <stdio.h>
#include "harness/packs/robot/facts.h"
#include "walk/zmp/geometry.h"

#define GOAL_TOLERANCE_M 0.30 // pelvis to goal marker: the planner stops at the nearest whole step

struct request {
    bool goal; // go to the goal: planner command goal_id
    uint64_t goal_id;
    bool walk; // walk so many steps: balance command walk_id
    uint64_t walk_id;
};

static struct request requested(const struct history *history)
{
    struct request request = {0};
    int planner = history_topic(history, "planner-command");
    int balance = history_topic(history, "balance-command");
    for (size_t i = 0; i < history_length(history); i++) {
        const struct event *event = history_event(history, i);
        if (event->topic == planner && event->size_B >= sizeof(struct planner_command_message)) {
            const struct planner_command_message *command = event->data;
            request.goal = command->kind == PLANNER_GO_TO_GOAL;
            request.goal_id = command->id;
        }
        if (event->topic == balance && event->size_B >= sizeof(struct balance_command_message)) {
            const struct balance_command_message *command = event->data;
            if (command->kind == BALANCE_NONE || command->kind == BALANCE_STAND)
                continue;
            request.walk = true;
            request.walk_id = command->id;
        }
    }
    return request;
}

// When a status first said that a command is done, INFINITY if it never did.
static double goal_reached_s(const struct history *history, uint64_t id)
{
    int topic = history_topic(history, "planner-status");
    for (size_t i = 0; i < history_length(history); i++) {
        const struct event *event = history_event(history, i);
        if (event->topic != topic || event->size_B < sizeof(struct planner_status_message))
            continue;
        const struct planner_status_message *status = event->data;
        if (status->reached_id >= id)
            return instant_to_s(event->time);
    }
    return INFINITY;
}

static double walk_done_s(const struct analysis *a, uint64_t id)
{
    for (size_t i = 0; i < facts(a)->status.count; i++) {
        const struct balance_status_message *status = facts(a)->status.event[i]->data;
        if (status->done_id >= id)
            return instant_to_s(facts(a)->status.event[i]->time);
    }
    return INFINITY;
}

static void at_goal(const struct analysis *a, uint64_t id, struct completion *c)
{
    const struct truth_message *last = truth_at(a, facts(a)->truth.count - 1);
    double reached_s = goal_reached_s(a->history, id);
    double distance_m =
        hypot(last->goal_m[0] - last->pelvis_m[0], last->goal_m[1] - last->pelvis_m[1]);
    c->unit = "m";
    c->margin = GOAL_TOLERANCE_M - distance_m;
    if (!isfinite(reached_s))
        c->margin = fmin(c->margin, -0.001);
    c->completed = c->margin > 0;
    if (isfinite(reached_s))
        snprintf(c->words, sizeof c->words, "goal reached at %.2f s, %.2f m from its marker",
                 reached_s, distance_m);
    else
        snprintf(c->words, sizeof c->words, "goal not reached after %.1f s, %.2f m to go", a->end_s,
                 distance_m);
}

static void after_steps(const struct analysis *a, uint64_t id, struct completion *c)
{
    double done_s = walk_done_s(a, id);
    c->unit = "s";
    c->completed = isfinite(done_s);
    c->margin = c->completed ? fmax(a->end_s - done_s, 1e-3) : -1e-3;
    if (c->completed)
        snprintf(c->words, sizeof c->words, "walking command %llu done at %.2f s",
                 (unsigned long long)id, done_s);
    else
        snprintf(c->words, sizeof c->words, "walking command %llu not done after %.1f s",
                 (unsigned long long)id, a->end_s);
}

static void in_place(const struct analysis *a, struct completion *c)
{
    const struct truth_message *last = truth_at(a, facts(a)->truth.count - 1);
    const struct truth_message *then = truth_at(a, 0);
    if (a->struck && truth_index(a, a->fault_s) < facts(a)->truth.count)
        then = truth_at(a, truth_index(a, a->fault_s));
    double moved_m =
        hypot(last->pelvis_m[0] - then->pelvis_m[0], last->pelvis_m[1] - then->pelvis_m[1]);
    c->unit = "m";
    c->margin = TRAVELLED_M - moved_m;
    c->completed = c->margin > 0;
    snprintf(c->words, sizeof c->words, "stands where it stood, pelvis moved %.1f mm",
             1e3 * moved_m);
}

void assess_completion(const struct analysis *a, struct completion *c)
{
    *c = (struct completion){.unit = ""};
    if (facts(a)->truth.count == 0) {
        c->margin = NAN;
        snprintf(c->words, sizeof c->words, "no ground truth");
        return;
    }
    struct request request = requested(a->history);
    if (facts(a)->fall < facts(a)->truth.count) {
        c->margin = truth_time_s(a, facts(a)->fall) - a->end_s - 1e-3;
        c->unit = "s";
        snprintf(c->words, sizeof c->words, "fell at %.2f s", truth_time_s(a, facts(a)->fall));
    } else if (request.goal) {
        at_goal(a, request.goal_id, c);
    } else if (request.walk) {
        after_steps(a, request.walk_id, c);
    } else {
        in_place(a, c);
    }
}
