// A program that knows SocketCAN and nothing of the lab: what its calls say, against HUBO2's
// boards. Prints what is not as Linux has it, and exits with 1 then.
#include <errno.h>
#include <linux/can.h>
#include <linux/can/raw.h>
#include <net/if.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define BOARD 0x09
#define REPLY_MIN_US 200 // two frames and 30 us of the board; the fewest stuff bits
#define REPLY_MAX_US 350 // the most, and how precisely a program is woken
#define BURST 64
#define BURST_US                                                                                   \
    12000 // 64 requests and their replies need 9,600 to 14,400 us; half of that is no loss

static bool wrong;

#define EXPECT(condition) expect(condition, #condition, __LINE__)
static void expect(bool holds, const char *words, int line)
{
    if (!holds)
        printf("line %d: not so: %s (errno %d)\n", line, words, errno);
    wrong |= !holds;
}

static double now_us(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec * 1e-3;
}

static int open_bus(const char *name)
{
    const int bus = socket(PF_CAN, SOCK_RAW, CAN_RAW);
    struct ifreq interface = {0};
    strncpy(interface.ifr_name, name, IFNAMSIZ - 1);
    EXPECT(ioctl(bus, SIOCGIFINDEX, &interface) == 0);
    EXPECT((unsigned)interface.ifr_ifindex == if_nametoindex(name));
    const struct sockaddr_can address = {.can_family = AF_CAN,
                                         .can_ifindex = interface.ifr_ifindex};
    EXPECT(bind(bus, (const struct sockaddr *)&address, sizeof address) == 0);
    return bus;
}

static bool ask(int bus, unsigned board)
{
    const struct can_frame request = {.can_id = 1, .can_dlc = 3, .data = {(unsigned char)board, 3}};
    return write(bus, &request, sizeof request) == (ssize_t)sizeof request;
}

static bool comes(int bus, int ms)
{
    struct pollfd one = {.fd = bus, .events = POLLIN};
    return poll(&one, 1, ms) == 1;
}

// The identifier of the next frame; 0: none comes.
static unsigned next_id(int bus, int ms)
{
    struct can_frame frame;
    return comes(bus, ms) && read(bus, &frame, sizeof frame) == (ssize_t)sizeof frame ? frame.can_id
                                                                                      : 0;
}

static void refuse(void)
{
    const struct can_frame frame = {.can_id = 1};
    const struct sockaddr_can nowhere = {.can_family = AF_CAN, .can_ifindex = 77};
    EXPECT(if_nametoindex("can9") == 0);
    const int bus = socket(PF_CAN, SOCK_RAW | SOCK_NONBLOCK, CAN_RAW);
    EXPECT(bind(bus, (const struct sockaddr *)&nowhere, sizeof nowhere) < 0 && errno == ENODEV);
    EXPECT(write(bus, &frame, sizeof frame) < 0 && errno == ENXIO);
    EXPECT(write(bus, &frame, 8) < 0 && errno == EINVAL);
    EXPECT(read(bus, &(struct can_frame){0}, sizeof frame) < 0 && errno == EAGAIN);
    close(bus);
}

static void reply(void)
{
    const int bus = open_bus("can1");
    const double start_us = now_us();
    EXPECT(ask(bus, BOARD));
    EXPECT(next_id(bus, 5) == 0x60 + BOARD);
    const double took_us = now_us() - start_us;
    EXPECT(took_us > REPLY_MIN_US && took_us < REPLY_MAX_US);
    EXPECT(next_id(bus, 5) == 0);
    const struct timeval limit = {.tv_usec = 3000};
    EXPECT(setsockopt(bus, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit) == 0);
    EXPECT(read(bus, &(struct can_frame){0}, CAN_MTU) < 0 && errno == EAGAIN);
    EXPECT(ask(bus, BOARD) && read(bus, &(struct can_frame){0}, CAN_MTU) == CAN_MTU);
    close(bus);
}

static void filter(void)
{
    const int bus = open_bus("can1");
    const struct can_filter other = {.can_id = 0x6A, .can_mask = CAN_SFF_MASK};
    const int off = 0;
    EXPECT(setsockopt(bus, SOL_CAN_RAW, CAN_RAW_FILTER, &other, sizeof other) == 0);
    EXPECT(setsockopt(bus, SOL_CAN_RAW, CAN_RAW_LOOPBACK, &off, sizeof off) < 0);
    EXPECT(ask(bus, BOARD) && ask(bus, 0x0A));
    EXPECT(next_id(bus, 5) == 0x6A);
    EXPECT(next_id(bus, 5) == 0);
    close(bus);
}

// The next frame's identifier, with all that is told beside it.
static unsigned next_told(int bus, struct sockaddr_can *from, int *flags, double *stamp_s)
{
    struct can_frame frame = {0};
    _Alignas(struct cmsghdr) char control[128];
    struct iovec part = {&frame, sizeof frame};
    struct msghdr message = {.msg_name = from,
                             .msg_namelen = sizeof *from,
                             .msg_iov = &part,
                             .msg_iovlen = 1,
                             .msg_control = control,
                             .msg_controllen = sizeof control};
    struct timespec at = {0};
    if (!comes(bus, 5) || recvmsg(bus, &message, 0) != CAN_MTU)
        return 0;
    const struct cmsghdr *told = CMSG_FIRSTHDR(&message);
    if (told != NULL && told->cmsg_type == SO_TIMESTAMPNS)
        memcpy(&at, CMSG_DATA(told), sizeof at);
    *stamp_s = (double)at.tv_sec + 1e-9 * (double)at.tv_nsec;
    *flags = message.msg_flags;
    return frame.can_id;
}

