#include "harness/bench/latency/latency.h"

#include <stdlib.h>

#include "harness/bench/latency/latency_private.h"
#include "harness/files/target/wire_config.h"
#include "harness/packs/robot/readings.h"

// A message is looked for among so many before it at most: none is in use so long after it was
// sent.
#define LOOK_BACK 256
// A state that shows the answer is looked for so far. Boards that are silent for longer were dead
// (hardware_readings.h).
#define ACQUIRE_STATES_MAX 64

// ---- joining messages --------------------------------------------------------------------------

typedef uint64_t cycle_of(const void *message);

static uint64_t state_cycle(const void *message)
{
    return ((const struct state_message *)message)->cycle;
}

static uint64_t reference_cycle(const void *message)
{
    return ((const struct reference_message *)message)->state_cycle;
}

// The last message of that cycle published up to `time`: cycles start again with their daemon, time
// does not. LATENCY_NOBODY.
static size_t last_with(const struct series *series, cycle_of *of, uint64_t cycle, instant time)
{
    size_t low = 0, high = series->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (instant_before(time, series->event[middle]->time))
            high = middle;
        else
            low = middle + 1;
    }
    for (size_t back = 0; back < LOOK_BACK && back < low; back++)
        if (of(series->event[low - 1 - back]->data) == cycle)
            return low - 1 - back;
    return LATENCY_NOBODY;
}

static bool is_set(instant t)
{
    return t.ns != INSTANT_NEVER.ns;
}

static instant stamped(instant stamp)
{
    return loop_stamp(stamp, INSTANT_NEVER);
}

static void begin_chains(struct loop *loop)
{
    for (size_t i = 0; i < loop->state.count; i++) {
        struct latency_chain *chain = &loop->record->chain[i];
        const struct state_message *state = loop_state(loop, i);
        *chain = (struct latency_chain){.cycle = state->cycle};
        for (unsigned p = 0; p < LATENCY_POINTS; p++)
            chain->at[p] = INSTANT_NEVER;
        chain->at[LATENCY_OLDEST_READING] = oldest_reading(loop->description, state);
        chain->at[LATENCY_STATE_PUBLISHED] = loop->state.event[i]->time;
        loop->answer[i] = LATENCY_NOBODY;
    }
}

static void join_commands(struct loop *loop)
{
    for (size_t i = 0; i < loop->command.count; i++) {
        const struct event *event = loop->command.event[i];
        const struct command_message *command = event->data;
        const size_t s = last_with(&loop->state, state_cycle, command->state_cycle,
                                   loop_stamp(command->taken, event->time));
        if (s == LATENCY_NOBODY || is_set(loop->record->chain[s].at[LATENCY_COMMAND_PUBLISHED]))
            continue;
        instant *at = loop->record->chain[s].at;
        at[LATENCY_STATE_TAKEN] = stamped(command->taken);
        at[LATENCY_COMMAND_PUBLISHED] = event->time;
    }
}

// Notes for each reference the chain it carries on: that of the state whose command it is the first
// to use.
static void join_references(struct loop *loop, size_t *carried)
{
    for (size_t i = 0; i < loop->reference.count; i++) {
        const struct event *event = loop->reference.event[i];
        const struct reference_message *reference = event->data;
        const instant taken = loop_stamp(reference->taken, event->time);
        carried[i] = LATENCY_NOBODY;
        size_t s = last_with(&loop->state, state_cycle, reference->state_cycle, taken);
        if (s != LATENCY_NOBODY && loop->answer[s] == LATENCY_NOBODY)
            loop->answer[s] = i;
        s = last_with(&loop->state, state_cycle, reference->leg_cycle, taken);
        if (reference->leg_cycle == 0 || s == LATENCY_NOBODY)
            continue;
        instant *at = loop->record->chain[s].at;
        if (instant_before(taken, at[LATENCY_COMMAND_PUBLISHED]) ||
            is_set(at[LATENCY_REFERENCE_PUBLISHED]))
            continue;
        at[LATENCY_COMMAND_TAKEN] = stamped(reference->taken);
        at[LATENCY_REFERENCE_PUBLISHED] = event->time;
        carried[i] = s;
    }
}

// ---- frames ------------------------------------------------------------------------------------

struct frames { // of references, as the host sent them, over all of the bus log
    const struct loop *loop;
    size_t message, frame; // the next one
};

// The next reference frame that came through; its board in *board. NULL at the end.
static const struct bus_log_frame *next_frame(struct frames *frames, unsigned *board)
{
    const struct loop *loop = frames->loop;
    for (; frames->message < loop->bus_log.count; frames->message++, frames->frame = 0) {
        const struct event *event = loop->bus_log.event[frames->message];
        const struct bus_log_message *log = event->data;
        while (frames->frame < bus_log_frames(event)) {
            const struct bus_log_frame *frame = &log->frame[frames->frame++];
            const struct board_description *of =
                description_reference_board(loop->description, frame->bus, frame->can_id);
            if (of == NULL || frame->sender != BUS_LOG_HOST || frame->failed)
                continue;
            *board = (unsigned)(of - loop->description->board);
            return frame;
        }
    }
    return NULL;
}

// When the last of the frames to `boards` ended that were sent after `from`; INSTANT_NEVER if one
// is missing until `until`.
static instant frames_end(struct frames *frames, uint64_t boards, instant from, instant until)
{
    instant end = from;
    while (boards != 0) {
        const struct frames here = *frames;
        unsigned board;
        const struct bus_log_frame *frame = next_frame(frames, &board);
        if (frame == NULL)
            return INSTANT_NEVER;
        if (instant_before(until, frame->time)) {
            *frames = here; // it is the next reference's
            return INSTANT_NEVER;
        }
        if (instant_before(from, frame->time) && boards >> board & 1) {
            boards &= ~(UINT64_C(1) << board);
            end = frame->time;
        }
    }
    return end;
}

