#include "dynamixel/host.h"

#include <string.h>

#define BYTE_BITS 10
#define RECEIVE_MAX 64u
#define READS_MAX 128u // of so many bytes: two queues

void dxl_host_start(struct dxl_host *host, struct dxl_port *port, duration return_delay)
{
    *host = (struct dxl_host){.port = port, .return_delay = return_delay};
}

static duration bytes_time(const struct dxl_host *host, unsigned bytes)
{
    return duration_ns((int64_t)bytes * BYTE_BITS * 1000000000 /
                       dxl_port_bitrate_bit_s(host->port));
}

// ---- suspects -----------------------------------------------------------------------------------

static bool is_suspect(const struct dxl_host *host, uint8_t id)
{
    return host->suspect[id / 64] >> id % 64 & 1;
}

static void suspect(struct dxl_host *host, uint8_t id, bool on)
{
    const uint64_t bit = UINT64_C(1) << id % 64;
    host->suspect[id / 64] = on ? host->suspect[id / 64] | bit : host->suspect[id / 64] & ~bit;
}

// ---- requests -----------------------------------------------------------------------------------

// The request ends, or should end, at `end`.
static void expect(struct dxl_host *host, instant end)
{
    const unsigned answer_B = DXL_OVERHEAD_B + (host->pinging ? 0 : host->expected);
    host->request_end = host->deadline = end;
    if (host->request.id != DXL_BROADCAST)
        host->deadline =
            instant_add(instant_add(end, host->return_delay), bytes_time(host, answer_B));
}

// Sends the request, or before it a ping.
static enum status transmit(struct dxl_host *host, instant at)
{
    uint8_t bytes[DXL_PACKET_MAX_B];
    const struct dxl_packet ping = {.id = host->request.id, .code = DXL_PING};
    const unsigned length = dxl_encode(host->pinging ? &ping : &host->request, bytes);
    const enum status status = dxl_port_send(host->port, bytes, length, at);
    if (status != STATUS_OK)
        return status;
    host->sent = false;
    host->decoder.count = 0;
    host->pending = true;
    // As far as is known: the line may be busy, or behind.
    expect(host, instant_add(instant_max(at, dxl_port_time(host->port)), bytes_time(host, length)));
    return STATUS_OK;
}

// The request stands in host->request.
static enum status start(struct dxl_host *host, unsigned expected, instant at)
{
    host->expected = expected;
    host->pinging = host->request.id != DXL_BROADCAST && host->request.code != DXL_PING &&
                    is_suspect(host, host->request.id);
    host->statistics.suspects += host->pinging;
    host->statistics.requests++;
    return transmit(host, at);
}

static enum status prepare(struct dxl_host *host, uint8_t id, enum dxl_instruction instruction)
{
    if (host->pending)
        return STATUS_BUSY;
    if (id > DXL_BROADCAST)
        return STATUS_INVALID;
    host->request = (struct dxl_packet){.id = id, .code = (uint8_t)instruction};
    return STATUS_OK;
}

static enum status plain(struct dxl_host *host, uint8_t id, enum dxl_instruction instruction,
                         instant at)
{
    const enum status status = prepare(host, id, instruction);
    return status == STATUS_OK ? start(host, 0, at) : status;
}

enum status dxl_host_ping(struct dxl_host *host, uint8_t id, instant at)
{
    return plain(host, id, DXL_PING, at);
}

enum status dxl_host_action(struct dxl_host *host, uint8_t id, instant at)
{
    return plain(host, id, DXL_ACTION, at);
}

enum status dxl_host_reset(struct dxl_host *host, uint8_t id, instant at)
{
    return plain(host, id, DXL_RESET, at);
}

enum status dxl_host_read(struct dxl_host *host, uint8_t id, uint8_t first, uint8_t count,
                          instant at)
{
    if (id == DXL_BROADCAST || count == 0)
        return STATUS_INVALID;
    const enum status status = prepare(host, id, DXL_READ);
    if (status != STATUS_OK)
        return status;
    host->request.count = 2;
    host->request.parameter[0] = first;
    host->request.parameter[1] = count;
    return start(host, count, at);
}

static enum status write_by(struct dxl_host *host, enum dxl_instruction instruction, uint8_t id,
                            uint8_t first, const uint8_t *bytes, uint8_t count, instant at)
{
    if (count >= DXL_PARAMETERS_MAX)
        return STATUS_INVALID;
    const enum status status = prepare(host, id, instruction);
    if (status != STATUS_OK)
        return status;
    host->request.count = (uint8_t)(count + 1);
    host->request.parameter[0] = first;
    memcpy(host->request.parameter + 1, bytes, count);
    return start(host, 0, at);
}

