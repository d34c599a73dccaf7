#include "ethernet/frame.h"

#include <string.h>

#define NS_PER_S 1000000000u
#define PREFIX_B 4
#define WAY_TURNS 0x0Fu
#define WAY_PASSES_SHIFT 4
#define PASSES_MAX 2
#define TYPE_AT 12
#define TAG_PATH_SHIFT 12
#define TAG_SIZE_MASK 0x0FFFu

static const uint8_t prefix[PREFIX_B] = {0x02, 0x55, 0x4B, 0x00};
static const uint8_t to_neighbour[6] = {0x01, 0x80, 0xC2, 0x00, 0x00, 0x0E};

void eth_address(unsigned host, unsigned port, uint8_t address[6])
{
    memcpy(address, prefix, PREFIX_B);
    address[4] = (uint8_t)host;
    address[5] = (uint8_t)port;
}

unsigned eth_host_of(const uint8_t address[6], uint8_t *way)
{
    *way = address[5];
    return memcmp(address, prefix, PREFIX_B) == 0 && (*way & WAY_TURNS) <= 1 &&
                   *way >> WAY_PASSES_SHIFT <= PASSES_MAX
               ? address[4]
               : ETH_NOBODY;
}

static uint16_t read16(const uint8_t *bytes)
{
    return (uint16_t)(bytes[0] << 8 | bytes[1]);
}

static void write16(uint8_t *bytes, unsigned value)
{
    bytes[0] = (uint8_t)(value >> 8);
    bytes[1] = (uint8_t)value;
}

bool eth_parse(const struct eth_frame *frame, unsigned hosts, struct eth_head *head)
{
    uint8_t way, ignored;
    *head = (struct eth_head){.destination = ETH_NOBODY, .source = ETH_NOBODY};
    if (frame->size_B < ETH_HEADER_B || frame->size_B > ETH_SIZE_MAX_B)
        return false;
    head->destination = eth_host_of(frame->bytes, &way);
    head->turns = way & WAY_TURNS;
    head->passes = (unsigned)way >> WAY_PASSES_SHIFT;
    head->source = eth_host_of(frame->bytes + 6, &ignored);
    if (head->destination >= hosts)
        head->destination = ETH_NOBODY;
    if (head->source >= hosts)
        head->source = ETH_NOBODY;
    head->neighbour = memcmp(frame->bytes, to_neighbour, sizeof to_neighbour) == 0;
    head->type = read16(frame->bytes + TYPE_AT);
    head->payload_at = ETH_HEADER_B;
    if (head->type == ETH_TYPE_HSR) {
        if (frame->size_B < ETH_HEADER_B + ETH_TAG_B)
            return false;
        head->tagged = true;
        head->sequence = read16(frame->bytes + TYPE_AT + 4);
        head->type = read16(frame->bytes + TYPE_AT + 6);
        head->payload_at += ETH_TAG_B;
    }
    head->payload_B = frame->size_B - head->payload_at;
    return true;
}

void eth_mark(struct eth_frame *frame, unsigned turns, unsigned passes)
{
    frame->bytes[5] = (uint8_t)(passes << WAY_PASSES_SHIFT | turns);
}

void eth_tag(struct eth_frame *frame, unsigned path, uint16_t sequence)
{
    memmove(frame->bytes + TYPE_AT + ETH_TAG_B, frame->bytes + TYPE_AT, frame->size_B - TYPE_AT);
    frame->size_B = (uint16_t)(frame->size_B + ETH_TAG_B);
    // The size counts from the tag's own to the payload's end.
    const unsigned size_B = frame->size_B - ETH_HEADER_B;
    write16(frame->bytes + TYPE_AT, ETH_TYPE_HSR);
    write16(frame->bytes + TYPE_AT + 2, path << TAG_PATH_SHIFT | (size_B & TAG_SIZE_MASK));
    write16(frame->bytes + TYPE_AT + 4, sequence);
}

int64_t eth_time_ns(size_t payload_B, uint64_t bitrate_bit_s)
{
    const uint64_t padded_B = payload_B < ETH_PAYLOAD_MIN_B ? ETH_PAYLOAD_MIN_B : payload_B;
    const uint64_t bits = (padded_B + ETH_OVERHEAD_B) * 8;
    return (int64_t)((bits * NS_PER_S + bitrate_bit_s - 1) / bitrate_bit_s);
}
