#include "harness/interference.h"

#include <math.h>
#include <stdlib.h>

#include "harness/history.h"

bool interference_times_of(const struct history *history, struct interference_times *times)
{
    const int topic = history_topic(history, TOPIC_FAULT);
    *times = (struct interference_times){.applied = INSTANT_NEVER, .undone = INSTANT_NEVER};
    for (size_t i = 0; i < history_length(history); i++) {
        const struct event *event = history_event(history, i);
        const struct fault_event *fault = event->data;
        if (event->topic != topic || event->size_B != sizeof *fault || !fault->proven)
            continue;
        if (fault->kind == FAULT_APPLIED)
            times->applied = instant_min(times->applied, fault->time);
        if (fault->kind == FAULT_UNDONE)
            times->undone = fault->time; // in the order of time
    }
    return times->applied.ns != INSTANT_NEVER.ns && times->undone.ns != INSTANT_NEVER.ns;
}

struct interference *interference_create(void)
{
    struct interference *new = calloc(1, sizeof *new);
    for (int w = 0; new != NULL &&w < INTERFERENCE_WINDOWS; w++)
        histogram_reset(&new->window[w].loop);
    return new;
}

struct adding {
    struct interference *interference;
    const struct latency_record *record;
    const struct interference_times *times;
    instant end; // of what is counted
};

// The window of an instant; NULL: it is not counted.
static struct interference_figures *window_of(const struct adding *adding, instant at)
{
    if (instant_before(at, instant_s(LATENCY_WARM_UP_S)) || !instant_before(at, adding->end))
        return NULL;
    const enum interference_window window =
        instant_before(at, adding->times->applied)  ? INTERFERENCE_BEFORE
        : instant_before(at, adding->times->undone) ? INTERFERENCE_DURING
                                                    : INTERFERENCE_AFTER;
    return &adding->interference->window[window];
}

// A state that was due at `due`, whether it was published or not. `answered`: the first answer to it or to a later one.
static void add_state(struct interference_figures *into, instant due, instant answered,
                      bool missing)
{
    into->deadline[LATENCY_STATE_DUE].due++;
    into->deadline[LATENCY_STATE_DUE].missed += missing;
    if (answered.ns != INSTANT_NEVER.ns)
        histogram_record(&into->loop, instant_sub(answered, due).ns);
}

// Where a process begins to owe, is done, and should be: of the deadlines that the struck machine's share of time decides.
static const struct {
    enum latency_deadline deadline;
    enum latency_point from, done, due;
} ways[] = {
    {LATENCY_COMMAND_DUE, LATENCY_STATE_PUBLISHED, LATENCY_COMMAND_PUBLISHED, LATENCY_CONTROL_TOOK},
    {LATENCY_REFERENCE_DUE, LATENCY_CONTROL_TOOK, LATENCY_REFERENCE_PUBLISHED,
     LATENCY_HARDWARE_TOOK},
};

static void add_ways(struct interference *interference, const struct latency_chain *chain)
{
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        const instant due = chain->at[ways[i].due];
        if (chain->missed != 0 || due.ns == INSTANT_NEVER.ns)
            continue;
        struct interference_way *way = &interference->way[ways[i].deadline];
        way->count++;
        way->room_ns += instant_sub(due, chain->at[ways[i].from]).ns;
        way->work_ns += instant_sub(chain->at[ways[i].done], chain->at[ways[i].from]).ns;
    }
}

static void add_chain(const struct adding *adding, size_t i, instant answered)
{
    const struct latency_chain *chain = &adding->record->chain[i];
    const instant published = chain->at[LATENCY_STATE_PUBLISHED];
    for (int64_t m = latency_missing_before(adding->record, i); m > 0; m--) {
        const instant due = instant_add(published, duration_ns(-m * adding->record->period.ns));
        struct interference_figures *into = window_of(adding, due);
        if (into != NULL)
            add_state(into, due, answered, true);
    }
    struct interference_figures *into = window_of(adding, published);
    if (into == NULL)
        return;
    add_state(into, published, answered, false);
    into->unanswered += chain->at[LATENCY_STATE_ACQUIRED].ns == INSTANT_NEVER.ns;
    if (into == &adding->interference->window[INTERFERENCE_BEFORE])
        add_ways(adding->interference, chain);
    for (int d = LATENCY_STATE_DUE + 1; d < LATENCY_DEADLINES; d++) {
        into->deadline[d].due++;
        into->deadline[d].missed += (chain->missed & 1u << d) != 0;
    }
}

void interference_add(struct interference *interference, const struct latency_record *record,
                      const struct interference_times *times)
{
    interference->trials++;
    if (record->chain_count == 0)
        return;
    const instant last = record->chain[record->chain_count - 1].at[LATENCY_STATE_PUBLISHED];
    const struct adding adding = {
        .interference = interference,
        .record = record,
        .times = times,
        .end = instant_add(last, duration_ns(-LATENCY_TAIL_PERIODS * record->period.ns))};
    instant answered = INSTANT_NEVER; // the first answer to state i or a later one
    for (size_t i = record->chain_count; i-- > 0;) {
        answered = instant_min(answered, record->chain[i].at[LATENCY_STATE_ACQUIRED]);
        add_chain(&adding, i, answered);
    }
}

double interference_share(const struct latency_count *count)
{
    return count->due == 0 ? 0 : (double)count->missed / (double)count->due;
}

static void join_window(struct interference_figures *sum, const struct interference_figures *trial)
{
    sum->unanswered += trial->unanswered;
    histogram_add(&sum->loop, &trial->loop);
    for (int d = 0; d < LATENCY_DEADLINES; d++) {
        sum->deadline[d].due += trial->deadline[d].due;
        sum->deadline[d].missed += trial->deadline[d].missed;
    }
}

void interference_join(struct interference *sum, const struct interference *trial)
{
    const bool first = sum->trials == 0;
    sum->trials += trial->trials;
    for (int w = 0; w < INTERFERENCE_WINDOWS; w++) {
        join_window(&sum->window[w], &trial->window[w]);
        for (int d = 0; d < LATENCY_DEADLINES; d++) {
            const double share = interference_share(&trial->window[w].deadline[d]);
            struct interference_spread *spread = &sum->spread[w][d];
            spread->low = first ? share : fmin(spread->low, share);
            spread->high = first ? share : fmax(spread->high, share);
        }
    }
    for (int d = 0; d < LATENCY_DEADLINES; d++) {
        sum->way[d].count += trial->way[d].count;
        sum->way[d].room_ns += trial->way[d].room_ns;
        sum->way[d].work_ns += trial->way[d].work_ns;
    }
}

const char *interference_window_name(enum interference_window window)
{
    static const char *const names[INTERFERENCE_WINDOWS] = {"before", "during", "after"};
    return names[window];
}
