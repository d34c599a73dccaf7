// A CM-5 that believes packets whatever their sum.
#include "dynamixel/packet.h"

enum dxl_decoded __real_dxl_decode(struct dxl_decoder *, uint8_t, instant, struct dxl_packet *);
enum dxl_decoded __wrap_dxl_decode(struct dxl_decoder *decoder, uint8_t byte, instant t,
                                   struct dxl_packet *packet);

enum dxl_decoded __wrap_dxl_decode(struct dxl_decoder *decoder, uint8_t byte, instant t,
                                   struct dxl_packet *packet)
{
    const enum dxl_decoded decoded = __real_dxl_decode(decoder, byte, t, packet);
    return decoded == DXL_BROKEN ? DXL_WHOLE : decoded;
}
