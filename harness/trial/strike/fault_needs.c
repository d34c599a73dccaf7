#include "harness/trial/strike/fault_needs.h"

#include <fcntl.h>
#include <stdio.h>

#include "harness/files/fault/catalogue.h"
#include "harness/files/scenario.h"

bool fault_needs_met(const struct scenario *scenario, enum clk_mode mode, char *reason, size_t size)
{
    for (unsigned i = 0; i < scenario->fault_count; i++) {
        const char *name = scenario->fault[i].kind;
        const struct fault_kind *kind = catalogue_find(scenario->catalogue, name);
        if (kind == NULL || !kind->wall_only || mode == CLK_WALL)
            continue;
        snprintf(reason, size,
                 "%s takes real time from the target, and the virtual clock waits for the target; "
                 "use --wall",
                 name);
        return false;
    }
    return true;
}

int fault_needs_scratch(const struct scenario *scenario)
{
    for (unsigned i = 0; i < scenario->fault_count; i++) {
        const struct fault_kind *kind =
            catalogue_find(scenario->catalogue, scenario->fault[i].kind);
        if (kind != NULL && kind->scratch)
            return open(".", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    }
    return -1;
}
