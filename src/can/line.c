#include "can/line.h"

#include <errno.h>
#include <linux/can/raw.h>
#include <linux/sock_diag.h>
#include <net/if.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define NS_PER_S 1000000000
// The kernel caps it at net.core.rmem_max.
#define RECEIVE_BUFFER_B (4 << 20)
// What a frame takes of the kernel's memory while it waits.
#define WAITING_FRAME_B 768

struct can_line {
    int socket;
    char interface[IFNAMSIZ];
    bool gone, failing; // the socket has lost its interface; the last call failed
    uint64_t outages;
    uint64_t lost_before; // by sockets it had before this one
    uint64_t told;        // of what was lost, by can_line_overrun
    bool listens;         // with the filters and mask below
    unsigned filter_count;
    uint32_t error_mask;
    struct can_filter filter[CAN_FILTERS_MAX];
};

static enum status set_listening(const struct can_line *line)
{
    if (!line->listens)
        return STATUS_OK;
    const bool ok = setsockopt(line->socket, SOL_CAN_RAW, CAN_RAW_FILTER, line->filter,
                               (socklen_t)(line->filter_count * sizeof line->filter[0])) == 0 &&
                    setsockopt(line->socket, SOL_CAN_RAW, CAN_RAW_ERR_FILTER, &line->error_mask,
                               sizeof line->error_mask) == 0;
    return ok ? STATUS_OK : STATUS_SYSTEM;
}

static enum status bind_socket(struct can_line *line)
{
    const int one = 1, size_B = RECEIVE_BUFFER_B;
    const struct sockaddr_can address = {.can_family = AF_CAN,
                                         .can_ifindex = (int)if_nametoindex(line->interface)};
    if (address.can_ifindex == 0)
        return STATUS_NOT_FOUND;
    (void)setsockopt(line->socket, SOL_SOCKET, SO_RCVBUF, &size_B, sizeof size_B);
    (void)setsockopt(line->socket, SOL_SOCKET, SO_TIMESTAMPNS, &one, sizeof one);
    const bool ok =
        setsockopt(line->socket, SOL_CAN_RAW, CAN_RAW_FD_FRAMES, &one, sizeof one) == 0 &&
        bind(line->socket, (const struct sockaddr *)&address, sizeof address) == 0;
    return ok ? set_listening(line) : STATUS_SYSTEM;
}

static enum status open_socket(struct can_line *line)
{
    line->socket = socket(PF_CAN, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, CAN_RAW);
    if (line->socket < 0)
        return errno == EAFNOSUPPORT || errno == EPROTONOSUPPORT ? STATUS_UNSUPPORTED
                                                                 : STATUS_SYSTEM;
    const enum status status = bind_socket(line);
    if (status != STATUS_OK) {
        close(line->socket);
        line->socket = -1;
    }
    return status;
}

enum status can_line_open(const char *interface, struct can_line **result)
{
    struct can_line *line = calloc(1, sizeof *line);
    if (line == NULL)
        return STATUS_NO_MEMORY;
    snprintf(line->interface, sizeof line->interface, "%s", interface);
    const enum status status = open_socket(line);
    if (status == STATUS_OK)
        *result = line;
    else
        free(line);
    return status;
}

void can_line_close(struct can_line *line)
{
    if (line == NULL)
        return;
    if (line->socket >= 0)
        close(line->socket);
    free(line);
}

int can_line_socket(const struct can_line *line)
{
    return line->gone ? -1 : line->socket;
}

enum status can_line_mend(struct can_line *line)
{
    if (line->socket >= 0 && !line->gone)
        return STATUS_OK;
    if (line->socket >= 0) {
        line->lost_before = can_line_lost(line);
        close(line->socket);
    }
    const enum status status = open_socket(line);
    line->gone = status != STATUS_OK;
    return status;
}

// Takes note of a call's errno. A socket stays bound to an interface that is down, not to one that
// is gone.
static enum status note_failure(struct can_line *line, int error)
{
    line->outages += !line->failing;
    line->failing = true;
    line->gone = line->gone || error == ENODEV || error == ENXIO;
    return STATUS_SYSTEM;
}

uint64_t can_line_outages(const struct can_line *line)
{
    return line->outages;
}

