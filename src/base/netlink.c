#include "base/netlink.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/invariant.h"

static char *room(struct netlink_request *request, size_t size_B)
{
    const size_t at = NLMSG_ALIGN(request->header.nlmsg_len);
    invariant(at + NLMSG_ALIGN(size_B) <= sizeof request->bytes);
    request->header.nlmsg_len = (unsigned)(at + NLMSG_ALIGN(size_B));
    return request->bytes + at;
}

void netlink_begin(struct netlink_request *request, unsigned short type, unsigned short flags,
                   const void *head, size_t head_B)
{
    memset(request, 0, sizeof *request);
    request->header.nlmsg_len = NLMSG_HDRLEN;
    request->header.nlmsg_type = type;
    request->header.nlmsg_flags = (unsigned short)(NLM_F_REQUEST | NLM_F_ACK | flags);
    memcpy(room(request, head_B), head, head_B);
}

size_t netlink_add(struct netlink_request *request, unsigned short type, const void *data,
                   size_t size_B)
{
    char *at = room(request, RTA_LENGTH(size_B));
    struct rtattr *attribute = (struct rtattr *)(void *)at;
    attribute->rta_type = type;
    attribute->rta_len = (unsigned short)RTA_LENGTH(size_B);
    if (size_B > 0)
        memcpy(RTA_DATA(attribute), data, size_B);
    return (size_t)(at - request->bytes);
}

void netlink_add_bare(struct netlink_request *request, const void *data, size_t size_B)
{
    memcpy(room(request, size_B), data, size_B);
}

void netlink_end(struct netlink_request *request, size_t attribute)
{
    struct rtattr *begun = (struct rtattr *)(void *)(request->bytes + attribute);
    begun->rta_len = (unsigned short)(request->header.nlmsg_len - attribute);
}

int netlink_open(void)
{
    return socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
}

int netlink_ask(int sock, const struct netlink_request *request)
{
    struct {
        struct nlmsghdr header;
        struct nlmsgerr error;
        char rest[2048];
    } answer;
    if (send(sock, request, request->header.nlmsg_len, 0) < 0 ||
        recv(sock, &answer, sizeof answer, 0) < 0)
        return errno;
    return answer.header.nlmsg_type == NLMSG_ERROR ? -answer.error.error : EPROTO;
}
