// pcapng: draft-ietf-opsawg-pcapng; the packets of link type 227:
// https://www.tcpdump.org/linktypes/LINKTYPE_CAN_SOCKETCAN.html (identifier big-endian). Blocks are
// in this machine's byte order, which the section header tells a reader.
#include <string.h>

#include "base/invariant.h"
#include "harness/export/export.h"

#define LINKTYPE_ETHERNET 1
#define LINKTYPE_CAN_SOCKETCAN 227
#define CRC_ERROR_FLAG 0x01000000u // of a packet's flags
#define BLOCK_MAX_B 2048           // longest block written here: a frame's with its options

enum block_type { SECTION_HEADER = 0x0A0D0D0A, INTERFACE = 1, PACKET = 6 };
enum option_code {
    OPTION_END = 0,
    OPTION_COMMENT = 1,
    SECTION_APPLICATION = 4,
    INTERFACE_NAME = 2,
    INTERFACE_RESOLUTION = 9,
    PACKET_FLAGS = 2,
};
enum direction { INBOUND = 1, OUTBOUND = 2 };

// ---- blocks -------------------------------------------------------------------------------------

struct block {
    uint32_t size_B;
    uint8_t bytes[BLOCK_MAX_B];
};

static void add_bytes(struct block *block, const void *bytes, size_t size_B)
{
    const size_t padded_B = (size_B + 3) & ~(size_t)3;
    invariant(block->size_B + padded_B + 4 <= BLOCK_MAX_B);
    memset(block->bytes + block->size_B, 0, padded_B);
    memcpy(block->bytes + block->size_B, bytes, size_B);
    block->size_B += (uint32_t)padded_B;
}

static void add_uint32(struct block *block, uint32_t value)
{
    add_bytes(block, &value, sizeof value);
}

static void add_option(struct block *block, enum option_code code, const void *value, size_t size_B)
{
    const uint16_t head[2] = {(uint16_t)code, (uint16_t)size_B};
    add_bytes(block, head, sizeof head);
    add_bytes(block, value, size_B);
}

static void start_block(struct block *block, enum block_type type)
{
    block->size_B = 0;
    add_uint32(block, type);
    add_uint32(block, 0); // its length, known at the end
}

static void end_block(struct block *block, FILE *out)
{
    add_option(block, OPTION_END, "", 0);
    const uint32_t total_B = block->size_B + 4;
    memcpy(block->bytes + 4, &total_B, sizeof total_B);
    add_uint32(block, total_B);
    fwrite(block->bytes, 1, total_B, out);
}

static void write_section(FILE *out)
{
    static const char application[] = "ukemi export";
    static const uint16_t version[] = {1, 0};
    static const int64_t unknown_length = -1;
    struct block block;
    start_block(&block, SECTION_HEADER);
    add_uint32(&block, 0x1A2B3C4D); // byte-order magic
    add_bytes(&block, version, sizeof version);
    add_bytes(&block, &unknown_length, sizeof unknown_length);
    add_option(&block, SECTION_APPLICATION, application, strlen(application));
    end_block(&block, out);
}

static void write_interface(FILE *out, uint16_t type, uint32_t kept_B, const char *name)
{
    const uint16_t link_type[] = {type, 0};
    static const uint8_t nanoseconds = 9;
    struct block block;
    start_block(&block, INTERFACE);
    add_bytes(&block, link_type, sizeof link_type);
    add_uint32(&block, kept_B); // of a packet; 0: all
    add_option(&block, INTERFACE_NAME, name, strlen(name));
    add_option(&block, INTERFACE_RESOLUTION, &nanoseconds, 1);
    end_block(&block, out);
}

// ---- packets ------------------------------------------------------------------------------------

// Which frame an error frame ended.
static void add_comment(struct block *block, const struct can_frame *sent)
{
    char text[96];
    const uint32_t id =
        sent->can_id & CAN_EFF_FLAG ? sent->can_id & CAN_EFF_MASK : sent->can_id & CAN_SFF_MASK;
    int length =
        snprintf(text, sizeof text, "ended frame %0*X#", sent->can_id & CAN_EFF_FLAG ? 8 : 3, id);
    if (sent->can_id & CAN_RTR_FLAG)
        length += snprintf(text + length, sizeof text - (size_t)length, "R");
    else
        for (unsigned i = 0; i < sent->can_dlc; i++)
            length += snprintf(text + length, sizeof text - (size_t)length, "%02X", sent->data[i]);
    add_option(block, OPTION_COMMENT, text, (size_t)length);
}

