// Faults of sockets: what a program sends is lost, late, doubled or cut short, and connections
// fail, as the cell's page says (channel/tamper.h). In virtual mode and in wall mode.
//
// All is done where something is sent or connected. What a process is to receive is struck where
// the others send it. Every call that is struck stands on `io`, and what is then really sent.
#include <fcntl.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/un.h>

#include "base/text.h"
#include "clock/skew.h"
#include "shim/shim.h"

#define LATE_MAX 256 // messages under way; one more lets the first go
#define RETRY_NS 1000000
#define CLOCK_TOLD_NS 1000000
#define CONTROL_MAX_B 128
#define DESCRIPTORS_MIN 64 // those below are left to the program, which may count on the next one
#define WALL_STEP_NS 200000
#define WALL_WINDOW_NS 10000000 // the lab reads the channel once in this time,
#define WALL_WINDOW_MAX 16      // so no more than this is told of one program

struct tamper_page *shim_faults;

static struct { // wall mode
    struct clk *clk;
    struct channel *io;
    uint64_t calls, window_calls;
    int64_t window_ns;
    pthread_mutex_t lock;
    pthread_cond_t work;
    bool thread;
} wall = {.lock = PTHREAD_MUTEX_INITIALIZER, .work = PTHREAD_COND_INITIALIZER};

struct about { // a socket
    bool stream;
    uint64_t inode;
    struct sockaddr_storage end[3]; // its own address, its peer's, that of the call; family 0: none
};

struct late { // a message under way
    bool there;
    int descriptor; // a copy of ours
    uint64_t inode, order, tag;
    unsigned slot;
    bool held;      // until the fault is undone
    int64_t due_ns; // else
    unsigned char *bytes;
    size_t size_B, sent_B;
    struct sockaddr_storage to;
    socklen_t to_B; // 0: its peer
    // By which address it leaves, and the like.
    _Alignas(struct cmsghdr) unsigned char control[CONTROL_MAX_B];
    size_t control_B;
};

static struct late queue[LATE_MAX];
static unsigned queued;
static uint64_t orders;

static bool is_virtual(void)
{
    return shim.clk != NULL;
}

static void lock(void)
{
    if (!is_virtual())
        pthread_mutex_lock(&wall.lock);
}
static void unlock(void)
{
    if (!is_virtual())
        pthread_mutex_unlock(&wall.lock);
}

// The trial's own, whatever the program's clock shows.
static int64_t true_now_ns(void)
{
    const struct clk *clk = is_virtual() ? shim.clk : wall.clk;
    return clk_now(clk).ns - clk_error_ns(clk);
}

static int64_t now_ns(void)
{
    return is_virtual() ? shim_now_ns() : clk_now(wall.clk).ns;
}

// ---- what the lab is told -----------------------------------------------------------------------

// Wall mode. What there is no room for, the lab could not read in time.
static void tell_in_real_time(struct io_message *message)
{
    message->time = instant_ns(true_now_ns());
    if (message->time.ns - wall.window_ns > WALL_WINDOW_NS) {
        wall.window_ns = message->time.ns;
        wall.window_calls = 0;
    }
    if (++wall.window_calls > WALL_WINDOW_MAX)
        return;
    message->count = ++wall.calls;
    text_copy(message->participant, sizeof message->participant, shim.name);
    (void)!channel_put(wall.io, message, sizeof *message, message->time);
}

static void tell(struct io_message *message)
{
    const int error = errno;
    if (is_virtual())
        shim_put(message);
    else
        tell_in_real_time(message);
    errno = error;
}

static void tell_struck(const struct tampering *what, int descriptor, const struct iovec *part,
                        size_t size_B)
{
    struct io_message message = {.call = IO_STRUCK,
                                 .descriptor = descriptor,
                                 .size_B = (uint32_t)size_B,
                                 .hash = part == NULL ? 0 : shim_hash_parts(part, size_B)};
    snprintf(message.words, sizeof message.words, IO_STRUCK_WORDS, (unsigned)what->tag);
    tell(&message);
}

static void tell_sent(int descriptor, const struct iovec *part, size_t size_B)
{
    struct io_message message = {.call = IO_SEND,
                                 .descriptor = descriptor,
                                 .size_B = (uint32_t)size_B,
                                 .hash = shim_hash_parts(part, size_B)};
    tell(&message);
}

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

// ---- messages under way -------------------------------------------------------------------------

static bool is_still_held(const struct late *late)
{
    struct tampering what;
    return late->held && tamper_get(shim_faults, late->slot, &what) && what.tag == late->tag;
}

