// Faults of sockets: what a program sends is lost, late, doubled or cut short, and connections
// fail, as the cell's page says (channel/tamper.h). In virtual mode and in wall mode.
//
// All is done where something is sent or connected. What a process is to receive is struck where
// the others send it. Every call that is struck stands on `io`, and what is then really sent.
#include "shim/faults/shim_fault.h"

#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/un.h>

struct about { // a socket
    bool stream;
    uint64_t inode;
    struct sockaddr_storage end[3]; // its own address, its peer's, that of the call; family 0: none
};

// ---- which sockets ------------------------------------------------------------------------------

static bool look_at(int descriptor, const struct sockaddr *to, socklen_t to_B, struct about *about)
{
    const int error = errno;
    socklen_t own_B = sizeof about->end[0], peer_B = sizeof about->end[1];
    int type = 0;
    socklen_t type_B = sizeof type;
    struct stat file;
    memset(about, 0, sizeof *about);
    const bool is_socket =
        KERNEL(SYS_getsockname, descriptor, &about->end[0], &own_B) == 0 &&
        KERNEL(SYS_getsockopt, descriptor, SOL_SOCKET, SO_TYPE, &type, &type_B) == 0 &&
        KERNEL(SYS_fstat, descriptor, &file) == 0;
    if (is_socket) {
        about->stream = type == SOCK_STREAM || type == SOCK_SEQPACKET;
        about->inode = file.st_ino;
        if (KERNEL(SYS_getpeername, descriptor, &about->end[1], &peer_B) != 0)
            about->end[1].ss_family = 0;
        if (to != NULL && to_B <= sizeof about->end[2])
            memcpy(&about->end[2], to, to_B);
    }
    errno = error;
    return is_socket;
}

static bool has_port(const struct sockaddr_storage *end, uint32_t port)
{
    if (end->ss_family == AF_INET)
        return ntohs(((const struct sockaddr_in *)end)->sin_port) == port;
    return end->ss_family == AF_INET6 &&
           ntohs(((const struct sockaddr_in6 *)end)->sin6_port) == port;
}

static bool has_path(const struct sockaddr_storage *end, const char *path)
{
    const struct sockaddr_un *local = (const struct sockaddr_un *)end;
    if (end->ss_family != AF_UNIX)
        return false;
    if (path[0] == '@')
        return local->sun_path[0] == '\0' &&
               strncmp(local->sun_path + 1, path + 1, sizeof local->sun_path - 1) == 0;
    return strncmp(local->sun_path, path, sizeof local->sun_path) == 0;
}

static bool is_selected(const struct tampering *what, const struct about *about)
{
    const uint32_t direction = strcmp(what->process, shim.name) == 0 ? TAMPER_OUT : TAMPER_IN;
    bool port = what->port == 0, path = what->path[0] == '\0';
    for (unsigned i = 0; i < 3; i++) {
        port |= has_port(&about->end[i], what->port);
        path |= has_path(&about->end[i], what->path);
    }
    return (what->direction & direction) != 0 && port && path;
}

// ---- calls --------------------------------------------------------------------------------------

static size_t size_of(const struct msghdr *message)
{
    size_t size_B = 0;
    for (size_t i = 0; i < message->msg_iovlen; i++)
        size_B += message->msg_iov[i].iov_len;
    return size_B;
}

// Whether the fault can strike such a message at all.
static bool fits(const struct tampering *what, const struct about *about, size_t size_B)
{
    switch (what->kind) {
    case TAMPER_DROP:
    case TAMPER_DELAY:
    case TAMPER_DUPLICATE:
    case TAMPER_CUT:
        return true;
    case TAMPER_REFUSE:
        return !about->stream;
    case TAMPER_RESET:
        return about->stream;
    case TAMPER_TRUNCATE:
        return about->stream && size_B > what->amount;
    default:
        return false;
    }
}

static void lose_connection(int descriptor, const struct about *about)
{
    const struct sockaddr nobody = {.sa_family = AF_UNSPEC};
    if (about->end[0].ss_family == AF_UNIX)
        (void)KERNEL(SYS_shutdown, descriptor, SHUT_RDWR);
    else // the peer gets a reset
        (void)KERNEL(SYS_connect, descriptor, &nobody, sizeof nobody);
    struct io_message message = {.call = IO_SHUTDOWN, .descriptor = descriptor};
    shim_fault_tell(&message);
}

static ssize_t fail(int error)
{
    errno = error;
    return -1;
}

static void send_copies(int descriptor, const struct msghdr *message, unsigned copies)
{
    const int stamps = shim_stamp_pause(descriptor);
    for (unsigned i = 0; i < copies; i++) {
        const ssize_t sent = KERNEL(SYS_sendmsg, descriptor, message, MSG_DONTWAIT | MSG_NOSIGNAL);
        if (sent > 0)
            shim_fault_tell_sent(descriptor, message->msg_iov, (size_t)sent);
    }
    shim_stamp_go_on(descriptor, stamps);
}

