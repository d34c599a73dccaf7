// A link after the other: each of its messages looks for the one that it answers, and so for the
// instant that it belongs to. Of several that answer the same instant one counts.
#include "harness/chain/chain.h"

#include <stdlib.h>
#include <string.h>

#include "harness/chain/chain_private.h"

#define PERIODS_LOOKED_AT 64 // of instants, for a period that nobody says

// ---- what it answers ----------------------------------------------------------------------------

// Whether a happening of a link goes back to this message: at one instant of the virtual clock a
// message and what it leads to are there together.
static bool is_own_cause(const struct join *join, unsigned link, size_t i,
                         const struct event *event)
{
    const size_t start = join->link[link].happening[i].start;
    for (unsigned k = link; start != CHAIN_NOBODY; k = join->chain->link[k].parent) {
        const size_t pick = join->link[k].pick[start];
        if (pick != CHAIN_NOBODY && join->link[k].happening[pick].event == event)
            return true;
        if (k == 0)
            return false;
    }
    return join->link[link].happening[i].event == event;
}

// The happening of the link before that it answers; CHAIN_NOBODY.
static size_t answered_by(const struct join *join, unsigned k, const struct happening *h)
{
    const struct link_config *link = &join->chain->link[k];
    const struct link_series *parent = &join->link[link->parent];
    const instant since = happening_since(h);
    if (link->number[LINK_ANSWERS].given) {
        const bool by_answers = !join->chain->link[link->parent].number[LINK_IS].given &&
                                link->parent > 0 &&
                                join->chain->link[link->parent].number[LINK_ANSWERS].given;
        return h->has[LINK_ANSWERS]
                   ? chain_newest_with(parent, by_answers, h->value[LINK_ANSWERS], since)
                   : CHAIN_NOBODY;
    }
    size_t before = chain_until(parent, since);
    while (before > 0 && is_own_cause(join, link->parent, before - 1, h->event))
        before--;
    return before == 0 ? CHAIN_NOBODY : before - 1;
}

static bool same_number(const struct happening *one, const struct happening *other)
{
    for (unsigned use = LINK_IS; use <= LINK_ANSWERS; use++)
        if (one->has[use] != other->has[use] || one->value[use] != other->value[use])
            return false;
    return one->has[LINK_IS] || one->has[LINK_ANSWERS];
}

// The instant that happening q of a link belongs to, if it is the one that counts, or one of
// several that do, or it is there twice; CHAIN_NOBODY.
static size_t instant_of(const struct join *join, unsigned link, size_t q)
{
    const struct link_series *series = &join->link[link];
    const size_t start = series->happening[q].start;
    if (start == CHAIN_NOBODY || join->chain->link[link].take != TAKE_FIRST)
        return start;
    const size_t picked = series->pick[start];
    return picked == q || same_number(&series->happening[picked], &series->happening[q])
               ? start
               : CHAIN_NOBODY;
}

static bool join_messages(struct join *join, unsigned k)
{
    const unsigned parent = join->chain->link[k].parent;
    struct link_series *series = &join->link[k];
    for (size_t i = 0; i < series->count; i++) {
        struct happening *h = &series->happening[i];
        const size_t q = answered_by(join, k, h);
        h->start = q == CHAIN_NOBODY ? CHAIN_NOBODY : instant_of(join, parent, q);
        if (h->start != CHAIN_NOBODY &&
            !chain_choose(join, k, i, h, h->start, join->link[parent].happening[q].at))
            return false;
    }
    return true;
}

// Where all of the parts were reached, the last of them, or the first; it has its instant's number.
static bool join_parts(struct join *join, unsigned k)
{
    const struct link_config *link = &join->chain->link[k];
    const bool last = link->kind == LINK_LAST_OF;
    for (size_t s = 0; s < join->record->count; s++) {
        const instant *at = join->record->instant[s].at;
        instant reached = last ? instant_ns(0) : INSTANT_NEVER;
        for (unsigned i = 0; i < link->of_count; i++) {
            const instant part = at[CHAIN_REACHED(link->part[i])];
            if (last ? instant_before(reached, part) : instant_before(part, reached))
                reached = part;
        }
        const struct happening new = {.event = join->link[0].happening[s].event,
                                      .time = reached,
                                      .at = reached,
                                      .taken = INSTANT_NEVER,
                                      .value = {[LINK_IS] = join->record->instant[s].number},
                                      .has = {[LINK_IS] = true},
                                      .start = s};
        if (is_set(reached) && (!chain_add(&join->link[k], &new) ||
                                !chain_choose(join, k, join->link[k].count - 1, &new, s, reached)))
            return false;
    }
    join->record->seen[k] = join->link[k].count;
    return true;
}

// ---- whose cycle it belongs to ------------------------------------------------------------------

static void note_cycles(struct join *join, unsigned k)
{
    const struct link_series *start = &join->link[0], *series = &join->link[k];
    for (size_t i = 0; i < series->count; i++) {
        const struct happening *h = &series->happening[i];
        if (!h->has[LINK_CYCLE])
            continue;
        const size_t s = chain_newest_with(start, false, h->value[LINK_CYCLE], happening_since(h));
        if (s != CHAIN_NOBODY && series->of_cycle[s] == CHAIN_NOBODY)
            series->of_cycle[s] = i;
    }
}

