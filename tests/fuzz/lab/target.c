// Target files.
#include "tests/fuzz/fuzz.h"
#include "harness/files/target/target.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct target *target;
    if (target_load(fuzz_file(data, size), &target) != STATUS_OK)
        return 0;
    fuzz_check(target->process_count > 0 && target->process_count < PROCESSES_MAX);
    fuzz_check(target->channel_count <= CHANNELS_MAX && target->bus_count <= BUSES_MAX);
    for (unsigned i = 0; i < target->process_count; i++)
        fuzz_check(memchr(target->process[i].name, '\0', NAME_MAX_LENGTH) != NULL);
    target_free(target);
    return 0;
}
