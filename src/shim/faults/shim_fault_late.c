// Messages that a fault holds back or lets pass late: a queue of copies, each sent on a copy of its
// descriptor when it is due.
#include "shim/faults/shim_fault.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#define LATE_MAX 256 // messages under way; one more lets the first go
#define RETRY_NS 1000000
#define DESCRIPTORS_MIN 64 // those below are left to the program, which may count on the next one

struct late { // a message under way
    bool there;
    struct late_reason reason;
    int descriptor; // a copy of ours
    uint64_t order;
    unsigned char *bytes;
    size_t size_B, sent_B;
    struct sockaddr_storage to;
    socklen_t to_B; // 0: its peer
    // By which address it leaves, and the like.
    _Alignas(struct cmsghdr) unsigned char control[SHIM_CONTROL_MAX_B];
    size_t control_B;
};

static struct late queue[LATE_MAX];
static unsigned queued;
static uint64_t orders;

// Wall mode.
static pthread_cond_t work = PTHREAD_COND_INITIALIZER;
static bool has_thread;

static bool is_still_held(const struct late *late)
{
    struct tampering what;
    return late->reason.held && tamper_get(shim_faults, late->reason.slot, &what) &&
           what.tag == late->reason.tag;
}

bool shim_late_any(void)
{
    return queued > 0;
}

bool shim_late_has(uint64_t inode)
{
    for (unsigned i = 0; queued > 0 && i < LATE_MAX; i++)
        if (queue[i].there && queue[i].reason.inode == inode)
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
    const int stamps = shim_stamp_pause(late->descriptor);
    const ssize_t sent =
        KERNEL(SYS_sendmsg, late->descriptor, &message, MSG_DONTWAIT | MSG_NOSIGNAL);
    shim_stamp_go_on(late->descriptor, stamps);
    if (sent < 0)
        return errno != EAGAIN && errno != ENOBUFS;
    late->sent_B += (size_t)sent;
    if (late->sent_B < late->size_B)
        return false;
    part = (struct iovec){late->bytes, late->size_B};
    shim_fault_tell_sent(late->descriptor, &part, late->size_B);
    return true;
}

// The next one of its socket, if it is due; else when it is.
static bool is_due(const struct late *late, int64_t at_ns, int64_t *next_ns)
{
    for (unsigned i = 0; i < LATE_MAX; i++)
        if (queue[i].there && queue[i].reason.inode == late->reason.inode &&
            queue[i].order < late->order &&
            (queue[i].reason.held || queue[i].reason.due_ns <= late->reason.due_ns ||
             queue[i].sent_B > 0))
            return false;
    if (late->reason.due_ns <= at_ns)
        return true;
    if (late->reason.due_ns < *next_ns)
        *next_ns = late->reason.due_ns;
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
        late->reason.held = false;
        if (is_due(late, at_ns, next_ns) && (first == NULL || late->order < first->order))
            first = late;
    }
    if (first == NULL)
        return false;
    if (send_late(first))
        forget(first);
    else
        first->reason.due_ns = at_ns + RETRY_NS;
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
    const int64_t at_ns = shim_fault_now_ns();
    while (pass_one(at_ns, &next_ns)) // each turn sends one, or puts it off
        continue;
    busy = false;
    errno = error;
    return next_ns;
}

bool shim_faults_hold(void)
{
    for (unsigned i = 0; queued > 0 && i < LATE_MAX; i++)
        if (queue[i].there && queue[i].reason.held)
            return true;
    return false;
}

// Wall mode: sends what is due.
static void *pass_in_real_time(void *nothing)
{
    const struct timespec step = {.tv_nsec = SHIM_WALL_STEP_NS};
    (void)nothing;
    for (;;) { // as long as the program lives
        pthread_mutex_lock(&shim_fault_wall.lock);
        while (queued == 0)
            pthread_cond_wait(&work, &shim_fault_wall.lock);
        (void)shim_faults_pass();
        pthread_mutex_unlock(&shim_fault_wall.lock);
        (void)KERNEL(SYS_nanosleep, &step, NULL);
    }
    return NULL;
}

static void wake_thread(void)
{
    if (shim_fault_is_virtual())
        return;
    if (!has_thread) {
        sigset_t all, before;
        pthread_t thread;
        sigfillset(&all);
        KERNEL(SYS_rt_sigprocmask, SIG_SETMASK, &all, &before, sizeof(uint64_t));
        has_thread = NEXT(pthread_create)(&thread, NULL, pass_in_real_time, NULL) == 0 &&
                     pthread_detach(thread) == 0;
        KERNEL(SYS_rt_sigprocmask, SIG_SETMASK, &before, NULL, sizeof(uint64_t));
    }
    pthread_cond_signal(&work);
}

unsigned char *shim_fault_copy(const struct iovec *part, size_t size_B)
{
    unsigned char *bytes = malloc(size_B + 1);
    for (size_t at_B = 0; bytes != NULL && at_B < size_B; at_B += part->iov_len, part++)
        memcpy(bytes + at_B, part->iov_base,
               part->iov_len < size_B - at_B ? part->iov_len : size_B - at_B);
    return bytes;
}

// False: it cannot be.
bool shim_late_send(int descriptor, const struct msghdr *message, size_t size_B,
                    const struct late_reason *reason)
{
    if (queued == LATE_MAX) {
        struct late *first = first_under_way();
        (void)send_late(first);
        forget(first);
    }
    struct late *late = queue;
    while (late->there)
        late++;
    *late = (struct late){.reason = *reason, .bytes = shim_fault_copy(message->msg_iov, size_B)};
    late->descriptor = (int)KERNEL(SYS_fcntl, descriptor, F_DUPFD_CLOEXEC, DESCRIPTORS_MIN);
    if (late->bytes == NULL || late->descriptor < 0) {
        if (late->descriptor >= 0)
            (void)KERNEL(SYS_close, late->descriptor);
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

void shim_late_forget(void)
{
    for (unsigned i = 0; i < LATE_MAX; i++)
        if (queue[i].there)
            forget(&queue[i]);
    has_thread = false;
    pthread_cond_init(&work, NULL);
}
