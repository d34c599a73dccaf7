#include "harness/files/fault/fault_meet.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/files/fault/catalogue.h"
#include "harness/files/fault/fault_channel.h"
#include "harness/files/scenario.h"

struct acts { // a fault, and when it acts
    unsigned number;
    const struct fault_request *request;
    const struct fault_kind *kind;
    double from_min_s, from_max_s; // it strikes
    double lasts_s;                // INFINITY: to the trial's end
};

static double lasts_s(const struct fault_kind *kind, const struct fault_request *request)
{
    switch (kind->undo) {
    case UNDO_PROGRAM:
    case UNDO_RESTART:
        return request->duration_s;
    case UNDO_RESTART_ASKED:
        return request->restart_after_s >= 0 ? request->restart_after_s : INFINITY;
    case UNDO_NEVER:
        break;
    }
    return INFINITY;
}

static bool find_acts(const struct catalogue *catalogue, const struct scenario *scenario,
                      unsigned number, struct acts *acts)
{
    const struct fault_request *request = &scenario->fault[number];
    const struct fault_kind *kind = catalogue_find(catalogue, request->kind);
    if (kind == NULL || request->at.kind != TRIGGER_TIME)
        return false;
    *acts = (struct acts){.number = number,
                          .request = request,
                          .kind = kind,
                          .from_min_s = request->at.time_min_s,
                          .from_max_s = request->at.time_max_s,
                          .lasts_s = lasts_s(kind, request)};
    return true;
}

// ---- when ----

// Whether `b` may strike while `a` acts. What is due at one instant is done in the file's order.
static bool begins_within(const struct acts *a, const struct acts *b)
{
    const bool after =
        b->from_max_s > a->from_min_s || (b->from_max_s == a->from_min_s && a->number < b->number);
    const double end_s = a->from_max_s + a->lasts_s;
    const bool before = b->from_min_s < end_s || (b->from_min_s == end_s && b->number < a->number);
    return after && before;
}

// Whether all of `b` may lie within `a`.
static bool lies_within(const struct acts *a, const struct acts *b)
{
    const bool longer =
        isinf(a->lasts_s) || b->from_min_s - a->from_max_s <= a->lasts_s - b->lasts_s;
    return longer && a->lasts_s >= b->lasts_s && b->from_max_s >= a->from_min_s;
}

// ---- where ----

static const struct process_config *process_of(const struct acts *acts, const struct target *target)
{
    for (unsigned i = 0; acts->kind->struck == STRUCK_PROCESS && i < target->process_count; i++)
        if (strcmp(target->process[i].name, acts->request->component) == 0 ||
            strcmp(target->process[i].component, acts->request->component) == 0)
            return &target->process[i];
    return NULL;
}

static bool is_process(const struct process_config *process, const char *name)
{
    return process != NULL && strcmp(process->name, name) == 0;
}

static const char *value_of(const struct acts *acts, const char *name)
{
    for (unsigned i = 0; i < acts->kind->parameter_count; i++)
        if (strcmp(acts->kind->parameter[i].name, name) == 0)
            return catalogue_parameter(&acts->kind->parameter[i], acts->request);
    return NULL;
}

// ---- what cannot be ----

static bool is_seen_by_what_it_says(const struct acts *acts)
{
    return acts->kind->look == LOOK_clock || acts->kind->look == LOOK_turns ||
           acts->kind->look == LOOK_calls;
}

static bool strikes_all(const struct acts *acts)
{
    const char *share = value_of(acts, "share"), *limit = value_of(acts, "limit");
    return share != NULL && strtod(share, NULL) >= 1 && limit != NULL && strtod(limit, NULL) == 0;
}

// Whether `a` leaves `b` nothing by this parameter, which says `any` where it chooses nothing.
static bool covers(const struct acts *a, const struct acts *b, const char *name, const char *any)
{
    const char *one = value_of(a, name), *other = value_of(b, name);
    return one == NULL || strcmp(one, any) == 0 || (other != NULL && strcmp(one, other) == 0);
}

// Of sockets of the same process: a call is struck once, by what struck first. Whether calls are of
// datagrams is not known; what is refused of a stream are connections, so one that there is already
// can be reset, and one that was reset can be refused.
static const char *clash_on_calls(const struct acts *a, const struct acts *b)
{
    const bool again = strcmp(a->kind->name, b->kind->name) == 0;
    const bool on_streams =
        b->kind->shows == SHOWS_SHORTENED || (b->kind->shows == SHOWS_REFUSED && !again);
    if (a->kind->look != LOOK_calls || b->kind->look != LOOK_calls || !strikes_all(a) ||
        !covers(a, b, "port", "0") || !covers(a, b, "path", "any") ||
        !covers(a, b, "direction", "both") || !lies_within(a, b) ||
        a->kind->shows == SHOWS_SHORTENED || (a->kind->shows == SHOWS_REFUSED && on_streams))
        return NULL;
    return "strikes calls of which none is left";
}

