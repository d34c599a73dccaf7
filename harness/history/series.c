#include "harness/history/series.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/invariant.h"
#include "message/message.h"

#define READERS_NAME_MAX 128

bool series_collect(const struct history *history, const char *topic, size_t size_min_B,
                    struct series *series)
{
    int index = history_topic(history, topic);
    if (index < 0)
        return true;
    size_t length = history_length(history), count = 0;
    for (size_t i = 0; i < length; i++)
        count += history_event(history, i)->topic == index;
    series->event = calloc(count + 1, sizeof(const struct event *));
    if (series->event == NULL)
        return false;
    for (size_t i = 0; i < length; i++) {
        const struct event *event = history_event(history, i);
        if (event->topic == index && event->size_B >= size_min_B)
            series->event[series->count++] = event;
    }
    return true;
}

bool series_collect_got(const struct history *history, const char *channel, size_t size_min_B,
                        struct series *series)
{
    char readers[READERS_NAME_MAX];
    snprintf(readers, sizeof readers, TOPIC_OF_READERS, channel);
    const char *topic = history_topic(history, readers) >= 0 ? readers : channel;
    return series_collect(history, topic, size_min_B, series);
}

const struct event *series_at(const struct series *series, size_t index)
{
    invariant(index < series->count && series->event[index] != NULL);
    return series->event[index];
}

size_t series_count_until(const struct series *series, double time_s)
{
    size_t low = 0, high = series->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (instant_to_s(series->event[middle]->time) <= time_s)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

const struct event *series_latest(const struct series *series, double time_s)
{
    const size_t count = series_count_until(series, time_s);
    return count == 0 ? NULL : series->event[count - 1];
}

size_t bus_log_frames(const struct event *event)
{
    const struct bus_log_message *log = event->data;
    size_t head_B = offsetof(struct bus_log_message, frame);
    size_t held = event->size_B < head_B ? 0 : (event->size_B - head_B) / sizeof log->frame[0];
    return log->count < held ? log->count : held;
}
