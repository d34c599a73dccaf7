// Messages of IEEE 1588 from anybody: what is taken has a time of this protocol, and is the same
// once written again.
#include "fuzz.h"

#include <string.h>

#include "ethernet/ptp.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct ptp_message message, again;
    uint8_t bytes[PTP_SIZE_B];
    if (!ptp_read(data, size, &message))
        return 0;
    ptp_write(&message, bytes);
    fuzz_check(ptp_read(bytes, sizeof bytes, &again));
    fuzz_check(again.type == message.type && again.sequence == message.sequence);
    fuzz_check(message.type == PTP_PDELAY_REQ || again.time_ns == message.time_ns);
    return 0;
}