// ---- all of it ----------------------------------------------------------------------------------

static size_t *nobody(size_t count)
{
    size_t *new = malloc((count + 1) * sizeof *new); // malloc(0) may give NULL
    for (size_t i = 0; new != NULL &&i < count; i++)
        new[i] = CHAIN_NOBODY;
    return new;
}

static bool collect(struct join *join)
{
    for (size_t i = 0; i < history_length(join->history); i++)
        join->end = instant_before(join->end, history_event(join->history, i)->time)
                        ? history_event(join->history, i)->time
                        : join->end;
    for (unsigned k = 0; k < join->chain->link_count; k++) {
        const enum link_kind kind = join->chain->link[k].kind;
        if (kind != LINK_LAST_OF && kind != LINK_FIRST_OF && !chain_collect(join, k))
            return false;
    }
    return true;
}

static bool begin(struct join *join)
{
    struct link_series *start = &join->link[0];
    const size_t count = start->count;
    join->record->count = count;
    join->record->instant = calloc(count + 1, sizeof *join->record->instant);
    for (unsigned k = 0; k < join->chain->link_count; k++) {
        join->link[k].pick = nobody(count);
        join->link[k].of_cycle = nobody(count);
        if (join->link[k].pick == NULL || join->link[k].of_cycle == NULL)
            return false;
    }
    for (size_t s = 0; join->record->instant != NULL && s < count; s++) {
        struct happening *h = &start->happening[s];
        struct chain_instant *of = &join->record->instant[s];
        h->start = s;
        of->number = h->value[LINK_IS];
        for (unsigned p = 0; p < CHAIN_POINTS_MAX; p++)
            of->at[p] = INSTANT_NEVER;
        if (!chain_choose(join, 0, s, h, s, h->at))
            return false;
    }
    return join->record->instant != NULL;
}

static int compare(const void *a, const void *b)
{
    const int64_t left = *(const int64_t *)a, right = *(const int64_t *)b;
    return (left > right) - (left < right);
}

// As its first messages come: the middle of their distances.
static duration usual_period(const struct link_series *start)
{
    int64_t apart_ns[PERIODS_LOOKED_AT];
    size_t count = 0;
    for (size_t i = 1; i < start->count && count < PERIODS_LOOKED_AT; i++)
        apart_ns[count++] = instant_sub(start->happening[i].time, start->happening[i - 1].time).ns;
    qsort(apart_ns, count, sizeof *apart_ns, compare);
    return duration_ns(count == 0 ? 0 : apart_ns[count / 2]);
}

static duration period_of(const struct join *join)
{
    const struct chain_config *chain = join->chain;
    const struct link_series *start = &join->link[0];
    int64_t ns;
    if (chain->period_s > 0)
        return duration_s(chain->period_s);
    if (!chain->period_number.given)
        return usual_period(start);
    const struct event *first = start->count == 0 ? NULL : start->happening[0].event;
    const double said =
        first == NULL ? 0
                      : message_value(&chain->period_number.field, 0, first->data, first->size_B);
    if (!(said > 0 && said < 1e15) ||
        __builtin_mul_overflow((int64_t)said, chain->period_number.unit_ns, &ns))
        return duration_ns(0);
    return duration_ns(ns);
}

static bool join_link(struct join *join, unsigned k)
{
    const struct link_config *link = &join->chain->link[k];
    if (link->kind == LINK_LAST_OF || link->kind == LINK_FIRST_OF)
        return join_parts(join, k);
    if (link->last_frame_of[0] != '\0')
        return chain_join_frames(join, k);
    if (link->shows[0] != '\0')
        return chain_join_shown(join, k);
    if (!join_messages(join, k))
        return false;
    note_cycles(join, k);
    return true;
}

static bool join_all(struct join *join)
{
    if (!collect(join) || !begin(join))
        return false;
    join->record->period = period_of(join);
    for (unsigned k = 1; k < join->chain->link_count; k++)
        if (!join_link(join, k))
            return false;
    chain_count_owed(join);
    return true;
}

enum status chain_measure(const struct chain_config *chain, const struct history *history,
                          const struct chain_robot *robot, const struct description *description,
                          struct chain_record *record)
{
    struct join *join = calloc(1, sizeof *join);
    *record = (struct chain_record){0};
    if (join == NULL)
        return STATUS_NO_MEMORY;
    *join = (struct join){.chain = chain,
                          .history = history,
                          .robot = robot,
                          .description = description,
                          .record = record};
    const bool done = join_all(join);
    for (unsigned k = 0; k < chain->link_count; k++) {
        free(join->link[k].happening);
        free(join->link[k].pick);
        free(join->link[k].of_cycle);
    }
    free(join);
    return done ? STATUS_OK : STATUS_NO_MEMORY;
}

void chain_free(struct chain_record *record)
{
    free(record->instant);
    free(record->each);
    *record = (struct chain_record){0};
}
