#include "harness/campaign/fate.h"

#include <string.h>

#include "base/invariant.h"

static bool was_killed(const struct trial_result *result)
{
    return result->kill != TRIAL_KILL_NONE;
}

// Whether the target kills, or somebody else; STORED: neither.
static enum fate look_for_kills(const struct trial_result *run, unsigned count)
{
    unsigned same = 0;
    if (!was_killed(&run[0]))
        return FATE_STORED;
    for (unsigned i = 0; i < count; i++) {
        if (!was_killed(&run[i]) || run[i].kill == TRIAL_KILL_SURE)
            return FATE_DISTURBED;
        same += strcmp(run[i].killed, run[0].killed) == 0;
    }
    return same >= FATE_RUNS_SAME || count >= FATE_RUNS_MAX ? FATE_BLAMED : FATE_AGAIN;
}

static enum fate look_at_machine(const struct trial_result *run, unsigned count, bool trouble)
{
    if (trouble)
        return FATE_MACHINE_FAILED;
    if (run[0].outcome != TRIAL_MACHINE_FAILED)
        return FATE_STORED;
    for (unsigned i = 1; i < count; i++)
        if (run[i].outcome != TRIAL_MACHINE_FAILED || strcmp(run[i].reason, run[0].reason) != 0)
            return FATE_MACHINE_FAILED;
    return count >= FATE_RUNS_SAME ? FATE_STORED : FATE_AGAIN;
}

enum fate fate_of_runs(const struct trial_result *run, unsigned count, bool trouble)
{
    expects(count >= 1 && count <= FATE_RUNS_MAX);
    for (unsigned i = 0; i < count; i++)
        if (run[i].shortage != TRIAL_SHORT_OF_NOTHING)
            return FATE_MACHINE_FAILED;
    const enum fate kills = look_for_kills(run, count);
    if (kills == FATE_DISTURBED || kills == FATE_AGAIN)
        return kills;
    const enum fate machine = look_at_machine(run, count, trouble);
    if (machine != FATE_STORED)
        return machine;
    // What ended a process of the target leaves a history to judge.
    return run[0].outcome == TRIAL_RAN ? FATE_STORED : kills;
}

enum fate fate_of_recheck(const struct trial_result *first, const struct trial_result *again,
                          bool trouble)
{
    if (again->outcome == TRIAL_MACHINE_FAILED || again->shortage != TRIAL_SHORT_OF_NOTHING ||
        trouble)
        return FATE_MACHINE_FAILED;
    return was_killed(again) && !was_killed(first) ? FATE_DISTURBED : FATE_STORED;
}

bool fate_in_doubt(const struct trial_result *result, const struct judgement *judgement)
{
    const struct oracle_verdict *first = judgement_decisive(judgement);
    const bool was_lost =
        first != NULL && first->broken_s + FATE_BROKEN_S < result->still_first_s; // NAN: who knows
    return verdict_is_bad(judgement->verdict) && result->still_s > 0 && !was_lost;
}

enum verdict fate_verdict(const struct trial_result *result)
{
    static const enum verdict verdict[TRIAL_OUTCOME_COUNT] = {
        [TRIAL_LAB_ERROR] = VERDICT_ERROR,  [TRIAL_RAN] = VERDICT_ERROR,
        [TRIAL_REFUSED] = VERDICT_FAIL,     [TRIAL_MACHINE_FAILED] = VERDICT_ERROR,
        [TRIAL_UNSUPPORTED] = VERDICT_SKIP, [TRIAL_UNTRUSTED] = VERDICT_SKIP,
    };
    invariant(result->outcome != TRIAL_RAN); // the judge has a history
    // What was killed before it was ready has refused nothing.
    return result->outcome == TRIAL_REFUSED && was_killed(result) ? VERDICT_ERROR
                                                                  : verdict[result->outcome];
}
