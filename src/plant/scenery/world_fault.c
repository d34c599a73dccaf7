#include "plant/scenery/world_fault.h"

#include <math.h>
#include <string.h>

_Static_assert((int)WORLD_FAULT_COUNT <= WORLD_FAULT_KINDS_MAX, "the message has room for all");

#define WORLD_FAULT_ENTRY(kind, ...) &world_fault_##kind,
static const struct world_fault *const kinds[] = {WORLD_FAULTS(WORLD_FAULT_ENTRY)};
#undef WORLD_FAULT_ENTRY

// 0: the model has no such body.
static int body_of(const mjModel *model, const struct world_change_message *change)
{
    char name[sizeof change->body + 1] = "";
    memcpy(name, change->body, sizeof change->body);
    const int body = mj_name2id(model, mjOBJ_BODY, name);
    return body > 0 ? body : 0;
}

static bool are_finite(const double *value)
{
    for (unsigned i = 0; i < WORLD_FAULT_VALUES_MAX; i++)
        if (!isfinite(value[i]))
            return false;
    return true;
}

static bool begin(const struct world_fault *kind, struct world_fault_acting *acting, mjModel *model,
                  const struct world_change_message *change)
{
    struct world_fault_acting new = *acting;
    new.body = body_of(model, change);
    memcpy(new.value, change->value, sizeof new.value);
    if (new.body == 0 || !are_finite(new.value) || !kind->begin(&new, model))
        return false;
    *acting = new;
    return true;
}

void world_faults_change(struct world_faults *faults, mjModel *model,
                         const struct world_change_message *change)
{
    if (change->id == faults->change_id)
        return;
    faults->change_id = change->id;
    if (change->kind >= WORLD_FAULT_COUNT) {
        faults->refused++;
        return;
    }
    const struct world_fault *kind = kinds[change->kind];
    struct world_fault_acting *acting = &faults->acting[change->kind];
    if (acting->body != 0)
        kind->end(acting, model);
    acting->body = 0;
    if (change->acts != 0 && !begin(kind, acting, model, change))
        faults->refused++;
}

void world_faults_truth(const struct world_faults *faults, const mjModel *model,
                        struct world_fault_message *message)
{
    *message =
        (struct world_fault_message){.change_id = faults->change_id, .refused = faults->refused};
    for (unsigned i = 0; i < WORLD_FAULT_COUNT; i++)
        message->shown[i] = kinds[i]->shown(&faults->acting[i], model);
}
