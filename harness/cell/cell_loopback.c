// The cell's loopback: up, and with multicast and broadcast, as of a robot's own network. Discovery
// of LCM, DDS and mDNS needs them.
#include <errno.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <netinet/in.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "harness/cell/cell_private.h"

#define LOOPBACK "lo"
#define LOOPBACK_INDEX 1

struct request {
    struct nlmsghdr header;
    struct rtmsg route;
    char attributes[128];
};

static void add(struct request *request, unsigned short type, const void *value, size_t size_B)
{
    struct rtattr *attribute =
        (struct rtattr *)((char *)request + NLMSG_ALIGN(request->header.nlmsg_len));
    attribute->rta_type = type;
    attribute->rta_len = (unsigned short)RTA_LENGTH(size_B);
    memcpy(RTA_DATA(attribute), value, size_B);
    request->header.nlmsg_len =
        NLMSG_ALIGN(request->header.nlmsg_len) + (unsigned)RTA_LENGTH(size_B);
}

// False with errno.
static bool carry_out(int netlink, const struct request *request)
{
    struct {
        struct nlmsghdr header;
        struct nlmsgerr error;
        char rest[256];
    } answer = {0};
    if (send(netlink, request, request->header.nlmsg_len, 0) < 0 ||
        recv(netlink, &answer, sizeof answer, 0) < (ssize_t)NLMSG_LENGTH(sizeof answer.error))
        return false;
    errno = -answer.error.error;
    return errno == 0;
}

// Messages to these come back here, from this machine (`source`, or as the kernel finds).
static bool add_route(int netlink, sa_family_t family, const void *to, size_t size_B,
                      unsigned char bits, const void *source)
{
    const int index = LOOPBACK_INDEX;
    const bool six = family == AF_INET6; // its routes of the kind `local` alone lead to receivers
    struct request request = {.header = {.nlmsg_len = NLMSG_LENGTH(sizeof request.route),
                                         .nlmsg_type = RTM_NEWROUTE,
                                         .nlmsg_flags = NLM_F_REQUEST | NLM_F_CREATE | NLM_F_ACK},
                              .route = {.rtm_family = (unsigned char)family,
                                        .rtm_dst_len = bits,
                                        .rtm_table = six ? RT_TABLE_LOCAL : RT_TABLE_MAIN,
                                        .rtm_protocol = RTPROT_BOOT,
                                        .rtm_scope = six ? RT_SCOPE_HOST : RT_SCOPE_LINK,
                                        .rtm_type = six ? RTN_LOCAL : RTN_UNICAST}};
    add(&request, RTA_DST, to, size_B);
    add(&request, RTA_OIF, &index, sizeof index);
    if (source != NULL)
        add(&request, RTA_PREFSRC, source, size_B);
    return carry_out(netlink, &request);
}

// A kernel without IPv6 has no groups of it.
static bool add_routes(void)
{
    const uint32_t own = htonl(INADDR_LOOPBACK), all = htonl(INADDR_BROADCAST);
    const uint32_t groups = htonl(UINT32_C(0xe0000000)); // 224.0.0.0/4
    const struct in6_addr groups6 = {.s6_addr = {0xff}}; // ff00::/8
    const int netlink = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
    if (netlink < 0)
        return false;
    (void)add_route(netlink, AF_INET6, &groups6, sizeof groups6, 8, NULL);
    const bool added = add_route(netlink, AF_INET, &groups, sizeof groups, 4, &own) &&
                       add_route(netlink, AF_INET, &all, sizeof all, 32, &own);
    const int error = errno;
    close(netlink);
    errno = error;
    return added;
}

int cell_raise_loopback(struct cell *cell)
{
    const int sock = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    struct ifreq request = {.ifr_name = LOOPBACK,
                            .ifr_flags = IFF_UP | IFF_RUNNING | IFF_MULTICAST};
    const bool raised = sock >= 0 && ioctl(sock, SIOCSIFFLAGS, &request) == 0 && add_routes();
    const int error = errno;
    if (sock >= 0)
        close(sock);
    errno = error;
    return raised ? 0 : cell_give_up(cell, "cannot raise the cell's loopback interface");
}
