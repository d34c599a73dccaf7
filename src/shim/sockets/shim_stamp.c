// Time stamps of packets (SO_TIMESTAMPING, in software) in the trial's time.
//
// The kernel stamps packets by real time. Its stamps are replaced before the program reads them. On
// the loopback a datagram is received when it is sent. So whoever sends writes down when, in the
// cell's memory, as long as anybody wants stamps. A packet of one's own in the error queue is
// looked for by who sent it, one that was received by its bytes: the oldest since the last one
// of that socket. Stamps by hardware, and other options than those three, are refused.
//
// A packet that a fault loses or keeps back has left its sender all the same: a copy of it goes to
// nobody, by which the sender has its stamp. What a fault sends in its place has none.
#include <linux/net_tstamp.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>

#include "shim/shim.h"

#define DESCRIPTORS_MAX 1024
#define STAMPS 3
#define STAMPS_B (STAMPS * sizeof(struct timespec))
#define LOOPBACK_INDEX 1
#define NOBODY UINT32_C(0xe00000fe) // a group for experiments (RFC 4727): no one here has joined it
#define NOBODYS_PORT 9
#define HASH_OF_NOBODYS 1 // no packet is received with it
#define IN_SOFTWARE                                                                                \
    (SOF_TIMESTAMPING_TX_SOFTWARE | SOF_TIMESTAMPING_RX_SOFTWARE | SOF_TIMESTAMPING_SOFTWARE)

// Number of the last datagram that was found for a socket.
static uint64_t last_received[DESCRIPTORS_MAX], last_sent[DESCRIPTORS_MAX];

static int option_of(int descriptor, int option)
{
    int value = 0;
    socklen_t size_B = sizeof value;
    return KERNEL(SYS_getsockopt, descriptor, SOL_SOCKET, option, &value, &size_B) == 0 ? value
                                                                                        : -1;
}

static bool is_datagram(int descriptor)
{
    const int family = option_of(descriptor, SO_DOMAIN);
    return option_of(descriptor, SO_TYPE) == SOCK_DGRAM &&
           (family == AF_INET || family == AF_INET6);
}

int shim_stamp_option(int descriptor, int option, const void *value, socklen_t size_B)
{
    int wanted = 0;
    if (value != NULL && size_B >= sizeof wanted)
        memcpy(&wanted, value, sizeof wanted);
    int result;
    if (shim_can_stamps(descriptor, option, value, size_B, &result))
        return result;
    const bool of_arrival = option != SO_TIMESTAMPING && option != SO_TIMESTAMPING_NEW;
    const bool known = descriptor < DESCRIPTORS_MAX &&
                       (of_arrival || (option == SO_TIMESTAMPING && (wanted & ~IN_SOFTWARE) == 0 &&
                                       is_datagram(descriptor)));
    if (wanted != 0 && !known) { // programs use their own
        errno = ENOPROTOOPT;
        return -1;
    }
    result = (int)KERNEL(SYS_setsockopt, descriptor, SOL_SOCKET, option, value, size_B);
    if (result == 0 && wanted != 0) {
        shim.cell->stamping = 1;
        last_received[descriptor] = last_sent[descriptor] = shim.cell->stamps;
    }
    return result;
}

// FNV-1a, however the bytes are split.
static uint64_t hash_of(const struct iovec *part, size_t size_B)
{
    uint64_t hash = UINT64_C(14695981039346656037);
    for (size_t at_B = 0; size_B > 0; size_B--) {
        while (at_B == part->iov_len) {
            part++;
            at_B = 0;
        }
        hash = (hash ^ ((const unsigned char *)part->iov_base)[at_B++]) * UINT64_C(1099511628211);
    }
    return hash;
}

static void note(int descriptor, uint64_t hash)
{
    shim.cell->stamp[shim.cell->stamps++ % SHIM_STAMPS_MAX] =
        (struct shim_stamp){.hash = hash,
                            .sent_ns = clk_true_now(shim.clk).ns,
                            .pid = (int)KERNEL(SYS_getpid),
                            .descriptor = descriptor};
}

