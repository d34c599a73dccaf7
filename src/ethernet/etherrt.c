#include "ethernet/etherrt.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ethernet/etherrt_private.h"

static int fail(int error)
{
    errno = error;
    return -1;
}

EtherRTSock *EtherRTSocket(int type, int protocol)
{
    if (type != SOCK_DGRAM || protocol <= ETH_PAYLOAD_MAX_B || protocol > 0xFFFF) {
        errno = EPROTONOSUPPORT;
        return NULL;
    }
    EtherRTSock *sock = calloc(1, sizeof *sock);
    if (sock != NULL)
        sock->protocol = (uint16_t)protocol;
    return sock;
}

int EtherRTBind(EtherRTSock *sock, const char *name)
{
    const char *cell = getenv("UKEMI_CELL"), *host = getenv("UKEMI_PARTICIPANT");
    char network[64];
    if (sock->operations != NULL)
        return fail(EINVAL);
    if (cell == NULL)
        return etherrt_bind_packet(sock, name);
    const char *colon = strchr(name, ':');
    if (colon != NULL)
        host = colon + 1;
    const size_t length = colon != NULL ? (size_t)(colon - name) : strlen(name);
    if (host == NULL || length >= sizeof network)
        return fail(ENODEV);
    memcpy(network, name, length);
    network[length] = '\0';
    const int bound = etherrt_bind_page(sock, cell, network, host);
    return bound != 0 && errno == ENODEV && colon == NULL ? etherrt_bind_packet(sock, name) : bound;
}

int EtherRTConnect(EtherRTSock *sock, const struct ether_addr *address)
{
    if (sock->operations == NULL)
        return fail(ENOTCONN);
    memcpy(sock->peer, address->ether_addr_octet, sizeof sock->peer);
    sock->connected = true;
    sock->operations->connect(sock, sock->peer);
    return 0;
}

int EtherRTAddress(const EtherRTSock *sock, const char *host, struct ether_addr *address)
{
    return sock->operations == NULL
               ? fail(ENOTCONN)
               : sock->operations->address(sock, host, address->ether_addr_octet);
}

// ---- sending and receiving ----------------------------------------------------------------------

// `stamp`: as in struct eth_frame.
static int send_frame(EtherRTSock *sock, const struct ether_addr *address, const void *buffer,
                      size_t size_B, int flags, uint32_t stamp)
{
    struct eth_frame frame;
    struct clk *clk = etherrt_clock();
    if (sock->operations == NULL || clk == NULL)
        return fail(ENOTCONN);
    if (size_B > ETH_PAYLOAD_MAX_B)
        return fail(EMSGSIZE);
    frame.time_ns = frame.taken_ns = clk_true_now(clk).ns;
    frame.stamp = stamp;
    frame.size_B = (uint16_t)(ETH_HEADER_B + size_B);
    frame.broken = 0;
    frame.port = (uint8_t)(flags >> 8 & 3);
    memcpy(frame.bytes, address->ether_addr_octet, 6);
    memset(frame.bytes + 6, 0, 6);
    frame.bytes[12] = (uint8_t)(sock->protocol >> 8);
    frame.bytes[13] = (uint8_t)sock->protocol;
    memcpy(frame.bytes + ETH_HEADER_B, buffer, size_B);
    return sock->operations->send(sock, &frame);
}

int EtherRTSendTo(EtherRTSock *sock, const struct ether_addr *address, const void *buffer,
                  size_t size_B, int flags)
{
    return send_frame(sock, address, buffer, size_B, flags, 0);
}

int EtherRTSendStamped(EtherRTSock *sock, const struct ether_addr *address, const void *buffer,
                       size_t size_B, int flags, uint32_t *number)
{
    static _Atomic uint32_t sent;
    do
        *number = ++sent;
    while (*number == 0); // which means none
    return send_frame(sock, address, buffer, size_B, flags, *number);
}

int EtherRTStamp(const EtherRTSock *sock, uint32_t number, int64_t *time_ns)
{
    if (sock->operations == NULL)
        return fail(ENOTCONN);
    if (!sock->operations->stamp(sock, number, time_ns))
        return fail(EAGAIN);
    *time_ns = clk_local_ns(etherrt_clock(), *time_ns);
    return 0;
}

int EtherRTSend(EtherRTSock *sock, const void *buffer, size_t size_B, int flags)
{
    struct ether_addr address;
    if (!sock->connected)
        return fail(EDESTADDRREQ);
    memcpy(address.ether_addr_octet, sock->peer, sizeof sock->peer);
    return EtherRTSendTo(sock, &address, buffer, size_B, flags);
}

