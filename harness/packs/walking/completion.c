// Was the motion completed? What was asked is what the scenario says, or else what its operator's
// commands and its environment show; what was reached is read from ground truth.
#include "harness/packs/walking/oracles.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include "base/invariant.h"
#include "harness/files/scenario.h"
#include "harness/packs/robot/facts.h"
#include "walk/zmp/geometry.h"

#define GOAL_TOLERANCE_M 0.30 // pelvis to goal marker: the planner stops at the nearest whole step
#define LIFTED_M 0.01         // of a sole above where it stood: a step
#define TURN_TOLERANCE_RAD 0.1
#define REST_SPEED_M_S 0.1 // a pelvis that is slower stands: arms may move

struct request {
    enum asked asked; // ASKED_AS_RECORDED: nothing was recorded, though something was due
    bool goal;        // planner command goal_id was given
    uint64_t goal_id;
    bool walk; // balance command walk_id was given
    uint64_t walk_id;
    unsigned steps;  // asked for by walking commands, but for those that a stop cut short
    double turn_rad; // likewise
};

// Commands are said again until they are taken up. Of one that is followed by a stop, nobody knows
// how much is due.
static void add_command(struct request *request, struct balance_command_message *last,
                        const struct balance_command_message *command)
{
    if (command->kind == BALANCE_STOP) {
        request->steps -= last->steps;
        request->turn_rad -= last->angle_rad;
    } else {
        request->steps += command->kind == BALANCE_TURN ? 0 : command->steps;
        request->turn_rad += command->kind == BALANCE_TURN ? command->angle_rad : 0;
    }
    *last = *command;
    last->steps = command->kind == BALANCE_TURN ? 0 : command->steps;
    last->angle_rad = command->kind == BALANCE_TURN ? command->angle_rad : 0;
}

static void read_commands(const struct history *history, struct request *request)
{
    struct balance_command_message last = {0};
    int planner = history_topic(history, "planner-command");
    int balance = history_topic(history, "balance-command");
    for (size_t i = 0; i < history_length(history); i++) {
        const struct event *event = history_event(history, i);
        if (event->topic == planner && event->size_B >= sizeof(struct planner_command_message)) {
            const struct planner_command_message *command = event->data;
            request->goal = command->kind == PLANNER_GO_TO_GOAL;
            request->goal_id = command->id;
        }
        if (event->topic == balance && event->size_B >= sizeof(struct balance_command_message)) {
            const struct balance_command_message *command = event->data;
            if (command->kind == BALANCE_NONE || command->kind == BALANCE_STAND)
                continue;
            if (!request->walk || command->id != request->walk_id)
                add_command(request, &last, command);
            request->walk = true;
            request->walk_id = command->id;
        }
    }
}

static bool has_goal(const struct scenario *scenario)
{
    bool found = false;
    for (unsigned i = 0; i < scenario->environment_count; i++)
        found |= strncmp(scenario->environment[i], "goal_", strlen("goal_")) == 0;
    return found;
}

