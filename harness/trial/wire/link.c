#include "harness/trial/wire/link.h"

#include <errno.h>
#include <linux/can.h>
#include <linux/if_link.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define REASON_MAX 160

bool link_parse(const char *word, enum link_choice *choice)
{
    static const char *const words[] = {
        [LINK_AUTO] = "auto", [LINK_EMBEDDED] = "embedded", [LINK_SOCKETCAN] = "socketcan"};
    for (unsigned i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strcmp(word, words[i]) == 0) {
            *choice = (enum link_choice)i;
            return true;
        }
    return false;
}

__attribute__((format(printf, 4, 5))) static enum status
refuse(int error, char *reason, size_t size, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int used = vsnprintf(reason, size, format, arguments);
    va_end(arguments);
    if (used >= 0 && (size_t)used < size)
        snprintf(reason + used, size - (size_t)used, ": %s", strerror(error));
    return error == EAFNOSUPPORT || error == EPROTONOSUPPORT || error == EOPNOTSUPP
               ? STATUS_UNSUPPORTED
               : STATUS_SYSTEM;
}

// ---- rtnetlink ----------------------------------------------------------------------------------

// A request under construction; what it is to hold always fits.
struct link_request {
    struct nlmsghdr header;
    struct ifinfomsg info;
    char attributes[256];
};

static struct rtattr *add(struct link_request *request, unsigned short type, const void *data,
                          size_t size_B)
{
    const size_t at = NLMSG_ALIGN(request->header.nlmsg_len);
    struct rtattr *attribute = (struct rtattr *)((char *)request + at);
    attribute->rta_type = type;
    attribute->rta_len = (unsigned short)RTA_LENGTH(size_B);
    if (size_B > 0)
        memcpy(RTA_DATA(attribute), data, size_B);
    request->header.nlmsg_len = (unsigned)(at + RTA_ALIGN(attribute->rta_len));
    return attribute;
}

static void describe_vcan(struct link_request *request, const char *name)
{
    static const char kind[] = "vcan";
    const unsigned mtu_B = CANFD_MTU;
    *request = (struct link_request){
        .header = {.nlmsg_len = NLMSG_LENGTH(sizeof request->info),
                   .nlmsg_type = RTM_NEWLINK,
                   .nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK | NLM_F_CREATE | NLM_F_EXCL},
        .info = {.ifi_family = AF_UNSPEC, .ifi_flags = IFF_UP, .ifi_change = IFF_UP},
    };
    add(request, IFLA_IFNAME, name, strlen(name) + 1);
    add(request, IFLA_MTU, &mtu_B, sizeof mtu_B);
    struct rtattr *link = add(request, IFLA_LINKINFO, NULL, 0);
    add(request, IFLA_INFO_KIND, kind, sizeof kind - 1);
    link->rta_len = (unsigned short)((char *)request + request->header.nlmsg_len - (char *)link);
}

// 0, or the errno that the kernel answers.
static int ask_kernel(const struct link_request *request)
{
    const int sock = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
    if (sock < 0)
        return errno;
    struct {
        struct nlmsghdr header;
        struct nlmsgerr error;
        char rest[1024];
    } answer;
    int error = EPROTO;
    if (send(sock, request, request->header.nlmsg_len, 0) < 0 ||
        recv(sock, &answer, sizeof answer, 0) < 0)
        error = errno;
    else if (answer.header.nlmsg_type == NLMSG_ERROR)
        error = -answer.error.error;
    close(sock);
    return error;
}

enum status link_create_vcan(const char *name, char *reason, size_t size)
{
    const int sock = socket(PF_CAN, SOCK_RAW | SOCK_CLOEXEC, CAN_RAW);
    if (sock < 0)
        return refuse(errno, reason, size, "the kernel has no CAN sockets");
    close(sock);
    if (strlen(name) >= IFNAMSIZ)
        return refuse(EINVAL, reason, size, "%s: too long for an interface", name);
    struct link_request request;
    describe_vcan(&request, name);
    const int error = ask_kernel(&request);
    return error == 0 ? STATUS_OK
                      : refuse(error, reason, size, "the kernel makes no vcan interface %s", name);
}

// ---- whether it can be done ---------------------------------------------------------------------

static void try_here(char *reason, size_t size)
{
    if (unshare(CLONE_NEWNET) != 0 && unshare(CLONE_NEWUSER | CLONE_NEWNET) != 0)
        (void)refuse(errno, reason, size, "network namespaces are refused");
    else if (link_create_vcan("can0", reason, size) == STATUS_OK)
        reason[0] = '\0';
}

bool link_possible(char *why, size_t size)
{
    char *reason =
        mmap(NULL, REASON_MAX, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (reason == MAP_FAILED) {
        snprintf(why, size, "%s", strerror(errno));
        return false;
    }
    snprintf(reason, REASON_MAX, "the probe died");
    const pid_t pid = fork();
    if (pid == 0) {
        try_here(reason, REASON_MAX);
        _exit(0);
    }
    if (pid > 0)
        while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
            ;
    snprintf(why, size, "%s", reason);
    munmap(reason, REASON_MAX);
    return why[0] == '\0';
}
