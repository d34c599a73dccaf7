#include "harness/view/body_states.h"
#include "harness/packs/packs.h"

#include <stdlib.h>
#include <string.h>

#include "message/message.h"
#include "harness/files/scenario.h"

// CHANNEL.FIELD of the body, in the messages of another robot's channel; of the body's own for the
// first robot.
static bool find_array(const struct target *target, unsigned robot, const char *text,
                       struct signal_name *array, unsigned *count)
{
    char name[FORMULA_NAME_MAX];
    if (robot == 0)
        snprintf(name, sizeof name, "%s", text);
    else
        signal_of_channel(target->body.other[robot - 1], text, name);
    return signal_array(target, name, array, count);
}

// By what the target's file says under `body`.
static bool find_arrays(const struct target *target, unsigned robot, struct body_states *states)
{
    const struct body_config *body = &target->body;
    struct body_source *source = &states->source[robot];
    unsigned three, four;
    return body->model[0] != '\0' &&
           find_array(target, robot, body->place, &source->place, &three) &&
           find_array(target, robot, body->turned, &source->turned, &four) &&
           find_array(target, robot, body->angles, &source->angles, &states->angle_count) &&
           three == 3 && four == 4;
}

// The topic, and with it how its events are read; NULL: there is no body.
static const char *find_source(const struct target *target, struct body_states *states,
                               const char **model, size_t *size_min_B)
{
    states->pack = target->robot[0] == '\0' ? NULL : packs_body(all_packs, target);
    *size_min_B = 1;
    *model = target->body.model;
    if (states->pack == NULL)
        return find_arrays(target, 0, states) ? states->source[0].place.channel : NULL;
    *size_min_B = sizeof(struct truth_message);
    *model = target->robot;
    return states->pack->body_topic;
}

// The scene that the scenario starts the world with, if it has one.
static const char *scene_of(const struct target *target, const struct scenario *scenario,
                            const char *model)
{
    for (unsigned i = 0; scenario != NULL && i < scenario->replacement_count; i++) {
        const struct replacement *replacement = &scenario->replacement[i];
        const size_t length = strlen(replacement->arguments);
        if (strcmp(replacement->component, target->world) == 0 && length > 4 &&
            strcmp(replacement->arguments + length - 4, ".xml") == 0 &&
            strpbrk(replacement->arguments, " /") == NULL)
            return replacement->arguments;
    }
    return model;
}

// Robots that the history says nothing of end the list.
static enum status collect_others(const struct history *history, const struct target *target,
                                  struct body_states *states)
{
    for (unsigned i = 0; i < target->body.other_count; i++) {
        struct body_source *source = &states->source[states->robots];
        if (!find_arrays(target, i + 1, states))
            return STATUS_OK;
        if (!series_collect(history, source->place.channel, 1, &source->series))
            return STATUS_NO_MEMORY;
        if (source->series.count == 0)
            return STATUS_OK;
        states->robots++;
    }
    return STATUS_OK;
}

enum status body_states_collect(const struct history *history, const struct target *target,
                                const struct scenario *scenario,
                                const struct description *description, struct body_states *states)
{
    const char *model;
    size_t size_min_B;
    *states = (struct body_states){.description = description, .robots = 1};
    const char *topic = find_source(target, states, &model, &size_min_B);
    if (topic == NULL)
        return STATUS_NOT_FOUND;
    if (!series_collect(history, topic, size_min_B, &states->series))
        return STATUS_NO_MEMORY;
    if (states->pack == NULL)
        model = scene_of(target, scenario, model);
    snprintf(states->model, sizeof states->model, "%s/%s", target->folder, model);
    enum status status = states->series.count > 0 ? STATUS_OK : STATUS_NOT_FOUND;
    if (status == STATUS_OK && states->pack == NULL)
        status = collect_others(history, target, states);
    if (status != STATUS_OK)
        body_states_free(states);
    return status;
}

void body_states_free(struct body_states *states)
{
    free(states->series.event);
    states->series = (struct series){0};
    for (unsigned r = 1; r < BODY_ROBOTS_MAX; r++) {
        free(states->source[r].series.event);
        states->source[r].series = (struct series){0};
    }
}

static void read_array(const struct signal_name *array, const struct event *event, unsigned count,
                       double *value)
{
    for (unsigned i = 0; i < count; i++)
        value[i] = message_value(&array->field, i, event->data, event->size_B);
}

static void read_state(const struct body_states *states, const struct body_source *source,
                       const struct event *event, struct body_state *state)
{
    state->count = states->angle_count < BODY_AXES_MAX ? states->angle_count : BODY_AXES_MAX;
    read_array(&source->place, event, 3, state->place_m);
    read_array(&source->turned, event, 4, state->quaternion);
    read_array(&source->angles, event, state->count, state->position_rad);
}

// The last event until a time, or the first.
static const struct event *until(const struct series *series, instant time)
{
    size_t first = 0, last = series->count;
    while (last - first > 1) {
        const size_t middle = first + (last - first) / 2;
        if (instant_before(time, series->event[middle]->time))
            last = middle;
        else
            first = middle;
    }
    return series->event[first];
}

void body_states_at(const struct body_states *states, size_t index,
                    struct body_state state[BODY_ROBOTS_MAX])
{
    const struct event *event = series_at(&states->series, index);
    if (states->pack != NULL) {
        states->pack->body_state(states->description, event->data, state);
        return;
    }
    read_state(states, &states->source[0], event, state);
    for (unsigned r = 1; r < states->robots; r++)
        read_state(states, &states->source[r], until(&states->source[r].series, event->time),
                   &state[r]);
}

enum status body_states_body(const struct body_states *states, struct body **body)
{
    return body_create(states->model, states->pack == NULL ? NULL : states->description,
                       states->robots, body);
}
