// Was the lab itself sound? Whatever these find makes the trial an ERROR: it says nothing about the
// target.
#include "harness/judge/oracles.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "harness/files/scenario.h"

// Where the simulated world ended by itself or by a fault of the scenario.
static bool world_failed(const struct analysis *a)
{
    for (size_t i = 0; i < a->process.count; i++) {
        const struct process_event *event = a->process.event[i]->data;
        if (of_the_world(a, event) &&
            (event->kind == PROCESS_EXITED || event->kind == PROCESS_KILLED ||
             event->kind == PROCESS_HUNG))
            return true;
    }
    return false;
}

void oracle_lab_physics(const struct analysis *a, struct oracle_verdict *verdict)
{
    if (a->target == NULL || a->target->world[0] == '\0') {
        verdict_nothing(verdict, "the target has no simulated world");
        return;
    }
    if (world_was_ended(a) || was_spoiled(a)) {
        verdict_nothing(verdict,
                        "the target ended the simulated robot, or wrote over what it says");
        return;
    }
    const bool failed = world_failed(a);
    verdict_count(verdict, a->unsound + failed, VERDICT_ERROR, "warnings", "%s",
                  a->unsound > 0 ? a->unsound_words
                  : failed       ? "the simulated robot died"
                                 : "no physics warning, simulated robot alive to the end");
}

// How long the recorder may sleep at most between two looks where all is well; after more it was
// kept from running.
#define LOOKS_APART_S 0.05

// Why most of the frames were lost, and what to do.
static void explain_loss(const struct analysis *a, char *words, size_t size)
{
    words[0] = '\0';
    if (a->loss.count == 0)
        return;
    const struct loss_event *loss = a->loss.event[0]->data;
    for (size_t i = 1; i < a->loss.count; i++) {
        const struct loss_event *other = a->loss.event[i]->data;
        if (other->frames > loss->frames)
            loss = other;
    }
    const double unread_s = duration_to_s(loss->unread);
    const bool was_late = unread_s > LOOKS_APART_S;
    snprintf(words, size, ": %.20s at %.2f s: %llu + %u new in %.3f s, %s; %s", loss->channel,
             instant_to_s(loss->time), (unsigned long long)loss->frames, loss->held, unread_s,
             was_late ? "the recorder was kept from running" : "put all at once",
             was_late ? "let less run beside it in real time"
                      : "let less run beside it, or raise its slots in target.yaml");
}

void oracle_lab_history(const struct analysis *a, struct oracle_verdict *verdict)
{
    if (was_spoiled(a) || has_lost_by_target(a)) {
        verdict_nothing(verdict, "the target wrote over the frames of a channel");
        return;
    }
    unsigned lost = 0;
    char where[64] = "";
    uint64_t next[HISTORY_TOPICS_MAX] = {0};
    for (size_t i = 0; i < history_length(a->history); i++) {
        const struct event *event = history_event(a->history, i);
        if (event->topic >= HISTORY_TOPICS_MAX)
            continue;
        if (next[event->topic] != 0 && event->number > next[event->topic]) {
            lost += (unsigned)(event->number - next[event->topic]);
            snprintf(where, sizeof where, " on %s", history_topic_name(a->history, event->topic));
        }
        next[event->topic] = event->number + 1;
    }
    for (size_t i = 0; i < a->bus_log.count; i++) {
        const struct bus_log_message *log = a->bus_log.event[i]->data;
        lost += log->dropped;
        if (log->dropped != 0)
            snprintf(where, sizeof where, " on the bus log");
    }
    char why[160];
    explain_loss(a, why, sizeof why);
    verdict_count(verdict, lost, VERDICT_ERROR, "frames", "%u frames missing%s%s", lost, where,
                  why);
}

static const struct fault_event *find_event(const struct analysis *a, unsigned index,
                                            enum fault_event_kind kind)
{
    for (size_t i = 0; i < a->fault.count; i++) {
        const struct fault_event *event = a->fault.event[i]->data;
        if (event->index == index && event->kind == kind)
            return event;
    }
    return NULL;
}

