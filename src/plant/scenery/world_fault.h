// Faults of the simulated world, of any kind: what a change asks for begins and ends here, and is
// measured. One of a kind acts at a time; a further change of the kind takes its place.
//
// Who begins or ends one may allocate; the rest is real-time safe.
#pragma once

#include <mujoco/mujoco.h>
#include <stdbool.h>

#include "message/message.h"
#include "plant/scenery/world_fault_list.h"

struct world_fault_acting {
    int body; // of the model that it acts on; 0: it does not act
    double value[WORLD_FAULT_VALUES_MAX];
    double before[2]; // the kind's own: what was before
};

struct world_fault { // a kind
    // Acts on acting->body from now on. False: the values make no sense; nothing has changed.
    bool (*begin)(struct world_fault_acting *acting, mjModel *model);
    void (*end)(struct world_fault_acting *acting, mjModel *model); // all is as it was before
    // Measured in the world, not remembered: its first parameter while it acts, 0 when it is over.
    double (*shown)(const struct world_fault_acting *acting, const mjModel *model);
};

#define WORLD_FAULT_DECLARE(kind, ...) extern const struct world_fault world_fault_##kind;
WORLD_FAULTS(WORLD_FAULT_DECLARE)
#undef WORLD_FAULT_DECLARE

struct world_faults {
    struct world_fault_acting acting[WORLD_FAULT_COUNT];
    uint64_t change_id, refused;
};

// A change seen before makes no difference. One of a kind or a body that there is not, or of a
// value that makes no sense, is refused, and counted.
void world_faults_change(struct world_faults *faults, mjModel *model,
                         const struct world_change_message *change);

// Time is left to the caller.
void world_faults_truth(const struct world_faults *faults, const mjModel *model,
                        struct world_fault_message *message);
