#include "harness/packs/can/bus_load.h"

#include <math.h>
#include <stddef.h>

#include "harness/packs/robot/facts.h"

#define PEAK_NS 1000000000
#define WINDOW_MAX 256 // accounts in a second; there are 100

struct account {
    int64_t time_ns;
    struct bus_account bus[BUS_LOG_BUSES];
};

// The accounts of about the last second, oldest first to go.
struct window {
    unsigned first, count;
    struct account account[WINDOW_MAX];
};

static double share(const struct account *from, const struct account *to, unsigned bus)
{
    const int64_t time_ns = to->time_ns - from->time_ns;
    return time_ns > 0 ? (double)(to->bus[bus].busy_ns - from->bus[bus].busy_ns) / (double)time_ns
                       : 0;
}

static void take_account(struct window *window, const struct bus_log_message *log,
                         struct bus_figures *figures)
{
    static const struct account start = {0};
    struct account *last =
        &window->account[(window->first + window->count) % WINDOW_MAX]; // free, see below
    last->time_ns = log->time.ns;
    for (unsigned b = 0; b < BUS_LOG_BUSES; b++) {
        last->bus[b] = log->account[b];
        figures->bus[b].mean = share(&start, last, b);
        figures->bus[b].frames = log->account[b].frames;
        figures->bus[b].error_frames = log->account[b].error_frames;
    }
    figures->known = true;
    if (window->count > 0 && last->time_ns - window->account[window->first].time_ns >= PEAK_NS)
        for (unsigned b = 0; b < BUS_LOG_BUSES; b++)
            figures->bus[b].peak =
                fmax(figures->bus[b].peak, share(&window->account[window->first], last, b));
    window->count++;
    while (
        window->count == WINDOW_MAX ||
        (window->count > 0 && last->time_ns - window->account[window->first].time_ns >= PEAK_NS)) {
        window->first = (window->first + 1) % WINDOW_MAX;
        window->count--;
    }
}

static void count_strangers(const struct event *event, struct bus_figures *figures)
{
    const struct bus_log_message *log = event->data;
    for (size_t f = 0; f < bus_log_frames(event); f++) {
        const struct bus_log_frame *frame = &log->frame[f];
        if (frame->bus < BUS_LOG_BUSES && frame->sender == BUS_LOG_STRANGER && !frame->failed)
            figures->bus[frame->bus].strange++;
    }
}

void bus_figures(const struct history *history, const struct description *description,
                 struct bus_figures *figures)
{
    *figures = (struct bus_figures){0};
    struct window window = {0};
    const int log = history_topic(history, "bus-log"), state = history_topic(history, "state");
    for (size_t i = 0; i < history_length(history); i++) {
        const struct event *event = history_event(history, i);
        if (event->topic == log && event->size_B >= offsetof(struct bus_log_message, frame)) {
            take_account(&window, event->data, figures);
            count_strangers(event, figures);
        } else if (event->topic == state && event->size_B == sizeof(struct state_message)) {
            figures->states++;
            figures->incomplete += !state_is_complete(event->data, description->joint_count);
        }
    }
}
