#include "harness/judge/untold.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "harness/files/fault/catalogue.h"
#include "harness/files/scenario.h"

#define LEFT_OUT (-1)

// ---- what the judge sees -----------------------------------------------------------------------

struct copying {
    const struct history *from;
    const struct scenario *scenario;
    int topic[HISTORY_TOPICS_MAX]; // in the copy; LEFT_OUT: it has none
    int fault[FAULTS_MAX];         // likewise, of the scenario's
};

static bool strikes_channel(const struct scenario *scenario, const char *name, bool untold)
{
    for (unsigned i = 0; i < scenario->fault_count; i++)
        if (scenario->fault[i].struck == STRUCK_CHANNEL && scenario->fault[i].untold == untold &&
            strcmp(scenario->fault[i].component, name) == 0)
            return true;
    return false;
}

static bool is_of_the_world(const struct target *target, const char *writer)
{
    return target != NULL && strcmp(target->world, writer) == 0;
}

// Where a topic of the history goes: a channel that untold faults alone disturb has one side.
static const char *topic_name(const struct copying *c, const struct target *target,
                              const char *name)
{
    char readers[2 * NAME_MAX_LENGTH];
    for (unsigned i = 0; target != NULL && i < target->channel_count; i++) {
        const struct channel_config *channel = &target->channel[i];
        snprintf(readers, sizeof readers, TOPIC_OF_READERS, channel->name);
        const bool is_put = strcmp(name, channel->name) == 0, is_got = strcmp(name, readers) == 0;
        if ((!is_put && !is_got) || !strikes_channel(c->scenario, channel->name, true) ||
            strikes_channel(c->scenario, channel->name, false))
            continue;
        return is_got == is_of_the_world(target, channel->writer) ? NULL : channel->name;
    }
    return name;
}

static enum status copy_topics(struct copying *c, const struct target *target, struct history *to)
{
    enum status status = STATUS_OK;
    for (unsigned i = 0; i < history_topic_count(c->from) && status == STATUS_OK; i++) {
        const char *name = topic_name(c, target, history_topic_name(c->from, i));
        unsigned topic = 0;
        if (name != NULL)
            status = history_add_topic(to, name, history_topic_schema(c->from, i), &topic);
        c->topic[i] = name == NULL ? LEFT_OUT : (int)topic;
    }
    return status;
}

// That a process stands still is the fault's doing, and no event of the target's.
static bool is_halt(const struct copying *c, const struct event *event)
{
    const struct process_event *process = event->data;
    bool halted = false;
    for (unsigned i = 0; i < c->scenario->fault_count; i++)
        halted |= c->scenario->fault[i].untold && c->scenario->fault[i].halts == HALTS_STOPPED &&
                  names_process(c->scenario->fault[i].component, process);
    return halted && (process->kind == PROCESS_STOPPED || process->kind == PROCESS_CONTINUED);
}

static enum status copy_fault(const struct copying *c, const struct event *event,
                              struct history *to)
{
    struct fault_event fault = *(const struct fault_event *)event->data;
    if (fault.index >= c->scenario->fault_count || c->fault[fault.index] == LEFT_OUT)
        return STATUS_OK;
    fault.index = (uint32_t)c->fault[fault.index];
    return history_append(to, (unsigned)c->topic[event->topic], event->number, event->time, &fault,
                          sizeof fault);
}

static enum status copy_events(const struct copying *c, struct history *to)
{
    const int faults = history_topic(c->from, TOPIC_FAULT),
              processes = history_topic(c->from, TOPIC_PROCESS);
    enum status status = STATUS_OK;
    for (size_t i = 0; i < history_length(c->from) && status == STATUS_OK; i++) {
        const struct event *event = history_event(c->from, i);
        if (c->topic[event->topic] == LEFT_OUT)
            continue;
        if (event->topic == faults && event->size_B == sizeof(struct fault_event))
            status = copy_fault(c, event, to);
        else if (event->topic != processes || event->size_B != sizeof(struct process_event) ||
                 !is_halt(c, event))
            status = history_append(to, (unsigned)c->topic[event->topic], event->number,
                                    event->time, event->data, event->size_B);
    }
    return status;
}

static void tell(const struct scenario *scenario, struct scenario *told, int number[FAULTS_MAX])
{
    *told = *scenario;
    told->own_catalogue = NULL;
    told->fault_count = 0;
    for (unsigned i = 0; i < scenario->fault_count; i++) {
        number[i] = scenario->fault[i].untold ? LEFT_OUT : (int)told->fault_count;
        if (!scenario->fault[i].untold)
            told->fault[told->fault_count++] = scenario->fault[i];
    }
}

bool untold_view_make(const struct history *history, const struct scenario *scenario,
                      const struct target *target, struct untold_view *view)
{
    struct copying copying = {.from = history, .scenario = scenario};
    *view = (struct untold_view){.scenario = malloc(sizeof *view->scenario)};
    enum status status = view->scenario == NULL ? STATUS_NO_MEMORY : STATUS_OK;
    if (status == STATUS_OK) {
        tell(scenario, view->scenario, copying.fault);
        status = history_create(&view->history);
    }
    if (status == STATUS_OK)
        status = copy_topics(&copying, target, view->history);
    if (status == STATUS_OK)
        status = copy_events(&copying, view->history);
    if (status != STATUS_OK)
        untold_view_free(view);
    return status == STATUS_OK;
}