// Of the same process: why `b` cannot be proven beside `a`; NULL: it can.
static const char *clash_on_process(const struct acts *a, const struct acts *b)
{
    const bool stalls = a->kind->halts == HALTS_STOPPED;
    const bool again = strcmp(a->kind->name, b->kind->name) == 0;
    const bool at_once = b->from_max_s >= a->from_min_s && b->from_min_s <= a->from_max_s;
    if (a->kind->halts == HALTS_ENDED && is_seen_by_what_it_says(b) && at_once)
        return "shows in what the process does, and it may be ended at that instant";
    if (a->kind->halts == HALTS_ENDED && begins_within(a, b))
        return "strikes a process that has been ended, and does not run then";
    if (stalls && b->kind->halts == HALTS_STOPPED && begins_within(a, b))
        return "stops a process that is stopped already, and would go on with the first";
    if (stalls && b->kind->halts == HALTS_ENDED && b->kind->proof_later && lies_within(a, b))
        return "asks a process to end that is stopped until after that";
    if (stalls && is_seen_by_what_it_says(b) && lies_within(a, b))
        return "shows in what the process does, and it is stopped as long";
    // A clock that goes wrong by no amount stands still, and the process may wait for ever.
    if (a->kind->look == LOOK_clock && a->kind->parameter_count == 0 &&
        is_seen_by_what_it_says(b) && lies_within(a, b))
        return "shows in what the process does, and its clock stands still as long";
    if (again && a->kind->look == LOOK_turns && begins_within(a, b))
        return "makes turns longer that are longer already";
    return clash_on_calls(a, b);
}

static bool shows_in_frames(const struct acts *acts)
{
    return acts->kind->shows == SHOWS_REPEATED || acts->kind->shows == SHOWS_DISORDERED ||
           acts->kind->shows == SHOWS_ALTERED || acts->kind->shows == SHOWS_SHORTENED;
}

static const char *clash_on_channel(const struct acts *a, const struct acts *b)
{
    const char *field = value_of(a, "field"), *other = value_of(b, "field");
    const bool all = strikes_all(a);
    if (a->kind->shows == SHOWS_MISSING && all && lies_within(a, b))
        return "changes frames of which none comes";
    if ((a->kind->shows == SHOWS_ALTERED || a->kind->shows == SHOWS_SHORTENED) && all &&
        (b->kind->shows == SHOWS_REPEATED || b->kind->shows == SHOWS_DISORDERED) &&
        lies_within(a, b))
        return "shows in frames that can be told apart, and all are changed";
    if (a->kind->shows == SHOWS_SAME && all && shows_in_frames(b) && lies_within(a, b))
        return "shows in how frames differ, and all are the same";
    if (a->kind->shows == SHOWS_ALTERED && all && b->kind->shows == SHOWS_SHORTENED &&
        lies_within(a, b))
        return "shows in the beginning of frames, and all are changed";
    if (a->kind->shows == SHOWS_SHORTENED && b->kind->shows == SHOWS_SHORTENED && lies_within(a, b))
        return "cuts frames off that are cut off already";
    if (a->kind->shows == SHOWS_SHORTENED && all && other != NULL && lies_within(a, b))
        return "changes a number of frames that are cut off";
    if (field != NULL && other != NULL && strcmp(field, other) == 0 && begins_within(a, b))
        return "replaces a number that is replaced already";
    return NULL;
}

static bool is_same_node(const struct acts *a, const struct acts *b)
{
    static const char *const nodes[] = {"board", "node", "host", "cable"};
    for (size_t i = 0; i < sizeof nodes / sizeof *nodes; i++) {
        const char *one = value_of(a, nodes[i]), *other = value_of(b, nodes[i]);
        if (one != NULL && (other == NULL || strcmp(one, other) != 0))
            return false;
    }
    return true;
}

static const char *clash(const struct acts *a, const struct acts *b, const struct target *target)
{
    const struct process_config *process = process_of(a, target);
    if (process != NULL && process == process_of(b, target))
        return clash_on_process(a, b);
    if (a->kind->silences && a->kind->struck == b->kind->struck &&
        strcmp(a->request->component, b->request->component) == 0 && is_same_node(a, b) &&
        lies_within(a, b))
        return "shows in what is sent, and nothing comes through then";
    if (b->kind->struck != STRUCK_CHANNEL)
        return NULL;
    const struct channel_config *channel = fault_channel(b->request, target);
    if (a->kind->halts != HALTS_NOTHING && channel != NULL &&
        is_process(process, channel->writer) && lies_within(a, b))
        return "changes frames that nobody puts then";
    return a->kind->struck == STRUCK_CHANNEL &&
                   strcmp(a->request->component, b->request->component) == 0
               ? clash_on_channel(a, b)
               : NULL;
}

const char *faults_clash(const struct catalogue *catalogue, const struct target *target,
                         const struct scenario *scenario, unsigned i, unsigned j)
{
    struct acts a, b;
    return find_acts(catalogue, scenario, i, &a) && find_acts(catalogue, scenario, j, &b)
               ? clash(&a, &b, target)
               : NULL;
}

void faults_meet_check(struct yaml_source *source, const struct catalogue *catalogue,
                       const struct target *target, const struct scenario *scenario)
{
    for (unsigned i = 0; i < scenario->fault_count; i++)
        for (unsigned j = 0; j < scenario->fault_count; j++) {
            const char *why = i == j ? NULL : faults_clash(catalogue, target, scenario, i, j);
            if (why != NULL)
                yaml_complain(source, yaml_key("faults[%u].at", j).text,
                              "meets faults[%u], %s of %s, and %s: nothing would prove it; let "
                              "them act one after the other",
                              i, scenario->fault[i].kind, scenario->fault[i].component, why);
        }
}