enum status dxl_host_write(struct dxl_host *host, uint8_t id, uint8_t first, const uint8_t *bytes,
                           uint8_t count, instant at)
{
    return write_by(host, DXL_WRITE, id, first, bytes, count, at);
}

enum status dxl_host_reg_write(struct dxl_host *host, uint8_t id, uint8_t first,
                               const uint8_t *bytes, uint8_t count, instant at)
{
    return write_by(host, DXL_REG_WRITE, id, first, bytes, count, at);
}

enum status dxl_host_sync_write(struct dxl_host *host, uint8_t first, uint8_t count,
                                const uint8_t *parts, unsigned devices, instant at)
{
    const unsigned bytes = (count + 1u) * devices;
    if (devices > DXL_PARAMETERS_MAX || bytes + 2 > DXL_PARAMETERS_MAX)
        return STATUS_INVALID;
    const enum status status = prepare(host, DXL_BROADCAST, DXL_SYNC_WRITE);
    if (status != STATUS_OK)
        return status;
    host->request.count = (uint8_t)(bytes + 2);
    host->request.parameter[0] = first;
    host->request.parameter[1] = count;
    memcpy(host->request.parameter + 2, parts, bytes);
    return start(host, 0, at);
}

// ---- answers ------------------------------------------------------------------------------------

static bool is_awaited(struct dxl_host *host, const struct dxl_packet *packet)
{
    const unsigned expected = host->pinging ? 0 : host->expected;
    // With an error bit of the instruction a device has nothing to tell.
    const bool refused =
        (packet->code & (DXL_ERROR_RANGE | DXL_ERROR_SUM | DXL_ERROR_INSTRUCTION)) != 0;
    if (packet->id == host->request.id &&
        (packet->count == expected || (refused && packet->count == 0)))
        return true;
    host->statistics.foreign++;
    return false;
}

static enum status take_byte(struct dxl_host *host, const struct dxl_byte *byte,
                             struct dxl_packet *answer)
{
    if (!host->sent || !instant_before(host->request_end, byte->time)) {
        host->statistics.stale++;
        return STATUS_EMPTY;
    }
    switch (dxl_decode(&host->decoder, byte->value, byte->time, answer)) {
    case DXL_WHOLE:
        return is_awaited(host, answer) ? STATUS_OK : STATUS_EMPTY;
    case DXL_BROKEN:
        host->statistics.broken++;
        return STATUS_CORRUPT;
    default:
        return STATUS_EMPTY;
    }
}

// What was asked is answered, or will not be.
static enum status conclude(struct dxl_host *host, enum status status,
                            const struct dxl_packet *answer)
{
    const uint8_t id = host->request.id;
    host->pending = false;
    host->statistics.timeouts += status == STATUS_TIMEOUT;
    if (id == DXL_BROADCAST)
        return status;
    suspect(host, id, status != STATUS_OK);
    if (status == STATUS_OK && host->pinging) { // nothing older can come any more
        host->pinging = false;
        const enum status sent = transmit(host, dxl_port_time(host->port));
        return sent == STATUS_OK ? STATUS_EMPTY : sent;
    }
    host->statistics.answers += status == STATUS_OK;
    host->statistics.errors += status == STATUS_OK && answer->code != 0;
    return status;
}

enum status dxl_host_look(struct dxl_host *host, struct dxl_packet *answer)
{
    struct dxl_byte byte[RECEIVE_MAX];
    if (!host->pending)
        return STATUS_NOT_FOUND;
    // The time first: what the line has heard by then is in the queue.
    const instant now = dxl_port_time(host->port);
    instant end;
    if (!host->sent && dxl_port_sent(host->port, &end)) {
        host->sent = true;
        expect(host, end);
    }
    for (unsigned n = 0; n < READS_MAX; n++) {
        const unsigned count = dxl_port_receive(host->port, byte, RECEIVE_MAX);
        for (unsigned i = 0; i < count; i++) {
            const enum status status = take_byte(host, &byte[i], answer);
            if (status == STATUS_OK || status == STATUS_CORRUPT)
                return conclude(host, status, answer);
        }
        if (count < RECEIVE_MAX)
            break;
    }
    const bool broadcast = host->request.id == DXL_BROADCAST;
    const instant latest =
        broadcast ? host->deadline : instant_add(host->deadline, duration_ns(DXL_HOST_SLACK_NS));
    if (!host->sent || instant_before(now, latest))
        return STATUS_EMPTY;
    return conclude(host, broadcast ? STATUS_OK : STATUS_TIMEOUT, answer);
}

instant dxl_host_next(const struct dxl_host *host)
{
    const instant now = dxl_port_time(host->port);
    if (!host->pending)
        return now;
    return instant_before(now, host->deadline)
               ? host->deadline
               : instant_add(host->deadline, duration_ns(DXL_HOST_SLACK_NS));
}
