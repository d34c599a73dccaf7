// Sockets of the kernel's interfaces (AF_PACKET): those of a cell's network whose medium is veth,
// and, outside a cell, any interface. Relaying is not done here (wire.h).
#include <errno.h>
#include <net/if.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "ethernet/etherrt_private.h"
#include "ethernet/packet.h"
#include "ethernet/relay.h"
#include "ethernet/veth.h"

#define PORTS_MAX 2
#define FILES_MAX 2   // frames as they are, and tagged ones
#define PASSED_MAX 64 // others' frames that one look passes over

struct packet {
    int file[FILES_MAX];
    unsigned file_count, port_count;
    unsigned index[PORTS_MAX];   // interfaces, to send by
    unsigned by_hand[PORTS_MAX]; // from which frames come while somebody is in the middle
    uint8_t own[6];
    struct eth_page *page; // of the cell's network; NULL: an interface by itself
    unsigned host;
    bool stamped; // the kernel says when frames came
    struct {
        uint32_t number;
        int64_t time_ns;
    } left[ETH_STAMPS]; // frames whose sender wants to know when, modulo that
    struct eth_copies copies[ETH_HOSTS_MAX];
};

static void free_packet(struct packet *packet)
{
    for (unsigned f = 0; f < packet->file_count; f++)
        close(packet->file[f]);
    if (packet->page != NULL)
        eth_page_unmap(packet->page);
    free(packet);
}

static void packet_close(EtherRTSock *sock)
{
    free_packet(sock->medium);
}

// ---- sending ------------------------------------------------------------------------------------

static bool is_tagged(const struct packet *packet, const struct eth_frame *frame)
{
    return packet->page != NULL && packet->page->plan.redundancy == ETH_SEAMLESS &&
           (frame->bytes[0] & 1) == 0;
}

// Ports that a frame leaves by, as bits; 0: no link works.
static unsigned ways_out(const struct packet *packet, const struct eth_frame *frame)
{
    const struct eth_page *page = packet->page;
    if (packet->port_count == 1)
        return 1;
    if ((frame->port & 3u) != 0)
        return frame->port & 3u;
    if (is_tagged(packet, frame))
        return 3;
    if (atomic_load(&page->time_ns) == 0) // its owner has not looked yet
        return 1;
    const struct eth_port_counts *port = &page->port[2 * packet->host];
    const bool works[2] = {atomic_load(&port[0].works) != 0, atomic_load(&port[1].works) != 0};
    const int leaves_by = eth_leaves_by((enum eth_redundancy)page->plan.redundancy, works);
    return leaves_by < 0 ? 0 : 1u << leaves_by;
}

static int send_noted(struct packet *packet, unsigned index, struct eth_frame *frame)
{
    int64_t stamp_ns;
    if (frame->stamp == 0)
        return eth_packet_send(packet->file[0], index, frame);
    if (eth_packet_send_stamped(packet->file[0], index, frame, &stamp_ns) != 0)
        return -1;
    const unsigned at = frame->stamp % ETH_STAMPS;
    packet->left[at].number = frame->stamp;
    packet->left[at].time_ns = eth_packet_true_ns(stamp_ns, etherrt_clock());
    return 0;
}

static int send_by(struct packet *packet, unsigned ways, bool tagged, struct eth_frame *frame)
{
    unsigned sent = 0;
    int error = ENETDOWN;
    const uint16_t sequence =
        tagged ? (uint16_t)atomic_fetch_add(&packet->page->host[packet->host].sequence, 1) : 0;
    for (unsigned p = 0; p < packet->port_count; p++) {
        struct eth_frame copy;
        struct eth_frame *sends = frame;
        if ((ways >> p & 1) == 0)
            continue;
        if (tagged) {
            memcpy(&copy, frame, offsetof(struct eth_frame, bytes) + frame->size_B);
            eth_tag(&copy, p, sequence);
            sends = &copy;
        }
        if (send_noted(packet, packet->index[p], sends) == 0)
            sent++;
        else
            error = errno;
    }
    errno = error;
    return sent > 0 ? 0 : -1;
}