void shim_stamp_note(int descriptor, const struct iovec *part, size_t size_B, bool stamped)
{
    const int error = errno;
    if (is_datagram(descriptor))
        note(stamped ? descriptor : -1, hash_of(part, size_B));
    errno = error;
}

int shim_stamp_pause(int descriptor)
{
    const int error = errno, asked = option_of(descriptor, SO_TIMESTAMPING);
    const int rest = asked & ~(int)SOF_TIMESTAMPING_TX_RECORD_MASK;
    const bool stamped = asked > 0 && asked != rest;
    if (stamped)
        KERNEL(SYS_setsockopt, descriptor, SOL_SOCKET, SO_TIMESTAMPING, &rest, sizeof rest);
    errno = error;
    return stamped ? asked : 0;
}

void shim_stamp_go_on(int descriptor, int paused)
{
    const int error = errno;
    if (paused != 0)
        KERNEL(SYS_setsockopt, descriptor, SOL_SOCKET, SO_TIMESTAMPING, &paused, sizeof paused);
    errno = error;
}

void shim_stamp_kept_back(int descriptor, const struct msghdr *message)
{
    const int error = errno, asked = option_of(descriptor, SO_TIMESTAMPING);
    struct sockaddr_in nobody = {
        .sin_family = AF_INET, .sin_port = htons(NOBODYS_PORT), .sin_addr.s_addr = htonl(NOBODY)};
    _Alignas(struct cmsghdr) char control[CMSG_SPACE(sizeof(struct in_pktinfo))] = {0};
    struct msghdr lost = {.msg_name = &nobody,
                          .msg_namelen = sizeof nobody,
                          .msg_iov = message->msg_iov,
                          .msg_iovlen = message->msg_iovlen,
                          .msg_control = control,
                          .msg_controllen = sizeof control};
    if (asked > 0 && (asked & SOF_TIMESTAMPING_TX_SOFTWARE) && is_datagram(descriptor) &&
        option_of(descriptor, SO_DOMAIN) == AF_INET) {
        struct cmsghdr *by = CMSG_FIRSTHDR(&lost);
        *by = (struct cmsghdr){.cmsg_len = CMSG_LEN(sizeof(struct in_pktinfo)),
                               .cmsg_level = IPPROTO_IP,
                               .cmsg_type = IP_PKTINFO};
        memcpy(CMSG_DATA(by), &(struct in_pktinfo){.ipi_ifindex = LOOPBACK_INDEX},
               sizeof(struct in_pktinfo));
        if (KERNEL(SYS_sendmsg, descriptor, &lost, MSG_DONTWAIT | MSG_NOSIGNAL) >= 0 &&
            shim.clk != NULL)
            note(descriptor, HASH_OF_NOBODYS);
    }
    errno = error;
}

static bool is_same(const struct shim_stamp *stamp, const struct shim_stamp *asked, bool own)
{
    return own ? stamp->pid == asked->pid && stamp->descriptor == asked->descriptor
               : stamp->hash == asked->hash;
}

// The oldest after number *last, which it becomes.
static bool find(struct shim_stamp *asked, bool own, uint64_t *last)
{
    const uint64_t count = shim.cell->stamps;
    uint64_t number = *last;
    if (count - number > SHIM_STAMPS_MAX)
        number = count - SHIM_STAMPS_MAX;
    for (; number < count; number++) {
        const struct shim_stamp *stamp = &shim.cell->stamp[number % SHIM_STAMPS_MAX];
        if (!is_same(stamp, asked, own))
            continue;
        asked->sent_ns = stamp->sent_ns;
        *last = number + 1;
        return true;
    }
    return false;
}

static struct timespec stamp_of(int descriptor, const struct msghdr *message, size_t size_B,
                                int flags)
{
    const bool own = (flags & MSG_ERRQUEUE) != 0, knows = descriptor < DESCRIPTORS_MAX;
    struct shim_stamp asked = {.pid = (int)KERNEL(SYS_getpid), .descriptor = descriptor};
    uint64_t *last = own ? last_sent : last_received, seen = knows ? last[descriptor] : 0;
    if (!own && !(message->msg_flags & MSG_TRUNC))
        asked.hash = hash_of(message->msg_iov, size_B);
    asked.sent_ns = clk_true_now(shim.clk).ns;
    if (!find(&asked, own, &seen))
        shim_leak("a stamp of a packet of which nobody here says when");
    else if (knows && !(flags & MSG_PEEK))
        last[descriptor] = seen;
    if (shim_is_struck())
        shim_struck_realtime();
    return shim_timespec(shim_base_ns(CLOCK_REALTIME) + clk_local_ns(shim.clk, asked.sent_ns));
}

