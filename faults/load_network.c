// Interrupt load: a pair of Ethernet interfaces in the cell's own network, and a flood of small
// frames from one to the other. Each is received in the soft interrupt of a core, before whatever
// ran there.
#include <arpa/inet.h>
#include <errno.h>
#include <inttypes.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <linux/rtnetlink.h>
#include <linux/veth.h>
#include <math.h>
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "faults/load.h"

#define FRAME_B 60         // the smallest there is, without its checksum
#define BATCH 64           // frames a system call
#define RECEIVED_MIN 0.5   // of what was sent
#define FRAMES_MIN_HZ 1000 // less is no load
#define NS_PER_S 1e9
#define WAIT_MAX_S 0.01
#define ETHERTYPE_EXPERIMENTAL 0x88B5 // IEEE 802 local experimental; nobody takes these frames

static void name_ends(const struct fault_asked *call, char sender[IFNAMSIZ],
                      char receiver[IFNAMSIZ])
{
    snprintf(sender, IFNAMSIZ, "load%us", call->tag % 1000);
    snprintf(receiver, IFNAMSIZ, "load%ur", call->tag % 1000);
}

// ---- making the pair (rtnetlink(7)) -------------------------------------------------------------

struct request {
    struct nlmsghdr header;
    struct ifinfomsg link;
    char attributes[256];
};

static struct rtattr *open_attribute(struct request *request, unsigned short type, const void *data,
                                     size_t size_B)
{
    struct rtattr *attribute =
        (struct rtattr *)((char *)request + NLMSG_ALIGN(request->header.nlmsg_len));
    attribute->rta_type = type;
    attribute->rta_len = (unsigned short)RTA_LENGTH(size_B);
    if (size_B > 0)
        memcpy(RTA_DATA(attribute), data, size_B);
    request->header.nlmsg_len =
        NLMSG_ALIGN(request->header.nlmsg_len) + (unsigned)RTA_ALIGN(attribute->rta_len);
    return attribute;
}

// What was added since belongs to it.
static void close_attribute(struct request *request, struct rtattr *attribute)
{
    attribute->rta_len =
        (unsigned short)((char *)request + request->header.nlmsg_len - (char *)attribute);
}

// 0, or the errno of the kernel's answer.
static int ask_kernel(struct request *request)
{
    struct {
        struct nlmsghdr header;
        struct nlmsgerr error;
        char rest[512];
    } answer = {0};
    const int sock = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
    int error = sock < 0 ? errno : 0;
    request->header.nlmsg_flags |= NLM_F_REQUEST | NLM_F_ACK;
    if (sock >= 0 && (send(sock, request, request->header.nlmsg_len, 0) < 0 ||
                      recv(sock, &answer, sizeof answer, 0) < (ssize_t)sizeof answer.header))
        error = errno;
    if (sock >= 0)
        close(sock);
    return error != 0 ? error : -answer.error.error;
}

static int make_pair(const char *sender, const char *receiver)
{
    static const struct ifinfomsg no_link = {0};
    struct request request = {.header = {.nlmsg_len = NLMSG_LENGTH(sizeof(struct ifinfomsg)),
                                         .nlmsg_type = RTM_NEWLINK,
                                         .nlmsg_flags = NLM_F_CREATE | NLM_F_EXCL}};
    (void)open_attribute(&request, IFLA_IFNAME, sender, strlen(sender) + 1);
    struct rtattr *info = open_attribute(&request, IFLA_LINKINFO, NULL, 0);
    (void)open_attribute(&request, IFLA_INFO_KIND, "veth", sizeof "veth" - 1);
    struct rtattr *data = open_attribute(&request, IFLA_INFO_DATA, NULL, 0);
    struct rtattr *peer = open_attribute(&request, VETH_INFO_PEER, &no_link, sizeof no_link);
    (void)open_attribute(&request, IFLA_IFNAME, receiver, strlen(receiver) + 1);
    close_attribute(&request, peer);
    close_attribute(&request, data);
    close_attribute(&request, info);
    return ask_kernel(&request);
}

// With one end the other goes.
static void remove_pair(const char *sender)
{
    struct request request = {
        .header = {.nlmsg_len = NLMSG_LENGTH(sizeof(struct ifinfomsg)), .nlmsg_type = RTM_DELLINK},
        .link = {.ifi_index = (int)if_nametoindex(sender)}};
    if (request.link.ifi_index != 0)
        (void)ask_kernel(&request);
}

static bool raise_interface(const char *name)
{
    struct ifreq request = {.ifr_flags = IFF_UP | IFF_RUNNING};
    const int sock = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    memcpy(request.ifr_name, name, IFNAMSIZ);
    const bool up = sock >= 0 && ioctl(sock, SIOCSIFFLAGS, &request) == 0;
    if (sock >= 0)
        close(sock);
    return up;
}

