// What makes somebody ready: writes, sends, connections, ends of descriptors. Recorded on `io`.
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/text.h"
#include "shim/shim.h"

#define PIPE_CHUNK_B 4096 // what a pipe takes without blocking once it is ready (PIPE_BUF)
#define PARTS_MAX 1024    // of a vector (IOV_MAX)
#define FULL (IO_CHANNEL_SLOTS - 8) // frames at one instant, with room for deaths (IO_CHILD)
#define PACE_NS 1000 // a program that writes without end sees so much time pass in between

// ---- recording ----

// FNV-1a, eight bytes at a time.
static uint64_t hash_of(const unsigned char *bytes, size_t size_B)
{
    uint64_t hash = UINT64_C(14695981039346656037), word;
    for (; size_B >= sizeof word; bytes += sizeof word, size_B -= sizeof word) {
        memcpy(&word, bytes, sizeof word);
        hash = (hash ^ word) * UINT64_C(1099511628211);
    }
    for (; size_B > 0; size_B--)
        hash = (hash ^ *bytes++) * UINT64_C(1099511628211);
    return hash;
}

static void let_time_pass(void)
{
    const struct shim_wait wait = shim_wait_object(SHIM_NOTHING, shim_now_ns() + PACE_NS);
    while (shim_block(&wait) != SHIM_DEADLINE)
        continue;
}

// Tasks that are ready at one instant may each put frames: the channel must hold them all.
static void make_room(const struct io_message *message)
{
    const bool may_wait = shim_self >= 0 && message->call != IO_CHILD && message->call != IO_LEAK &&
                          message->call != IO_WAKE; // in one step with a wait
    while (may_wait && shim.page->puts >= FULL)
        let_time_pass();
}

void shim_put(struct io_message *message)
{
    make_room(message);
    message->time = clk_now(shim.clk);
    message->count = ++shim.page->calls;
    message->task = (uint32_t)shim_self;
    memcpy(message->participant, shim.name, sizeof message->participant);
    shim.page->puts++;
    if (channel_put(shim.io, message, sizeof *message, message->time) != STATUS_OK)
        shim_nudge();
}

// The lab reads the channel between two turns.
void shim_pace(void)
{
    if (shim.page->puts >= IO_BURST_MAX)
        let_time_pass();
}

void shim_record(enum io_call call, int descriptor, const void *data, size_t size_B)
{
    const int error = errno;
    struct io_message message = {
        .call = call, .descriptor = descriptor, .size_B = (uint32_t)size_B};
    message.hash = data == NULL ? 0 : hash_of(data, size_B);
    if (call == IO_SEND)
        shim_stamp_sent(descriptor, &(struct iovec){(void *)data, size_B}, size_B);
    shim_put(&message);
    if (call != IO_CHILD) // whoever buries has not got the turn yet
        shim_pace();
    errno = error;
}

void shim_record_words(const char *words)
{
    struct io_message message = {.call = IO_LEAK};
    text_copy(message.words, sizeof message.words, words);
    shim_put(&message);
}

// ---- kinds of descriptors ----

bool shim_is_blocking(int descriptor)
{
    const int error = errno;
    const long flags = KERNEL(SYS_fcntl, descriptor, F_GETFL);
    errno = error;
    return flags >= 0 && (flags & O_NONBLOCK) == 0;
}

#define TTY_MAJOR 5
#define PTY_MAJOR_MIN 128
#define PTY_MAJOR_MAX 143

static bool is_terminal(dev_t device)
{
    return major(device) == TTY_MAJOR ||
           (major(device) >= PTY_MAJOR_MIN && major(device) <= PTY_MAJOR_MAX);
}

// The lab reads what a program says; that wakes nobody, and is not recorded.
bool shim_is_file(int descriptor)
{
    struct stat file;
    const int error = errno;
    const bool known = KERNEL(SYS_fstat, descriptor, &file) == 0;
    errno = error;
    if (!known)
        return true; // the kernel says what is wrong with it
    if (S_ISCHR(file.st_mode))
        return !is_terminal(file.st_rdev);
    return S_ISREG(file.st_mode) || S_ISDIR(file.st_mode) || S_ISBLK(file.st_mode) ||
           (file.st_dev == shim.page->output_device && file.st_ino == shim.page->output_inode);
}

