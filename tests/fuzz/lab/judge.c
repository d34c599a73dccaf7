// Histories, as the oracles and the classifier read them: events of any size, at any time, in any
// order. Every oracle gives a verdict.
#include "happenings.h"

#include <stddef.h>

#include "protocol/hubo_frames.h"
#include "harness/files/scenario.h"
#include "harness/judge/judge.h"
#include "harness/packs/packs.h"

#define BUS_FRAMES 24
#define SAMPLES 4

enum { TRUTH, SEGMENT, STATUS, REFERENCE, LEG, ARM, BUS, PROCESS, FAULT, TOPICS };
static const char *const topic_name[TOPICS] = {"truth",     "segment",     "balance-status",
                                               "reference", "leg-command", "arm-command",
                                               "bus-log",   TOPIC_PROCESS, TOPIC_FAULT};

// The largest message is all that is needed; only so much of it as is filled is recorded.
static union {
    struct truth_message truth;
    struct segment_message segment;
    struct balance_status_message status;
    struct reference_message reference;
    struct command_message command;
    struct bus_log_message bus;
    struct process_event process;
    struct fault_event fault;
} message;

static struct description *description;
static struct scenario scenario = {.name = "fuzz",
                                   .duration_s = 2,
                                   .watch_s = 1,
                                   .must_complete = true,
                                   .fault_count = 2,
                                   .fault = {{.kind = "kill",
                                              .component = "Control",
                                              .halts = HALTS_ENDED,
                                              .duration_s = 0.1,
                                              .restart_after_s = 0.2},
                                             {.kind = "stall",
                                              .component = "balance",
                                              .halts = HALTS_STOPPED,
                                              .duration_s = 0.3,
                                              .restart_after_s = -1}}};

static void stand(instant now, double moved_rad)
{
    struct truth_message *truth = &message.truth;
    *truth = (struct truth_message){.time = now, .joint_count = description->joint_count};
    truth->pelvis_m[0] = moved_rad;
    truth->pelvis_m[2] = truth->com_m[2] = 0.6;
    truth->pelvis_quaternion[0] = 1;
    for (int side = 0; side < SIDE_COUNT; side++) {
        truth->foot_m[side][1] = side == SIDE_LEFT ? 0.1 : -0.1;
        truth->foot_quaternion[side][0] = 1;
        truth->foot_force_N[side] = 200;
    }
    truth->contact_count = 8;
    for (unsigned i = 0; i < 8; i++) {
        truth->contact_m[i][0] = i & 1 ? 0.1 : -0.1;
        truth->contact_m[i][1] = (i & 2 ? 0.05 : -0.05) + (i & 4 ? 0.1 : -0.1);
    }
    truth->step_count = 1; // each message is 10 ms after the last
    truth->physics_steps = (uint64_t)(now.ns / 10000000);
    for (unsigned j = 0; j < description->joint_count; j++) {
        truth->setpoint_rad[j] = truth->position_rad[j] = moved_rad;
        truth->step_position_rad[0][j] = (float)moved_rad;
    }
}

static void log_bus(instant now, double moved_rad)
{
    message.bus = (struct bus_log_message){.time = now, .count = BUS_FRAMES};
    for (unsigned b = 0; b < description->board_count && b < BUS_FRAMES; b++) {
        const struct board_description *board = &description->board[b];
        int32_t ticks[HUBO_CHANNELS_MAX] = {0};
        struct can_frame frame = {0};
        for (unsigned c = 0; c < board->channel_count; c++)
            ticks[c] = hubo_ticks(moved_rad, 30000);
        if (!board->finger)
            hubo_reference(&frame, board->reference_can_id, board->channel_count, ticks);
        message.bus.frame[b] = (struct bus_log_frame){.time = now,
                                                      .bus = board->bus,
                                                      .can_id = frame.can_id,
                                                      .length = frame.can_dlc,
                                                      .sender = BUS_LOG_HOST};
        memcpy(message.bus.frame[b].data, frame.data, sizeof frame.data);
    }
}

static void plan(instant now)
{
    message.segment = (struct segment_message){
        .plan_id = 1, .segment_number = 1, .epoch = 1, .time = now, .count = SAMPLES};
    for (unsigned i = 0; i < SAMPLES; i++) {
        message.segment.sample[i].foot_m[SIDE_RIGHT][1] = -0.1;
        message.segment.sample[i].foot_m[SIDE_LEFT][1] = 0.1;
    }
}

static void happen(instant now, uint8_t what)
{
    message.process = (struct process_event){
        .time = now, .kind = what % (PROCESS_HUNG + 1), .value = 9, .generation = what >> 6};
    strcpy(message.process.process, what & 16 ? "control" : "balance");
    strcpy(message.process.component, what & 16 ? "Control" : "Balance");
}

// Fills a sensible message of this topic; returns its size.
static size_t fill(unsigned topic, instant now, uint8_t what)
{
    const double moved_rad = 0.002 * what;
    switch (topic) {
    case TRUTH:
        stand(now, moved_rad);
        return sizeof message.truth;
    case SEGMENT:
        plan(now);
        return offsetof(struct segment_message, sample) +
               SAMPLES * sizeof message.segment.sample[0];
    case STATUS:
        message.status = (struct balance_status_message){.time = now,
                                                         .phase = what % 6,
                                                         .epoch = 1,
                                                         .plan_id = 1,
                                                         .segment_number = 1,
                                                         .last_sample = SAMPLES - 1};
        return sizeof message.status;
    case REFERENCE:
        message.reference = (struct reference_message){
            .time = now, .active = UINT64_MAX, .joint_count = description->joint_count};
        return sizeof message.reference;
    case LEG:
    case ARM:
        message.command =
            (struct command_message){.time = now, .joint_count = description->joint_count};
        for (unsigned j = 0; j < description->joint_count; j++) {
            message.command.joint[j].mode = what & 3;
            message.command.joint[j].value = moved_rad;
        }
        return sizeof message.command;
    case BUS:
        log_bus(now, moved_rad);
        return offsetof(struct bus_log_message, frame) + BUS_FRAMES * sizeof message.bus.frame[0];
    case PROCESS:
        happen(now, what);
        return sizeof message.process;
    default:
        message.fault = (struct fault_event){
            .time = now, .index = what & 1, .kind = what >> 1 & 1, .proven = what >> 2 & 1};
        strcpy(message.fault.component, what & 1 ? "balance" : "Control");
        return sizeof message.fault;
    }
}

static const struct target target = {
    .world = "simulator", .pack_count = 3, .pack = {"can", "joints", "walking"}};

static const struct happenings happenings = {.topic = topic_name,
                                             .topics = TOPICS,
                                             .step_ns = {0, 2000000, 10000000, 100000000},
                                             .events_max = 200,
                                             .message = &message,
                                             .fill = fill};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (description == NULL)
        fuzz_check(description_load(FUZZ_DESCRIPTION, &description) == STATUS_OK);
    struct fuzz_input input = {.data = data, .size = size};
    struct history *history = happenings_history(&happenings, &input);
    static struct judgement judgement;
    judge(&(struct judged){history, &scenario, &target, description, all_packs, NULL, NULL}, NULL,
          &judgement);
    fuzz_check(judgement.count > 0 && judgement.verdict <= VERDICT_SKIP);
    for (unsigned i = 0; i < judgement.count; i++) {
        fuzz_check(judgement.oracle[i].verdict <= VERDICT_SKIP);
        fuzz_check(memchr(judgement.oracle[i].detail, '\0', 192) != NULL);
    }
    history_free(history);
    return 0;
}
