#include "ethernet/packet.h"

#include <arpa/inet.h>
#include <errno.h>
#include <linux/filter.h>
#include <linux/if_packet.h>
#include <net/ethernet.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define NS_PER_S INT64_C(1000000000)
#define FILES_MAX 2

// In the kernel, before a frame is queued. A socket can be bound to one interface or to all.
static bool hear_only(int file, const unsigned *index, unsigned count)
{
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

static int64_t since_ns(const struct timespec *then)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now); // as the kernel stamps
    const int64_t ns = (now.tv_sec - then->tv_sec) * NS_PER_S + now.tv_nsec - then->tv_nsec;
    return ns > 0 ? ns : 0;
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

bool eth_packet_receive(int file, struct eth_frame *frame, unsigned *index, int64_t *age_ns)
{
    if (age_ns == NULL)
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
    *age_ns = 0;
    const struct cmsghdr *first = CMSG_FIRSTHDR(&message);
    if (first != NULL && first->cmsg_level == SOL_SOCKET && first->cmsg_type == SCM_TIMESTAMPNS) {
        struct timespec stamp;
        memcpy(&stamp, CMSG_DATA(first), sizeof stamp);
        *age_ns = since_ns(&stamp);
    }
    return true;
}

enum status eth_packet_wait(const int *file, unsigned count, struct clk *clk, instant until)
{
    struct pollfd waited[FILES_MAX];
    for (unsigned i = 0; i < count; i++)
        waited[i] = (struct pollfd){.fd = file[i], .events = POLLIN};
    const int64_t left_ns = until.ns - clk_now(clk).ns;
    const struct timespec at_most = {.tv_sec = left_ns > 0 ? left_ns / NS_PER_S : 0,
                                     .tv_nsec = left_ns > 0 ? left_ns % NS_PER_S : 0};
    const int ready = ppoll(waited, count, until.ns == INT64_MAX ? NULL : &at_most, NULL);
    return ready > 0 ? STATUS_OK : ready == 0 || errno == EINTR ? STATUS_TIMEOUT : STATUS_SYSTEM;
}