int64_t shim_socket_deadline(int descriptor, int option)
{
    struct timeval limit = {0};
    socklen_t size_B = sizeof limit;
    const int error = errno;
    if (KERNEL(SYS_getsockopt, descriptor, SOL_SOCKET, option, &limit, &size_B) != 0)
        limit = (struct timeval){0};
    errno = error;
    if (limit.tv_sec == 0 && limit.tv_usec == 0)
        return SHIM_NEVER;
    return shim_after_ns(limit.tv_sec * SHIM_NS_PER_S + limit.tv_usec * 1000);
}

// ---- sockets ----

static size_t size_of(const struct iovec *part, size_t count)
{
    size_t size_B = 0;
    for (size_t i = 0; i < count; i++)
        size_B += part[i].iov_len;
    return size_B;
}

uint64_t shim_hash_parts(const struct iovec *part, size_t size_B)
{
    uint64_t hash = 0;
    for (size_t left_B = size_B; left_B > 0; part++) {
        const size_t own_B = part->iov_len < left_B ? part->iov_len : left_B;
        hash = hash * 31 + hash_of(part->iov_base, own_B);
        left_B -= own_B;
    }
    return hash;
}

// The first size_B bytes of a vector, as they were written.
static void record_parts(enum io_call call, int descriptor, const struct iovec *part, size_t size_B)
{
    const int error = errno;
    struct io_message message = {.call = call,
                                 .descriptor = descriptor,
                                 .size_B = (uint32_t)size_B,
                                 .hash = shim_hash_parts(part, size_B)};
    shim_stamp_sent(descriptor, part, size_B);
    shim_put(&message);
    shim_pace();
    errno = error;
}

// Drops what has been written from the beginning of a vector.
static void skip(struct iovec **part, size_t *count, size_t size_B)
{
    while (*count > 0 && size_B >= (*part)->iov_len) {
        size_B -= (*part)->iov_len;
        ++*part;
        --*count;
    }
    if (*count > 0) {
        (*part)->iov_base = (char *)(*part)->iov_base + size_B;
        (*part)->iov_len -= size_B;
    }
}

// Waits as a blocking call does. False: with errno, what the call says.
static bool await_room(int descriptor, int flags, int64_t *deadline_ns)
{
    if ((flags & MSG_DONTWAIT) || !shim_is_blocking(descriptor)) {
        errno = EAGAIN;
        return false;
    }
    if (*deadline_ns == 0)
        *deadline_ns = shim_socket_deadline(descriptor, SO_SNDTIMEO);
    shim.cell->writers++;
    const int got = shim_await(descriptor, POLLOUT, *deadline_ns);
    shim.cell->writers--;
    return got == 0;
}

// The kernel says that there is room, and takes nothing: the queue of a datagram's receiver is
// full.
static bool await_receiver(int64_t deadline_ns)
{
    const struct shim_wait wait = shim_wait_io(deadline_ns);
    shim.cell->writers++;
    const enum shim_woken woken = shim_block(&wait);
    shim.cell->writers--;
    errno = woken == SHIM_INTERRUPTED ? EINTR : EAGAIN;
    return woken == SHIM_WOKEN;
}

static ssize_t send_some(int descriptor, const struct msghdr *message, int flags,
                         int64_t *deadline_ns)
{
    for (bool again = false;; again = true) { // until it is sent, or fails, or the deadline
        const ssize_t sent = KERNEL(SYS_sendmsg, descriptor, message, flags | MSG_DONTWAIT);
        if (sent >= 0)
            record_parts(IO_SEND, descriptor, message->msg_iov, (size_t)sent);
        if (sent >= 0 || (errno != EAGAIN && errno != ENOBUFS))
            return sent;
        if (!await_room(descriptor, flags, deadline_ns) || (again && !await_receiver(*deadline_ns)))
            return -1;
    }
}

// All of it, as a blocking call does.
static ssize_t send_all(int descriptor, const struct msghdr *message, int flags)
{
    struct iovec parts[PARTS_MAX];
    struct msghdr rest = *message;
    int64_t deadline_ns = 0;
    const size_t size_B = size_of(message->msg_iov, message->msg_iovlen);
    ssize_t done = send_some(descriptor, message, flags, &deadline_ns);
    if (done < 0 || (size_t)done == size_B || rest.msg_iovlen > PARTS_MAX)
        return done;
    memcpy(parts, rest.msg_iov, rest.msg_iovlen * sizeof parts[0]);
    rest.msg_iov = parts;
    rest.msg_control = NULL;
    rest.msg_controllen = 0;
    ssize_t more = done;
    while ((size_t)done < size_B) {
        size_t count = rest.msg_iovlen;
        skip(&rest.msg_iov, &count, (size_t)more);
        rest.msg_iovlen = count;
        more = send_some(descriptor, &rest, flags, &deadline_ns);
        if (more < 0)
            return done;
        done += more;
    }
    return done;
}

