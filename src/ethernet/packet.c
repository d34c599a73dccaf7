#include "ethernet/packet.h"

#include <arpa/inet.h>
#include <errno.h>
#include <linux/filter.h>
#include <linux/if_packet.h>
#include <linux/net_tstamp.h>
#include <net/ethernet.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "base/invariant.h"

#define NS_PER_S INT64_C(1000000000)
#define FILES_MAX 2
#define STAMPS_MAX 64 // of one frame: a relay adds one
// Two clocks are read one after the other, again if somebody came between.
#define LOOKS_MAX 8
#define LOOK_NS 500
#define TOLD (SOF_TIMESTAMPING_SOFTWARE | SOF_TIMESTAMPING_OPT_TSONLY)

// In the kernel, before a frame is queued. A socket can be bound to one interface or to all.
static bool hear_only(int file, const unsigned *index, unsigned count)
{
    expects(count <= ETH_PACKET_INDEXES_MAX);
    struct sock_filter code[1 + ETH_PACKET_INDEXES_MAX + 2];
    unsigned length = 0;
    if (count < 2)
        return true;
    code[length++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
                                                  (unsigned)(SKF_AD_OFF + SKF_AD_IFINDEX));
    for (unsigned i = 0; i < count; i++)
        code[length++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, index[i],
                                                      (unsigned char)(count - i), 0);
    code[length++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, 0);
    code[length++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, UINT32_MAX);
    const struct sock_fprog program = {.len = (unsigned short)length, .filter = code};
    return setsockopt(file, SOL_SOCKET, SO_ATTACH_FILTER, &program, sizeof program) == 0;
}

int eth_packet_open(uint16_t protocol, const unsigned *index, unsigned count)
{
    const struct sockaddr_ll at = {.sll_family = AF_PACKET,
                                   .sll_protocol = htons(protocol),
                                   .sll_ifindex = count == 1 ? (int)index[0] : 0};
    const int file = socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    const int on = 1;
    if (file >= 0 && setsockopt(file, SOL_PACKET, PACKET_IGNORE_OUTGOING, &on, sizeof on) == 0 &&
        hear_only(file, index, count) && bind(file, (const struct sockaddr *)&at, sizeof at) == 0)
        return file;
    const int error = errno;
    if (file >= 0)
        close(file);
    errno = error;
    return -1;
}

bool eth_packet_stamp(int file)
{
    return setsockopt(file, SOL_SOCKET, SO_TIMESTAMPNS, &(const int){1}, sizeof(int)) == 0;
}

int eth_packet_send(int file, unsigned index, const struct eth_frame *frame)
{
    const struct sockaddr_ll to = {.sll_family = AF_PACKET, .sll_ifindex = (int)index};
    if (index == 0)
        return send(file, frame->bytes, frame->size_B, 0) < 0 ? -1 : 0;
    return sendto(file, frame->bytes, frame->size_B, 0, (const struct sockaddr *)&to, sizeof to) < 0
               ? -1
               : 0;
}

static int64_t of_timespec(const struct timespec *time)
{
    return time->tv_sec * NS_PER_S + time->tv_nsec;
}

int64_t eth_packet_real_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now); // as the kernel stamps
    return of_timespec(&now);
}

int64_t eth_packet_age_ns(int64_t stamp_ns)
{
    const int64_t age_ns = eth_packet_real_ns() - stamp_ns;
    return stamp_ns == 0 || age_ns < 0 ? 0 : age_ns;
}

int64_t eth_packet_true_ns(int64_t stamp_ns, const struct clk *clk)
{
    int64_t at_ns = 0, shortest_ns = INT64_MAX;
    for (unsigned n = 0; n < LOOKS_MAX && shortest_ns > LOOK_NS; n++) {
        const int64_t before_ns = clk_true_now(clk).ns, age_ns = eth_packet_age_ns(stamp_ns);
        const int64_t took_ns = clk_true_now(clk).ns - before_ns;
        if (took_ns >= shortest_ns)
            continue;
        shortest_ns = took_ns;
        at_ns = before_ns + took_ns / 2 - age_ns;
    }
    return at_ns;
}

static bool receive_plain(int file, struct eth_frame *frame, unsigned *index)
{
    struct sockaddr_ll from = {0};
    socklen_t from_B = sizeof from;
    const ssize_t got_B =
        recvfrom(file, frame->bytes, sizeof frame->bytes, MSG_DONTWAIT,
                 index == NULL ? NULL : (struct sockaddr *)&from, index == NULL ? NULL : &from_B);
    if (got_B < 0)
        return false;
    frame->size_B = (uint16_t)got_B;
    frame->broken = frame->port = 0;
    if (index != NULL)
        *index = (unsigned)from.sll_ifindex;
    return true;
}

