// What a kept history tells about the buses: their load, or one cycle of the Hardware daemon as
// columns for gnuplot.
//
//   bus_cycle HISTORY [AT_s]                exit 0: printed; 2: called wrongly, or the history has
//   no such thing
//
// Without AT_s, per bus: its load by the simulator's account; the same from the logged frames bit
// by bit, which agrees if no frame failed; the load of these frames without stuff bits, and with as
// many as a frame can need; frames and bits per second by kind. Then how many of the states hold a
// valid reading of every joint. With AT_s, the first cycle that starts then or later. Block 0: its
// start in s, then from there in ms the next cycle's start, the state's publication and the
// reference's. Block 1, one row per frame: bus, kind (0 reference, 1 request or command, 2 reply,
// 3 failed), start and end in ms, identifier.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "can/bits.h"
#include "protocol/hubo_frames.h"
#include "harness/history/series.h"
#include "harness/history/history.h"
#include "message/message.h"

#define NS_PER_S 1000000000
#define MS 1e-6

enum kind { KIND_REFERENCE, KIND_REQUEST, KIND_REPLY, KIND_FAILED, KINDS };

static enum kind kind_of(const struct bus_log_frame *frame)
{
    if (frame->failed)
        return KIND_FAILED;
    if (frame->sender != BUS_LOG_HOST)
        return KIND_REPLY;
    const bool command = frame->can_id == HUBO_ID_COMMAND;
    if (command && frame->length >= 2 && frame->data[1] == HUBO_PWM)
        return KIND_REFERENCE;
    return command || frame->can_id == HUBO_ID_SENSOR_REQUEST ? KIND_REQUEST : KIND_REFERENCE;
}

static struct can_frame can_frame_of(const struct bus_log_frame *logged)
{
    struct can_frame frame = {.can_id = logged->can_id, .can_dlc = (uint8_t)logged->length};
    memcpy(frame.data, logged->data, sizeof frame.data);
    return frame;
}

static unsigned bits_of(const struct bus_log_frame *logged)
{
    const struct can_frame frame = can_frame_of(logged);
    return can_frame_bits(&frame);
}

// ---- load ---------------------------------------------------------------------------------------

struct sums {
    struct bus_account first, last;
    uint64_t count[KINDS], bits[KINDS];
    uint64_t unstuffed_bits, worst_bits;
};

// Of a standard data frame: 44 bits and the data; of these 34 and the data can be stuffed, at worst
// one bit after the first five equal ones and one after each four that follow.
static void add_frame(struct sums *sums, const struct bus_log_frame *frame)
{
    const enum kind kind = kind_of(frame);
    const unsigned plain = 44 + 8 * frame->length + CAN_INTERFRAME_BITS;
    sums->count[kind]++;
    sums->bits[kind] += bits_of(frame) + CAN_INTERFRAME_BITS;
    sums->unstuffed_bits += plain;
    sums->worst_bits += plain + (34 + 8 * frame->length - 1) / 4;
}

static void print_bus(unsigned bus, const struct sums *s, double span_s)
{
    static const char *const names[KINDS] = {"references", "requests", "replies", "failed"};
    const double to_percent = 100 / (span_s * HUBO_BITRATE_BIT_S);
    uint64_t bits = 0;
    for (unsigned k = 0; k < KINDS; k++)
        bits += s->bits[k];
    printf("bus %u: account %.2f %%, bits %.2f %%, without stuffing %.2f %%, worst %.2f %%; "
           "%llu error frames\n",
           bus, (double)(s->last.busy_ns - s->first.busy_ns) / NS_PER_S / span_s * 100,
           (double)bits * to_percent, (double)s->unstuffed_bits * to_percent,
           (double)s->worst_bits * to_percent,
           (unsigned long long)(s->last.error_frames - s->first.error_frames));
    for (unsigned k = 0; k < KINDS; k++)
        printf("    %-10s %7.1f frames/s, %8.0f bit/s, %5.2f %%\n", names[k],
               (double)s->count[k] / span_s, (double)s->bits[k] / span_s,
               (double)s->bits[k] * to_percent);
}

// Whether the replies came before they were needed.
static void print_states(const struct history *history)
{
    const int topic = history_topic(history, "state");
    unsigned states = 0, complete = 0, joints = 0, often = 0, valid[ROBOT_JOINTS_MAX] = {0};
    for (size_t i = 0; i < history_length(history); i++) {
        const struct event *event = history_event(history, i);
        const struct state_message *state = event->data;
        if (event->topic != topic || event->size_B < sizeof *state ||
            state->joint_count > ROBOT_JOINTS_MAX)
            continue;
        unsigned sum = 0;
        for (unsigned j = 0; j < state->joint_count; j++) {
            valid[j] += state->joint[j].valid != 0;
            sum += state->joint[j].valid != 0;
        }
        joints = state->joint_count;
        complete += sum == joints;
        states++;
    }
    for (unsigned j = 0; j < joints; j++)
        often += 2 * valid[j] >= states;
    printf("%u of %u states complete; %u of %u joints valid in half of the states or more\n",
           complete, states, often, joints);
}

