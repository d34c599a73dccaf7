#include "dynamixel/device.h"

#include <string.h>

#include "base/invariant.h"

#define BAUD_CLOCK_HZ 2000000u
#define RETURN_DELAY_UNIT_NS 2000
#define JOINT_SPEED_MAX 1023u

static const struct dxl_row rows[] = {
#define DXL_REGISTER_ROW(name, address, bytes, lowest, highest, initial, access)                   \
    {#name, address, bytes, lowest, highest, initial, DXL_##access},
    DXL_CONTROL_TABLE(DXL_REGISTER_ROW)
#undef DXL_REGISTER_ROW
};
#define ROWS (sizeof rows / sizeof rows[0])

const struct dxl_row *dxl_row_at(unsigned address)
{
    for (size_t i = 0; i < ROWS; i++)
        if (address >= rows[i].address && address < (unsigned)rows[i].address + rows[i].bytes)
            return &rows[i];
    return NULL;
}

static unsigned value_at(const uint8_t *table, const struct dxl_row *row)
{
    return row->bytes == 2 ? dxl_word(table + row->address) : table[row->address];
}

unsigned dxl_get(const struct dxl_device *device, enum dxl_register reg)
{
    const struct dxl_row *row = dxl_row_at(reg);
    return row != NULL ? value_at(device->table, row) : 0;
}

void dxl_put(struct dxl_device *device, enum dxl_register reg, unsigned value)
{
    const struct dxl_row *row = dxl_row_at(reg);
    if (row != NULL && row->bytes == 2)
        dxl_put_word(device->table + row->address, value);
    else
        device->table[reg] = (uint8_t)value;
}

unsigned dxl_bitrate_bit_s(const struct dxl_device *device)
{
    return BAUD_CLOCK_HZ / (device->table[DXL_BAUD] + 1u);
}

bool dxl_is_wheel(const struct dxl_device *device)
{
    return dxl_get(device, DXL_CW_LIMIT) == 0 && dxl_get(device, DXL_CCW_LIMIT) == 0;
}

// ---- initial values -----------------------------------------------------------------------------

static void initialise(struct dxl_device *device, bool eeprom)
{
    for (size_t i = 0; i < ROWS; i++)
        if ((rows[i].access == DXL_EEPROM || rows[i].access == DXL_EEPROM_READ) == eeprom)
            dxl_put(device, rows[i].address, rows[i].initial);
}

void dxl_device_power(struct dxl_device *device)
{
    const unsigned position = dxl_get(device, DXL_POSITION);
    initialise(device, false);
    dxl_put(device, DXL_POSITION, position);
    dxl_put(device, DXL_GOAL, position);
    dxl_put(device, DXL_TORQUE_LIMIT, dxl_get(device, DXL_TORQUE_MAX));
    device->alarms = 0;
    device->registered_count = 0;
    device->decoder.count = 0;
}

void dxl_device_forget(struct dxl_device *device)
{
    initialise(device, true);
}

void dxl_device_start(struct dxl_device *device, uint8_t id)
{
    *device = (struct dxl_device){0};
    initialise(device, true);
    initialise(device, false);
    device->table[DXL_ID] = id;
}

// ---- writing ------------------------------------------------------------------------------------

// Whether the rows that the bytes touch would hold what they may; *errors says what is wrong.
static bool is_permitted(const struct dxl_device *device, const uint8_t *table, unsigned first,
                         unsigned count, unsigned *errors)
{
    for (unsigned address = first; address < first + count; address++) {
        const struct dxl_row *row = dxl_row_at(address);
        if (row == NULL) { // reserved
            *errors |= DXL_ERROR_RANGE;
            continue;
        }
        const unsigned value = value_at(table, row);
        const bool writable =
            row->access == DXL_RAM || (row->access == DXL_EEPROM && device->table[DXL_LOCK] == 0);
        if (!writable || value < row->lowest || value > row->highest ||
            (row->address == DXL_SPEED && value > JOINT_SPEED_MAX && !dxl_is_wheel(device)))
            *errors |= DXL_ERROR_RANGE;
        if (row->address == DXL_GOAL && !dxl_is_wheel(device) &&
            (value < dxl_get(device, DXL_CW_LIMIT) || value > dxl_get(device, DXL_CCW_LIMIT)))
            *errors |= DXL_ERROR_ANGLE;
    }
    return *errors == 0;
}

// Writes all bytes, or none and returns the bits of what is wrong. `really`: not only asked.
static unsigned write_table(struct dxl_device *device, unsigned first, const uint8_t *bytes,
                            unsigned count, bool really)
{
    unsigned errors = 0;
    uint8_t wanted[DXL_TABLE_B];
    if (count == 0 || first + count > DXL_TABLE_B)
        return DXL_ERROR_RANGE;
    memcpy(wanted, device->table, sizeof wanted);
    memcpy(wanted + first, bytes, count);
    if (!is_permitted(device, wanted, first, count, &errors) || !really)
        return errors;
    memcpy(device->table, wanted, sizeof wanted);
    if (first <= DXL_GOAL + 1 && first + count > DXL_GOAL) // a goal switches the motor on
        device->table[DXL_TORQUE_ON] = 1;
    return 0;
}

static unsigned register_write(struct dxl_device *device, const struct dxl_packet *packet)
{
    expects(packet->count >= 2);
    const unsigned count = packet->count - 1u;
    const unsigned errors =
        write_table(device, packet->parameter[0], packet->parameter + 1, count, false);
    if (errors != 0)
        return errors;
    device->registered_first = packet->parameter[0];
    device->registered_count = (uint8_t)count;
    memcpy(device->registered, packet->parameter + 1, count);
    device->table[DXL_REGISTERED] = 1;
    return 0;
}

static unsigned act(struct dxl_device *device)
{
    if (device->registered_count == 0)
        return DXL_ERROR_INSTRUCTION;
    const unsigned errors = write_table(device, device->registered_first, device->registered,
                                        device->registered_count, true);
    device->registered_count = 0;
    device->table[DXL_REGISTERED] = 0;
    return errors;
}

// Parameters: address, n, and for each device its id and n bytes.
static void write_own_part(struct dxl_device *device, const struct dxl_packet *packet)
{
    const unsigned part = packet->count > 1 ? packet->parameter[1] + 1u : 1;
    for (unsigned at = 2; part > 1 && at + part <= packet->count; at += part)
        if (packet->parameter[at] == device->table[DXL_ID])
            (void)write_table(device, packet->parameter[0], packet->parameter + at + 1, part - 1,
                              true);
}

// ---- packets ------------------------------------------------------------------------------------

static unsigned read_table(const struct dxl_device *device, const struct dxl_packet *packet,
                           struct dxl_packet *reply)
{
    if (packet->count != 2)
        return DXL_ERROR_INSTRUCTION;
    const unsigned first = packet->parameter[0], count = packet->parameter[1];
    if (count == 0 || first + count > DXL_TABLE_B)
        return DXL_ERROR_RANGE;
    memcpy(reply->parameter, device->table + first, count);
    reply->count = (uint8_t)count;
    return 0;
}

// Does what the packet says and returns the error bits; *level is from which status return level on
// it is answered.
static unsigned obey(struct dxl_device *device, const struct dxl_packet *packet,
                     struct dxl_packet *reply, unsigned *level)
{
    *level = 2;
    switch (packet->code) {
    case DXL_PING:
        *level = 0;
        return packet->count == 0 ? 0 : DXL_ERROR_INSTRUCTION;
    case DXL_READ:
        *level = 1;
        return read_table(device, packet, reply);
    case DXL_WRITE:
        return packet->count < 2 ? DXL_ERROR_INSTRUCTION
                                 : write_table(device, packet->parameter[0], packet->parameter + 1,
                                               packet->count - 1u, true);
    case DXL_REG_WRITE:
        return packet->count < 2 ? DXL_ERROR_INSTRUCTION : register_write(device, packet);
    case DXL_ACTION:
        return act(device);
    case DXL_RESET:
        dxl_device_forget(device);
        return 0;
    case DXL_SYNC_WRITE:
        *level = UINT8_MAX; // never
        write_own_part(device, packet);
        return 0;
    default:
        return DXL_ERROR_INSTRUCTION;
    }
}

void dxl_device_hear(struct dxl_device *device, uint8_t byte, instant t, struct dxl_answer *answer)
{
    struct dxl_packet packet;
    answer->length = 0;
    const enum dxl_decoded decoded = dxl_decode(&device->decoder, byte, t, &packet);
    const uint8_t id = device->table[DXL_ID];
    if (decoded == DXL_MORE || (packet.id != id && packet.id != DXL_BROADCAST))
        return;
    const bool broadcast = packet.id == DXL_BROADCAST;
    device->heard++;
    device->broken += decoded == DXL_BROKEN;
    // What a twin of the same number answers looks like an instruction 0.
    if (packet.code == 0)
        return;
    struct dxl_packet reply = {.id = id};
    unsigned level = 2;
    const unsigned returned = device->table[DXL_STATUS_LEVEL];
    const unsigned delay = device->table[DXL_RETURN_DELAY];
    const unsigned errors =
        decoded == DXL_BROKEN ? DXL_ERROR_SUM : obey(device, &packet, &reply, &level);
    if (broadcast || level > returned)
        return;
    reply.code = (uint8_t)(errors | device->alarms);
    answer->delay = duration_ns(delay * RETURN_DELAY_UNIT_NS);
    answer->length = dxl_encode(&reply, answer->byte);
    ensures(answer->length <= sizeof answer->byte);
    device->answered++;
}
