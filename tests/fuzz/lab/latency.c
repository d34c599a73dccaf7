// The loop of hubo2, as harness/chain reads it from histories: messages that name each other
// rightly or wrongly, at any time, of any size.
#include "happenings.h"

#include <stddef.h>

#include "harness/files/target/chain_file.h"
#include "harness/files/target/target.h"
#include "harness/history/history.h"
#include "harness/packs/robot/chain_robot.h"
#include "message/message.h"
#include "model/description.h"

enum { STATE, COMMAND, REFERENCE, BUS, TOPICS };
static const char *const topic_name[TOPICS] = {"state", "leg-command", "reference", "bus-log"};

static struct target *target;
static const struct chain_config *loop;

static union {
    struct state_message state;
    struct command_message command;
    struct reference_message reference;
    struct bus_log_message bus;
} message;

static struct description *description;
static uint64_t cycle, sent; // of the last state and reference

static void fill_state(instant now, uint8_t what)
{
    cycle = what == 255 ? 1 : cycle + 1;
    message.state = (struct state_message){.cycle = cycle,
                                           .time = now,
                                           .cycle_start = instant_add(now, duration_ms(-6)),
                                           .joint_count = description->joint_count,
                                           .period_us = 10000,
                                           .sent_cycle = sent,
                                           .sent_taken = instant_add(now, duration_ms(-5))};
    for (unsigned j = 0; j < description->joint_count; j++) {
        message.state.joint[j].valid = 1;
        message.state.joint[j].time = instant_add(now, duration_ms(-(what & 3)));
    }
    sent = 0;
}

static void fill_frames(instant now)
{
    message.bus = (struct bus_log_message){.time = now, .count = description->board_count};
    for (unsigned b = 0; b < description->board_count; b++)
        message.bus.frame[b] =
            (struct bus_log_frame){.time = instant_add(now, duration_us(b)),
                                   .bus = description->board[b].bus,
                                   .can_id = description->board[b].reference_can_id,
                                   .length = 6,
                                   .sender = BUS_LOG_HOST};
}

// Fills a sensible message of this topic; returns its size.
static size_t fill(unsigned topic, instant now, uint8_t what)
{
    switch (topic) {
    case STATE:
        fill_state(now, what);
        return sizeof message.state;
    case COMMAND:
        message.command = (struct command_message){.state_cycle = cycle - (what & 1),
                                                   .time = now,
                                                   .taken = what & 2 ? now : instant_ns(0)};
        return sizeof message.command;
    case REFERENCE:
        sent = cycle;
        message.reference = (struct reference_message){.state_cycle = cycle,
                                                       .time = now,
                                                       .active = what,
                                                       .taken = what & 2 ? now : instant_ns(0),
                                                       .leg_cycle = cycle - (what & 1)};
        return sizeof message.reference;
    default:
        fill_frames(now);
        return offsetof(struct bus_log_message, frame) +
               message.bus.count * sizeof message.bus.frame[0];
    }
}

static const struct happenings happenings = {.topic = topic_name,
                                             .topics = TOPICS,
                                             .step_ns = {0, 100000, 2000000, 10000000},
                                             .events_max = 300,
                                             .message = &message,
                                             .fill = fill};

static void check(const struct history *history, const struct chain_record *measured)
{
    enum { COMMAND_LINK = 1, REFERENCE_LINK, FRAMES_LINK = 5, ACQUIRED_LINK };
    size_t states = 0;
    for (size_t i = 0; i < history_length(history); i++)
        states += history_event(history, i)->topic == STATE &&
                  history_event(history, i)->size_B == sizeof(struct state_message);
    fuzz_check(measured->count == states);
    for (unsigned k = 0; k < loop->link_count; k++)
        fuzz_check(measured->owed[k].missed <= measured->owed[k].due);
    for (size_t i = 0; i < states; i++) {
        const instant *at = measured->instant[i].at;
        // Nothing is shown by a state before it was done.
        if (at[CHAIN_REACHED(ACQUIRED_LINK)].ns != INSTANT_NEVER.ns) {
            fuzz_check(at[CHAIN_REACHED(FRAMES_LINK)].ns != INSTANT_NEVER.ns);
            fuzz_check(at[CHAIN_REACHED(REFERENCE_LINK)].ns != INSTANT_NEVER.ns);
            fuzz_check(at[CHAIN_REACHED(COMMAND_LINK)].ns != INSTANT_NEVER.ns);
            fuzz_check(
                !instant_before(at[CHAIN_TAKEN(ACQUIRED_LINK)], at[CHAIN_REACHED(FRAMES_LINK)]));
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (target == NULL) {
        fuzz_check(target_load(FUZZ_TARGET, &target) == STATUS_OK);
        fuzz_check(target_describe(target, &description) == STATUS_OK);
        loop = chain_find(target, "loop");
        fuzz_check(loop != NULL);
    }
    struct fuzz_input input = {.data = data, .size = size};
    cycle = sent = 0;
    struct history *history = happenings_history(&happenings, &input);
    struct chain_record measured;
    fuzz_check(chain_measure(loop, history, &robot_of_chains, description, &measured) == STATUS_OK);
    check(history, &measured);
    chain_free(&measured);
    history_free(history);
    return 0;
}