static double real_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// A socket of all buses hears its own frames too, with the time of each and where it came from.
static void tell(void)
{
    const int all = socket(PF_CAN, SOCK_RAW, CAN_RAW), on = 1;
    struct sockaddr_can any = {.can_family = AF_CAN}, from;
    const struct sockaddr_can to = {.can_family = AF_CAN,
                                    .can_ifindex = (int)if_nametoindex("can1")};
    const struct can_frame frame = {.can_id = 1, .can_dlc = 2, .data = {BOARD, 3}};
    socklen_t any_B = sizeof any;
    int flags = 0;
    double sent_s, echo_s = 0, reply_s = 0;
    EXPECT(setsockopt(all, SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof on) == 0);
    EXPECT(setsockopt(all, SOL_CAN_RAW, CAN_RAW_RECV_OWN_MSGS, &on, sizeof on) == 0);
    EXPECT(bind(all, (struct sockaddr *)&any, sizeof any) == 0);
    EXPECT(getsockname(all, (struct sockaddr *)&any, &any_B) == 0 && any.can_ifindex == 0);
    EXPECT(write(all, &frame, sizeof frame) < 0 && errno == ENXIO);
    sent_s = real_s();
    EXPECT(sendto(all, &frame, sizeof frame, 0, (const struct sockaddr *)&to, sizeof to) ==
           CAN_MTU);
    EXPECT(next_told(all, &from, &flags, &echo_s) == 1 && (flags & MSG_CONFIRM));
    EXPECT(from.can_family == AF_CAN && from.can_ifindex == to.can_ifindex);
    EXPECT(next_told(all, &from, &flags, &reply_s) == 0x60 + BOARD && !(flags & MSG_CONFIRM));
    EXPECT(sent_s < echo_s && echo_s < reply_s && reply_s < sent_s + 1e-6 * REPLY_MAX_US);
    close(all);
}

// Two sockets hear each other; copies of a descriptor send, also in a child.
static void share(void)
{
    const int bus = open_bus("can1"), beside = open_bus("can1"), copy = dup(bus);
    const int queue = epoll_create1(0);
    struct epoll_event event = {.events = EPOLLIN};
    EXPECT(epoll_ctl(queue, EPOLL_CTL_ADD, beside, &event) == 0);
    EXPECT(ask(bus, BOARD) && epoll_wait(queue, &event, 1, 5) == 1);
    EXPECT(next_id(beside, 0) == 1 && next_id(beside, 5) == 0x60 + BOARD);
    EXPECT(next_id(bus, 0) == 0x60 + BOARD && next_id(bus, 5) == 0);
    EXPECT(ask(copy, BOARD) && next_id(beside, 5) == 1 && next_id(copy, 5) == 0x60 + BOARD);
    EXPECT(next_id(beside, 5) == 0x60 + BOARD);
    const pid_t child = fork();
    if (child == 0)
        _exit(ask(bus, BOARD) ? 0 : 1);
    int status = -1;
    EXPECT(waitpid(child, &status, 0) == child && status == 0);
    EXPECT(next_id(bus, 5) == 0x60 + BOARD);
    close(copy), close(beside), close(bus), close(queue);
}

// As daemons do: what they open afterwards is theirs alone.
static void close_all(void)
{
    int pair[2];
    const struct can_frame frame = {.can_id = 1};
    (void)open_bus("can1");
    closefrom(3);
    EXPECT(socketpair(AF_UNIX, SOCK_DGRAM, 0, pair) == 0 && pair[0] == 3 && pair[1] == 4);
    EXPECT(write(pair[0], &frame, sizeof frame) == (ssize_t)sizeof frame);
    EXPECT(!comes(pair[0], 5) && comes(pair[1], 0));
    close(pair[0]), close(pair[1]);
}

// All arrive, whatever the physics is at.
static void burst(void)
{
    const int bus = open_bus("can1"), beside = open_bus("can1");
    unsigned requests = 0, replies = 0;
    for (unsigned i = 0; i < BURST; i++)
        EXPECT(ask(bus, 0x08 + i % 4));
    const double start_us = now_us();
    for (unsigned id = 1; id != 0;) {
        id = next_id(beside, 5);
        requests += id == 1;
        replies += id >= 0x68 && id < 0x6C;
    }
    EXPECT(requests == BURST && replies == BURST);
    EXPECT(now_us() - start_us > BURST_US);
    close(beside), close(bus);
}

int main(void)
{
    refuse();
    reply();
    filter();
    tell();
    share();
    close_all();
    burst();
    puts(wrong ? "not as Linux has it" : "all as Linux has it");
    fflush(stdout);
    return wrong;
}