static int packet_send(EtherRTSock *sock, struct eth_frame *frame)
{
    struct packet *packet = sock->medium;
    const bool tagged = is_tagged(packet, frame);
    memcpy(frame->bytes + 6, packet->own, sizeof packet->own);
    if (tagged && frame->size_B + ETH_TAG_B > ETH_SIZE_MAX_B) {
        errno = EMSGSIZE;
        return -1;
    }
    return send_by(packet, ways_out(packet, frame), tagged, frame);
}

static bool packet_stamp(const EtherRTSock *sock, uint32_t number, int64_t *time_ns)
{
    const struct packet *packet = sock->medium;
    const unsigned at = number % ETH_STAMPS;
    *time_ns = packet->left[at].time_ns;
    return packet->left[at].number == number;
}

// ---- receiving ----------------------------------------------------------------------------------

static void untag(struct eth_frame *frame, const struct eth_head *head)
{
    frame->bytes[12] = (uint8_t)(head->type >> 8);
    frame->bytes[13] = (uint8_t)head->type;
    memmove(frame->bytes + ETH_HEADER_B, frame->bytes + head->payload_at, head->payload_B);
    frame->size_B = (uint16_t)(ETH_HEADER_B + head->payload_B);
}

// Whether a frame of the cell's network is for this socket, and came for the first time.
static bool is_for(const EtherRTSock *sock, struct packet *packet, struct eth_frame *frame,
                   int64_t now_ns)
{
    struct eth_head head;
    if (!eth_parse(frame, packet->page->plan.host_count, &head) || head.type != sock->protocol ||
        (!head.neighbour && head.destination != packet->host))
        return false;
    if (!head.tagged)
        return true;
    if (head.source == ETH_NOBODY)
        return false;
    if (eth_is_copy(&packet->copies[head.source], head.sequence, now_ns)) {
        atomic_fetch_add(&packet->page->port[2 * packet->host + frame->port].copies, 1);
        return false;
    }
    untag(frame, &head);
    return true;
}

// Clocks are read only for who needs the time: the caller, or the memory of copies.
static int64_t came_at_ns(const EtherRTSock *sock, int64_t stamp_ns)
{
    const struct packet *packet = sock->medium;
    if (sock->asks_time)
        return eth_packet_true_ns(stamp_ns, etherrt_clock());
    return packet->page == NULL ? 0 : clk_true_now(etherrt_clock()).ns;
}

static bool take(EtherRTSock *sock, int file, struct eth_frame *frame)
{
    struct packet *packet = sock->medium;
    for (unsigned n = 0; n < PASSED_MAX; n++) { // who has more comes again
        unsigned index = 0;
        int64_t stamp_ns = 0;
        if (!eth_packet_receive(file, frame, packet->port_count > 1 ? &index : NULL,
                                sock->asks_time ? &stamp_ns : NULL))
            return false;
        if (frame->size_B < ETH_HEADER_B ||
            (sock->connected && memcmp(frame->bytes + 6, sock->peer, sizeof sock->peer) != 0))
            continue;
        frame->time_ns = frame->taken_ns = came_at_ns(sock, stamp_ns);
        frame->port =
            packet->port_count > 1 && (index == packet->index[1] || index == packet->by_hand[1]);
        if (packet->page == NULL || is_for(sock, packet, frame, frame->time_ns))
            return true;
    }
    return false;
}

// From the first time on that somebody asks; frames that waited already count as of now.
static void stamp(struct packet *packet)
{
    packet->stamped = true;
    for (unsigned f = 0; f < packet->file_count; f++)
        packet->stamped &= eth_packet_stamp(packet->file[f]);
}

static bool packet_receive(EtherRTSock *sock, struct eth_frame *frame)
{
    struct packet *packet = sock->medium;
    if (sock->asks_time && !packet->stamped)
        stamp(packet);
    for (unsigned f = packet->file_count; f-- > 0;)
        if (take(sock, packet->file[f], frame))
            return true;
    return false;
}

static enum status packet_wait(EtherRTSock *sock, instant until)
{
    const struct packet *packet = sock->medium;
    return eth_packet_wait(packet->file, packet->file_count, etherrt_clock(), until);
}

// ---- the network --------------------------------------------------------------------------------