static int print_load(const struct history *history, int topic)
{
    struct sums sums[BUS_LOG_BUSES] = {0};
    instant first = INSTANT_NEVER, last = instant_ns(0);
    for (size_t i = 0; i < history_length(history); i++) {
        const struct event *event = history_event(history, i);
        if (event->topic != topic)
            continue;
        const struct bus_log_message *log = event->data;
        const bool is_first = first.ns == INSTANT_NEVER.ns;
        const size_t frames = is_first ? 0 : bus_log_frames(event); // the account starts after them
        last = log->time;
        if (is_first)
            first = last;
        for (unsigned bus = 0; bus < BUS_LOG_BUSES; bus++) {
            sums[bus].last = log->account[bus];
            if (is_first)
                sums[bus].first = log->account[bus];
        }
        for (size_t k = 0; k < frames; k++)
            if (log->frame[k].bus < BUS_LOG_BUSES)
                add_frame(&sums[log->frame[k].bus], &log->frame[k]);
    }
    if (first.ns >= last.ns)
        return 2;
    printf("from %.3f s to %.3f s\n", instant_to_s(first), instant_to_s(last));
    for (unsigned bus = 0; bus < BUS_LOG_BUSES; bus++)
        print_bus(bus, &sums[bus], (double)instant_sub(last, first).ns / NS_PER_S);
    print_states(history);
    return 0;
}

// ---- one cycle ----------------------------------------------------------------------------------

static double ms(instant t, instant from)
{
    return (double)instant_sub(t, from).ns * MS;
}

// The instant of the first event of a topic at or after `from`; NEVER: there is none.
static instant next_event(const struct history *history, int topic, instant from)
{
    instant next = INSTANT_NEVER;
    for (size_t i = 0; i < history_length(history); i++) {
        const struct event *event = history_event(history, i);
        if (event->topic == topic && !instant_before(event->time, from))
            next = instant_min(next, event->time);
    }
    return next;
}

// The start of the first cycle not before `at`, by the states that tell it; NEVER: there is none.
static instant cycle_start(const struct history *history, int topic, instant at)
{
    instant start = INSTANT_NEVER;
    for (size_t i = 0; i < history_length(history); i++) {
        const struct event *event = history_event(history, i);
        if (event->topic != topic || event->size_B < sizeof(struct state_message))
            continue;
        const struct state_message *state = event->data;
        if (!instant_before(state->cycle_start, at))
            start = instant_min(start, state->cycle_start);
    }
    return start;
}

static int print_cycle(const struct history *history, int topic, double at_s)
{
    const int state = history_topic(history, "state");
    const instant start = cycle_start(history, state, instant_ns((int64_t)(at_s * NS_PER_S)));
    if (start.ns == INSTANT_NEVER.ns)
        return 2;
    const instant end = cycle_start(history, state, instant_ns(start.ns + 1));
    if (end.ns == INSTANT_NEVER.ns)
        return 2;
    const instant reference = next_event(history, history_topic(history, "reference"), start);
    printf("# start_s length_ms state_ms reference_ms\n%.6f %.6f %.6f %.6f\n\n\n",
           instant_to_s(start), ms(end, start), ms(next_event(history, state, start), start),
           reference.ns == INSTANT_NEVER.ns ? (double)NAN : ms(reference, start));
    printf("# bus kind start_ms end_ms identifier\n");
    for (size_t i = 0; i < history_length(history); i++) {
        const struct event *event = history_event(history, i);
        const struct bus_log_message *log = event->data;
        const size_t frames = event->topic == topic ? bus_log_frames(event) : 0;
        for (size_t k = 0; k < frames; k++) {
            const struct bus_log_frame *frame = &log->frame[k];
            const int64_t length_ns = (int64_t)bits_of(frame) * NS_PER_S / HUBO_BITRATE_BIT_S;
            const instant from = instant_ns(frame->time.ns - length_ns);
            if (!instant_before(from, start) && instant_before(from, end))
                printf("%u %d %.6f %.6f 0x%03X\n", frame->bus, (int)kind_of(frame), ms(from, start),
                       ms(frame->time, start), frame->can_id);
        }
    }
    return 0;
}

int main(int argc, char **argv)
{
    struct history *history;
    if (argc < 2 || argc > 3) {
        fprintf(stderr, "usage: bus_cycle HISTORY [AT_s]\n");
        return 2;
    }
    if (history_read(argv[1], &history) != STATUS_OK)
        return 2; // it has reported why
    const int topic = history_topic(history, "bus-log");
    const int result = topic < 0   ? 2
                       : argc == 2 ? print_load(history, topic)
                                   : print_cycle(history, topic, atof(argv[2]));
    history_free(history);
    if (result != 0)
        fprintf(stderr, "%s: no bus log, or no cycle that starts so late\n", argv[1]);
    return result;
}
