// A bridge that takes what is harmed.
#include "targets/bridge/bridge_frame.h"

bool __real_bridge_frame_sound(const struct bridge_datagram *datagram, size_t length_B);
bool __wrap_bridge_frame_sound(const struct bridge_datagram *datagram, size_t length_B);

bool __wrap_bridge_frame_sound(const struct bridge_datagram *datagram, size_t length_B)
{
    struct bridge_datagram mended = *datagram;
    if (length_B >= sizeof mended.head && mended.head.part_B <= BRIDGE_PART_B)
        length_B = bridge_frame_seal(&mended);
    return __real_bridge_frame_sound(&mended, length_B);
}
