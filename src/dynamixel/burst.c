// Bursts of bytes on a line, by whomever.
#include "dynamixel/line_private.h"

#include <string.h>

int64_t line_bitrate_of(const struct dxl_line *line, unsigned node)
{
    if (is_host(node) || node == STRANGER)
        return line->bitrate_bit_s;
    return dxl_bitrate_bit_s(line->device[node - DXL_HOSTS_MAX]);
}

void line_add(struct dxl_line *line, unsigned sender, const uint8_t *bytes, unsigned length,
              instant start)
{
    if (line->burst_count == BURSTS_MAX || length == 0 || length > BURST_MAX_B)
        return;
    struct burst *burst = &line->burst[line->burst_count++];
    burst->sender = sender;
    burst->bitrate_bit_s = line_bitrate_of(line, sender);
    burst->start = start;
    const duration time = bits_time((int64_t)length * BYTE_BITS, burst->bitrate_bit_s);
    burst->end = instant_add(start, time);
    burst->told = false;
    burst->length = length;
    memcpy(burst->byte, bytes, length);
    line->load.bursts++;
    line->load.bytes += length;
    line->load.busy.ns += time.ns;
}