PUBLIC ssize_t sendmsg(int descriptor, const struct msghdr *message, int flags)
{
    ssize_t struck;
    if (shim_is_struck() && shim_struck_send(descriptor, message, &struck))
        return struck;
    if (!shim_on())
        return KERNEL(SYS_sendmsg, descriptor, message, flags);
    ssize_t sent;
    if (shim_can_send(descriptor, message->msg_iov, message->msg_iovlen, message->msg_name, &sent))
        return sent;
    shim_name(descriptor, message->msg_name);
    return send_all(descriptor, message, flags);
}

PUBLIC ssize_t sendto(int descriptor, const void *bytes, size_t size_B, int flags,
                      const struct sockaddr *address, socklen_t length)
{
    ssize_t struck;
    if (shim_is_struck() && shim_struck_bytes(descriptor, bytes, size_B, address, length, &struck))
        return struck;
    if (!shim_on())
        return KERNEL(SYS_sendto, descriptor, bytes, size_B, flags, address, length);
    struct iovec part = {(void *)bytes, size_B};
    ssize_t sent;
    if (shim_can_send(descriptor, &part, 1, address, &sent))
        return sent;
    shim_name(descriptor, address);
    sent = KERNEL(SYS_sendto, descriptor, bytes, size_B, flags | MSG_DONTWAIT, address, length);
    if (sent == (ssize_t)size_B) {
        shim_record(IO_SEND, descriptor, bytes, size_B);
        return sent;
    }
    if (sent < 0 && errno != EAGAIN && errno != ENOBUFS)
        return -1;
    const size_t done = sent > 0 ? (size_t)sent : 0;
    if (done > 0)
        shim_record(IO_SEND, descriptor, bytes, done);
    part = (struct iovec){(char *)part.iov_base + done, size_B - done};
    const struct msghdr message = {
        .msg_name = (void *)address, .msg_namelen = length, .msg_iov = &part, .msg_iovlen = 1};
    if (done > 0 && ((flags & MSG_DONTWAIT) || !shim_is_blocking(descriptor)))
        return sent;
    const ssize_t rest = send_all(descriptor, &message, flags);
    return rest < 0 ? (done > 0 ? sent : -1) : rest + (ssize_t)done;
}

PUBLIC ssize_t send(int descriptor, const void *bytes, size_t size_B, int flags)
{
    return sendto(descriptor, bytes, size_B, flags, NULL, 0);
}

PUBLIC int sendmmsg(int descriptor, struct mmsghdr *messages, unsigned count, int flags)
{
    if (!shim_on() && !shim_is_struck())
        return (int)KERNEL(SYS_sendmmsg, descriptor, messages, count, flags);
    for (unsigned i = 0; i < count; i++) {
        const ssize_t sent = sendmsg(descriptor, &messages[i].msg_hdr, flags);
        if (sent < 0)
            return i > 0 ? (int)i : -1;
        messages[i].msg_len = (unsigned)sent;
    }
    return (int)count;
}

// ---- pipes and the like ----

static ssize_t write_pipe(int descriptor, const void *bytes, size_t size_B)
{
    const char *rest = bytes;
    size_t left_B = size_B;
    const bool blocking = shim_is_blocking(descriptor);
    int64_t deadline_ns = SHIM_NEVER;
    do { // each turn writes some, or waits for room
        size_t own_B = left_B;
        if (blocking && !await_room(descriptor, 0, &deadline_ns))
            break;
        if (blocking && own_B > PIPE_CHUNK_B)
            own_B = PIPE_CHUNK_B;
        const ssize_t written = KERNEL(SYS_write, descriptor, rest, own_B);
        if (written < 0)
            return rest > (const char *)bytes ? rest - (const char *)bytes : -1;
        shim_record(IO_WRITE, descriptor, rest, (size_t)written);
        rest += written;
        left_B -= (size_t)written;
    } while (left_B > 0 && blocking);
    return left_B == size_B && size_B > 0 ? -1 : (ssize_t)(size_B - left_B);
}

