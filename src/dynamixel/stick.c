// Readings that are stuck: a device's answers keep the data of the first one that was hit. Their
// error bits are true, and their sums are right.
#include <string.h>

#include "dynamixel/line_private.h"

#define AT_ID 2
#define AT_CODE 4
#define AT_DATA 5
#define REQUEST_B 8u // of a read: one byte for the register, one for how many

void stick_ask(struct dxl_line *line, const uint8_t *bytes, unsigned length)
{
    if (length == REQUEST_B && bytes[AT_CODE] == DXL_READ)
        line->asked[bytes[AT_ID]] = bytes[AT_DATA];
}

bool stick_concerns(const uint8_t *bytes, unsigned length)
{
    return length > DXL_OVERHEAD_B && length <= DXL_TABLE_B + DXL_OVERHEAD_B && bytes[0] == 0xFF &&
           bytes[1] == 0xFF;
}

static struct stuck_answer *find(struct disturbance_state *state, uint8_t id, uint8_t address,
                                 unsigned length)
{
    for (unsigned i = 0; i < STUCK_MAX; i++) {
        struct stuck_answer *kept = &state->stuck[i];
        if (kept->length == 0 ||
            (kept->id == id && kept->address == address && kept->length == length))
            return kept;
    }
    return NULL;
}

static uint8_t sum(const uint8_t *bytes, unsigned length)
{
    uint8_t all = 0;
    for (unsigned i = AT_ID; i < length - 1; i++)
        all = (uint8_t)(all + bytes[i]);
    return (uint8_t)~all;
}

bool stick(const struct dxl_line *line, struct disturbance_state *state, uint8_t *bytes,
           unsigned length)
{
    const uint8_t id = bytes[AT_ID], address = line->asked[id];
    struct stuck_answer *kept = find(state, id, address, length);
    if (kept == NULL)
        return false;
    if (kept->length == 0) {
        *kept = (struct stuck_answer){.id = id, .address = address, .length = (uint8_t)length};
        memcpy(kept->byte, bytes, length);
    }
    const unsigned data_B = length - DXL_OVERHEAD_B;
    const bool changes = memcmp(bytes + AT_DATA, kept->byte + AT_DATA, data_B) != 0;
    memcpy(bytes + AT_DATA, kept->byte + AT_DATA, data_B);
    bytes[length - 1] = sum(bytes, length);
    return changes;
}