// Frames that the interface has received, by /proc/net/dev: bytes, then frames.
static uint64_t received_frames(const char *name)
{
    char line[512];
    uint64_t frames = 0;
    FILE *list = fopen("/proc/net/dev", "re");
    while (list != NULL && fgets(line, sizeof line, list) != NULL) {
        char *colon = strchr(line, ':');
        const char *start = line + strspn(line, " ");
        if (colon == NULL)
            continue;
        *colon = '\0';
        char *rest = NULL;
        if (strcmp(start, name) == 0 && strtoull(colon + 1, &rest, 10) > 0)
            frames = strtoull(rest, NULL, 10);
    }
    if (list != NULL)
        (void)fclose(list); // only read
    return frames;
}

// ---- the worker ---------------------------------------------------------------------------------

static int open_sender(struct load_page *page, const char *name)
{
    const int sock = socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, 0); // 0: it receives nothing
    const struct sockaddr_ll address = {.sll_family = AF_PACKET,
                                        .sll_protocol = htons(ETHERTYPE_EXPERIMENTAL),
                                        .sll_ifindex = (int)if_nametoindex(name)};
    if (sock < 0 || bind(sock, (const struct sockaddr *)&address, sizeof address) != 0)
        load_give_up(page, FAULT_UNSUPPORTED, "no packet socket: %s", strerror(errno));
    return sock;
}

// Whether so many frames have been sent that `rate_hz` (0: none) is exceeded; waits then, but so
// shortly that the end is seen.
static bool wait_for_rate(const struct load_page *page, double rate_hz)
{
    const double due_s = rate_hz > 0 ? (double)atomic_load(&page->count) / rate_hz : 0;
    const double early_s = fmin(due_s - load_elapsed_s(page), WAIT_MAX_S);
    const struct timespec rest = {.tv_nsec = (long)(early_s * NS_PER_S)};
    if (early_s <= 0)
        return false;
    (void)nanosleep(&rest, NULL);
    return true;
}

static void flood(const struct fault_asked *call, struct load_page *page)
{
    char sender[IFNAMSIZ], receiver[IFNAMSIZ];
    static char frame[FRAME_B];
    struct iovec part = {.iov_base = frame, .iov_len = sizeof frame};
    struct mmsghdr batch[BATCH] = {0};
    const double rate_hz = fault_number(call, "rate_hz");
    name_ends(call, sender, receiver);
    const int error = make_pair(sender, receiver);
    if (error != 0)
        load_give_up(page, FAULT_UNSUPPORTED, "no pair of interfaces: %s", strerror(error));
    if (!raise_interface(sender) || !raise_interface(receiver))
        load_give_up(page, FAULT_FAILED, "an interface does not come up: %s", strerror(errno));
    const int sock = open_sender(page, sender);
    struct ethhdr *head = (struct ethhdr *)frame;
    memset(head->h_dest, 0xFF, sizeof head->h_dest);
    head->h_source[0] = 2; // locally administered
    head->h_proto = htons(ETHERTYPE_EXPERIMENTAL);
    for (int i = 0; i < BATCH; i++)
        batch[i].msg_hdr = (struct msghdr){.msg_iov = &part, .msg_iovlen = 1};
    load_ready(page);
    while (load_goes_on(page)) {
        if (wait_for_rate(page, rate_hz))
            continue;
        const int sent = sendmmsg(sock, batch, BATCH, 0);
        if (sent > 0)
            atomic_fetch_add(&page->count, (unsigned)sent);
    }
}

static void effect(const struct fault_asked *call, const struct load_page *page,
                   struct load_proof *proof)
{
    char sender[IFNAMSIZ], receiver[IFNAMSIZ];
    name_ends(call, sender, receiver);
    const uint64_t sent = atomic_load(&page->count), received = received_frames(receiver);
    proof->proven = (double)received >= RECEIVED_MIN * (double)sent &&
                    (double)received >= FRAMES_MIN_HZ * load_elapsed_s(page);
    snprintf(proof->evidence, sizeof proof->evidence,
             "pid %d sent %" PRIu64 " frames in %.2f s; %s counted %" PRIu64 " received",
             page->worker, sent, load_elapsed_s(page), receiver, received);
}

static void restore(const struct fault_asked *call, struct load_page *page)
{
    char sender[IFNAMSIZ], receiver[IFNAMSIZ];
    (void)page;
    name_ends(call, sender, receiver);
    remove_pair(sender);
}

static bool is_restored(const struct fault_asked *call, const struct load_page *page)
{
    char sender[IFNAMSIZ], receiver[IFNAMSIZ];
    (void)page;
    name_ends(call, sender, receiver);
    return if_nametoindex(sender) == 0 && if_nametoindex(receiver) == 0;
}

const struct load_kind load_interrupts = {
    .work = flood, .restore = restore, .is_restored = is_restored, .effect = effect};
