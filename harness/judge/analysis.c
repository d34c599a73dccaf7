#include "harness/judge/analysis.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/invariant.h"
#include "base/trouble.h"
#include "harness/files/scenario.h"

#define RECOVERY_S 1.0 // what a fault has held up may take so long to be as before

// The proof may have come later.
static bool is_proven(const struct analysis *a, const struct fault_event *applied)
{
    if (!applied->proven || !applied->proof_follows)
        return applied->proven;
    for (size_t i = 0; i < a->fault.count; i++) {
        const struct fault_event *event = series_at(&a->fault, i)->data;
        if (event->kind == FAULT_EFFECT && event->index == applied->index)
            return event->proven;
    }
    return false;
}

static void find_in_force(struct analysis *a)
{
    for (size_t i = 0; i < a->fault.count && a->in_force_count < FAULTS_MAX; i++) {
        const struct fault_event *event = series_at(&a->fault, i)->data;
        if (event->kind == FAULT_APPLIED && event->index < a->scenario->fault_count &&
            is_proven(a, event))
            a->in_force[a->in_force_count++] =
                (struct in_force){.request = &a->scenario->fault[event->index],
                                  .event = event,
                                  .from_s = instant_to_s(event->time),
                                  .to_s = fault_over_s(a->history, event) + RECOVERY_S};
    }
}

bool is_disturbed(const struct analysis *a, double time_s)
{
    for (unsigned i = 0; i < a->in_force_count; i++)
        if (a->in_force[i].from_s <= time_s && time_s <= a->in_force[i].to_s)
            return true;
    return false;
}

bool was_spoiled(const struct analysis *a)
{
    const struct limit_event *limit = a->limit.count == 0 ? NULL : series_at(&a->limit, 0)->data;
    for (size_t i = 0; i < a->process.count; i++) {
        const struct process_event *event = series_at(&a->process, i)->data;
        if (event->kind == PROCESS_HUNG && event->value == HUNG_PAGE_SPOILED)
            return true;
    }
    return limit != NULL && limit->limit == LIMIT_SHARED_PAGES;
}

double first_ready_s(const struct analysis *a, const char *process)
{
    for (size_t i = 0; i < a->process.count; i++) {
        const struct process_event *event = series_at(&a->process, i)->data;
        if (event->kind == PROCESS_READY && strcmp(event->process, process) == 0)
            return instant_to_s(event->time);
    }
    return INFINITY;
}

bool of_the_world(const struct analysis *a, const struct process_event *event)
{
    return a->target != NULL && a->target->world[0] != '\0' &&
           strcmp(a->target->world, event->process) == 0;
}

static void find_fault(struct analysis *a)
{
    a->fault_over_s = INFINITY;
    for (size_t i = 0; i < a->fault.count; i++) {
        const struct fault_event *event = series_at(&a->fault, i)->data;
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

static bool collect_all(struct analysis *a)
{
    return series_collect(a->history, TOPIC_PROCESS, sizeof(struct process_event), &a->process) &&
           series_collect(a->history, TOPIC_FAULT, sizeof(struct fault_event), &a->fault) &&
           series_collect(a->history, TOPIC_LIMIT, sizeof(struct limit_event), &a->limit) &&
           series_collect(a->history, TOPIC_LOSS, sizeof(struct loss_event), &a->loss) &&
           series_collect(a->history, TOPIC_END, sizeof(struct end_event), &a->end) &&
           series_collect(a->history, TOPIC_BUS_LOG, offsetof(struct bus_log_message, frame),
                          &a->bus_log);
}

// No trial lasts longer than its scenario lets it. A stamp that says so bends nothing.
static void find_end(struct analysis *a)
{
    const double most_s = a->scenario->duration_s > 0 ? a->scenario->duration_s : INFINITY;
    const int end = history_topic(a->history, TOPIC_END);
    for (size_t i = 0; i < history_length(a->history); i++) {
        const struct event *event = history_event(a->history, i);
        const double time_s = fmin(instant_to_s(event->time), most_s);
        a->end_s = fmax(a->end_s, time_s);
        if (event->topic != end)
            a->recorded_s = fmax(a->recorded_s, time_s);
    }
}

bool analysis_start(struct analysis *analysis, const struct judged *judged)
{
    *analysis = (struct analysis){.history = judged->history,
                                  .scenario = judged->scenario,
                                  .target = judged->target,
                                  .description = judged->description,
                                  .packs = judged->packs,
                                  .robot = judged->robot,
                                  .clock = judged->clock,
                                  .given_up_s = INFINITY};
    if (!collect_all(analysis))
        return false;
    find_end(analysis);
    find_fault(analysis);
    find_in_force(analysis);
    return true;
}

void analysis_free(struct analysis *a)
{
    struct series *all[] = {&a->process, &a->fault, &a->limit, &a->loss, &a->end, &a->bus_log};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        free(all[i]->event);
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
    verdict->broken_s = NAN;
    snprintf(verdict->unit, sizeof verdict->unit, "%s", unit);
}

void verdict_count(struct oracle_verdict *verdict, unsigned count, enum verdict bad,
                   const char *unit, const char *format, ...)
{
    expects(bad != VERDICT_PASS); // what is counted is bad
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(verdict->detail, sizeof verdict->detail, format, arguments);
    va_end(arguments);
    verdict->verdict = count == 0 ? VERDICT_PASS : bad;
    verdict->margin = 1.0 - count;
    verdict->broken_s = NAN;
    snprintf(verdict->unit, sizeof verdict->unit, "%s", unit);
}

void verdict_broken_at(struct oracle_verdict *verdict, double time_s)
{
    if (verdict_is_bad(verdict->verdict))
        verdict->broken_s = time_s;
}

void note_broken(double *broken_s, double margin, double time_s)
{
    if (isnan(*broken_s) && !(margin > 0))
        *broken_s = time_s;
}

void verdict_no_memory(struct oracle_verdict *verdict)
{
    (void)trouble_note(ENOMEM);
    verdict_count(verdict, 1, VERDICT_ERROR, "oracles", "out of memory");
}

void verdict_nothing(struct oracle_verdict *verdict, const char *why)
{
    verdict->verdict = VERDICT_SKIP;
    verdict->margin = verdict->broken_s = NAN;
    snprintf(verdict->detail, sizeof verdict->detail, "%s", why);
}

void verdict_silent(const struct analysis *a, struct oracle_verdict *verdict, const char *channel,
                    const char *why)
{
    const char *who = owed_by(a, channel);
    if (who == NULL)
        verdict_nothing(verdict, why);
    else
        verdict_count(verdict, 1, VERDICT_FAIL, "silences", "%.100s, though %.40s owes %.40s", why,
                      who, channel);
}
