// GIOP over raw Ethernet: a message is cut into segments, one a frame.
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "clock/clock.h"
#include "ethernet/etherrt.h"
#include "giop/segment.h"
#include "giop/transport.h"

#define FLOOD 256                      // segments without a message: more than a queue holds
#define SILENCE_NS INT64_C(1000000000) // after it a connection is forgotten, and begins anew

struct line {
    bool used, client; // client: this end asked for it
    uint16_t number;
    struct ether_addr peer;
    int64_t heard_ns;
    uint32_t sent; // message's number
    struct segment_assembly in;
};

struct eriop {
    struct giop_transport base;
    EtherRTSock *sock;
    struct clk *clk;
    uint8_t channel;
    struct eriop_counts counts;
    struct line line[];
};

static int64_t eriop_now_ns(const struct giop_transport *transport)
{
    return clk_now(((const struct eriop *)transport)->clk).ns;
}

static bool eriop_close(struct giop_transport *transport, unsigned connection, bool for_good)
{
    struct line *line = &((struct eriop *)transport)->line[connection];
    line->used &= line->client && !for_good;
    return line->used;
}

static void eriop_free(struct giop_transport *transport)
{
    struct eriop *eriop = (struct eriop *)transport;
    for (unsigned i = 0; i < transport->connection_count; i++)
        free(eriop->line[i].in.bytes);
    (void)EtherRTClose(eriop->sock);
    free(eriop);
}

// A restarted program's numbers are above those that it sent before: they begin at the trial's
// time in microseconds.
static void begin_line(struct eriop *eriop, struct line *line, const struct ether_addr *peer,
                       uint16_t number, bool client)
{
    const int64_t now_ns = eriop_now_ns(&eriop->base);
    line->used = true;
    line->client = client;
    line->number = number;
    line->peer = *peer;
    line->heard_ns = now_ns;
    line->sent = (uint32_t)(now_ns / 1000);
    line->in.any = false;
    line->in.next = 0;
}

// A free line, or a server's that has long been silent; NULL: there is none.
static struct line *free_line(struct eriop *eriop)
{
    const int64_t now_ns = eriop_now_ns(&eriop->base);
    for (unsigned pass = 0; pass < 2; pass++)
        for (unsigned i = 0; i < eriop->base.connection_count; i++) {
            struct line *line = &eriop->line[i];
            if (!line->used || (pass == 1 && !line->client && now_ns - line->heard_ns > SILENCE_NS))
                return line;
        }
    return NULL;
}

static enum status eriop_connect(struct giop_transport *transport,
                                 const struct ior_profile *profile, int64_t until_ns,
                                 unsigned *connection)
{
    struct eriop *eriop = (struct eriop *)transport;
    struct ether_addr peer;
    (void)until_ns;
    if (profile->tag != IOR_TAG_ERIOP)
        return STATUS_INVALID;
    struct line *line = free_line(eriop);
    if (line == NULL)
        return STATUS_FULL;
    *connection = (unsigned)(line - eriop->line);
    memcpy(peer.ether_addr_octet, profile->address, sizeof peer.ether_addr_octet);
    begin_line(eriop, line, &peer, (uint16_t)(profile->channel << 8 | (*connection & 0xFF)), true);
    return STATUS_OK;
}

static enum status eriop_send(struct giop_transport *transport, unsigned connection,
                              const uint8_t *bytes, size_t size_B, int64_t until_ns)
{
    struct eriop *eriop = (struct eriop *)transport;
    struct line *line = &eriop->line[connection];
    uint8_t frame[SEGMENT_HEAD_B + SEGMENT_DATA_B];
    const size_t count = (size_B + SEGMENT_DATA_B - 1) / SEGMENT_DATA_B;
    (void)until_ns; // the queue has room, or has not
    if (!line->used || count > ERIOP_SEGMENTS_MAX)
        return line->used ? STATUS_TOO_LARGE : STATUS_DEAD;
    line->sent++;
    for (size_t i = 0; i < count; i++) {
        const size_t left_B = size_B - i * SEGMENT_DATA_B;
        const size_t data_B = left_B < SEGMENT_DATA_B ? left_B : SEGMENT_DATA_B;
        const struct segment segment = {.flags = (uint8_t)((i == 0 ? SEGMENT_FIRST : 0) |
                                                           (i + 1 == count ? SEGMENT_LAST : 0) |
                                                           (line->client ? 0 : SEGMENT_TO_CLIENT)),
                                        .connection = line->number,
                                        .message = line->sent,
                                        .index = (uint16_t)i,
                                        .count = (uint16_t)count};
        segment_put(frame, &segment);
        memcpy(frame + SEGMENT_HEAD_B, bytes + i * SEGMENT_DATA_B, data_B);
        if (EtherRTSendTo(eriop->sock, &line->peer, frame, SEGMENT_HEAD_B + data_B, 0) != 0)
            return errno == ENOBUFS ? STATUS_FULL : STATUS_DEAD;
    }
    return STATUS_OK;
}

// ---- receiving ----------------------------------------------------------------------------------

// The line that a segment belongs to, a new one if it begins there; NULL: none.
static struct line *find_line(struct eriop *eriop, const struct ether_addr *source,
                              const struct segment *segment)
{
    const bool client = (segment->flags & SEGMENT_TO_CLIENT) != 0;
    for (unsigned i = 0; i < eriop->base.connection_count; i++) {
        struct line *line = &eriop->line[i];
        if (line->used && line->client == client && line->number == segment->connection &&
            memcmp(&line->peer, source, sizeof *source) == 0)
            return line;
    }
    if (client || segment->connection >> 8 != eriop->channel) {
        eriop->counts.strange++;
        return NULL;
    }
    struct line *line = free_line(eriop);
    if (line != NULL)
        begin_line(eriop, line, source, segment->connection, false);
    else
        eriop->counts.refused++;
    return line;
}

