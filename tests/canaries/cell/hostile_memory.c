// Memory that is held where nobody may look for it: in the kernel, on its way, out of sight.
#include "tests/canaries/cell/hostile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#define MB ((size_t)1 << 20)
#define PAGE_B 4096
#define PAGES_OF_TABLE 512 // entries of a page table: 2 MB of address space
#define INODE_B 1024       // about what an empty file of a tmpfs takes
#define SEMAPHORE_B 64
#define SEMAPHORES 32000 // of a set; the kernel's default limit (SEMMSL)
#define QUEUE_B 16384    // of a message queue; likewise (MSGMNB)
#define MESSAGE_B 8000
#define DESCRIPTORS 50 // of sockets: fewer than a process may have

static char chunk[4 * MB];

static size_t fill(int file, size_t most_B)
{
    size_t filled_B = 0;
    while (file >= 0 && filled_B < most_B) {
        ssize_t written = write(file, chunk, sizeof chunk);
        if (written <= 0)
            break;
        filled_B += (size_t)written;
    }
    return filled_B;
}

// ---- files --------------------------------------------------------------------------------------

static bool send_file(int sock, int file)
{
    char byte = 0, room[CMSG_SPACE(sizeof file)] = {0};
    struct iovec one = {&byte, 1};
    struct msghdr message = {
        .msg_iov = &one, .msg_iovlen = 1, .msg_control = room, .msg_controllen = sizeof room};
    struct cmsghdr *head = CMSG_FIRSTHDR(&message);
    head->cmsg_level = SOL_SOCKET;
    head->cmsg_type = SCM_RIGHTS;
    head->cmsg_len = CMSG_LEN(sizeof file);
    memcpy(CMSG_DATA(head), &file, sizeof file);
    return sendmsg(sock, &message, MSG_DONTWAIT) >= 0;
}

// Files without a name, on their way between two sockets.
static size_t in_flight(size_t wanted_B)
{
    size_t held_B = 0;
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0)
        return 0;
    while (held_B < wanted_B) {
        int file = memfd_create("hostile", 0);
        const size_t filled_B = fill(file, sizeof chunk);
        const bool sent = filled_B > 0 && send_file(ends[0], file);
        if (file >= 0)
            close(file);
        if (!sent)
            break;
        held_B += filled_B;
    }
    return held_B;
}

// The same of files of /tmp that have lost their names.
static size_t nameless(size_t wanted_B)
{
    size_t held_B = 0;
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0)
        return 0;
    while (held_B < wanted_B) {
        int file = open("/tmp", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
        const size_t filled_B = fill(file, sizeof chunk);
        const bool sent = filled_B > 0 && send_file(ends[0], file);
        if (file >= 0)
            close(file);
        if (!sent)
            break;
        held_B += filled_B;
    }
    return held_B;
}

static size_t own_file_system(size_t wanted_B)
{
    (void)mkdir("/tmp/own", 0700);
    if (mount("tmpfs", "/tmp/own", "tmpfs", 0, "size=1g") != 0)
        return 0;
    return fill(open("/tmp/own/held", O_CREAT | O_WRONLY | O_CLOEXEC, 0600), wanted_B);
}

static size_t empty_files(size_t wanted_B)
{
    size_t held_B = 0;
    for (unsigned i = 0; held_B < wanted_B; i++) {
        char path[32];
        snprintf(path, sizeof path, "/tmp/%u", i);
        if (mknod(path, S_IFREG | 0600, 0) != 0)
            break;
        held_B += INODE_B;
    }
    return held_B;
}

// ---- memory that the lab would see, if it could -------------------------------------------------

static size_t blind(size_t wanted_B)
{
    if (mount("tmpfs", "/proc", "tmpfs", 0, NULL) != 0)
        return 0;
    void *held = mmap(NULL, wanted_B, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (held == MAP_FAILED)
        return 0;
    memset(held, 1, wanted_B);
    return wanted_B;
}

// One page of each table is read: of pages that are only read there is one for all.
static size_t page_tables(size_t wanted_B)
{
    const size_t stride_B = (size_t)PAGES_OF_TABLE * PAGE_B;
    const size_t space_B = wanted_B / PAGE_B * stride_B;
    volatile char *space =
        mmap(NULL, space_B, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (space == MAP_FAILED)
        return 0;
    (void)madvise((void *)space, space_B, MADV_NOHUGEPAGE);
    for (size_t at = 0; at < space_B; at += stride_B)
        (void)space[at];
    return wanted_B;
}

// ---- the kernel's own ---------------------------------------------------------------------------

static size_t semaphores(size_t wanted_B)
{
    size_t held_B = 0;
    while (held_B < wanted_B && semget(IPC_PRIVATE, SEMAPHORES, 0600) >= 0)
        held_B += (size_t)SEMAPHORES * SEMAPHORE_B;
    return held_B;
}

static size_t messages(size_t wanted_B)
{
    struct {
        long kind;
        char text[MESSAGE_B];
    } message = {.kind = 1};
    size_t held_B = 0;
    while (held_B < wanted_B) {
        int queue = msgget(IPC_PRIVATE, 0600);
        size_t here_B = 0;
        while (queue >= 0 && here_B < QUEUE_B &&
               msgsnd(queue, &message, sizeof message.text, IPC_NOWAIT) == 0)
            here_B += sizeof message.text;
        if (here_B == 0)
            break;
        held_B += here_B;
    }
    return held_B;
}

// Buffers of sockets, of no more than DESCRIPTORS in this process.
static size_t sockets(size_t wanted_B)
{
    size_t held_B = 0;
    int ends[2];
    for (int used = 0; held_B < wanted_B && used < DESCRIPTORS; used += 2) {
        if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends) != 0)
            break;
        for (int i = 0; i < 2; i++) {
            const int most_B = 4 * sizeof chunk;
            (void)setsockopt(ends[i], SOL_SOCKET, SO_SNDBUF, &most_B, sizeof most_B);
            held_B += fill(ends[i], most_B);
        }
    }
    return held_B;
}

const struct holder holders[] = {
    {"in-flight", in_flight},
    {"nameless", nameless},
    {"hide-memory", own_file_system},
    {"empty-files", empty_files},
    {"blind-lab", blind},
    {"page-tables", page_tables},
    {"semaphores", semaphores},
    {"messages", messages},
    {"sockets", sockets},
    {0},
};
