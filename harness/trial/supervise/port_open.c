#include "harness/trial/supervise/port_open.h"

#include <arpa/inet.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <netinet/in.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

#define LISTENS 10 // state of a TCP socket
#define ANSWERS_MAX 64

enum answer { CLOSED, OPEN, NOT_KNOWN };

struct question {
    struct nlmsghdr head;
    struct inet_diag_req_v2 socket;
};

// One answer of the kernel's, of several messages; *last: no more follows.
static enum answer read_answer(int kernel, bool *last)
{
    union {
        struct nlmsghdr head;
        char bytes[16384];
    } text;
    ssize_t got = recv(kernel, text.bytes, sizeof text, 0);
    *last = got <= 0;
    enum answer answer = got < 0 ? NOT_KNOWN : CLOSED;
    for (struct nlmsghdr *at = &text.head; !*last && NLMSG_OK(at, got); at = NLMSG_NEXT(at, got)) {
        *last = at->nlmsg_type == NLMSG_DONE || at->nlmsg_type == NLMSG_ERROR;
        if (at->nlmsg_type == NLMSG_ERROR)
            answer = NOT_KNOWN;
        else if (at->nlmsg_type == SOCK_DIAG_BY_FAMILY)
            answer = OPEN;
    }
    return answer;
}

// Asks for the sockets of a kind alone: /proc/net/tcp goes through all connections there could be,
// which takes milliseconds.
static enum answer ask(unsigned char family, unsigned char protocol, unsigned port)
{
    struct question question = {
        .head = {.nlmsg_len = sizeof question,
                 .nlmsg_type = SOCK_DIAG_BY_FAMILY,
                 .nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP},
        .socket = {.sdiag_family = family,
                   .sdiag_protocol = protocol,
                   .idiag_states = protocol == IPPROTO_TCP ? 1u << LISTENS : ~0u,
                   .id = {.idiag_sport = htons((unsigned short)port)}}};
    enum answer answer = NOT_KNOWN;
    const int kernel = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);
    bool last = kernel < 0 || send(kernel, &question, sizeof question, 0) != sizeof question;
    for (int i = 0; !last && i < ANSWERS_MAX; i++) {
        const enum answer part = read_answer(kernel, &last);
        answer = answer == OPEN ? OPEN : part;
    }
    if (kernel >= 0)
        close(kernel);
    return answer;
}

// The same where the kernel cannot be asked so.
static bool is_in(const char *path, unsigned port, bool stream)
{
    char line[512];
    bool found = false;
    FILE *table = fopen(path, "re");
    while (table != NULL && !found && fgets(line, sizeof line, table) != NULL) {
        unsigned local, state;
        const int fields =
            sscanf(line, " %*[0-9]: %*[0-9A-Fa-f]:%x %*[0-9A-Fa-f]:%*x %x", &local, &state);
        found = fields == 2 && local == port && (!stream || state == LISTENS);
    }
    if (table != NULL)
        (void)fclose(table); // only read
    return found;
}

bool port_open(unsigned port)
{
    static const struct {
        unsigned char family, protocol;
        const char *table;
    } kinds[] = {{AF_INET, IPPROTO_TCP, "/proc/net/tcp"},
                 {AF_INET6, IPPROTO_TCP, "/proc/net/tcp6"},
                 {AF_INET, IPPROTO_UDP, "/proc/net/udp"},
                 {AF_INET6, IPPROTO_UDP, "/proc/net/udp6"}};
    bool open = false;
    for (unsigned i = 0; !open && i < sizeof kinds / sizeof kinds[0]; i++) {
        const enum answer answer = ask(kinds[i].family, kinds[i].protocol, port);
        open = answer == OPEN || (answer == NOT_KNOWN &&
                                  is_in(kinds[i].table, port, kinds[i].protocol == IPPROTO_TCP));
    }
    return open;
}