static int own_address(int file, const char *interface, uint8_t address[6])
{
    struct ifreq request = {0};
    const size_t length = strlen(interface);
    if (length >= sizeof request.ifr_name) {
        errno = ENODEV;
        return -1;
    }
    memcpy(request.ifr_name, interface, length);
    if (ioctl(file, SIOCGIFHWADDR, &request) != 0)
        return -1;
    memcpy(address, request.ifr_hwaddr.sa_data, 6);
    return 0;
}

static int packet_address(const EtherRTSock *sock, const char *host, uint8_t address[6])
{
    const struct packet *packet = sock->medium;
    if (packet->page != NULL)
        return etherrt_page_address(packet->page, host, address);
    return own_address(packet->file[0], host, address);
}

static void packet_connect(EtherRTSock *sock, const uint8_t address[6])
{
    (void)sock, (void)address;
}

static int packet_mode(EtherRTSock *sock, bool relay, int on)
{
    const struct packet *packet = sock->medium;
    if (packet->page != NULL)
        return etherrt_page_mode(packet->page, packet->host, relay, on);
    errno = EOPNOTSUPP;
    return -1;
}

static const struct eth_page *packet_page(const EtherRTSock *sock)
{
    const struct packet *packet = sock->medium;
    return packet->page;
}

static const struct etherrt_operations packet_operations = {.close = packet_close,
                                                            .send = packet_send,
                                                            .receive = packet_receive,
                                                            .wait = packet_wait,
                                                            .address = packet_address,
                                                            .connect = packet_connect,
                                                            .mode = packet_mode,
                                                            .page = packet_page,
                                                            .stamp = packet_stamp};

// ---- binding ------------------------------------------------------------------------------------

static bool open_file(struct packet *packet, uint16_t protocol)
{
    unsigned own[ETH_PACKET_INDEXES_MAX], count = 0;
    for (unsigned p = 0; p < packet->port_count; p++) {
        own[count++] = packet->index[p];
        if (packet->by_hand[p] != packet->index[p])
            own[count++] = packet->by_hand[p];
    }
    const int file = eth_packet_open(protocol, own, count);
    if (file >= 0)
        packet->file[packet->file_count++] = file;
    return file >= 0;
}

int etherrt_bind_packet(EtherRTSock *sock, const char *interface)
{
    struct packet *packet = calloc(1, sizeof *packet);
    if (packet == NULL)
        return -1;
    packet->port_count = 1;
    packet->index[0] = packet->by_hand[0] = if_nametoindex(interface);
    if (packet->index[0] != 0 && open_file(packet, sock->protocol) &&
        own_address(packet->file[0], interface, packet->own) == 0) {
        packet->index[0] = 0; // the socket is bound to it
        sock->medium = packet;
        sock->operations = &packet_operations;
        return 0;
    }
    const int error = packet->index[0] == 0 ? ENODEV : errno;
    free_packet(packet);
    errno = error;
    return -1;
}

int etherrt_bind_veth(EtherRTSock *sock, struct eth_page *page, unsigned host)
{
    const struct eth_plan *plan = &page->plan;
    struct packet *packet = calloc(1, sizeof *packet);
    bool found = true;
    if (packet == NULL) {
        eth_page_unmap(page);
        return -1;
    }
    packet->page = page;
    packet->host = host;
    packet->port_count = plan->host[host].ring < 0 ? 1 : 2;
    eth_address(host, 0, packet->own);
    for (unsigned p = 0; p < packet->port_count; p++) {
        packet->index[p] = eth_veth_index(plan->name, 2 * host + p, ETH_END_CABLE);
        packet->by_hand[p] = eth_veth_index(plan->name, 2 * host + p, ETH_END_HOST);
        found &= packet->index[p] != 0 && packet->by_hand[p] != 0;
    }
    if (found && open_file(packet, sock->protocol) &&
        (plan->redundancy != ETH_SEAMLESS || open_file(packet, ETH_TYPE_HSR))) {
        sock->medium = packet;
        sock->operations = &packet_operations;
        return 0;
    }
    const int error = found ? errno : ENODEV;
    free_packet(packet);
    errno = error;
    return -1;
}
