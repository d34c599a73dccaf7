#include "harness/view/body_states.h"

#include <stdlib.h>
#include <string.h>

#include "message/message.h"

// By what the target's file says under `body`.
static bool find_arrays(const struct target *target, struct body_states *states)
{
    const struct body_config *body = &target->body;
    unsigned three, four;
    return body->model[0] != '\0' && signal_array(target, body->place, &states->place, &three) &&
           signal_array(target, body->turned, &states->turned, &four) &&
           signal_array(target, body->angles, &states->angles, &states->angle_count) &&
           three == 3 && four == 4;
}

// The topic, and with it how its events are read; NULL: there is no body.
static const char *find_source(const struct target *target, struct body_states *states,
                               const char **model, size_t *size_min_B)
{
    states->pack = target->robot[0] == '\0' ? NULL : packs_body(target);
    *size_min_B = 1;
    *model = target->body.model;
    if (states->pack == NULL)
        return find_arrays(target, states) ? states->place.channel : NULL;
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

enum status body_states_collect(const struct history *history, const struct target *target,
                                const struct scenario *scenario,
                                const struct description *description, struct body_states *states)
{
    const char *model;
    size_t size_min_B;
    *states = (struct body_states){.description = description};
    const char *topic = find_source(target, states, &model, &size_min_B);
    if (topic == NULL)
        return STATUS_NOT_FOUND;
    if (!series_collect(history, topic, size_min_B, &states->series))
        return STATUS_NO_MEMORY;
    if (states->pack == NULL)
        model = scene_of(target, scenario, model);
    snprintf(states->model, sizeof states->model, "%s/%s", target->folder, model);
    if (states->series.count > 0)
        return STATUS_OK;
    body_states_free(states);
    return STATUS_NOT_FOUND;
}

void body_states_free(struct body_states *states)
{
    free(states->series.event);
    states->series = (struct series){0};
}

static void read_array(const struct signal_name *array, const struct event *event, unsigned count,
                       double *value)
{
    for (unsigned i = 0; i < count; i++)
        value[i] = message_value(&array->field, i, event->data, event->size_B);
}

void body_states_at(const struct body_states *states, size_t index, struct body_state *state)
{
    const struct event *event = series_at(&states->series, index);
    if (states->pack != NULL) {
        states->pack->body_state(states->description, event->data, state);
        return;
    }
    state->count = states->angle_count < BODY_AXES_MAX ? states->angle_count : BODY_AXES_MAX;
    read_array(&states->place, event, 3, state->place_m);
    read_array(&states->turned, event, 4, state->quaternion);
    read_array(&states->angles, event, state->count, state->position_rad);
}

enum status body_states_body(const struct body_states *states, struct body **body)
{
    return body_create(states->model, states->pack == NULL ? NULL : states->description, body);
}
