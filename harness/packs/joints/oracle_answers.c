// Whether those who drive the joints answer what they read, with all that was asked for. A robot
// that stands still may do so since nobody tells its boards anything.
//
// A reference or a command of the legs names the state that it answers: a recent one, and with an
// entry for each joint of the robot. The arms are told only when something is asked of them, so
// their commands may be old. And a reference is for all joints that were commanded, unless the
// state that it answers says that a joint cannot be moved.
#include "harness/packs/joints/oracles.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/packs/joints/commands.h"
#include "harness/packs/robot/facts.h"

// How long after a state's cycle began its answers come at the latest. Two periods are what the
// slowest plan takes (targets/hubo2/cycle_plan.h); the rest is for machines that are late.
#define PERIODS_MAX 2.0
#define LATE_MAX_S 0.02

struct states { // as their readers got them
    const struct analysis *analysis;
    struct series series;
};

// The newest state of this number that was there at time_s and is not too old to be answered; NULL:
// there is none.
static const struct state_message *answered(const struct states *states, uint64_t cycle,
                                            double time_s)
{
    const double oldest_s = time_s - PERIODS_MAX * facts(states->analysis)->period_s - LATE_MAX_S;
    const struct event *const *event = states->series.event;
    size_t i = series_count_until(&states->series, time_s);
    while (i-- > 0 && instant_to_s(event[i]->time) >= oldest_s) {
        const struct state_message *state = event[i]->data;
        if (state->cycle == cycle)
            return state;
    }
    return NULL;
}

// ---- what is answered --------------------------------------------------------------------------

struct answers {
    unsigned looked_at, wrong;
    double first_s; // wrong one
    char words[160];
};

struct answer { // what references and commands have in common
    const char *channel;
    double time_s;
    uint64_t state_cycle;
    unsigned joint_count;
    bool may_be_old; // which state it answers does not matter
};

static void say_wrong(struct answers *answers, const struct answer *answer, const char *format,
                      unsigned long long number, unsigned joints)
{
    if (answers->wrong++ > 0 && answer->time_s >= answers->first_s)
        return;
    char what[96];
    snprintf(what, sizeof what, format, number, joints);
    answers->first_s = answer->time_s;
    snprintf(answers->words, sizeof answers->words, "; %s at %.3f s %s", answer->channel,
             answer->time_s, what);
}

static void judge_answer(const struct states *states, const struct answer *answer,
                         struct answers *answers)
{
    const unsigned joints = states->analysis->description->joint_count;
    if (states->series.count == 0 || is_disturbed(states->analysis, answer->time_s))
        return;
    answers->looked_at++;
    if (answer->joint_count != joints)
        say_wrong(answers, answer, "is for %llu joints of %u", answer->joint_count, joints);
    else if (!answer->may_be_old && answered(states, answer->state_cycle, answer->time_s) == NULL)
        say_wrong(answers, answer, "answers state %llu, which is old or never was",
                  answer->state_cycle, 0);
}

static bool judge_commands(const struct states *states, const char *channel, bool may_be_old,
                           struct answers *answers)
{
    struct series commands = {0};
    if (!series_collect(states->analysis->history, channel, sizeof(struct command_message),
                        &commands))
        return false;
    for (size_t i = 0; i < commands.count; i++) {
        const struct command_message *command = commands.event[i]->data;
        judge_answer(states,
                     &(struct answer){channel, instant_to_s(commands.event[i]->time),
                                      command->state_cycle, command->joint_count, may_be_old},
                     answers);
    }
    free(commands.event);
    return true;
}

static void judge_references(const struct states *states, struct answers *answers)
{
    const struct series *references = &facts(states->analysis)->reference;
    for (size_t i = 0; i < references->count; i++) {
        const struct reference_message *reference = references->event[i]->data;
        judge_answer(states,
                     &(struct answer){"reference", instant_to_s(references->event[i]->time),
                                      reference->state_cycle, reference->joint_count, false},
                     answers);
    }
}

static bool collect_states(const struct analysis *a, struct states *states)
{
    *states = (struct states){.analysis = a};
    return series_collect_got(a->history, "state", sizeof(struct state_message), &states->series);
}

void oracle_answers_current(const struct analysis *a, struct oracle_verdict *verdict)
{
    struct states states;
    struct answers answers = {.first_s = NAN};
    const bool all = collect_states(a, &states) &&
                     judge_commands(&states, "leg-command", false, &answers) &&
                     judge_commands(&states, "arm-command", true, &answers);
    if (all)
        judge_references(&states, &answers);
    free(states.series.event);
    if (!all)
        verdict_no_memory(verdict);
    else if (answers.looked_at == 0)
        verdict_nothing(verdict, "no state was answered without a fault in force");
    else
        verdict_count(verdict, answers.wrong, VERDICT_FAIL, "messages",
                      "%u of %u references and commands answer no recent state whole%s",
                      answers.wrong, answers.looked_at, answers.words);
    verdict_broken_at(verdict, answers.first_s);
}

// ---- what is carried out -----------------------------------------------------------------------

struct carried {
    uint64_t known;                // bit j: joint j was commanded when Control answered before
    unsigned references, left_out; // that were looked at; that lack a joint
    double first_s;
    char words[96];
};

static bool can_be_moved(const struct state_message *state, const struct description *description,
                         unsigned j)
{
    const struct joint_reading *reading = &state->joint[j];
    return reading->valid && isfinite(reading->position_rad) && isfinite(reading->reference_rad) &&
           !(state->dead_boards >> description->joint[j].board & 1);
}

static void judge_carried(const struct states *states, const struct event *event,
                          struct carried *carried)
{
    const struct description *description = states->analysis->description;
    const struct reference_message *reference = event->data;
    const double time_s = instant_to_s(event->time);
    const struct state_message *state = answered(states, reference->state_cycle, time_s);
    if (state == NULL || is_disturbed(states->analysis, time_s))
        return;
    carried->references++;
    for (unsigned j = 0; j < description->joint_count; j++) {
        if (!((carried->known & ~reference->active) >> j & 1) ||
            !can_be_moved(state, description, j))
            continue;
        if (carried->left_out++ == 0) {
            carried->first_s = time_s;
            snprintf(carried->words, sizeof carried->words, "; that of %.3f s lacks %s", time_s,
                     description->joint[j].name);
        }
        return;
    }
}

// A Control that was started again knows what was said since, and the newest before.
static void get_to_know(const struct commands *commands, unsigned joints, struct carried *carried)
{
    for (unsigned j = 0; j < joints; j++)
        if (commands->joint[j].commanded && commands->joint[j].time.ns > 0)
            carried->known |= UINT64_C(1) << j;
}

void oracle_commands_carried(const struct analysis *a, struct oracle_verdict *verdict)
{
    struct states states;
    struct commands commands = {.analysis = a};
    struct carried carried = {.first_s = NAN};
    if (!collect_states(a, &states)) {
        verdict_no_memory(verdict);
        return;
    }
    const struct series *references = &facts(a)->reference;
    for (size_t i = 0; i < references->count; i++) {
        if (commands_until(&commands, i))
            carried.known = 0;
        judge_carried(&states, references->event[i], &carried);
        get_to_know(&commands, a->description->joint_count, &carried);
    }
    free(states.series.event);
    if (carried.references == 0)
        verdict_nothing(verdict, "no reference answers a state without a fault in force");
    else
        verdict_count(verdict, carried.left_out, VERDICT_FAIL, "references",
                      "%u of %u references leave out a joint that was commanded%s",
                      carried.left_out, carried.references, carried.words);
    verdict_broken_at(verdict, carried.first_s);
}