// ---- the answer --------------------------------------------------------------------------------

static void acquire(const struct loop *loop, instant *at, size_t first,
                    const struct reference_message *reference, uint64_t boards)
{
    for (size_t i = first; i < loop->state.count && i - first < ACQUIRE_STATES_MAX; i++) {
        const instant read = reference_read(loop->description, loop_state(loop, i), reference,
                                            boards, at[LATENCY_FRAMES_ON_BUS]);
        if (!is_set(read))
            continue;
        at[LATENCY_BOARDS_SAMPLED] = read;
        at[LATENCY_STATE_ACQUIRED] = loop->state.event[i]->time;
        return;
    }
}

// When the reference that state `i` tells of was in Hardware's hands at the earliest; INSTANT_NEVER
// without one.
static instant sent_after(const struct loop *loop, size_t i)
{
    const struct state_message *state = loop_state(loop, i);
    if (state->sent_cycle == 0)
        return INSTANT_NEVER;
    if (state->sent_taken.ns > 0)
        return state->sent_taken;
    const size_t r =
        last_with(&loop->reference, reference_cycle, state->sent_cycle, loop->state.event[i]->time);
    return r == LATENCY_NOBODY ? INSTANT_NEVER : loop->reference.event[r]->time;
}

// Until when frames belong to what state `i` tells of: then the next reference was taken, as the
// next state tells, or they are a cycle late.
static instant sent_before(const struct loop *loop, size_t i)
{
    const instant late = instant_add(loop->state.event[i]->time, loop->record->period);
    return i + 1 < loop->state.count ? instant_min(sent_after(loop, i + 1), late) : late;
}

static void join_states(struct loop *loop, const size_t *carried)
{
    struct frames frames = {.loop = loop};
    for (size_t i = 0; i < loop->state.count; i++) {
        const struct state_message *state = loop_state(loop, i);
        const instant taken = sent_after(loop, i);
        if (!is_set(taken))
            continue;
        const size_t r = last_with(&loop->reference, reference_cycle, state->sent_cycle, taken);
        const size_t s = last_with(&loop->state, state_cycle, state->sent_cycle, taken);
        if (s != LATENCY_NOBODY)
            loop->sent[s] = true;
        if (r == LATENCY_NOBODY || carried[r] == LATENCY_NOBODY)
            continue;
        instant *at = loop->record->chain[carried[r]].at;
        if (is_set(at[LATENCY_STATE_ACQUIRED])) // a state that is there twice
            continue;
        const struct reference_message *reference = loop_reference(loop, r);
        const uint64_t boards = reference_boards(loop->description, reference);
        at[LATENCY_REFERENCE_TAKEN] = stamped(state->sent_taken);
        at[LATENCY_FRAMES_QUEUED] = stamped(state->sent_queued);
        at[LATENCY_FRAMES_ON_BUS] = frames_end(&frames, boards, taken, sent_before(loop, i));
        if (is_set(at[LATENCY_FRAMES_ON_BUS]))
            acquire(loop, at, i, reference, boards);
    }
}

// ---- all of it ---------------------------------------------------------------------------------

static bool collect(struct loop *loop, const struct latency_pipeline *pipeline)
{
    const struct channel_config *const *channel = pipeline->channel;
    const struct history *history = loop->history;
    if (!series_collect(history, channel[LATENCY_SENSES]->name, sizeof(struct state_message),
                        &loop->state) ||
        !series_collect(history, channel[LATENCY_ANSWERS]->name, sizeof(struct command_message),
                        &loop->command) ||
        !series_collect(history, channel[LATENCY_DRIVES]->name, sizeof(struct reference_message),
                        &loop->reference) ||
        !series_collect(history, pipeline->bus_log, offsetof(struct bus_log_message, frame),
                        &loop->bus_log))
        return false;
    for (size_t i = 0; i < history_length(history); i++)
        if (instant_before(loop->end, history_event(history, i)->time))
            loop->end = history_event(history, i)->time;
    const size_t states = loop->state.count + 1; // calloc(0) may give NULL
    loop->record->chain_count = loop->state.count;
    loop->record->chain = calloc(states, sizeof *loop->record->chain);
    loop->answer = calloc(states, sizeof *loop->answer);
    loop->sent = calloc(states, sizeof *loop->sent);
    return loop->record->chain != NULL && loop->answer != NULL && loop->sent != NULL;
}

enum status latency_measure(const struct history *history, const struct latency_pipeline *pipeline,
                            const struct description *description, struct latency_record *record)
{
    *record = (struct latency_record){0};
    struct loop loop = {.history = history, .description = description, .record = record};
    enum status status = STATUS_NO_MEMORY;
    size_t *carried = NULL; // by reference: the chain it carries on
    if (collect(&loop, pipeline) &&
        (carried = calloc(loop.reference.count + 1, sizeof *carried)) != NULL) {
        if (loop.state.count > 0)
            record->period = duration_us(loop_state(&loop, 0)->period_us);
        begin_chains(&loop);
        join_commands(&loop);
        join_references(&loop, carried);
        join_states(&loop, carried);
        loop_count_deadlines(&loop);
        status = STATUS_OK;
    }
    free(carried);
    free(loop.answer);
    free(loop.sent);
    free(loop.state.event);
    free(loop.command.event);
    free(loop.reference.event);
    free(loop.bus_log.event);
    return status;
}

void latency_free(struct latency_record *record)
{
    free(record->chain);
    *record = (struct latency_record){0};
}
