// What a hog of known priority, share and period should make each process miss: computed, to be put
// beside what was measured.
#include "harness/bench/interference/interference.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/files/fault/catalogue.h"
#include "harness/files/scenario.h"

#define NS_PER_S 1e9

// ---- the hog ----------------------------------------------------------------------------------

// Of the process with that name, or, if there is none, of that component; 0: there is neither.
static int priority_of(const struct target *target, const char *who)
{
    int priority = 0;
    for (unsigned i = 0; i < target->process_count; i++) {
        const struct process_config *process = &target->process[i];
        if (strcmp(process->name, who) == 0)
            return process->priority;
        if (strcmp(process->component, who) == 0)
            priority = process->priority;
    }
    return priority;
}

static const char *parameter(const struct fault_kind *kind, const struct fault_request *request,
                             const char *name)
{
    for (unsigned i = 0; i < kind->parameter_count; i++)
        if (strcmp(kind->parameter[i].name, name) == 0)
            return catalogue_parameter(&kind->parameter[i], request);
    return "";
}

static int hog_priority(const char *relation, int struck)
{
    return strcmp(relation, "ordinary") == 0 ? 0
           : strcmp(relation, "lower") == 0  ? struck - 1
           : strcmp(relation, "higher") == 0 ? struck + 1
                                             : struck;
}

bool interference_hog_of(const struct scenario *scenario, const struct target *target,
                         struct interference_hog *hog)
{
    const struct fault_request *request = &scenario->fault[0];
    if (scenario->fault_count != 1 || request->loads != LOADS_CPU)
        return false;
    const struct fault_kind *kind = catalogue_find(scenario->catalogue, request->kind);
    const bool everywhere = kind != NULL &&
                            strtod(parameter(kind, request, "threads"), NULL) == 0 &&
                            strtod(parameter(kind, request, "core"), NULL) < 0;
    if (everywhere)
        *hog = (struct interference_hog){
            .period_ns = NS_PER_S * strtod(parameter(kind, request, "period_s"), NULL),
            .share = strtod(parameter(kind, request, "share"), NULL),
            .priority = hog_priority(parameter(kind, request, "relation"),
                                     priority_of(target, request->component))};
    return everywhere;
}

// ---- who waits for it -------------------------------------------------------------------------

// The hog is at work for `busy` of each period. Who comes at some instant of its work waits for the
// rest of that, and is late if that and its own work are longer than the room it has. Who is
// interrupted by the next period's work waits for all of it, and is late if that is.
static double share_late(const struct interference_hog *hog, const struct interference_way *way,
                         bool is_interrupted)
{
    const double busy_ns = hog->share * hog->period_ns;
    const double room_ns = (double)way->room_ns / (double)way->count;
    const double work_ns = (double)way->work_ns / (double)way->count;
    const double beyond_ns = fmax(0, busy_ns + work_ns - room_ns);
    const double interrupted_ns = is_interrupted && beyond_ns > 0 ? work_ns : 0;
    return fmin(1, (fmin(beyond_ns, busy_ns) + interrupted_ns) / hog->period_ns);
}

double interference_expected(const struct interference_hog *hog, const struct target *target,
                             const struct chain_config *chain, const struct interference *measured,
                             unsigned link)
{
    const int own = priority_of(target, chain_owner(chain, link));
    const int cycle = priority_of(target, chain_owner(chain, 0));
    const struct interference_way *way = &measured->way[link];
    if (own > hog->priority)
        return 0;
    // Where the cycle itself begins late every deadline moves with it.
    if (cycle <= hog->priority || way->count == 0)
        return NAN;
    return share_late(hog, way, own < hog->priority);
}
