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

enum status interference_create(const struct chain_config *chain, struct interference *interference)
{
    enum status status = STATUS_OK;
    *interference = (struct interference){0};
    for (int w = 0; w < INTERFERENCE_WINDOWS; w++) {
        interference->window[w] = chain_figures_create(chain);
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

// The link that goes on with what link k brings, by its own clock: it says when it took it; 0:
// none.
static unsigned next_of(const struct chain_config *chain, unsigned k)
{
    for (unsigned next = k + 1; next < chain->link_count; next++)
        if (chain->link[next].parent == k && !chain->link[next].beside &&
            (chain->link[next].text[LINK_CYCLE][0] != '\0' ||
             chain->link[next].number[LINK_AT].given))
            return chain_is_owed(chain, k) && chain_is_owed(chain, next) ? next : 0;
    return 0;
}

// Where a process begins to owe, is done, and should be: of the deadlines that the struck machine's
// share of time decides, which are those of links that somebody takes up in a cycle of his own.
static void add_ways(struct interference *interference, const struct chain_config *chain,
                     const struct chain_instant *of)
{
    for (unsigned k = 1; k < chain->link_count; k++) {
        const unsigned next = next_of(chain, k), parent = chain->link[k].parent;
        if (next == 0 || of->missed != 0)
            continue;
        const instant taken = of->at[CHAIN_TAKEN(next)];
        const instant due =
            chain->link[next].number[LINK_TAKEN].given ? taken : of->at[CHAIN_REACHED(next)];
        const instant from = of->at[parent == 0 ? CHAIN_REACHED(0) : CHAIN_TAKEN(k)];
        const instant done = of->at[CHAIN_REACHED(k)];
        if (due.ns == INSTANT_NEVER.ns || from.ns == INSTANT_NEVER.ns)
            continue;
        struct interference_way *way = &interference->way[k];
        way->count++;
        way->room_ns += instant_sub(due, from).ns;
        way->work_ns += instant_sub(done, from).ns;
    }
}

void interference_add(struct interference *interference, const struct chain_config *chain,
                      const struct chain_record *record, const struct interference_times *times,
                      const struct chain_stalls *stalls)
{
    const struct chain_window window[INTERFERENCE_WINDOWS] = {
        {{0}, times->applied}, {times->applied, times->undone}, {times->undone, INSTANT_NEVER}};
    for (int w = 0; w < INTERFERENCE_WINDOWS; w++)
        chain_figures_add(interference->window[w], chain, record, stalls, window[w], NULL);
    for (size_t i = 0; i < record->count; i++) {
        const instant published = record->instant[i].at[CHAIN_REACHED(0)];
        if (!instant_before(published, instant_s(CHAIN_WARM_UP_S)) &&
            instant_before(published, times->applied))
            add_ways(interference, chain, &record->instant[i]);
    }
}
