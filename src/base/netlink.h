// Requests to the kernel by rtnetlink: a message of nested attributes, and the kernel's answer.
// They act in the network namespace of the caller, who must have the right to administer it.
#pragma once

#include <linux/rtnetlink.h>
#include <stddef.h>

// A request under construction; the caller sees to it that what it is to hold fits.
struct netlink_request {
    union {
        struct nlmsghdr header;
        char bytes[1024];
    };
};

// Begins anew: a message of `type` with these flags besides those of a request, and its fixed head.
void netlink_begin(struct netlink_request *request, unsigned short type, unsigned short flags,
                   const void *head, size_t head_B);
// Adds an attribute, or the fixed head of a nested message (no type, no length of its own). An
// attribute that others follow in is ended by netlink_end with what this returned.
size_t netlink_add(struct netlink_request *request, unsigned short type, const void *data,
                   size_t size_B);
void netlink_add_bare(struct netlink_request *request, const void *data, size_t size_B);
void netlink_end(struct netlink_request *request, size_t attribute);

// A socket to the kernel, or -1 with errno. The caller closes it.
int netlink_open(void);
// 0, or the errno that the kernel answers. `sock` of netlink_open.
int netlink_ask(int sock, const struct netlink_request *request);