// The kernel puts stamps of what was sent into the socket's queue of errors; one a relay, if some
// sent the frame on: the first is ours.
static bool take_stamp(int file, int64_t *stamp_ns)
{
    bool found = false;
    for (unsigned n = 0; n < STAMPS_MAX; n++) {
        union {
            struct cmsghdr header;
            char bytes[256];
        } control;
        struct msghdr message = {.msg_control = &control, .msg_controllen = sizeof control};
        if (recvmsg(file, &message, MSG_ERRQUEUE | MSG_DONTWAIT) < 0)
            break;
        for (struct cmsghdr *at = CMSG_FIRSTHDR(&message); at != NULL && !found;
             at = CMSG_NXTHDR(&message, at)) {
            struct timespec stamp;
            if (at->cmsg_level != SOL_SOCKET || at->cmsg_type != SCM_TIMESTAMPING)
                continue;
            memcpy(&stamp, CMSG_DATA(at), sizeof stamp); // the first of three is the software's
            *stamp_ns = of_timespec(&stamp);
            found = true;
        }
    }
    return found;
}

int eth_packet_send_stamped(int file, unsigned index, struct eth_frame *frame, int64_t *stamp_ns)
{
    union {
        struct cmsghdr header;
        char bytes[CMSG_SPACE(sizeof(uint32_t))];
    } control = {.header = {.cmsg_len = CMSG_LEN(sizeof(uint32_t)),
                            .cmsg_level = SOL_SOCKET,
                            .cmsg_type = SO_TIMESTAMPING}};
    const uint32_t asked = SOF_TIMESTAMPING_TX_SOFTWARE, told = TOLD;
    struct sockaddr_ll to = {.sll_family = AF_PACKET, .sll_ifindex = (int)index};
    struct iovec bytes = {.iov_base = frame->bytes, .iov_len = frame->size_B};
    struct msghdr message = {.msg_name = index == 0 ? NULL : &to,
                             .msg_namelen = index == 0 ? 0 : sizeof to,
                             .msg_iov = &bytes,
                             .msg_iovlen = 1,
                             .msg_control = &control,
                             .msg_controllen = sizeof control};
    memcpy(CMSG_DATA(&control.header), &asked, sizeof asked);
    (void)setsockopt(file, SOL_SOCKET, SO_TIMESTAMPING, &told, sizeof told);
    if (sendmsg(file, &message, 0) < 0)
        return -1;
    return take_stamp(file, stamp_ns) ? 0 : -1;
}

bool eth_packet_receive(int file, struct eth_frame *frame, unsigned *index, int64_t *stamp_ns)
{
    if (stamp_ns == NULL)
        return receive_plain(file, frame, index);
    union {
        struct cmsghdr header;
        char bytes[64];
    } control;
    struct sockaddr_ll from = {0};
    struct iovec bytes = {.iov_base = frame->bytes, .iov_len = sizeof frame->bytes};
    struct msghdr message = {.msg_name = &from,
                             .msg_namelen = sizeof from,
                             .msg_iov = &bytes,
                             .msg_iovlen = 1,
                             .msg_control = &control,
                             .msg_controllen = sizeof control};
    const ssize_t got_B = recvmsg(file, &message, MSG_DONTWAIT);
    if (got_B < 0)
        return false;
    frame->size_B = (uint16_t)got_B; // the rest of a longer one is cut off
    frame->broken = frame->port = 0;
    if (index != NULL)
        *index = (unsigned)from.sll_ifindex;
    *stamp_ns = 0;
    const struct cmsghdr *first = CMSG_FIRSTHDR(&message);
    if (first != NULL && first->cmsg_level == SOL_SOCKET && first->cmsg_type == SCM_TIMESTAMPNS) {
        struct timespec stamp;
        memcpy(&stamp, CMSG_DATA(first), sizeof stamp);
        *stamp_ns = of_timespec(&stamp);
    }
    return true;
}

enum status eth_packet_wait(const int *file, unsigned count, struct clk *clk, instant until)
{
    expects(count <= FILES_MAX);
    struct pollfd waited[FILES_MAX];
    for (unsigned i = 0; i < count; i++)
        waited[i] = (struct pollfd){.fd = file[i], .events = POLLIN};
    const int64_t left_ns = until.ns - clk_now(clk).ns;
    const struct timespec at_most = {.tv_sec = left_ns > 0 ? left_ns / NS_PER_S : 0,
                                     .tv_nsec = left_ns > 0 ? left_ns % NS_PER_S : 0};
    const int ready = ppoll(waited, count, until.ns == INT64_MAX ? NULL : &at_most, NULL);
    for (unsigned i = 0; i < count && ready > 0; i++)
        if ((waited[i].revents & POLLERR) != 0) // stamps that came later: nobody asked for them
            (void)take_stamp(file[i], &(int64_t){0});
    return ready > 0 ? STATUS_OK : ready == 0 || errno == EINTR ? STATUS_TIMEOUT : STATUS_SYSTEM;
}
