// Scenario files.
#include "tests/fuzz/fuzz.h"
#include "harness/files/fault/fault_trigger.h"
#include "harness/files/scenario.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct target *target;
    if (target == NULL)
        fuzz_check(target_load(FUZZ_TARGET, &target) == STATUS_OK);
    struct scenario *scenario;
    if (scenario_load(fuzz_file(data, size), target, &scenario) != STATUS_OK)
        return 0;
    fuzz_check(isfinite(scenario->duration_s) && scenario->duration_s > 0);
    fuzz_check(isfinite(scenario->watch_s) && scenario->fault_count <= FAULTS_MAX);
    for (unsigned i = 0; i < scenario->fault_count; i++) {
        const struct trigger *at = &scenario->fault[i].at;
        fuzz_check(isfinite(at->time_min_s) && at->time_min_s <= at->time_max_s);
        fuzz_check(isfinite(scenario->fault[i].duration_s));
    }
    scenario_free(scenario);
    return 0;
}
