#include "harness/export/export.h"

#include <inttypes.h>
#include <linux/can/error.h>
#include <stddef.h>
#include <string.h>

#include "base/log.h"
#include "harness/history/series.h"

#define NS_PER_S INT64_C(1000000000)

// ---- frames -------------------------------------------------------------------------------------

// A history may come from anywhere: what no bus can have carried is refused.
static bool is_possible(const struct bus_log_frame *logged)
{
    const uint32_t id = logged->can_id;
    return logged->bus < BUS_LOG_BUSES && logged->length <= CAN_MAX_DLEN && logged->time.ns >= 0 &&
           logged->time.ns <= TRIAL_MAX_NS && (id & CAN_ERR_FLAG) == 0 &&
           ((id & CAN_EFF_FLAG) != 0 || (id & CAN_EFF_MASK) <= CAN_SFF_MASK);
}

static struct export_frame as_exported(const struct bus_log_frame *logged, int64_t epoch_s)
{
    struct export_frame frame = {
        .bus = logged->bus,
        .time_ns = logged->time.ns + epoch_s * NS_PER_S,
        .from_host = logged->sender == BUS_LOG_HOST,
        .failed = logged->failed != 0,
        .sent = {.can_id = logged->can_id, .can_dlc = (uint8_t)logged->length}};
    if ((logged->can_id & CAN_RTR_FLAG) == 0)
        memcpy(frame.sent.data, logged->data, logged->length);
    frame.frame = frame.sent;
    if (frame.failed)
        frame.frame = (struct can_frame){.can_id = CAN_ERR_FLAG | CAN_ERR_PROT | CAN_ERR_BUSERROR,
                                         .can_dlc = CAN_ERR_DLC};
    return frame;
}

enum status export_each(const struct history *history, const struct export_options *options,
                        export_writer *write, void *context, struct export_count *count)
{
    *count = (struct export_count){0};
    const int topic = history_topic(history, "bus-log");
    if (topic < 0) {
        log_error("this history holds no bus log: the target has no channel bus-log, or the trial "
                  "ended before its simulator was ready");
        return STATUS_INVALID;
    }
    for (size_t i = 0; i < history_length(history); i++) {
        const struct event *event = history_event(history, i);
        if (event->topic != topic)
            continue;
        if (event->size_B < offsetof(struct bus_log_message, frame)) {
            count->malformed++;
            continue;
        }
        const struct bus_log_message *log = event->data;
        count->not_logged += log->dropped;
        for (size_t f = 0; f < bus_log_frames(event); f++) {
            if (!is_possible(&log->frame[f])) {
                count->malformed++;
                continue;
            }
            const struct export_frame frame = as_exported(&log->frame[f], options->epoch_s);
            count->frames[frame.bus]++;
            count->error_frames += frame.failed;
            write(context, &frame);
        }
    }
    return STATUS_OK;
}

// ---- candump -L ---------------------------------------------------------------------------------

struct candump {
    const struct export_options *options;
    FILE *out;
};

static void write_line(void *context, const struct export_frame *exported)
{
    const struct candump *candump = context;
    const struct can_frame *frame = &exported->frame;
    FILE *out = candump->out;
    fprintf(out, "(%010" PRId64 ".%06" PRId64 ") %s ", exported->time_ns / NS_PER_S,
            exported->time_ns % NS_PER_S / 1000, candump->options->bus[exported->bus]);
    if (frame->can_id & CAN_ERR_FLAG)
        fprintf(out, "%08X#", frame->can_id & (CAN_ERR_MASK | CAN_ERR_FLAG));
    else if (frame->can_id & CAN_EFF_FLAG)
        fprintf(out, "%08X#", frame->can_id & CAN_EFF_MASK);
    else
        fprintf(out, "%03X#", frame->can_id & CAN_SFF_MASK);
    if (frame->can_id & CAN_RTR_FLAG) { // no data, but a length
        putc('R', out);
        if (frame->can_dlc > 0)
            putc('0' + frame->can_dlc, out);
    } else
        for (unsigned i = 0; i < frame->can_dlc; i++)
            fprintf(out, "%02X", frame->data[i]);
    putc('\n', out);
}

enum status export_candump(const struct history *history, const struct export_options *options,
                           FILE *out, struct export_count *count)
{
    struct candump candump = {options, out};
    return export_each(history, options, write_line, &candump, count);
}
