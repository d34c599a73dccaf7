// Messages of IEEE 1588 from anybody: what is taken has a time of this protocol, and is the same
// once written again.
#include "tests/fuzz/fuzz.h"

#include <string.h>

#include "ethernet/ptp_message.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct ptp_message message, again;
    uint8_t bytes[PTP_SIZE_MAX_B];
    if (!ptp_read(data, size, &message))
        return 0;
    const size_t size_B = ptp_write(&message, bytes);
    fuzz_check(ptp_read(bytes, size_B, &again));
    fuzz_check(again.type == message.type && again.sequence == message.sequence);
    fuzz_check(again.time_ns == message.time_ns && again.priority == message.priority);
    return 0;
}
