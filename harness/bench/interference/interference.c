#include "harness/bench/interference/interference.h"

#include <math.h>
#include <stdlib.h>

#include "harness/history/history.h"

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
    const struct floor_record *floor;
    int64_t epoch_ns;
    instant end; // of what is counted
};

// The window of an instant; INTERFERENCE_WINDOWS: it is not counted.
static enum interference_window window_of(const struct adding *adding, instant at)
{
    if (instant_before(at, instant_s(LATENCY_WARM_UP_S)) || !instant_before(at, adding->end))
        return INTERFERENCE_WINDOWS;
    return instant_before(at, adding->times->applied)  ? INTERFERENCE_BEFORE
           : instant_before(at, adding->times->undone) ? INTERFERENCE_DURING
                                                       : INTERFERENCE_AFTER;
}

static void count(struct latency_count *counted, bool missed)
{
    counted->due++;
    counted->missed += missed;
}

// Where a state counts that was due at some instant, published or not.
struct place {
    struct interference_figures *figures; // NULL: it is apart, or not counted at all
    struct latency_count *deadline;       // NULL: not counted
};

// Counts it for its window, or apart if a stall touched it. `answered`: the first answer to it or to a later one.
static struct place add_state(const struct adding *adding, instant due, instant answered,
                              bool missing)
{
    const enum interference_window w = window_of(adding, due);
    struct place place = {0};
    if (w == INTERFERENCE_WINDOWS)
        return place;
    struct interference_apart *apart = &adding->interference->apart[w];
    const bool closes = answered.ns != INSTANT_NEVER.ns;
    if (latency_sort_of(adding->floor, adding->epoch_ns, due, closes ? answered : due) ==
        LATENCY_STALLED) {
        apart->states++;
        place.deadline = apart->deadline;
    } else {
        place.figures = &adding->interference->window[w];
        place.deadline = place.figures->deadline;
        if (closes)
            histogram_record(&place.figures->loop, instant_sub(answered, due).ns);
    }
    count(&place.deadline[LATENCY_STATE_DUE], missing);
    return place;
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
    for (int64_t m = latency_missing_before(adding->record, i); m > 0; m--)
        (void)add_state(adding, instant_add(published, duration_ns(-m * adding->record->period.ns)),
                        answered, true);
    const struct place place = add_state(adding, published, answered, false);
    for (int d = LATENCY_STATE_DUE + 1; d < LATENCY_DEADLINES && place.deadline != NULL; d++)
        count(&place.deadline[d], (chain->missed & 1u << d) != 0);
    if (place.figures == NULL)
        return;
    place.figures->unanswered += chain->at[LATENCY_STATE_ACQUIRED].ns == INSTANT_NEVER.ns;
    if (place.figures == &adding->interference->window[INTERFERENCE_BEFORE])
        add_ways(adding->interference, chain);
}

static void add_stalls(struct interference *interference, const struct floor_record *floor)
{
    for (unsigned core = 0; core < floor->cores; core++) {
        interference->stalls += floor->core[core].stalls.count;
        interference->stalled_ns += floor->core[core].stalls.total_ns;
    }
}

void interference_add(struct interference *interference, const struct latency_record *record,
                      const struct interference_times *times, const struct floor_record *floor,
                      int64_t epoch_ns)
{
    interference->trials++;
    if (floor != NULL)
        add_stalls(interference, floor);
    if (record->chain_count == 0)
        return;
    const instant last = record->chain[record->chain_count - 1].at[LATENCY_STATE_PUBLISHED];
    const struct adding adding = {
        .interference = interference,
        .record = record,
        .times = times,
        .floor = floor,
        .epoch_ns = epoch_ns,
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

static void join_counts(struct latency_count sum[LATENCY_DEADLINES],
                        const struct latency_count trial[LATENCY_DEADLINES])
{
    for (int d = 0; d < LATENCY_DEADLINES; d++) {
        sum[d].due += trial[d].due;
        sum[d].missed += trial[d].missed;
    }
}

static void join_window(struct interference *sum, const struct interference *trial,
                        enum interference_window w)
{
    sum->window[w].unanswered += trial->window[w].unanswered;
    histogram_add(&sum->window[w].loop, &trial->window[w].loop);
    join_counts(sum->window[w].deadline, trial->window[w].deadline);
    sum->apart[w].states += trial->apart[w].states;
    join_counts(sum->apart[w].deadline, trial->apart[w].deadline);
}

void interference_join(struct interference *sum, const struct interference *trial)
{
    if (trial->trials == 0)
        return;
    const bool first = sum->trials == 0;
    sum->trials += trial->trials;
    sum->stalls += trial->stalls;
    sum->stalled_ns += trial->stalled_ns;
    for (int w = 0; w < INTERFERENCE_WINDOWS; w++) {
        join_window(sum, trial, w);
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
