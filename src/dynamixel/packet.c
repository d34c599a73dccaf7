#include "dynamixel/packet.h"

#include <string.h>

enum { AT_ID = 2, AT_LENGTH, AT_CODE, AT_PARAMETERS };
#define HEADER 0xFFu
#define LENGTH_MIN 2u // code and sum

static uint8_t sum_of(const uint8_t *bytes, unsigned count)
{
    unsigned sum = 0;
    for (unsigned i = AT_ID; i < count; i++)
        sum += bytes[i];
    return (uint8_t)~sum;
}

unsigned dxl_encode(const struct dxl_packet *packet, uint8_t bytes[DXL_PACKET_MAX_B])
{
    const unsigned count = packet->count < DXL_PARAMETERS_MAX ? packet->count : DXL_PARAMETERS_MAX;
    bytes[0] = bytes[1] = HEADER;
    bytes[AT_ID] = packet->id;
    bytes[AT_LENGTH] = (uint8_t)(count + LENGTH_MIN);
    bytes[AT_CODE] = packet->code;
    memcpy(bytes + AT_PARAMETERS, packet->parameter, count);
    bytes[AT_PARAMETERS + count] = sum_of(bytes, AT_PARAMETERS + count);
    return AT_PARAMETERS + count + 1;
}

// Whether what has come so far can be the beginning of a packet.
static bool is_beginning(const struct dxl_decoder *decoder)
{
    switch (decoder->count) {
    case 1:
    case 2:
        return decoder->byte[decoder->count - 1] == HEADER;
    case AT_LENGTH + 1:
        return decoder->byte[AT_LENGTH] >= LENGTH_MIN;
    default:
        return true;
    }
}

enum dxl_decoded dxl_decode(struct dxl_decoder *decoder, uint8_t byte, instant t,
                            struct dxl_packet *packet)
{
    if (decoder->count >= DXL_PACKET_MAX_B || instant_sub(t, decoder->last).ns > DXL_GAP_MAX_NS)
        decoder->count = 0;
    decoder->last = t;
    if (decoder->count == AT_ID && byte == HEADER) // the header's last two bytes count
        return DXL_MORE;
    decoder->byte[decoder->count++] = byte;
    if (!is_beginning(decoder)) {
        decoder->count = 0;
        return DXL_MORE;
    }
    const unsigned length = decoder->count > AT_LENGTH ? decoder->byte[AT_LENGTH] : UINT8_MAX;
    if (decoder->count <= AT_LENGTH || decoder->count < AT_CODE + length)
        return DXL_MORE;
    *packet = (struct dxl_packet){.id = decoder->byte[AT_ID],
                                  .code = decoder->byte[AT_CODE],
                                  .count = (uint8_t)(length - LENGTH_MIN)};
    memcpy(packet->parameter, decoder->byte + AT_PARAMETERS, packet->count);
    const unsigned last = decoder->count - 1;
    decoder->count = 0;
    return decoder->byte[last] == sum_of(decoder->byte, last) ? DXL_WHOLE : DXL_BROKEN;
}