// Short frames are padded on real wires: a message's own head says where it ends.
static size_t true_size_B(const struct segment_assembly *in)
{
    struct giop_head head;
    if (in->size_B < GIOP_HEAD_B || giop_head_read(in->bytes, &head) != STATUS_OK ||
        head.size_B > in->size_B - GIOP_HEAD_B)
        return 0;
    return GIOP_HEAD_B + head.size_B;
}

// Takes a frame: true if a message is whole.
static bool take(struct eriop *eriop, const uint8_t *frame, const struct EtherRTFrom *from,
                 struct line **line)
{
    struct segment segment;
    if (segment_read(frame, from->length_B, ERIOP_SEGMENTS_MAX, &segment) != STATUS_OK) {
        eriop->counts.strange++;
        return false;
    }
    *line = find_line(eriop, &from->source, &segment);
    if (*line == NULL)
        return false;
    struct segment_assembly *in = &(*line)->in;
    in->any &= from->time_ns - (*line)->heard_ns <= SILENCE_NS;
    (*line)->heard_ns = from->time_ns;
    const uint64_t torn = in->torn;
    const bool whole = segment_assemble(in, &segment) == STATUS_OK;
    eriop->counts.torn += in->torn - torn;
    if (whole && true_size_B(in) == 0)
        eriop->counts.strange++;
    return whole && true_size_B(in) > 0;
}

static enum status eriop_receive(struct giop_transport *transport, int64_t until_ns,
                                 unsigned *connection, const uint8_t **bytes, size_t *size_B)
{
    struct eriop *eriop = (struct eriop *)transport;
    uint8_t frame[ETH_DATA_LEN];
    struct EtherRTFrom from;
    struct line *line;
    unsigned taken = 0;
    do { // ends: with a message, or at the deadline, whatever strangers send
        const bool flood = taken++ >= FLOOD && eriop_now_ns(transport) >= until_ns;
        if (flood || EtherRTRecvUntil(eriop->sock, frame, sizeof frame, until_ns, &from) != 0)
            return STATUS_TIMEOUT;
        from.length_B = from.length_B < sizeof frame ? from.length_B : sizeof frame;
    } while (!take(eriop, frame, &from, &line));
    *connection = (unsigned)(line - eriop->line);
    *bytes = line->in.bytes;
    *size_B = true_size_B(&line->in);
    return STATUS_OK;
}

static void eriop_profile(const struct giop_transport *transport, struct ior_profile *profile)
{
    const struct eriop *eriop = (const struct eriop *)transport;
    const char *name = getenv("UKEMI_PARTICIPANT");
    if (name == NULL || eriop_find(transport, name, eriop->channel, profile) != STATUS_OK)
        *profile = (struct ior_profile){.tag = IOR_TAG_ERIOP, .minor = 2};
}

static bool eriop_peer(const struct giop_transport *transport, unsigned connection,
                       uint8_t address[6])
{
    memcpy(address, &((const struct eriop *)transport)->line[connection].peer, 6);
    return true;
}

static const struct giop_transport_operations eriop_operations = {.free = eriop_free,
                                                                  .now_ns = eriop_now_ns,
                                                                  .connect = eriop_connect,
                                                                  .send = eriop_send,
                                                                  .receive = eriop_receive,
                                                                  .close = eriop_close,
                                                                  .profile = eriop_profile,
                                                                  .peer = eriop_peer};

enum status eriop_find(const struct giop_transport *transport, const char *host, uint8_t channel,
                       struct ior_profile *profile)
{
    struct ether_addr address;
    if (EtherRTAddress(((const struct eriop *)transport)->sock, host, &address) != 0)
        return STATUS_NOT_FOUND;
    *profile = (struct ior_profile){.tag = IOR_TAG_ERIOP, .minor = 2, .channel = channel};
    memcpy(profile->address, address.ether_addr_octet, sizeof profile->address);
    return STATUS_OK;
}

int64_t eriop_heard_ns(const struct giop_transport *transport, unsigned connection)
{
    return ((const struct eriop *)transport)->line[connection].heard_ns;
}

struct eriop_counts eriop_counts(const struct giop_transport *transport)
{
    return ((const struct eriop *)transport)->counts;
}

enum status eriop_create(struct clk *clk, const char *network, uint8_t channel,
                         unsigned connections, size_t message_max_B,
                         struct giop_transport **transport)
{
    struct eriop *eriop = calloc(1, sizeof *eriop + connections * sizeof *eriop->line);
    if (eriop == NULL)
        return STATUS_NO_MEMORY;
    eriop->base = (struct giop_transport){&eriop_operations, connections, message_max_B};
    eriop->clk = clk;
    eriop->channel = channel;
    EtherRTClock(clk);
    bool good = true;
    for (unsigned i = 0; i < connections; i++) {
        eriop->line[i].in =
            (struct segment_assembly){.bytes = malloc(message_max_B), .room_B = message_max_B};
        good &= eriop->line[i].in.bytes != NULL;
    }
    eriop->sock = good ? EtherRTSocket(SOCK_DGRAM, ERIOP_ETHERTYPE) : NULL;
    if (eriop->sock != NULL && EtherRTBind(eriop->sock, network) == 0) {
        *transport = &eriop->base;
        return STATUS_OK;
    }
    eriop_free(&eriop->base);
    return good ? STATUS_SYSTEM : STATUS_NO_MEMORY;
}
