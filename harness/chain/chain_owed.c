// What each process owed in each period, and what of it was not there in time.
//
// A period in which a process was dead or stopped is one in which it missed its deadline; counting
// begins with its first message and ends a period before the history does, since what is due then
// may come after it.
#include "harness/chain/chain_private.h"

// ---- who owes -----------------------------------------------------------------------------------

bool chain_is_owed(const struct chain_config *chain, unsigned k)
{
    const struct link_config *link = &chain->link[k];
    return !link->beside && (link->kind == LINK_CHANNEL || link->kind == LINK_CALLS) &&
           link->shows[0] == '\0';
}

const char *chain_owner(const struct chain_config *chain, unsigned k)
{
    const struct link_config *link = &chain->link[k];
    return link->writer[0] != '\0' ? link->writer : link->name;
}

int chain_reader(const struct chain_config *chain, unsigned k)
{
    for (unsigned r = k + 1; r < chain->link_count; r++)
        if (chain->link[r].parent == k && !chain->link[r].beside &&
            chain->link[r].text[LINK_CYCLE][0] != '\0' && chain->link[r].number[LINK_TAKEN].given)
            return (int)r;
    return -1;
}

// ---- when it is due -----------------------------------------------------------------------------

static void count(struct join *join, unsigned k, size_t s, bool missed)
{
    struct chain_count *counted = &join->record->owed[k];
    counted->due++;
    if (!missed)
        return;
    counted->missed++;
    join->record->instant[s].missed |= 1u << k;
}

// When the cycle of instant s began; when it was published, if what it says cannot be.
static instant cycle_start(const struct join *join, size_t s)
{
    const struct happening *h = &join->link[0].happening[s];
    const struct link_number *begins = &join->chain->link[0].number[LINK_BEGINS];
    int64_t ns;
    if (!h->has[LINK_BEGINS] || h->value[LINK_BEGINS] < 0 ||
        __builtin_mul_overflow(h->value[LINK_BEGINS], begins->unit_ns, &ns) || ns > h->time.ns)
        return h->time;
    return instant_ns(ns);
}

// When the cycle after that of instant s began.
static instant next_start(const struct join *join, size_t s)
{
    const struct link_series *start = &join->link[0];
    const struct happening *h = &start->happening[s], *next = h + 1;
    if (s + 1 < start->count && h->has[LINK_BEGINS] && h->has[LINK_IS] && next->has[LINK_IS] &&
        next->value[LINK_IS] == (int64_t)((uint64_t)h->value[LINK_IS] + 1))
        return cycle_start(join, s + 1);
    return instant_add(cycle_start(join, s), join->record->period);
}

static bool is_over(const struct join *join, instant deadline)
{
    return instant_before(instant_add(deadline, join->record->period), join->end);
}

// ---- the start ----------------------------------------------------------------------------------

// Periods from `from` to `to`, to the nearest.
static uint64_t periods(const struct join *join, instant from, instant to)
{
    const int64_t way_ns = instant_sub(to, from).ns;
    const int64_t period_ns = join->record->period.ns;
    return way_ns <= 0 ? 0 : (uint64_t)(way_ns / period_ns + (way_ns % period_ns * 2 >= period_ns));
}

static void count_instants(struct join *join)
{
    struct chain_count *counted = &join->record->owed[0];
    counted->due = 1;
    for (size_t s = 1; s < join->record->count; s++) {
        const uint64_t passed = periods(join, cycle_start(join, s - 1), cycle_start(join, s));
        counted->due += passed > 0 ? passed : 1;
        if (passed < 2)
            continue;
        counted->missed += passed - 1;
        join->record->instant[s].missed |= 1u << 0;
    }
    const instant last = cycle_start(join, join->record->count - 1);
    const int64_t silent = instant_sub(join->end, last).ns / join->record->period.ns;
    if (silent > 1) { // nothing after the last one
        counted->due += (uint64_t)silent - 1;
        counted->missed += (uint64_t)silent - 1;
    }
}

// ---- the other links ----------------------------------------------------------------------------

// What was made in the cycle of instant s; CHAIN_NOBODY.
static size_t own_of(const struct join *join, unsigned k, size_t s)
{
    return join->chain->link[k].number[LINK_CYCLE].given ? join->link[k].of_cycle[s]
                                                         : join->link[k].pick[s];
}

// When who takes it up does so, in the cycle of instant s; what answers no instant itself, and is
// made in no cycle, has a period for it.
static instant due_of(const struct join *join, unsigned k, int reader, size_t s)
{
    const struct link_config *link = &join->chain->link[k];
    const size_t taker = reader < 0 ? CHAIN_NOBODY : join->link[reader].of_cycle[s];
    const instant answered = join->record->instant[s].at[CHAIN_REACHED(link->parent)];
    if (taker == CHAIN_NOBODY && link->parent > 0 && link->text[LINK_CYCLE][0] == '\0' &&
        !link->number[LINK_AT].given && is_set(answered))
        return instant_add(answered, join->record->period);
    return taker == CHAIN_NOBODY ? next_start(join, s)
                                 : happening_since(&join->link[reader].happening[taker]);
}

// What tells later when it happened is only known to be there, a period after it was due.
static bool is_missed(const struct join *join, unsigned k, size_t own, instant due)
{
    const bool told_later = join->chain->link[k].number[LINK_AT].given;
    return own == CHAIN_NOBODY ||
           (!told_later && instant_before(due, join->link[k].happening[own].time));
}

// Without what it answers it owes nothing, unless it is made in every cycle.
static bool is_excused(const struct join *join, unsigned k, size_t s)
{
    const struct link_config *link = &join->chain->link[k];
    return link->parent > 0 && link->text[LINK_CYCLE][0] == '\0' &&
           (join->record->instant[s].missed >> link->parent & 1 ||
            own_of(join, link->parent, s) == CHAIN_NOBODY);
}

static void count_answers(struct join *join, unsigned k)
{
    const int reader = chain_reader(join->chain, k);
    const bool told_later = join->chain->link[k].number[LINK_AT].given;
    bool begun = false;
    for (size_t s = 0; s < join->record->count; s++) {
        const size_t own = own_of(join, k, s);
        const instant due = due_of(join, k, reader, s);
        const instant known = told_later ? instant_add(due, join->record->period) : due;
        begun |= own != CHAIN_NOBODY;
        if (begun && is_over(join, known) && !is_excused(join, k, s))
            count(join, k, s, is_missed(join, k, own, due));
    }
}

void chain_count_owed(struct join *join)
{
    if (join->record->count == 0 || join->record->period.ns <= 0)
        return;
    count_instants(join);
    for (unsigned k = 1; k < join->chain->link_count; k++)
        if (chain_is_owed(join->chain, k))
            count_answers(join, k);
}