void untold_view_free(struct untold_view *view)
{
    history_free(view->history);
    free(view->scenario);
    *view = (struct untold_view){0};
}

// ---- what came of it ---------------------------------------------------------------------------

// That of which no proof could come, because the trial was broken off, is not without effect.
static bool is_effective(const struct analysis *whole, unsigned index, const char **words)
{
    const struct fault_event *applied = fault_proof(whole, index, false);
    const struct fault_event *proof = fault_proof(whole, index, true);
    *words = proof != NULL ? proof->evidence : applied != NULL ? applied->evidence : "";
    if (applied == NULL)
        *words = "the trial had ended before";
    return proof != NULL ? proof->proven
                         : applied != NULL && applied->proven && whole->limit.count > 0;
}

static struct oracle_verdict judge_effect(const struct analysis *whole, double *struck_s)
{
    struct oracle_verdict verdict = {.oracle = UNTOLD_EFFECTIVE};
    unsigned missing = 0;
    char words[128] = "";
    *struck_s = NAN;
    for (unsigned i = 0; i < whole->scenario->fault_count; i++) {
        const char *evidence;
        const struct fault_event *applied = fault_proof(whole, i, false);
        if (!whole->scenario->fault[i].untold)
            continue;
        const bool effective = is_effective(whole, i, &evidence);
        if (words[0] == '\0' || (!effective && missing == 0))
            snprintf(words, sizeof words, "%.120s", evidence);
        missing += !effective;
        if (applied != NULL && !(*struck_s <= instant_to_s(applied->time)))
            *struck_s = instant_to_s(applied->time);
    }
    verdict_count(&verdict, missing, VERDICT_ERROR, "faults", "%s", words);
    return verdict;
}

// The lab itself: what it finds is no finding about the target.
static bool is_of_the_lab(const struct oracle_verdict *oracle)
{
    return oracle->verdict == VERDICT_ERROR && strcmp(oracle->oracle, "lab-history") == 0;
}

// Broken first of those with this verdict; NULL: none has it.
static const struct oracle_verdict *first_with(const struct judgement *judgement,
                                               enum verdict verdict)
{
    const struct oracle_verdict *first = NULL;
    for (unsigned i = 0; i < judgement->count; i++) {
        const struct oracle_verdict *oracle = &judgement->oracle[i];
        if (oracle->verdict == verdict && !is_of_the_lab(oracle) &&
            (first == NULL || (isnan(first->broken_s) && !isnan(oracle->broken_s)) ||
             oracle->broken_s < first->broken_s))
            first = oracle;
    }
    return first;
}

static bool lab_failed(const struct judgement *judgement)
{
    for (unsigned i = 0; i < judgement->count; i++)
        if (is_of_the_lab(&judgement->oracle[i]))
            return true;
    return false;
}

static void say(struct observation *observation, const char *name, const char *text)
{
    *observation = (struct observation){.value = NAN};
    text_copy(observation->name, sizeof observation->name, name);
    text_copy(observation->text, sizeof observation->text, text);
}

// Before all others: it is what a list of trials shows.
static void put_first(struct judgement *judgement, const struct observation *new, unsigned count)
{
    unsigned kept = judgement->observation_count;
    if (kept + count > OBSERVATIONS_MAX)
        kept = OBSERVATIONS_MAX - count;
    memmove(judgement->observation + count, judgement->observation,
            kept * sizeof judgement->observation[0]);
    memcpy(judgement->observation, new, count * sizeof *new);
    judgement->observation_count = kept + count;
}

void untold_conclude(const struct analysis *whole, struct judgement *judgement)
{
    double struck_s;
    struct observation told[4];
    unsigned count = 1;
    const struct oracle_verdict effect = judge_effect(whole, &struck_s);
    const struct oracle_verdict *by = first_with(judgement, VERDICT_FAIL);
    by = by != NULL ? by : first_with(judgement, VERDICT_ERROR);
    say(&told[0], UNTOLD_OUTCOME,
        effect.verdict == VERDICT_ERROR ? UNTOLD_WITHOUT_EFFECT
        : lab_failed(judgement)         ? UNTOLD_LAB_ERROR
        : by != NULL                    ? UNTOLD_NOTICED
                                        : UNTOLD_PASSED);
    if (by != NULL && effect.verdict != VERDICT_ERROR && !lab_failed(judgement)) {
        say(&told[1], UNTOLD_BY, by->oracle);
        say(&told[2], UNTOLD_AS, verdict_name(by->verdict));
        say(&told[3], UNTOLD_AFTER, "");
        // The oracle may name the beginning of a stretch in which it struck.
        told[3].value = isnan(by->broken_s) ? NAN : fmax(0, by->broken_s - struck_s);
        text_copy(told[3].unit, sizeof told[3].unit, "s");
        if (isnan(told[3].value))
            text_copy(told[3].reason, sizeof told[3].reason, "the oracle does not say when");
        count = 4;
    }
    put_first(judgement, told, count);
    judgement_add(judgement, effect.oracle, effect.verdict, effect.margin, effect.unit,
                  effect.detail);
}