static bool is_under_way(uint64_t inode)
{
    for (unsigned i = 0; queued > 0 && i < LATE_MAX; i++)
        if (queue[i].there && queue[i].inode == inode)
            return true;
    return false;
}

static struct late *first_under_way(void)
{
    struct late *first = NULL;
    for (unsigned i = 0; i < LATE_MAX; i++)
        if (queue[i].there && (first == NULL || queue[i].order < first->order))
            first = &queue[i];
    return first;
}

static void forget(struct late *late)
{
    (void)KERNEL(SYS_close, late->descriptor);
    free(late->bytes);
    late->there = false;
    queued--;
}

// True: it is sent, or never will be.
static bool send_late(struct late *late)
{
    struct iovec part = {late->bytes + late->sent_B, late->size_B - late->sent_B};
    const struct msghdr message = {.msg_name = late->to_B > 0 ? &late->to : NULL,
                                   .msg_namelen = late->to_B,
                                   .msg_iov = &part,
                                   .msg_iovlen = 1,
                                   .msg_control = late->control_B > 0 ? late->control : NULL,
                                   .msg_controllen = late->control_B};
    const ssize_t sent =
        KERNEL(SYS_sendmsg, late->descriptor, &message, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (sent < 0)
        return errno != EAGAIN && errno != ENOBUFS;
    late->sent_B += (size_t)sent;
    if (late->sent_B < late->size_B)
        return false;
    part = (struct iovec){late->bytes, late->size_B};
    tell_sent(late->descriptor, &part, late->size_B);
    return true;
}

// The next one of its socket, if it is due; else when it is.
static bool is_due(const struct late *late, int64_t at_ns, int64_t *next_ns)
{
    for (unsigned i = 0; i < LATE_MAX; i++)
        if (queue[i].there && queue[i].inode == late->inode && queue[i].order < late->order &&
            (queue[i].held || queue[i].due_ns <= late->due_ns || queue[i].sent_B > 0))
            return false;
    if (late->due_ns <= at_ns)
        return true;
    if (late->due_ns < *next_ns)
        *next_ns = late->due_ns;
    return false;
}

static bool pass_one(int64_t at_ns, int64_t *next_ns)
{
    struct late *first = NULL;
    *next_ns = SHIM_NEVER;
    for (unsigned i = 0; i < LATE_MAX; i++) {
        struct late *late = &queue[i];
        if (!late->there || is_still_held(late))
            continue;
        late->held = false;
        if (is_due(late, at_ns, next_ns) && (first == NULL || late->order < first->order))
            first = late;
    }
    if (first == NULL)
        return false;
    if (send_late(first))
        forget(first);
    else
        first->due_ns = at_ns + RETRY_NS;
    return true;
}

int64_t shim_faults_pass(void)
{
    static bool busy; // what is told here blocks nobody, but may ask for the time
    int64_t next_ns = SHIM_NEVER;
    if (queued == 0 || busy)
        return next_ns;
    const int error = errno;
    busy = true;
    const int64_t at_ns = now_ns();
    while (pass_one(at_ns, &next_ns)) // each turn sends one, or puts it off
        continue;
    busy = false;
    errno = error;
    return next_ns;
}

bool shim_faults_hold(void)
{
    for (unsigned i = 0; queued > 0 && i < LATE_MAX; i++)
        if (queue[i].there && queue[i].held)
            return true;
    return false;
}

// Wall mode: sends what is due.
static void *pass_in_real_time(void *nothing)
{
    const struct timespec step = {.tv_nsec = WALL_STEP_NS};
    (void)nothing;
    for (;;) { // as long as the program lives
        pthread_mutex_lock(&wall.lock);
        while (queued == 0)
            pthread_cond_wait(&wall.work, &wall.lock);
        (void)shim_faults_pass();
        pthread_mutex_unlock(&wall.lock);
        (void)KERNEL(SYS_nanosleep, &step, NULL);
    }
    return NULL;
}

static void wake_thread(void)
{
    if (is_virtual())
        return;
    if (!wall.thread) {
        sigset_t all, before;
        pthread_t thread;
        sigfillset(&all);
        KERNEL(SYS_rt_sigprocmask, SIG_SETMASK, &all, &before, sizeof(uint64_t));
        wall.thread = NEXT(pthread_create)(&thread, NULL, pass_in_real_time, NULL) == 0 &&
                      pthread_detach(thread) == 0;
        KERNEL(SYS_rt_sigprocmask, SIG_SETMASK, &before, NULL, sizeof(uint64_t));
    }
    pthread_cond_signal(&wall.work);
}

static unsigned char *copy_parts(const struct iovec *part, size_t size_B)
{
    unsigned char *bytes = malloc(size_B + 1);
    for (size_t at_B = 0; bytes != NULL && at_B < size_B; at_B += part->iov_len, part++)
        memcpy(bytes + at_B, part->iov_base,
               part->iov_len < size_B - at_B ? part->iov_len : size_B - at_B);
    return bytes;
}

// False: it cannot be.
static bool send_later(int descriptor, const struct msghdr *message, size_t size_B,
                       const struct late *how)
{
    if (queued == LATE_MAX) {
        struct late *first = first_under_way();
        (void)send_late(first);
        forget(first);
    }
    struct late *late = queue;
    while (late->there)
        late++;
    *late = *how;
    late->bytes = copy_parts(message->msg_iov, size_B);
    late->descriptor = (int)KERNEL(SYS_fcntl, descriptor, F_DUPFD_CLOEXEC, DESCRIPTORS_MIN);
    if (late->bytes == NULL || late->descriptor < 0) {
        free(late->bytes);
        return false;
    }
    late->size_B = size_B;
    late->order = ++orders;
    late->there = true;
    if (message->msg_name != NULL && message->msg_namelen <= sizeof late->to) {
        memcpy(&late->to, message->msg_name, message->msg_namelen);
        late->to_B = message->msg_namelen;
    }
    if (message->msg_controllen > 0) { // is_strikable has measured it
        memcpy(late->control, message->msg_control, message->msg_controllen);
        late->control_B = message->msg_controllen;
    }
    queued++;
    wake_thread();
    return true;
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
    tell(&message);
}

static ssize_t fail(int error)
{
    errno = error;
    return -1;
}

static void send_copies(int descriptor, const struct msghdr *message, unsigned copies)
{
    for (unsigned i = 0; i < copies; i++) {
        const ssize_t sent = KERNEL(SYS_sendmsg, descriptor, message, MSG_DONTWAIT | MSG_NOSIGNAL);
        if (sent > 0)
            tell_sent(descriptor, message->msg_iov, (size_t)sent);
    }
}

// Sends only the beginning.
static ssize_t send_part(int descriptor, const struct msghdr *message, size_t size_B)
{
    unsigned char *bytes = copy_parts(message->msg_iov, size_B);
    struct iovec part = {bytes, size_B};
    struct msghdr beginning = *message;
    beginning.msg_iov = &part;
    beginning.msg_iovlen = 1;
    const ssize_t sent =
        bytes == NULL ? fail(ENOMEM)
                      : KERNEL(SYS_sendmsg, descriptor, &beginning, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (sent > 0)
        tell_sent(descriptor, &part, (size_t)sent);
    free(bytes);
    return sent;
}

// What becomes of a message that is struck. False: it is sent all the same.
static bool do_send(int descriptor, const struct msghdr *message, const struct about *about,
                    unsigned slot, const struct tampering *what, ssize_t *result)
{
    const size_t size_B = size_of(message);
    struct late late = {.inode = about->inode, .slot = slot, .tag = what->tag};
    if (is_virtual())
        shim_name(descriptor, message->msg_name);
    *result = (ssize_t)size_B;
    switch (what->kind) {
    case TAMPER_DELAY:
        late.due_ns = now_ns() + what->delay_ns;
        return send_later(descriptor, message, size_B, &late);
    case TAMPER_CUT:
        late.held = true;
        return !about->stream || send_later(descriptor, message, size_B, &late);
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
        tell_struck(&what, descriptor, message->msg_iov, size_B);
        return do_send(descriptor, message, &about, i, &what, result);
    }
    // What a stream sends comes after what it has sent before.
    if (queued == 0 || !look_at(descriptor, NULL, 0, &about) || !about.stream ||
        !is_under_way(about.inode))
        return false;
    *result = (ssize_t)size_B;
    return send_later(descriptor, message, size_B, &(struct late){.inode = about.inode});
}

// What comes with descriptors or credentials, as on UNIX sockets, always arrives.
static bool is_strikable(int descriptor, const struct msghdr *message)
{
    struct about about;
    if (message->msg_controllen == 0)
        return size_of(message) > 0;
    return message->msg_controllen <= CONTROL_MAX_B && size_of(message) > 0 &&
           look_at(descriptor, NULL, 0, &about) && about.end[0].ss_family != AF_UNIX;
}

bool shim_struck_send(int descriptor, const struct msghdr *message, ssize_t *result)
{
    if (!is_strikable(descriptor, message))
        return false;
    lock();
    const bool struck = strike_send(descriptor, message, result);
    const int error = errno;
    unlock();
    if (is_virtual())
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
    lock();
    for (unsigned i = 0; i < TAMPERINGS_MAX && !struck; i++) {
        if (!tamper_get(shim_faults, i, &what) ||
            (what.kind != TAMPER_REFUSE && what.kind != TAMPER_CUT))
            continue;
        struck = look_at(descriptor, to, to_B, &about) && about.stream &&
                 is_selected(&what, &about) && tamper_draw(shim_faults, i, &what);
        if (struck)
            tell_struck(&what, descriptor, NULL, 0);
    }
    unlock();
    if (struck && is_virtual())
        shim_pace();
    if (struck)
        errno = what.kind == TAMPER_REFUSE ? ECONNREFUSED : ENETUNREACH;
    return struck;
}

// ---- clocks -------------------------------------------------------------------------------------

// That a wrong clock was read is told once in a while.
static void tell_clock(const struct clk *clk)
{
    static _Atomic int64_t told_ns = -CLOCK_TOLD_NS;
    const int64_t at_ns = true_now_ns(), last_ns = atomic_load(&told_ns);
    if (at_ns >= last_ns && at_ns - last_ns < CLOCK_TOLD_NS)
        return;
    atomic_store(&told_ns, at_ns);
    const struct tampering what = {.tag = clk_skew_tag(clk)};
    lock();
    tell_struck(&what, -1, NULL, 0);
    unlock();
}

// By how much a clock is wrong in wall mode.
static int64_t wall_error_ns(clockid_t id)
{
    const bool cpu = id == CLOCK_PROCESS_CPUTIME_ID || id == CLOCK_THREAD_CPUTIME_ID || id < 0;
    if (cpu || wall.clk == NULL || !clk_is_wrong(wall.clk))
        return 0;
    const bool steps = id == CLOCK_REALTIME || id == CLOCK_REALTIME_COARSE || id == CLOCK_TAI;
    return clk_error_ns(wall.clk) + (steps ? clk_step_ns(wall.clk) : 0);
}

int shim_struck_clock(clockid_t id, struct timespec *t)
{
    const int result = NEXT(clock_gettime)(id, t);
    const int64_t error_ns = result == 0 ? wall_error_ns(id) : 0;
    if (error_ns == 0)
        return result;
    *t = shim_timespec(shim_ns_of(t) + error_ns);
    tell_clock(wall.clk);
    return result;
}

int shim_struck_sleep(clockid_t id, int flags, const struct timespec *t, struct timespec *left)
{
    struct timespec now;
    if (wall.clk == NULL || !clk_is_wrong(wall.clk) || shim_ns_of(t) < 0 ||
        shim_struck_clock(id, &now) != 0)
        return NEXT(clock_nanosleep)(id, flags, t, left);
    const int64_t until_ns =
        flags & TIMER_ABSTIME ? shim_ns_of(t) : shim_ns_of(&now) + shim_ns_of(t);
    int result = 0;
    while (result == 0 && shim_ns_of(&now) < until_ns) { // until its own clock shows that
        const int64_t left_ns = until_ns - shim_ns_of(&now);
        const struct timespec step = shim_timespec(left_ns < WALL_STEP_NS ? left_ns : WALL_STEP_NS);
        result = NEXT(clock_nanosleep)(CLOCK_MONOTONIC, 0, &step, NULL);
        (void)shim_struck_clock(id, &now);
    }
    if (result == EINTR && left != NULL && !(flags & TIMER_ABSTIME))
        *left = shim_timespec(until_ns > shim_ns_of(&now) ? until_ns - shim_ns_of(&now) : 0);
    return result;
}

void shim_struck_realtime(void)
{
    if (clk_step_ns(shim.clk) != 0)
        tell_clock(shim.clk);
}

// ---- beginning ----------------------------------------------------------------------------------

// In a child: what is under way is the parent's to send.
void shim_faults_forget(void)
{
    for (unsigned i = 0; i < LATE_MAX; i++)
        if (queue[i].there)
            forget(&queue[i]);
    wall.thread = false;
    pthread_mutex_init(&wall.lock, NULL);
    pthread_cond_init(&wall.work, NULL);
}

void shim_faults_begin(struct clk *wall_clk)
{
    const char *cell = getenv("UKEMI_CELL");
    struct tamper_page *page;
    if (cell == NULL || tamper_open(cell, TAMPER_SOCKETS, &page) != STATUS_OK)
        return;
    wall.clk = wall_clk;
    if (wall_clk != NULL && (channel_open(IO_CHANNEL, CHANNEL_WRITE, &wall.io) != STATUS_OK ||
                             pthread_atfork(NULL, NULL, shim_faults_forget) != 0)) {
        tamper_close(page);
        return;
    }
    shim_faults = page;
}