static void hand_out(const struct eth_frame *frame, void *buffer, size_t size_B,
                     struct EtherRTFrom *from)
{
    uint8_t way;
    const size_t payload_B = frame->size_B - ETH_HEADER_B;
    memcpy(buffer, frame->bytes + ETH_HEADER_B, payload_B < size_B ? payload_B : size_B);
    if (from == NULL)
        return;
    *from = (struct EtherRTFrom){.host = eth_host_of(frame->bytes + 6, &way),
                                 .port = frame->port,
                                 .length_B = payload_B,
                                 .time_ns = frame->time_ns,
                                 .taken_ns = frame->taken_ns};
    memcpy(from->source.ether_addr_octet, frame->bytes + 6, 6);
}

static int receive(EtherRTSock *sock, void *buffer, size_t size_B, instant until, int error,
                   struct EtherRTFrom *from)
{
    struct eth_frame frame;
    struct clk *clk = etherrt_clock();
    if (sock->operations == NULL || clk == NULL)
        return fail(ENOTCONN);
    sock->asks_time = from != NULL;
    while (!sock->operations->receive(sock, &frame)) { // ends: with a frame, or at the instant
        if (until.ns <= clk_now(clk).ns)
            return fail(error);
        const enum status status = sock->operations->wait(sock, until);
        if (status != STATUS_OK && status != STATUS_TIMEOUT)
            return fail(EIO);
    }
    frame.time_ns = clk_local_ns(clk, frame.time_ns);
    hand_out(&frame, buffer, size_B, from);
    return 0;
}

int EtherRTRecvFrom(EtherRTSock *sock, void *buffer, size_t size_B, int flags,
                    struct EtherRTFrom *from)
{
    const bool at_once = (flags & MSG_DONTWAIT) != 0;
    return receive(sock, buffer, size_B, at_once ? instant_ns(INT64_MIN) : INSTANT_NEVER, EAGAIN,
                   from);
}

int EtherRTRecv(EtherRTSock *sock, void *buffer, size_t size_B, int flags)
{
    return EtherRTRecvFrom(sock, buffer, size_B, flags, NULL);
}

int EtherRTRecvUntil(EtherRTSock *sock, void *buffer, size_t size_B, int64_t until_ns,
                     struct EtherRTFrom *from)
{
    return receive(sock, buffer, size_B, instant_ns(until_ns), ETIMEDOUT, from);
}

int EtherRTClose(EtherRTSock *sock)
{
    if (sock != NULL && sock->operations != NULL)
        sock->operations->close(sock);
    free(sock);
    return 0;
}

int EtherRTRelay(EtherRTSock *sock, int on)
{
    return sock->operations == NULL ? fail(ENOTCONN) : sock->operations->mode(sock, true, on);
}

int EtherRTThrough(EtherRTSock *sock, int on)
{
    return sock->operations == NULL ? fail(ENOTCONN) : sock->operations->mode(sock, false, on);
}

int64_t EtherRTHeldUp(const EtherRTSock *sock, int64_t since_ns)
{
    const struct eth_page *page = sock->operations == NULL ? NULL : sock->operations->page(sock);
    int64_t most_ns = 0;
    for (unsigned i = 0; page != NULL && i < ETH_LATE_CYCLES; i++) {
        const struct eth_lateness *late = &page->late[i];
        const int64_t cycle = atomic_load_explicit(&late->cycle, memory_order_acquire);
        const int64_t late_ns = atomic_load_explicit(&late->most_ns, memory_order_acquire);
        if ((cycle + 1) * page->plan.cycle_ns > since_ns && late_ns > most_ns)
            most_ns = late_ns;
    }
    return most_ns;
}

// ---- periodic tasks -----------------------------------------------------------------------------

static _Thread_local struct clk_period own_period;

int art_enter(int priority, int type, unsigned long period_us)
{
    if (type != ART_TASK_PERIODIC || period_us == 0 || priority < 1 || priority > 99)
        return fail(EINVAL);
    if (etherrt_own_clock == NULL && clk_realtime(priority) != STATUS_OK)
        errno = 0; // the kernel refuses: the task goes on without
    struct clk *clk = etherrt_clock();
    if (clk == NULL)
        return fail(ENOTCONN);
    own_period = clk_period_start(clk, instant_ns(0), duration_us((int64_t)period_us));
    return 0;
}

int art_wait(void)
{
    if (own_period.period.ns == 0)
        return fail(EINVAL);
    return (int)clk_period_wait(etherrt_own_clock, &own_period);
}

int art_exit(void)
{
    own_period = (struct clk_period){.period = DURATION_ZERO};
    return 0;
}