// False where the kernel does not tell.
static bool ask_memory(const struct can_line *line, uint32_t memory[SK_MEMINFO_VARS])
{
    socklen_t size_B = SK_MEMINFO_VARS * sizeof memory[0];
    return line->socket >= 0 &&
           getsockopt(line->socket, SOL_SOCKET, SO_MEMINFO, memory, &size_B) == 0;
}

unsigned can_line_unsent(const struct can_line *line)
{
    uint32_t memory[SK_MEMINFO_VARS] = {0};
    if (!ask_memory(line, memory))
        return 0;
    return (memory[SK_MEMINFO_WMEM_ALLOC] + WAITING_FRAME_B - 1) / WAITING_FRAME_B;
}

uint64_t can_line_lost(const struct can_line *line)
{
    uint32_t memory[SK_MEMINFO_VARS] = {0};
    return line->lost_before + (ask_memory(line, memory) ? memory[SK_MEMINFO_DROPS] : 0);
}

unsigned can_line_overrun(struct can_line *line)
{
    const uint64_t lost = can_line_lost(line), since = lost - line->told;
    line->told = lost;
    return (unsigned)since;
}

enum status can_line_write(struct can_line *line, const struct canfd_frame *frame)
{
    const size_t size_B = frame->flags & CANFD_FDF ? CANFD_MTU : CAN_MTU;
    if (line->socket < 0)
        return STATUS_SYSTEM;
    if (write(line->socket, frame, size_B) == (ssize_t)size_B) {
        line->failing = false;
        return STATUS_OK;
    }
    return errno == ENOBUFS || errno == EAGAIN ? STATUS_FULL : note_failure(line, errno);
}

static int64_t stamp_of(struct msghdr *message)
{
    for (struct cmsghdr *part = CMSG_FIRSTHDR(message); part != NULL;
         part = CMSG_NXTHDR(message, part))
        if (part->cmsg_level == SOL_SOCKET && part->cmsg_type == SCM_TIMESTAMPNS) {
            struct timespec time;
            memcpy(&time, CMSG_DATA(part), sizeof time);
            return (int64_t)time.tv_sec * NS_PER_S + time.tv_nsec;
        }
    return 0;
}

static enum status read_now(struct can_line *line, struct canfd_frame *frame, int64_t *stamp_ns)
{
    _Alignas(struct cmsghdr) char control[CMSG_SPACE(sizeof(struct timespec)) + 64];
    struct iovec place = {.iov_base = frame, .iov_len = sizeof *frame};
    struct msghdr message = {.msg_iov = &place,
                             .msg_iovlen = 1,
                             .msg_control = control,
                             .msg_controllen = sizeof control};
    memset(frame, 0, sizeof *frame);
    const ssize_t got = recvmsg(line->socket, &message, MSG_DONTWAIT);
    if (got < 0)
        return errno == EAGAIN || errno == EINTR ? STATUS_EMPTY : note_failure(line, errno);
    line->failing = false;
    if (got != CANFD_MTU && got != CAN_MTU)
        return STATUS_EMPTY; // not a frame
    frame->flags = got == CANFD_MTU ? frame->flags | CANFD_FDF : 0;
    frame->__res0 = frame->__res1 = 0;
    if (stamp_ns != NULL)
        *stamp_ns = stamp_of(&message);
    return STATUS_OK;
}

enum status can_line_read(struct can_line *line, struct canfd_frame *frame, int64_t *stamp_ns,
                          int64_t patience_ns)
{
    if (line->socket < 0 || line->gone)
        return STATUS_SYSTEM;
    const enum status status = read_now(line, frame, stamp_ns);
    if (status != STATUS_EMPTY || patience_ns <= 0)
        return status;
    struct pollfd readable = {.fd = line->socket, .events = POLLIN};
    const struct timespec patience = {.tv_sec = patience_ns / NS_PER_S,
                                      .tv_nsec = patience_ns % NS_PER_S};
    if (ppoll(&readable, 1, &patience, NULL) <= 0)
        return STATUS_EMPTY;
    return read_now(line, frame, stamp_ns);
}

enum status can_line_listen(struct can_line *line, const struct can_filter *filter, unsigned count,
                            uint32_t error_mask)
{
    if (count > CAN_FILTERS_MAX)
        return STATUS_INVALID;
    line->listens = true;
    line->filter_count = count;
    line->error_mask = error_mask & CAN_ERR_MASK;
    if (count > 0)
        memcpy(line->filter, filter, count * sizeof *filter);
    return line->socket < 0 ? STATUS_OK : set_listening(line);
}
