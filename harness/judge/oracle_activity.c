// A stack that does nothing breaks no rule: each channel and each bus must carry what the target
// says that it carries at least.
//
// Excused is what a proven fault accounts for: its own process's channels while it is ended or
// stopped, everything while a bus or the machine is disturbed.
#include "harness/judge/oracles.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/files/fault/fault_request.h"
#include "harness/files/target/target.h"

#define WINDOW_S 1.0     // over which activity is counted
#define WINDOW_MIN_S 0.2 // of a trial that ended sooner

struct carried { // at an instant
    double time_s;
    unsigned frames; // and before it, once they are summed
};

// What is counted: the frames of a channel, or those on a bus.
struct flow {
    const char *name, *writer, *needed; // the last: writer of what the writer needs, or ""
    double floor_hz;
    const struct series *bus_log; // NULL: a channel
    unsigned bus;
    struct series channel;
    struct carried *carried; // in the order of time
    size_t carried_count;
};

struct slackest { // window of all flows
    const char *name, *writer;
    double share;    // of its floor
    double broken_s; // when any flow was first below its floor; INFINITY: none was
    double from_s, to_s, rate_hz, floor_hz;
    bool no_memory;
};

static unsigned frames_of_bus(const struct event *event, unsigned bus)
{
    const struct bus_log_message *log = event->data;
    unsigned frames = 0;
    for (size_t i = 0; i < bus_log_frames(event); i++)
        frames += log->frame[i].bus == bus;
    return frames;
}

static int compare_carried(const void *a, const void *b)
{
    const double first_s = ((const struct carried *)a)->time_s;
    const double second_s = ((const struct carried *)b)->time_s;
    return (first_s > second_s) - (first_s < second_s);
}

// Sums the frames over time once, so that no window counts them again. False: no memory.
static bool sum_up(struct flow *flow)
{
    const struct series *series = flow->bus_log != NULL ? flow->bus_log : &flow->channel;
    flow->carried_count = series->count;
    flow->carried = calloc(series->count + 1, sizeof *flow->carried);
    if (flow->carried == NULL)
        return false;
    for (size_t i = 0; i < series->count; i++)
        flow->carried[i] = (struct carried){
            .time_s = instant_to_s(series->event[i]->time),
            .frames = flow->bus_log != NULL ? frames_of_bus(series->event[i], flow->bus) : 1};
    qsort(flow->carried, flow->carried_count, sizeof *flow->carried, compare_carried);
    for (size_t i = 1; i < flow->carried_count; i++)
        flow->carried[i].frames += flow->carried[i - 1].frames;
    return true;
}

static unsigned carried_until(const struct flow *flow, double time_s)
{
    size_t low = 0, high = flow->carried_count; // those before `low` are not later than time_s
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (flow->carried[middle].time_s <= time_s)
            low = middle + 1;
        else
            high = middle;
    }
    return low == 0 ? 0 : flow->carried[low - 1].frames;
}

// Counted in (from_s, to_s]: what is written at the end of a period.
static double rate_hz(const struct flow *flow, double from_s, double to_s)
{
    return (carried_until(flow, to_s) - carried_until(flow, from_s)) / (to_s - from_s);
}

// Whether what this fault does accounts for the silence of a writer: it struck this very process,
// or something that all use. The target names processes; faults may name components.
static bool accounts_for(const struct analysis *a, const struct in_force *fault, const char *writer)
{
    if (fault->request->struck != STRUCK_PROCESS || fault->request->loads != LOADS_NOTHING)
        return true;
    const char *component = fault->event->component;
    for (unsigned i = 0; i < a->target->process_count; i++) {
        const struct process_config *process = &a->target->process[i];
        if (strcmp(process->name, writer) == 0)
            return strcmp(component, process->name) == 0 ||
                   strcmp(component, process->component) == 0;
    }
    return false;
}

// End of an excuse that touches the window, or its beginning if there is none.
static double excused_until_s(const struct analysis *a, const struct flow *flow, double from_s,
                              double to_s)
{
    double until_s = from_s;
    for (unsigned i = 0; i < a->in_force_count; i++) {
        const struct in_force *fault = &a->in_force[i];
        if (fault->from_s < to_s && fault->to_s > from_s &&
            (accounts_for(a, fault, flow->writer) || accounts_for(a, fault, flow->needed)))
            until_s = fmax(until_s, fault->to_s);
    }
    return until_s;
}

static void look(const struct flow *flow, double from_s, double to_s, struct slackest *slackest)
{
    const double hz = rate_hz(flow, from_s, to_s);
    if (hz <= flow->floor_hz)
        slackest->broken_s = fmin(slackest->broken_s, from_s);
    if (hz / flow->floor_hz < slackest->share)
        *slackest = (struct slackest){.name = flow->name,
                                      .broken_s = slackest->broken_s,
                                      .no_memory = slackest->no_memory,
                                      .writer = flow->writer,
                                      .share = hz / flow->floor_hz,
                                      .from_s = from_s,
                                      .to_s = to_s,
                                      .rate_hz = hz,
                                      .floor_hz = flow->floor_hz};
}

