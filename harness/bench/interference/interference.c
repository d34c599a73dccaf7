#include "harness/bench/interference/interference.h"

#include <stdlib.h>

#include "harness/history/history.h"

const char *const interference_window_names[INTERFERENCE_WINDOWS] = {"before ", "during ",
                                                                     "after "};

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

enum status interference_create(struct interference *interference)
{
    enum status status = STATUS_OK;
    *interference = (struct interference){0};
    for (int w = 0; w < INTERFERENCE_WINDOWS; w++) {
        interference->window[w] = latency_figures_create();
        if (interference->window[w] == NULL)
            status = STATUS_NO_MEMORY;
    }
    return status;
}

void interference_free(struct interference *interference)
{
    for (int w = 0; w < INTERFERENCE_WINDOWS; w++)
        free(interference->window[w]);
}

// Where a process begins to owe, is done, and should be: of the deadlines that the struck machine's
// share of time decides.
static const struct {
    enum latency_deadline deadline;
    enum latency_point from, done, due;
} ways[] = {
    {LATENCY_COMMAND_DUE, LATENCY_STATE_PUBLISHED, LATENCY_COMMAND_PUBLISHED,
     LATENCY_COMMAND_TAKEN},
    {LATENCY_REFERENCE_DUE, LATENCY_COMMAND_TAKEN, LATENCY_REFERENCE_PUBLISHED,
     LATENCY_REFERENCE_TAKEN},
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

void interference_add(struct interference *interference, const struct latency_record *record,
                      const struct interference_times *times, const struct floor_record *floor,
                      int64_t epoch_ns)
{
    const struct latency_window window[INTERFERENCE_WINDOWS] = {
        {{0}, times->applied}, {times->applied, times->undone}, {times->undone, INSTANT_NEVER}};
    for (int w = 0; w < INTERFERENCE_WINDOWS; w++)
        latency_figures_add(interference->window[w], record, epoch_ns, floor, window[w], NULL);
    for (size_t i = 0; i < record->chain_count; i++) {
        const instant published = record->chain[i].at[LATENCY_STATE_PUBLISHED];
        if (!instant_before(published, instant_s(LATENCY_WARM_UP_S)) &&
            instant_before(published, times->applied))
            add_ways(interference, &record->chain[i]);
    }
}