PUBLIC ssize_t write(int descriptor, const void *bytes, size_t size_B)
{
    ssize_t struck;
    if (!shim_on() && shim_is_struck() &&
        shim_struck_bytes(descriptor, bytes, size_B, NULL, 0, &struck))
        return struck;
    if (!shim_on())
        return KERNEL(SYS_write, descriptor, bytes, size_B);
    if (size_B > 0) {
        const ssize_t sent = send(descriptor, bytes, size_B, 0);
        if (sent >= 0 || errno != ENOTSOCK)
            return sent;
    }
    if (shim_is_file(descriptor))
        return shim_is_sealed(descriptor) ? -1 : KERNEL(SYS_write, descriptor, bytes, size_B);
    return write_pipe(descriptor, bytes, size_B);
}

PUBLIC ssize_t writev(int descriptor, const struct iovec *parts, int count)
{
    const struct msghdr message = {.msg_iov = (struct iovec *)parts, .msg_iovlen = (size_t)count};
    ssize_t struck;
    if (!shim_on() && count > 0 && shim_is_struck() &&
        shim_struck_send(descriptor, &message, &struck))
        return struck;
    if (!shim_on() || count < 1)
        return KERNEL(SYS_writev, descriptor, parts, count);
    const ssize_t sent = sendmsg(descriptor, &message, 0);
    if (sent >= 0 || errno != ENOTSOCK)
        return sent;
    if (shim_is_file(descriptor))
        return shim_is_sealed(descriptor) ? -1 : KERNEL(SYS_writev, descriptor, parts, count);
    ssize_t done = 0;
    for (int i = 0; i < count; i++) {
        if (parts[i].iov_len == 0)
            continue;
        const ssize_t written = write_pipe(descriptor, parts[i].iov_base, parts[i].iov_len);
        if (written < 0)
            return done > 0 ? done : -1;
        done += written;
        if ((size_t)written < parts[i].iov_len)
            break;
    }
    return done;
}

#define FILE_CHUNK_B 65536 // more than the stack of a handler holds

static ssize_t copy_file(char *buffer, int to, int from, off_t *offset, size_t size_B)
{
    const size_t own_B = size_B < FILE_CHUNK_B ? size_B : FILE_CHUNK_B;
    const off_t at = offset != NULL ? *offset : (off_t)KERNEL(SYS_lseek, from, 0, SEEK_CUR);
    const ssize_t got = KERNEL(SYS_pread64, from, buffer, own_B, at);
    const ssize_t written = got > 0 ? write(to, buffer, (size_t)got) : got;
    if (written > 0 && offset != NULL)
        *offset += written;
    else if (written > 0)
        KERNEL(SYS_lseek, from, at + written, SEEK_SET);
    return written;
}

PUBLIC ssize_t sendfile(int to, int from, off_t *offset, size_t size_B)
{
    if (!shim_on())
        return KERNEL(SYS_sendfile, to, from, offset, size_B);
    void *const buffer =
        mmap(NULL, FILE_CHUNK_B, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (buffer == MAP_FAILED)
        return -1;
    const ssize_t written = copy_file(buffer, to, from, offset, size_B);
    const int error = errno;
    (void)munmap(buffer, FILE_CHUNK_B);
    errno = error;
    return written;
}

// ---- ends ----

PUBLIC int close(int descriptor)
{
    if (!shim_on())
        return (int)KERNEL(SYS_close, descriptor);
    const bool timer = shim_timer_closed(descriptor);
    const bool tells = !timer && !shim_is_file(descriptor);
    shim_chance_closed(descriptor);
    shim_can_closed(descriptor);
    const int result = (int)KERNEL(SYS_close, descriptor);
    if (tells && result == 0)
        shim_record(IO_CLOSE, descriptor, NULL, 0);
    return result;
}

// Whether somebody is to be told that `to` is closed.
static bool takes_place(int from, int to)
{
    if (!shim_on() || from == to || KERNEL(SYS_fcntl, from, F_GETFD) < 0 ||
        KERNEL(SYS_fcntl, to, F_GETFD) < 0)
        return false;
    shim_chance_closed(to);
    shim_can_closed(to);
    return !shim_timer_closed(to) && !shim_is_file(to);
}

PUBLIC int dup3(int from, int to, int flags)
{
    const bool tells = takes_place(from, to);
    const int result = (int)KERNEL(SYS_dup3, from, to, flags);
    if (tells && result >= 0)
        shim_record(IO_CLOSE, to, NULL, 0);
    shim_chance_copied(from, result);
    return result;
}

PUBLIC int dup(int from)
{
    const int result = (int)KERNEL(SYS_dup, from);
    shim_chance_copied(from, result);
    return result;
}

PUBLIC int dup2(int from, int to)
{
    return from == to ? (int)KERNEL(SYS_dup2, from, to) : dup3(from, to, 0);
}