// Window after window, the last one up to the end; one that a fault touches begins again after it.
static void look_at_windows(const struct analysis *a, const struct flow *flow,
                            struct slackest *slackest)
{
    const double ready_s = first_ready_s(a, flow->writer);
    double from_s = isfinite(ready_s) ? ready_s : 0, first_s = from_s;
    const double end_s = fmin(a->given_up_s, a->end_s);
    while (end_s - from_s >= WINDOW_MIN_S) { // ends: each turn moves on by an excuse or a window
        if (end_s - from_s < WINDOW_S)
            from_s = fmax(first_s, end_s - WINDOW_S);
        const double to_s = fmin(from_s + WINDOW_S, end_s);
        const double until_s = excused_until_s(a, flow, from_s, to_s);
        if (until_s > from_s) {
            first_s = from_s = until_s;
            continue;
        }
        look(flow, from_s, to_s, slackest);
        from_s = to_s;
    }
}

static void look_at_flow(const struct analysis *a, struct flow *flow, struct slackest *slackest)
{
    if (sum_up(flow))
        look_at_windows(a, flow, slackest);
    else
        slackest->no_memory = true;
    free(flow->carried);
}

// What would be counted of something silent.
static bool owes_flow(const struct analysis *a, const struct flow *flow)
{
    struct slackest slackest = {.share = INFINITY, .broken_s = INFINITY};
    look_at_windows(a, flow, &slackest);
    return isfinite(slackest.share);
}

static const char *writer_of(const struct target *target, const char *channel)
{
    for (unsigned i = 0; i < target->channel_count; i++)
        if (strcmp(target->channel[i].name, channel) == 0)
            return target->channel[i].writer;
    return "";
}

// Of a channel or tap. False: it declares no floor.
static bool look_at_messages(const struct analysis *a, struct flow *flow, struct slackest *slackest)
{
    if (flow->floor_hz <= 0 || !series_collect(a->history, flow->name, 0, &flow->channel))
        return false;
    look_at_flow(a, flow, slackest);
    free(flow->channel.event);
    return true;
}

static bool look_at_channels(const struct analysis *a, struct slackest *slackest)
{
    bool declared = false;
    for (unsigned i = 0; i < a->target->channel_count; i++) {
        const struct channel_config *channel = &a->target->channel[i];
        struct flow flow = {.name = channel->name,
                            .writer = channel->writer,
                            .needed = writer_of(a->target, channel->needs),
                            .floor_hz = channel->floor_hz};
        declared |= look_at_messages(a, &flow, slackest);
    }
    for (unsigned i = 0; i < a->target->tap_count; i++) {
        const struct tap_config *tap = &a->target->tap[i];
        struct flow flow = {
            .name = tap->channel, .writer = tap->writer, .needed = "", .floor_hz = tap->floor_hz};
        declared |= look_at_messages(a, &flow, slackest);
    }
    return declared;
}

static bool look_at_buses(const struct analysis *a, struct slackest *slackest)
{
    bool declared = false;
    for (unsigned i = 0; i < a->target->bus_count; i++) {
        const struct bus_config *bus = &a->target->bus[i];
        struct flow flow = {.name = bus->name,
                            .writer = bus->writer,
                            .needed = "",
                            .floor_hz = bus->floor_hz,
                            .bus_log = &a->bus_log,
                            .bus = i};
        if (bus->floor_hz <= 0)
            continue;
        declared = true;
        look_at_flow(a, &flow, slackest);
    }
    return declared;
}

void oracle_activity(const struct analysis *a, struct oracle_verdict *verdict)
{
    struct slackest slackest = {.name = "", .writer = "", .share = INFINITY, .broken_s = INFINITY};
    const bool declared = a->target != NULL && look_at_channels(a, &slackest);
    if (!(a->target != NULL && look_at_buses(a, &slackest)) && !declared) {
        verdict_nothing(verdict, "the target declares no floor of activity");
        return;
    }
    if (slackest.no_memory) {
        verdict_no_memory(verdict);
        return;
    }
    if (!isfinite(slackest.share)) {
        verdict_nothing(verdict, "no second without a fault");
        return;
    }
    verdict_margin(verdict, slackest.share - 1, "of its floor",
                   "slackest is %s of %s, %.3f s to %.3f s: %.4g Hz, at least %.4g", slackest.name,
                   slackest.writer, slackest.from_s, slackest.to_s, slackest.rate_hz,
                   slackest.floor_hz);
    verdict_broken_at(verdict, slackest.broken_s);
    // The simulated world is silent through the lab's fault, unless the target ended it.
    if (slackest.share < 1 && strcmp(slackest.writer, a->target->world) == 0 && !world_was_ended(a))
        verdict->verdict = VERDICT_ERROR;
}

const char *owed_by(const struct analysis *a, const char *channel)
{
    for (unsigned i = 0; a->target != NULL && i < a->target->channel_count; i++) {
        const struct channel_config *config = &a->target->channel[i];
        const struct flow flow = {.name = channel,
                                  .writer = config->writer,
                                  .needed = writer_of(a->target, config->needs),
                                  .floor_hz = config->floor_hz};
        if (strcmp(config->name, channel) == 0 && config->floor_hz > 0 &&
            strcmp(config->writer, a->target->world) != 0 && owes_flow(a, &flow))
            return config->writer;
    }
    return NULL;
}

bool owes_output(const struct analysis *a, const char *process)
{
    const struct flow flow = {.name = "", .writer = process, .needed = "", .floor_hz = 1};
    return owes_flow(a, &flow);
}