// An operator that must complete something and has asked for nothing, perhaps because it never
// could, is no reason to be content with a robot that stands.
static struct request requested(const struct analysis *a)
{
    struct request request = {.asked = a->scenario->asked};
    read_commands(a->history, &request);
    if (request.asked != ASKED_AS_RECORDED)
        return request;
    const bool owes = a->scenario->must_complete && a->scenario->operator_program[0] != '\0';
    if (request.goal || (!request.walk && owes && has_goal(a->scenario)))
        request.asked = ASKED_GOAL;
    else if (request.walk)
        request.asked = ASKED_WALK;
    else if (!owes)
        request.asked = ASKED_STANCE;
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

static double pelvis_speed_m_s(const struct truth_message *truth)
{
    return hypot(truth->pelvis_velocity_m_s[0], truth->pelvis_velocity_m_s[1]);
}

static void at_goal(const struct analysis *a, const struct request *request, struct completion *c)
{
    expects(facts(a)->truth.count > 0); // what was asked is judged by ground truth alone
    const struct truth_message *last = truth_at(a, facts(a)->truth.count - 1);
    const double reached_s =
        request->goal ? goal_reached_s(a->history, request->goal_id) : INFINITY;
    const double speed_m_s = pelvis_speed_m_s(last);
    const double distance_m =
        hypot(last->goal_m[0] - last->pelvis_m[0], last->goal_m[1] - last->pelvis_m[1]);
    c->unit = "m";
    c->margin = GOAL_TOLERANCE_M - distance_m;
    if (!isfinite(reached_s) || !(speed_m_s < REST_SPEED_M_S))
        c->margin = fmin(c->margin, -0.001);
    c->completed = c->margin > 0;
    if (!request->goal)
        snprintf(c->words, sizeof c->words, "nobody asked for the goal in %.1f s, %.2f m to go",
                 a->end_s, distance_m);
    else if (!isfinite(reached_s))
        snprintf(c->words, sizeof c->words, "goal not reached after %.1f s, %.2f m to go", a->end_s,
                 distance_m);
    else
        snprintf(c->words, sizeof c->words, "goal reached at %.2f s, %.2f m from its marker%s",
                 reached_s, distance_m, speed_m_s < REST_SPEED_M_S ? "" : ", and left in motion");
}

// When the operator's program ended by itself, with success; INFINITY: it did not.
static double operator_done_s(const struct analysis *a)
{
    for (size_t i = 0; i < a->process.count; i++) {
        const struct process_event *event = a->process.event[i]->data;
        if (event->kind == PROCESS_EXITED && event->value == 0 &&
            strcmp(event->process, OPERATOR_NAME) == 0)
            return instant_to_s(event->time);
    }
    return INFINITY;
}

// Steps of both feet, as ground truth shows them: lifted, and down again.
static unsigned steps_taken(const struct analysis *a)
{
    unsigned steps = 0;
    for (unsigned side = 0; side < SIDE_COUNT; side++) {
        const double ground_m = truth_at(a, 0)->foot_m[side][2];
        bool lifted = false;
        for (size_t i = 0; i < facts(a)->truth.count; i++) {
            const double height_m = truth_at(a, i)->foot_m[side][2] - ground_m;
            steps += lifted && height_m < 0.5 * LIFTED_M;
            lifted = lifted ? height_m >= 0.5 * LIFTED_M : height_m > LIFTED_M;
        }
    }
    return steps;
}

// How far the robot is from having turned as asked.
static double turn_missing_rad(const struct analysis *a, double asked_rad)
{
    const double turned_rad = yaw_rad(truth_at(a, facts(a)->truth.count - 1)->pelvis_quaternion) -
                              yaw_rad(truth_at(a, 0)->pelvis_quaternion);
    return fabs(remainder(turned_rad - asked_rad, 2 * M_PI));
}

// What was said to be done, of a scenario that says all that is asked: whether it was.
static void walked(const struct analysis *a, const struct request *request, struct completion *c)
{
    const unsigned steps = steps_taken(a);
    const double missing_rad = turn_missing_rad(a, request->turn_rad);
    if (!isfinite(operator_done_s(a)))
        snprintf(c->words, sizeof c->words, "the operator has not ended with success");
    else if (steps < request->steps)
        snprintf(c->words, sizeof c->words, "said to be done, but %u steps of %u were taken", steps,
                 request->steps);
    else if (!(missing_rad < TURN_TOLERANCE_RAD))
        snprintf(c->words, sizeof c->words, "said to be done, but the turn is off by %.2f rad",
                 missing_rad);
    else
        return;
    c->completed = false;
    c->margin = -1e-3;
}

static void after_steps(const struct analysis *a, const struct request *request,
                        struct completion *c)
{
    const double done_s = request->walk ? walk_done_s(a, request->walk_id) : INFINITY;
    c->unit = "s";
    c->completed = isfinite(done_s);
    c->margin = c->completed ? fmax(a->end_s - done_s, 1e-3) : -1e-3;
    if (c->completed)
        snprintf(c->words, sizeof c->words, "walking command %llu done at %.2f s",
                 (unsigned long long)request->walk_id, done_s);
    else if (request->walk)
        snprintf(c->words, sizeof c->words, "walking command %llu not done after %.1f s",
                 (unsigned long long)request->walk_id, a->end_s);
    else
        snprintf(c->words, sizeof c->words, "nobody asked for a step in %.1f s", a->end_s);
    if (c->completed && a->scenario->asked == ASKED_WALK)
        walked(a, request, c);
}

static double moved_m(const struct analysis *a, size_t from, size_t to)
{
    const struct truth_message *then = truth_at(a, from), *now = truth_at(a, to);
    return hypot(now->pelvis_m[0] - then->pelvis_m[0], now->pelvis_m[1] - then->pelvis_m[1]);
}

// A fault may shake the robot: after one it is where it stands in the end that counts.
static void in_place(const struct analysis *a, struct completion *c)
{
    expects(facts(a)->truth.count > 0);
    const size_t last = facts(a)->truth.count - 1;
    const size_t fault = a->struck ? truth_index(a, a->fault_s) : 0;
    const size_t from = fault <= last ? fault : 0;
    double most_m = moved_m(a, from, last);
    for (size_t i = from; i < last && !a->struck; i++)
        most_m = fmax(most_m, moved_m(a, from, i));
    c->unit = "m";
    c->margin = TRAVELLED_M - most_m;
    c->completed = c->margin > 0;
    snprintf(c->words, sizeof c->words, "stands where it stood, pelvis moved %.1f mm",
             1e3 * most_m);
}

void assess_completion(const struct analysis *a, struct completion *c)
{
    *c = (struct completion){.unit = ""};
    if (facts(a)->truth.count == 0) {
        c->margin = NAN;
        snprintf(c->words, sizeof c->words, "no ground truth");
        return;
    }
    const struct request request = requested(a);
    if (facts(a)->fall < facts(a)->truth.count) {
        c->margin = truth_time_s(a, facts(a)->fall) - a->end_s - 1e-3;
        c->unit = "s";
        snprintf(c->words, sizeof c->words, "fell at %.2f s", truth_time_s(a, facts(a)->fall));
    } else if (request.asked == ASKED_GOAL) {
        at_goal(a, &request, c);
    } else if (request.asked == ASKED_WALK) {
        after_steps(a, &request, c);
    } else if (request.asked == ASKED_STANCE) {
        in_place(a, c);
    } else {
        c->margin = -1;
        c->unit = "commands";
        snprintf(c->words, sizeof c->words,
                 "nobody asked for anything in %.1f s; is it to stand, then say asked: stance",
                 a->end_s);
    }
}