// The event that holds the proof of what `announced` (applied, undone) announces: itself, or one
// that follows; NULL: none came.
static const struct fault_event *find_proof(const struct analysis *a, unsigned index,
                                            enum fault_event_kind announced)
{
    const struct fault_event *event = find_event(a, index, announced);
    if (event == NULL || !event->proven || !event->proof_follows)
        return event;
    return find_event(a, index, announced == FAULT_APPLIED ? FAULT_EFFECT : FAULT_SETTLED);
}

const struct fault_event *fault_proof(const struct analysis *a, unsigned index, bool proof)
{
    return proof ? find_proof(a, index, FAULT_APPLIED) : find_event(a, index, FAULT_APPLIED);
}

void oracle_fault_effective(const struct analysis *a, struct oracle_verdict *verdict)
{
    if (a->scenario->fault_count == 0) {
        verdict_nothing(verdict, "no fault requested");
        return;
    }
    if (!a->struck && isfinite(a->given_up_s)) { // the target's affair, and a pack's to judge
        char why[96];
        snprintf(why, sizeof why, "%.60s before a fault was due", a->given_up);
        verdict_nothing(verdict, why);
        return;
    }
    unsigned missing = 0, proven = 0;
    char words[256] = "";
    for (unsigned i = 0; i < a->scenario->fault_count; i++) {
        const struct fault_request *request = &a->scenario->fault[i];
        const struct fault_event *event = find_proof(a, i, FAULT_APPLIED);
        if (event != NULL && event->proven) {
            proven++;
            if (missing == 0)
                snprintf(words, sizeof words, "%s", event->evidence);
            continue;
        }
        // The target's affair, see limits-kept, peers-survive.
        if (event == NULL ? a->limit.count > 0 || world_was_ended(a)
                          : had_ended_by_itself(a, event))
            continue;
        missing++;
        if (event == NULL)
            snprintf(words, sizeof words, "%s of %s was never %s", request->kind,
                     request->component,
                     find_event(a, i, FAULT_APPLIED) == NULL ? "applied" : "seen to act");
        else
            snprintf(words, sizeof words, "%s of %s without effect: %.90s", request->kind,
                     request->component, event->evidence);
    }
    if (missing + proven == 0)
        verdict_nothing(verdict, "the trial, or the process to be struck, had ended before");
    else
        verdict_count(verdict, missing, VERDICT_ERROR, "faults", "%s", words);
}

// Whether the undoing was due before the trial ended.
static bool undo_was_due(const struct analysis *a, const struct fault_request *request,
                         const struct fault_event *applied)
{
    double after_s = request->duration_s > 0 ? request->duration_s : request->restart_after_s;
    bool undoes = request->duration_s > 0 || request->restart_after_s >= 0;
    return undoes && instant_to_s(applied->time) + after_s + 1.0 < a->end_s;
}

void oracle_fault_undone(const struct analysis *a, struct oracle_verdict *verdict)
{
    unsigned due = 0, missing = 0;
    char words[256] = "";
    for (unsigned i = 0; i < a->scenario->fault_count; i++) {
        const struct fault_request *request = &a->scenario->fault[i];
        const struct fault_event *applied = find_event(a, i, FAULT_APPLIED);
        const struct fault_event *undone = find_proof(a, i, FAULT_UNDONE);
        // What struck nobody, since the process had ended by itself, is not undone.
        if (applied == NULL ||
            (undone == NULL && (!undo_was_due(a, request, applied) ||
                                (!applied->proven && had_ended_by_itself(a, applied)))))
            continue;
        due++;
        if (undone != NULL && undone->proven) {
            if (missing == 0)
                snprintf(words, sizeof words, "%s", undone->evidence);
            continue;
        }
        missing++;
        snprintf(words, sizeof words, "%s of %s %s%.90s", request->kind, request->component,
                 undone == NULL ? "was never undone" : "still has its effect: ",
                 undone == NULL ? "" : undone->evidence);
    }
    if (due == 0)
        verdict_nothing(verdict, "nothing to undo");
    else
        verdict_count(verdict, missing, VERDICT_ERROR, "faults", "%s", words);
}
