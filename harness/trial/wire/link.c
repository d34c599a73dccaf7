#include "harness/trial/wire/link.h"

#include <errno.h>
#include <linux/can.h>
#include <linux/if_link.h>
#include <net/if.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/netlink.h"
#include "ethernet/network.h"

#define REASON_MAX 160

static const char *const words[] = {[LINK_AUTO] = "auto",
                                    [LINK_EMBEDDED] = "embedded",
                                    [LINK_SOCKETCAN] = "socketcan",
                                    [LINK_VETH] = "veth"};

const char *link_word(enum link_choice choice)
{
    return words[choice];
}

bool link_parse(const char *word, enum link_choice kernels, enum link_choice *choice)
{
    const enum link_choice known[] = {LINK_AUTO, LINK_EMBEDDED, kernels};
    for (unsigned i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strcmp(word, words[known[i]]) == 0) {
            *choice = known[i];
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

// ---- interfaces ---------------------------------------------------------------------------------

static void describe_vcan(struct netlink_request *request, const char *name)
{
    static const char kind[] = "vcan";
    const unsigned mtu_B = CANFD_MTU;
    const struct ifinfomsg info = {
        .ifi_family = AF_UNSPEC, .ifi_flags = IFF_UP, .ifi_change = IFF_UP};
    netlink_begin(request, RTM_NEWLINK, NLM_F_CREATE | NLM_F_EXCL, &info, sizeof info);
    netlink_add(request, IFLA_IFNAME, name, strlen(name) + 1);
    netlink_add(request, IFLA_MTU, &mtu_B, sizeof mtu_B);
    const size_t link = netlink_add(request, IFLA_LINKINFO, NULL, 0);
    netlink_add(request, IFLA_INFO_KIND, kind, sizeof kind - 1);
    netlink_end(request, link);
}

static int ask_kernel(const struct netlink_request *request)
{
    const int sock = netlink_open();
    if (sock < 0)
        return errno;
    const int error = netlink_ask(sock, request);
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
    struct netlink_request request;
    describe_vcan(&request, name);
    const int error = ask_kernel(&request);
    return error == 0
               ? STATUS_OK
               : refuse(error, reason, size, "the kernel cannot make a vcan interface %s", name);
}

enum status link_create_cable(unsigned number, const char *one, const char *other, char *reason,
                              size_t size)
{
    const int error = eth_veth_cable(number, one, other);
    return error == 0 ? STATUS_OK
                      : refuse(error, reason, size, "the kernel cannot make a cable from %s to %s",
                               one, other);
}

// ---- whether it can be done ---------------------------------------------------------------------

static enum status make_network(char *reason, size_t size)
{
    static struct eth_plan plan = {.name = "eth0", .bitrate_bit_s = 100000000};
    if (eth_plan_host(&plan, "a") != STATUS_OK || eth_plan_host(&plan, "b") != STATUS_OK)
        return STATUS_INVALID;
    const int error = eth_veth_create(&plan);
    return error == 0
               ? STATUS_OK
               : refuse(error, reason, size, "the kernel cannot make veth cables with relays");
}

static void try_here(enum link_choice kernels, char *reason, size_t size)
{
    if (unshare(CLONE_NEWNET) != 0 && unshare(CLONE_NEWUSER | CLONE_NEWNET) != 0)
        (void)refuse(errno, reason, size, "network namespaces are refused");
    else if ((kernels == LINK_VETH ? make_network(reason, size)
                                   : link_create_vcan("can0", reason, size)) == STATUS_OK)
        reason[0] = '\0';
}

bool link_possible(enum link_choice kernels, char *why, size_t size)
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
        try_here(kernels, reason, REASON_MAX);
        _exit(0);
    }
    if (pid > 0)
        while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
            ;
    snprintf(why, size, "%s", reason);
    munmap(reason, REASON_MAX);
    return why[0] == '\0';
}