// Sends only the beginning.
static ssize_t send_part(int descriptor, const struct msghdr *message, size_t size_B)
{
    unsigned char *bytes = shim_fault_copy(message->msg_iov, size_B);
    struct iovec part = {bytes, size_B};
    struct msghdr beginning = *message;
    beginning.msg_iov = &part;
    beginning.msg_iovlen = 1;
    const ssize_t sent =
        bytes == NULL ? fail(ENOMEM)
                      : KERNEL(SYS_sendmsg, descriptor, &beginning, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (sent > 0)
        shim_fault_tell_sent(descriptor, &part, (size_t)sent);
    free(bytes);
    return sent;
}

// What becomes of a message that is struck. False: it is sent all the same.
static bool do_strike(int descriptor, const struct msghdr *message, const struct about *about,
                      unsigned slot, const struct tampering *what, ssize_t *result)
{
    const size_t size_B = size_of(message);
    struct late_reason late = {.inode = about->inode, .slot = slot, .tag = what->tag};
    if (shim_fault_is_virtual())
        shim_name(descriptor, message->msg_name);
    *result = (ssize_t)size_B;
    switch (what->kind) {
    case TAMPER_DELAY:
        late.due_ns = shim_fault_now_ns() + what->delay_ns;
        return shim_late_send(descriptor, message, size_B, &late);
    case TAMPER_CUT:
        late.held = true;
        return !about->stream || shim_late_send(descriptor, message, size_B, &late);
    case TAMPER_DUPLICATE:
        send_copies(descriptor, message, what->amount);
        return false;
    case TAMPER_REFUSE:
        *result = fail(ECONNREFUSED);
        return true;
    case TAMPER_RESET:
        lose_connection(descriptor, about);
        *result = fail(ECONNRESET);
        return true;
    case TAMPER_TRUNCATE:
        *result = send_part(descriptor, message, what->amount);
        return *result > 0;
    default: // lost
        return true;
    }
}

static bool do_send(int descriptor, const struct msghdr *message, const struct about *about,
                    unsigned slot, const struct tampering *what, ssize_t *result)
{
    const bool kept_back = do_strike(descriptor, message, about, slot, what, result);
    if (kept_back && !about->stream && *result >= 0)
        shim_stamp_kept_back(descriptor, message);
    return kept_back;
}

static bool strike_send(int descriptor, const struct msghdr *message, ssize_t *result)
{
    struct about about;
    struct tampering what;
    const size_t size_B = size_of(message);
    bool known = false;
    for (unsigned i = 0; i < TAMPERINGS_MAX; i++) {
        if (!tamper_get(shim_faults, i, &what))
            continue;
        if (!known && !look_at(descriptor, message->msg_name, message->msg_namelen, &about))
            return false;
        known = true;
        if (!is_selected(&what, &about) || !fits(&what, &about, size_B) ||
            !tamper_draw(shim_faults, i, &what))
            continue;
        shim_fault_tell_struck(&what, descriptor, message->msg_iov, size_B);
        return do_send(descriptor, message, &about, i, &what, result);
    }
    // What a stream sends comes after what it has sent before.
    if (!shim_late_any() || !look_at(descriptor, NULL, 0, &about) || !about.stream ||
        !shim_late_has(about.inode))
        return false;
    *result = (ssize_t)size_B;
    return shim_late_send(descriptor, message, size_B, &(struct late_reason){.inode = about.inode});
}

// What comes with descriptors or credentials, as on UNIX sockets, always arrives.
static bool is_strikable(int descriptor, const struct msghdr *message)
{
    struct about about;
    if (message->msg_controllen == 0)
        return size_of(message) > 0;
    return message->msg_controllen <= SHIM_CONTROL_MAX_B && size_of(message) > 0 &&
           look_at(descriptor, NULL, 0, &about) && about.end[0].ss_family != AF_UNIX;
}

bool shim_struck_send(int descriptor, const struct msghdr *message, ssize_t *result)
{
    if (!is_strikable(descriptor, message))
        return false;
    shim_fault_lock();
    const bool struck = strike_send(descriptor, message, result);
    const int error = errno;
    shim_fault_unlock();
    if (shim_fault_is_virtual())
        shim_pace();
    errno = error;
    return struck;
}

bool shim_struck_bytes(int descriptor, const void *bytes, size_t size_B, const struct sockaddr *to,
                       socklen_t to_B, ssize_t *result)
{
    struct iovec part = {(void *)bytes, size_B};
    const struct msghdr message = {
        .msg_name = (void *)to, .msg_namelen = to_B, .msg_iov = &part, .msg_iovlen = 1};
    return shim_struck_send(descriptor, &message, result);
}

bool shim_struck_connect(int descriptor, const struct sockaddr *to, socklen_t to_B)
{
    struct about about;
    struct tampering what;
    bool struck = false;
    shim_fault_lock();
    for (unsigned i = 0; i < TAMPERINGS_MAX && !struck; i++) {
        if (!tamper_get(shim_faults, i, &what) ||
            (what.kind != TAMPER_REFUSE && what.kind != TAMPER_CUT))
            continue;
        struck = look_at(descriptor, to, to_B, &about) && about.stream &&
                 is_selected(&what, &about) && tamper_draw(shim_faults, i, &what);
        if (struck)
            shim_fault_tell_struck(&what, descriptor, NULL, 0);
    }
    shim_fault_unlock();
    if (struck && shim_fault_is_virtual())
        shim_pace();
    if (struck)
        errno = what.kind == TAMPER_REFUSE ? ECONNREFUSED : ENETUNREACH;
    return struck;
}
