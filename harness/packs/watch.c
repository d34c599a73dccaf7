#include "harness/packs/watch.h"

#include <stdlib.h>

#include "harness/judge/pack.h"

struct watch {
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
    for (unsigned i = 0; packs[i] != NULL && status == STATUS_OK; i++)
        if (packs[i]->watcher != NULL && pack_in_force(packs[i], target))
            status = add(new, packs[i]->watcher, history);
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
    free(watch);
}

void watch_take(struct watch *watch, const struct event *event)
{
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