static struct cmsghdr *stamps_in(struct msghdr *message, int type, size_t size_B)
{
    for (struct cmsghdr *control = CMSG_FIRSTHDR(message); control != NULL;
         control = CMSG_NXTHDR(message, control))
        if (control->cmsg_level == SOL_SOCKET && control->cmsg_type == type &&
            control->cmsg_len >= CMSG_LEN(size_B))
            return control;
    return NULL;
}

void shim_stamp_append(struct msghdr *message, size_t room_B, int type, const void *value,
                       size_t size_B)
{
    const size_t used_B = message->msg_controllen;
    if (used_B + CMSG_SPACE(size_B) > room_B) {
        message->msg_flags |= MSG_CTRUNC;
        return;
    }
    struct cmsghdr *control = (struct cmsghdr *)((char *)message->msg_control + used_B);
    *control =
        (struct cmsghdr){.cmsg_len = CMSG_LEN(size_B), .cmsg_level = SOL_SOCKET, .cmsg_type = type};
    memcpy(CMSG_DATA(control), value, size_B);
    message->msg_controllen = used_B + CMSG_SPACE(size_B);
}

// The kernel begins to stamp a while after it was asked to, by its own workers. What it has not
// stamped yet gets its stamp here.
static void put_stamp(struct msghdr *message, size_t room_B, int type, const void *value,
                      size_t size_B)
{
    struct cmsghdr *control = stamps_in(message, type, size_B);
    if (control != NULL)
        memcpy(CMSG_DATA(control), value, size_B);
    else
        shim_stamp_append(message, room_B, type, value, size_B);
}

static bool is_asked(int descriptor, int flags)
{
    const int wanted = SOF_TIMESTAMPING_RX_SOFTWARE | SOF_TIMESTAMPING_SOFTWARE;
    const int asked = option_of(descriptor, SO_TIMESTAMPING);
    return !(flags & MSG_ERRQUEUE) && asked >= 0 && (asked & wanted) == wanted;
}

// Of the older options; 0: none of them.
static int arrival_option(int descriptor)
{
    static const int options[] = {SO_TIMESTAMP, SO_TIMESTAMPNS, SO_TIMESTAMP_NEW,
                                  SO_TIMESTAMPNS_NEW};
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++)
        if (option_of(descriptor, options[i]) > 0)
            return options[i];
    return 0;
}

static void put_arrival(struct msghdr *message, size_t room_B, int option, struct timespec t)
{
    const struct timeval coarse = {t.tv_sec, t.tv_nsec / 1000};
    if (option == SO_TIMESTAMP || option == SO_TIMESTAMP_NEW)
        put_stamp(message, room_B, option, &coarse, sizeof coarse);
    else
        put_stamp(message, room_B, option, &t, sizeof t);
}

void shim_stamp_replace(int descriptor, struct msghdr *message, size_t room_B, size_t size_B,
                        int flags)
{
    const int error = errno, arrival = flags & MSG_ERRQUEUE ? 0 : arrival_option(descriptor);
    const bool three =
        stamps_in(message, SCM_TIMESTAMPING, STAMPS_B) != NULL || is_asked(descriptor, flags);
    struct timespec stamps[STAMPS] = {0}; // in software, unused, by hardware
    if (three || arrival != 0)
        stamps[0] = is_datagram(descriptor)
                        ? stamp_of(descriptor, message, size_B, flags)
                        : shim_timespec(shim_base_ns(CLOCK_REALTIME) + shim_now_ns());
    if (three)
        put_stamp(message, room_B, SCM_TIMESTAMPING, stamps, STAMPS_B);
    if (arrival != 0)
        put_arrival(message, room_B, arrival, stamps[0]);
    errno = error;
}
