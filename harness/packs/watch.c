#include "harness/packs/watch.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/files/target/signal_names.h"
#include "harness/judge/pack.h"
#include "harness/packs/packs.h"

#define FOLLOWED_MAX (2 * FAULTS_MAX) // a fault's trigger, and its effect

// A formula, and what it reads.
struct followed {
    const char *text; // the scenario's
    struct formula *formula;
    struct signal_names names;
    double value[FORMULA_SIGNALS_MAX];
};

struct newest { // message of a topic; it lies in the history
    const void *data;
    size_t size_B;
};

struct watch {
    const struct target *target;
    const struct history *history;
    struct newest newest[HISTORY_TOPICS_MAX];
    unsigned followed_count;
    struct followed *followed[FOLLOWED_MAX];
    const struct watcher *watcher[PACKS_MAX];
    void *seen[PACKS_MAX]; // by each
    unsigned count;
};

static enum status add(struct watch *watch, const struct watcher *watcher,
                       const struct history *history)
{
    const enum status status = watcher->create(history, &watch->seen[watch->count]);
    if (status == STATUS_OK)
        watch->watcher[watch->count++] = watcher;
    return status;
}

enum status watch_create(const struct target *target, const struct history *history,
                         struct watch **watch)
{
    enum status status = STATUS_OK;
    struct watch *new = calloc(1, sizeof *new);
    *watch = NULL;
    if (new == NULL)
        return STATUS_NO_MEMORY;
    new->target = target;
    new->history = history;
    for (unsigned i = 0; all_packs[i] != NULL && status == STATUS_OK; i++)
        if (all_packs[i]->watcher != NULL && pack_in_force(all_packs, all_packs[i], target))
            status = add(new, all_packs[i]->watcher, history);
    if (status == STATUS_OK)
        *watch = new;
    else
        watch_free(new);
    return status;
}

void watch_free(struct watch *watch)
{
    for (unsigned i = 0; watch != NULL && i < watch->count; i++)
        watch->watcher[i]->free(watch->seen[i]);
    for (unsigned i = 0; watch != NULL && i < watch->followed_count; i++) {
        formula_free(watch->followed[i]->formula);
        free(watch->followed[i]);
    }
    free(watch);
}

void watch_take(struct watch *watch, const struct event *event)
{
    if (event->topic < HISTORY_TOPICS_MAX)
        watch->newest[event->topic] = (struct newest){event->data, event->size_B};
    for (unsigned i = 0; i < watch->count; i++)
        watch->watcher[i]->take(watch->seen[i], event);
}

bool watch_quantity(const struct watch *watch, const char *name, double *value)
{
    for (unsigned i = 0; i < watch->count; i++)
        if (watch->watcher[i]->quantity(watch->seen[i], name, value))
            return true;
    return false;
}

// NULL: no memory, or not a formula of this target.
static struct followed *follow(struct watch *watch, const char *text)
{
    struct formula_error error;
    for (unsigned i = 0; i < watch->followed_count; i++)
        if (strcmp(watch->followed[i]->text, text) == 0)
            return watch->followed[i];
    struct followed *new = watch->followed_count < FOLLOWED_MAX ? calloc(1, sizeof *new) : NULL;
    if (new == NULL)
        return NULL;
    new->text = text;
    new->names.target = watch->target;
    new->names.live = true;
    const struct formula_names of = signal_names(&new->names);
    if (formula_parse(text, &of, &new->formula, &error) != STATUS_OK) {
        free(new);
        return NULL;
    }
    watch->followed[watch->followed_count++] = new;
    return new;
}

static bool value_now(const struct watch *watch, const struct signal_name *name, double *value)
{
    if (name->channel == NULL)
        return watch_quantity(watch, name->name, value);
    const int topic = history_topic(watch->history, name->channel);
    const struct newest *newest = topic < 0 ? NULL : &watch->newest[topic];
    if (newest == NULL || newest->data == NULL)
        return false;
    *value = message_value(&name->field, name->element, newest->data, newest->size_B);
    return true;
}

bool watch_formula(struct watch *watch, const char *text, double *robustness)
{
    struct followed *followed = follow(watch, text);
    bool known = followed != NULL;
    for (unsigned i = 0; known && i < followed->names.count; i++)
        known = value_now(watch, &followed->names.signal[i], &followed->value[i]);
    if (known)
        *robustness = formula_now(followed->formula, followed->value);
    return known && !isnan(*robustness);
}

bool watch_phase(const struct watch *watch, double *phase)
{
    for (unsigned i = 0; i < watch->count; i++)
        if (watch->watcher[i]->phase(watch->seen[i], phase))
            return true;
    return false;
}

bool watch_given_up(const struct watch *watch)
{
    for (unsigned i = 0; i < watch->count; i++)
        if (watch->watcher[i]->given_up(watch->seen[i]))
            return true;
    return false;
}

bool watch_completed(const struct watch *watch)
{
    for (unsigned i = 0; i < watch->count; i++)
        if (watch->watcher[i]->completed(watch->seen[i]))
            return true;
    return false;
}
