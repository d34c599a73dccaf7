#include "harness/files/square_claim.h"

#include "base/text.h"
#include "harness/files/claims.h"
#include "harness/files/fault/fault_request.h"
#include "harness/files/scenario.h"
#include "harness/packs/list.h"

#define PROMISES_NAMED 6 // of more the others are counted

static bool has_pack(const struct target *target, const char *pack)
{
    for (unsigned i = 0; i < target->pack_count; i++)
        if (strcmp(target->pack[i], pack) == 0)
            return true;
    return false;
}

static void add_faults(struct scenario *scenario)
{
    char *claim = scenario->claim;
    for (unsigned i = 0; i < scenario->fault_count; i++)
        text_add(claim, sizeof scenario->claim, "%s%s (%s)",
                 i > 0                       ? ", "
                 : scenario->fault_count > 1 ? "With the faults "
                                             : "With the fault ",
                 scenario->fault[i].kind, scenario->fault[i].component);
    text_add(claim, sizeof scenario->claim, scenario->fault_count > 0 ? ": " : "Without a fault: ");
}

// Whether the struck process runs again: it is started, or goes on.
static bool runs_again(const struct fault_request *fault)
{
    return fault->halts == HALTS_STOPPED ||
           (fault->halts == HALTS_ENDED && (fault->restarts || fault->restart_after_s >= 0));
}

// Whether the event from which its window counts is part of the scenario.
static bool is_judged(const struct promise *promise, const struct scenario *scenario)
{
    const bool struck = scenario->fault_count > 0;
    return promise->program[0] != '\0' || promise->from == FROM_START ||
           (struck && (promise->from != FROM_RESTART || runs_again(&scenario->fault[0])));
}

// Whether it promises something itself: what the robot may do is then for its promises to say.
static bool promises(const struct scenario *scenario)
{
    for (unsigned i = 0; i < scenario->promise_count; i++)
        if (!scenario->promise[i].of_target && is_judged(&scenario->promise[i], scenario))
            return true;
    return false;
}

// What the oracles of the whole motion judge, by the first fault.
static void add_motion(struct scenario *scenario)
{
    char *claim = scenario->claim;
    const struct fault_request *fault = scenario->fault_count > 0 ? &scenario->fault[0] : NULL;
    const bool stands = scenario->must_stand || fault == NULL, own = promises(scenario);
    const char *if_up = stands ? "" : "unless it falls, ";
    if (stands || !own)
        text_add(claim, sizeof scenario->claim, "the robot %s; ",
                 stands ? "does not fall" : "may fall");
    if (scenario->must_complete && fault == NULL)
        text_add(claim, sizeof scenario->claim, "it does what it is asked for; ");
    else if (scenario->must_complete && runs_again(fault))
        text_add(claim, sizeof scenario->claim,
                 "%sit does what it is asked for once %s runs again; ", if_up, fault->component);
    else if (fault != NULL && runs_again(fault))
        text_add(claim, sizeof scenario->claim, "%s%s runs again; ", if_up, fault->component);
    else if (scenario->must_complete && fault->duration_s > 0)
        text_add(claim, sizeof scenario->claim,
                 "%sit does what it is asked for when the fault is over; ", if_up);
    else if (!own)
        text_add(claim, sizeof scenario->claim, "it need not do what it is asked for; ");
}

static void add_promises(struct scenario *scenario)
{
    const size_t size = sizeof scenario->claim;
    unsigned count = 0;
    for (unsigned i = 0; i < scenario->promise_count; i++) {
        if (!is_judged(&scenario->promise[i], scenario))
            continue;
        if (count < PROMISES_NAMED)
            text_add(scenario->claim, size, "%s%s", count > 0 ? ", " : "",
                     scenario->promise[i].name);
        count++;
    }
    if (count > PROMISES_NAMED)
        text_add(scenario->claim, size, " and %u more", count - PROMISES_NAMED);
    if (count > 0)
        text_add(scenario->claim, size, count == 1 ? " holds; " : " hold; ");
}

static bool any_falsifies(const struct scenario *scenario)
{
    for (unsigned i = 0; i < scenario->fault_count; i++)
        if (scenario->fault[i].falsifies)
            return true;
    return false;
}

// What the oracles of packs judge of every trial, whatever strikes.
static void add_limits(const struct target *target, struct scenario *scenario)
{
#define PACK_CLAIM(pack, of_readings, words) {pack, words, of_readings},
    static const struct {
        const char *pack, *words;
        bool of_readings;
    } claims[] = {PACK_CLAIMS(PACK_CLAIM)};
#undef PACK_CLAIM
    for (size_t i = 0; i < sizeof claims / sizeof claims[0]; i++)
        if (has_pack(target, claims[i].pack) && !(claims[i].of_readings && any_falsifies(scenario)))
            text_add(scenario->claim, sizeof scenario->claim, "%s; ", claims[i].words);
}

void square_claim(const struct target *target, struct scenario *scenario)
{
    scenario->claim[0] = '\0';
    add_faults(scenario);
    if (has_pack(target, PACK_OF_MOTION))
        add_motion(scenario);
    add_promises(scenario);
    add_limits(target, scenario);
    text_add(scenario->claim, sizeof scenario->claim, "no other process dies.");
}