static void write_packet(void *context, const struct export_frame *exported)
{
    FILE *out = context;
    const struct can_frame *frame = &exported->frame;
    const bool remote = (frame->can_id & CAN_RTR_FLAG) != 0;
    const uint8_t head[8] = {
        (uint8_t)(frame->can_id >> 24),
        (uint8_t)(frame->can_id >> 16),
        (uint8_t)(frame->can_id >> 8),
        (uint8_t)frame->can_id,
        frame->can_dlc,
    };
    uint8_t packet[sizeof head + CAN_MAX_DLEN];
    const uint32_t size_B = (uint32_t)sizeof head + (remote ? 0 : frame->can_dlc);
    memcpy(packet, head, sizeof head);
    memcpy(packet + sizeof head, frame->data, CAN_MAX_DLEN);

    struct block block;
    start_block(&block, PACKET);
    add_uint32(&block, exported->bus); // interfaces are numbered in their order
    add_uint32(&block, (uint32_t)((uint64_t)exported->time_ns >> 32));
    add_uint32(&block, (uint32_t)exported->time_ns);
    add_uint32(&block, size_B);
    add_uint32(&block, size_B);
    add_bytes(&block, packet, size_B);
    const uint32_t direction = exported->from_host && !exported->failed ? OUTBOUND : INBOUND;
    add_option(&block, PACKET_FLAGS, &direction, sizeof direction);
    if (exported->failed)
        add_comment(&block, &exported->sent);
    end_block(&block, out);
}

// ---- networks -----------------------------------------------------------------------------------

struct wire_frame { // as in a target's wire.msg; its first bytes follow
    int64_t time_ns;
    uint16_t cable;
    uint8_t end, broken;
    uint16_t size_B, padding;
};

struct wire {
    int64_t time_ns;
    uint32_t count, dropped;
    uint8_t frames[];
};

static void write_cables(const struct eth_plan *plan, FILE *out)
{
    for (unsigned c = 0; c < (plan != NULL ? plan->cable_count : ETH_CABLES_MAX); c++) {
        char number[16];
        snprintf(number, sizeof number, "cable%u", c);
        write_interface(out, LINKTYPE_ETHERNET, ETH_ROOM_B,
                        plan != NULL ? plan->cable[c].name : number);
    }
}

// `head_B`: how many of its bytes are kept, at most.
static void write_wire_frame(const struct wire_frame *frame, const uint8_t *head, uint32_t head_B,
                             int64_t epoch_s, FILE *out)
{
    const uint64_t time_ns = (uint64_t)(frame->time_ns + epoch_s * INT64_C(1000000000));
    const uint32_t kept_B = frame->size_B < head_B ? frame->size_B : head_B;
    const uint32_t flags =
        (frame->end == 1 ? OUTBOUND : INBOUND) | (frame->broken ? CRC_ERROR_FLAG : 0);
    struct block block;
    start_block(&block, PACKET);
    add_uint32(&block, frame->cable);
    add_uint32(&block, (uint32_t)(time_ns >> 32));
    add_uint32(&block, (uint32_t)time_ns);
    add_uint32(&block, kept_B);
    add_uint32(&block, frame->size_B);
    add_bytes(&block, head, kept_B);
    add_option(&block, PACKET_FLAGS, &flags, sizeof flags);
    end_block(&block, out);
}

static void write_wire(const struct wire *wire, size_t size_B, const struct export_options *options,
                       FILE *out, struct export_count *count)
{
    const unsigned cables = options->plan != NULL ? options->plan->cable_count : ETH_CABLES_MAX;
    // A target's message has room for as much of each frame as it likes.
    const size_t rest_B = size_B < sizeof *wire ? 0 : size_B - sizeof *wire;
    const size_t each_B = rest_B == 0 || wire->count == 0 ? 0 : rest_B / wire->count;
    if (size_B < sizeof *wire || each_B * wire->count != rest_B ||
        (wire->count > 0 && each_B < sizeof(struct wire_frame))) { // from anywhere
        count->malformed++;
        return;
    }
    count->not_logged += wire->dropped;
    for (uint32_t i = 0; i < wire->count; i++) {
        struct wire_frame frame;
        const uint8_t *at = wire->frames + i * each_B;
        memcpy(&frame, at, sizeof frame);
        if (frame.cable >= cables || frame.size_B > ETH_ROOM_B || frame.time_ns < 0 ||
            frame.time_ns > TRIAL_MAX_NS) {
            count->malformed++;
            continue;
        }
        count->ethernet++;
        write_wire_frame(&frame, at + sizeof frame, (uint32_t)(each_B - sizeof frame),
                         options->epoch_s, out);
    }
}

static void export_wires(const struct history *history, int topic,
                         const struct export_options *options, FILE *out,
                         struct export_count *count)
{
    *count = (struct export_count){0};
    write_cables(options->plan, out);
    for (size_t i = 0; i < history_length(history); i++) {
        const struct event *event = history_event(history, i);
        if (event->topic == topic)
            write_wire(event->data, event->size_B, options, out, count);
    }
}

enum status export_pcapng(const struct history *history, const struct export_options *options,
                          FILE *out, struct export_count *count)
{
    const int wire = history_topic(history, "wire");
    write_section(out);
    if (wire >= 0 && history_topic(history, "bus-log") < 0) {
        export_wires(history, wire, options, out, count);
        return STATUS_OK;
    }
    for (unsigned bus = 0; bus < BUS_LOG_BUSES; bus++)
        write_interface(out, LINKTYPE_CAN_SOCKETCAN, 0, options->bus[bus]);
    return export_each(history, options, write_packet, out, count);
}
