// What each process owed in each period, and what of it was not there in time.
//
// A period in which a process was dead or stopped is one in which it missed its deadline; counting
// begins with its first message and ends a period before the history does, since what is due then
// may come after it.
#include "harness/bench/latency/latency_private.h"

static void count(struct loop *loop, enum latency_deadline deadline, size_t state, bool missed)
{
    struct latency_count *counted = &loop->record->deadline[deadline];
    counted->due++;
    if (!missed)
        return;
    counted->missed++;
    loop->record->chain[state].missed |= 1u << deadline;
}

// When the cycle of state `i` began; when it was published, if what it says cannot be.
static instant cycle_start(const struct loop *loop, size_t i)
{
    const instant published = loop->state.event[i]->time;
    const instant start = loop_state(loop, i)->cycle_start;
    return start.ns < 0 || instant_before(published, start) ? published : start;
}

// When the cycle after that of state `i` began: what answers the state is sent then.
static instant next_start(const struct loop *loop, size_t i)
{
    if (i + 1 < loop->state.count &&
        loop_state(loop, i + 1)->cycle == loop_state(loop, i)->cycle + 1)
        return cycle_start(loop, i + 1);
    return instant_add(cycle_start(loop, i), loop->record->period);
}

static bool is_over(const struct loop *loop, instant deadline)
{
    return instant_before(instant_add(deadline, loop->record->period), loop->end);
}

// Periods from `from` to `to`, to the nearest.
static uint64_t periods(const struct loop *loop, instant from, instant to)
{
    const int64_t way_ns = instant_sub(to, from).ns;
    const int64_t period_ns = loop->record->period.ns;
    return way_ns <= 0 ? 0 : (uint64_t)(way_ns / period_ns + (way_ns % period_ns * 2 >= period_ns));
}

static void count_states(struct loop *loop)
{
    struct latency_count *counted = &loop->record->deadline[LATENCY_STATE_DUE];
    counted->due = 1;
    for (size_t i = 1; i < loop->state.count; i++) {
        const uint64_t passed = periods(loop, cycle_start(loop, i - 1), cycle_start(loop, i));
        counted->due += passed > 0 ? passed : 1;
        if (passed < 2)
            continue;
        counted->missed += passed - 1;
        loop->record->chain[i].missed |= 1u << LATENCY_STATE_DUE;
    }
    const instant last = cycle_start(loop, loop->state.count - 1);
    const uint64_t silent = (uint64_t)(instant_sub(loop->end, last).ns / loop->record->period.ns);
    if (silent > 1) { // no state after the last one
        counted->due += silent - 1;
        counted->missed += silent - 1;
    }
}

// When Control takes commands for its answer to state `i`.
static instant command_deadline(const struct loop *loop, size_t i)
{
    if (loop->answer[i] == LATENCY_NOBODY)
        return next_start(loop, i);
    return loop_stamp(loop_reference(loop, loop->answer[i])->taken,
                      loop->reference.event[loop->answer[i]]->time);
}

static void count_commands(struct loop *loop)
{
    bool begun = false;
    for (size_t i = 0; i < loop->state.count; i++) {
        const instant published = loop->record->chain[i].at[LATENCY_COMMAND_PUBLISHED];
        const instant deadline = command_deadline(loop, i);
        begun |= published.ns != INSTANT_NEVER.ns;
        if (begun && is_over(loop, deadline))
            count(loop, LATENCY_COMMAND_DUE, i, instant_before(deadline, published));
    }
}

static void count_references(struct loop *loop)
{
    bool begun = false;
    for (size_t i = 0; i < loop->state.count; i++) {
        const size_t answer = loop->answer[i];
        const instant deadline = next_start(loop, i);
        begun |= answer != LATENCY_NOBODY;
        if (!begun || !is_over(loop, deadline))
            continue;
        const bool missed = answer == LATENCY_NOBODY ||
                            instant_before(deadline, loop->reference.event[answer]->time);
        count(loop, LATENCY_REFERENCE_DUE, i, missed);
        // The state that tells of it comes a cycle later.
        if (!missed && is_over(loop, instant_add(deadline, loop->record->period)))
            count(loop, LATENCY_SEND_DUE, i, !loop->sent[i]);
    }
}

void loop_count_deadlines(struct loop *loop)
{
    if (loop->state.count == 0 || loop->record->period.ns == 0)
        return;
    count_states(loop);
    count_commands(loop);
    count_references(loop);
}
