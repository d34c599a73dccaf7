// Users' control programs: whatever they hold, what they ask for is within the servos' reach, and
// they end within their budget.
#include "tests/fuzz/fuzz.h"

#include "targets/bioloid/script.h"

#define CALLS 3

static void check_asked(const struct script_axes *axes)
{
    for (unsigned i = 0; i < MOVEMENT_SERVOS; i++)
        if (axes->asked & 1u << i)
            fuzz_check(i > 0 && fabs(axes->reference_rad[i]) < 2.7 && axes->speed_rad_s[i] > 0 &&
                       axes->speed_rad_s[i] < 11);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct script_budget budget = {.instructions = 2000, .memory_B = 65536};
    struct script_axes axes = {.known = 0x0ffffeu};
    struct script *script;
    const char *path = fuzz_file(data, size);
    if (path == NULL || script_open(path, 1, &budget, &script) != STATUS_OK)
        return 0;
    enum status status = script_call(script, SCRIPT_INITIALIZE, &axes);
    for (unsigned i = 0; i < CALLS && status == STATUS_OK; i++) {
        check_asked(&axes);
        axes.time_s += 0.02;
        status = script_call(script, SCRIPT_CONTROL, &axes);
    }
    fuzz_check(status == STATUS_OK || script_reason(script)[0] != '\0');
    script_close(script);
    return 0;
}
