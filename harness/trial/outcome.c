// A run is an error of the lab until something better is found: what ends before it can say
// anything has said that. What is found later is found farther outside - in the cell, by its
// keeper, in the lab's own process - and knows more; so a row says what the later finding leaves of
// the earlier one.
//
// - That the run broke off is news only of one that was taken to have come to its end. The others
//   knew it, and why.
// - A machine that failed explains a refusal: the process had no memory, or no room.
// - What this machine cannot do stays so, whatever else fails.
// - The target's own doing is judged, whatever the lab met with because of it.
// - Where the lab's own code is wrong, nothing that it found before is believed.
#include "harness/trial/outcome.h"

#include "base/invariant.h"
#include "base/text.h"

static const enum trial_outcome table[TRIAL_OUTCOME_COUNT][FINDING_COUNT] = {
    [TRIAL_LAB_ERROR] = {[FINDING_REFUSAL] = TRIAL_REFUSED,
                         [FINDING_END] = TRIAL_RAN,
                         [FINDING_BROKEN_OFF] = TRIAL_LAB_ERROR,
                         [FINDING_MACHINE_FAILURE] = TRIAL_MACHINE_FAILED,
                         [FINDING_UNSUPPORTED] = TRIAL_UNSUPPORTED,
                         [FINDING_UNTRUSTED] = TRIAL_UNTRUSTED,
                         [FINDING_JUDGEABLE] = TRIAL_RAN,
                         [FINDING_BROKEN_INVARIANT] = TRIAL_LAB_ERROR},
    [TRIAL_RAN] = {[FINDING_REFUSAL] = TRIAL_REFUSED,
                   [FINDING_END] = TRIAL_RAN,
                   [FINDING_BROKEN_OFF] = TRIAL_LAB_ERROR,
                   [FINDING_MACHINE_FAILURE] = TRIAL_MACHINE_FAILED,
                   [FINDING_UNSUPPORTED] = TRIAL_UNSUPPORTED,
                   [FINDING_UNTRUSTED] = TRIAL_UNTRUSTED,
                   [FINDING_JUDGEABLE] = TRIAL_RAN,
                   [FINDING_BROKEN_INVARIANT] = TRIAL_LAB_ERROR},
    [TRIAL_REFUSED] = {[FINDING_REFUSAL] = TRIAL_REFUSED,
                       [FINDING_END] = TRIAL_RAN, // it was started again in time
                       [FINDING_BROKEN_OFF] = TRIAL_REFUSED,
                       [FINDING_MACHINE_FAILURE] = TRIAL_MACHINE_FAILED,
                       [FINDING_UNSUPPORTED] = TRIAL_UNSUPPORTED,
                       [FINDING_UNTRUSTED] = TRIAL_UNTRUSTED,
                       [FINDING_JUDGEABLE] = TRIAL_RAN,
                       [FINDING_BROKEN_INVARIANT] = TRIAL_LAB_ERROR},
    [TRIAL_MACHINE_FAILED] = {[FINDING_REFUSAL] = TRIAL_MACHINE_FAILED,
                              [FINDING_END] = TRIAL_MACHINE_FAILED,
                              [FINDING_BROKEN_OFF] = TRIAL_MACHINE_FAILED,
                              [FINDING_MACHINE_FAILURE] = TRIAL_MACHINE_FAILED,
                              [FINDING_UNSUPPORTED] = TRIAL_UNSUPPORTED,
                              [FINDING_UNTRUSTED] = TRIAL_UNTRUSTED,
                              [FINDING_JUDGEABLE] = TRIAL_RAN,
                              [FINDING_BROKEN_INVARIANT] = TRIAL_LAB_ERROR},
    [TRIAL_UNSUPPORTED] = {[FINDING_REFUSAL] = TRIAL_UNSUPPORTED,
                           [FINDING_END] = TRIAL_UNSUPPORTED,
                           [FINDING_BROKEN_OFF] = TRIAL_UNSUPPORTED,
                           [FINDING_MACHINE_FAILURE] = TRIAL_UNSUPPORTED,
                           [FINDING_UNSUPPORTED] = TRIAL_UNSUPPORTED,
                           [FINDING_UNTRUSTED] = TRIAL_UNTRUSTED,
                           [FINDING_JUDGEABLE] = TRIAL_RAN,
                           [FINDING_BROKEN_INVARIANT] = TRIAL_LAB_ERROR},
    [TRIAL_UNTRUSTED] = {[FINDING_REFUSAL] = TRIAL_UNTRUSTED,
                         [FINDING_END] = TRIAL_UNTRUSTED,
                         [FINDING_BROKEN_OFF] = TRIAL_UNTRUSTED,
                         [FINDING_MACHINE_FAILURE] = TRIAL_UNTRUSTED,
                         [FINDING_UNSUPPORTED] = TRIAL_UNTRUSTED,
                         [FINDING_UNTRUSTED] = TRIAL_UNTRUSTED,
                         [FINDING_JUDGEABLE] = TRIAL_RAN,
                         [FINDING_BROKEN_INVARIANT] = TRIAL_LAB_ERROR},
};

enum trial_finding trial_finding_of(enum status status)
{
    switch (status) {
    case STATUS_OK:
        return FINDING_END;
    case STATUS_NO_MEMORY:
    case STATUS_SYSTEM:
        return FINDING_MACHINE_FAILURE;
    case STATUS_UNSUPPORTED:
        return FINDING_UNSUPPORTED;
    default:
        return FINDING_BROKEN_OFF;
    }
}

enum trial_outcome trial_outcome_step(enum trial_outcome outcome, enum trial_finding finding)
{
    invariant(outcome < TRIAL_OUTCOME_COUNT && finding < FINDING_COUNT);
    return table[outcome][finding];
}

void trial_find(struct trial_result *result, enum trial_finding finding)
{
    result->outcome = trial_outcome_step(result->outcome, finding);
}

void trial_note_kill(struct trial_result *result, enum trial_kill kill, const char *what)
{
    invariant(kill != TRIAL_KILL_NONE && what[0] != '\0');
    if (result->kill == TRIAL_KILL_NONE || kill == TRIAL_KILL_SURE) {
        result->kill = kill;
        text_copy(result->killed, sizeof result->killed, what);
    }
}
