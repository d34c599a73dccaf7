// Frames on the CM-5's serial line: what is taken is what would be sent.
#include "tests/fuzz/fuzz.h"

#include <string.h>

#include "targets/bioloid/cm5_frame.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct cm5_command command;
    struct cm5_answers answers;
    uint8_t again[CM5_FRAME_MAX_B];
    if (size > CM5_FRAME_MAX_B)
        return 0;
    if (cm5_unpack_command(data, (unsigned)size, &command))
        fuzz_check(cm5_pack_command(&command, again) == size && memcmp(again, data, size) == 0);
    if (cm5_unpack_answers(data, (unsigned)size, &answers))
        fuzz_check(cm5_pack_answers(&answers, again) == size && memcmp(again, data, size) == 0);
    return 0;
}
