// A latest-first channel behind one lock, built as Ach is: a robust, process-shared mutex with
// priority inheritance, a condition variable for sleepers, and a flag that says that a writer is at
// work. Correct as long as nobody dies or stops; the kill driver must find what happens then:
//   - a stopped owner of the lock blocks everybody, even a get with a time-out;
//   - a writer killed while the flag is set leaves a channel that refuses every get and put for
//   ever;
//   - a reader killed while it waits: condition variables are not robust, so a later broadcast
//   waits
//     for it for ever.
#include "tests/canaries/lab/lock_channel.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#define SLOTS_MAX 16
#define NS_PER_S 1000000000

static struct lock_channel {
    pthread_mutex_t mutex;
    pthread_cond_t news;
    int dirty;       // a writer is at work
    uint64_t number; // of the newest frame; frame n is in slot n % slot_count
    unsigned slot_count;
    size_t frame_size_max_B;
    struct {
        size_t size_B;
        int64_t time_ns;
    } slot[SLOTS_MAX];
    unsigned char payload[];
} * shared;

static size_t shared_size_B;

struct end {
    uint64_t last; // number of the last frame read here
};

static void make(size_t frame_size_max_B, unsigned slots)
{
    shared_size_B = sizeof *shared + slots * frame_size_max_B;
    shared = mmap(NULL, shared_size_B, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED || slots > SLOTS_MAX)
        abort();
    shared->slot_count = slots;
    shared->frame_size_max_B = frame_size_max_B;
    pthread_mutexattr_t mutex;
    pthread_mutexattr_init(&mutex);
    pthread_mutexattr_setpshared(&mutex, PTHREAD_PROCESS_SHARED);
    pthread_mutexattr_setrobust(&mutex, PTHREAD_MUTEX_ROBUST);
    pthread_mutexattr_setprotocol(&mutex, PTHREAD_PRIO_INHERIT);
    pthread_mutex_init(&shared->mutex, &mutex);
    pthread_mutexattr_destroy(&mutex);
    pthread_condattr_t news;
    pthread_condattr_init(&news);
    pthread_condattr_setpshared(&news, PTHREAD_PROCESS_SHARED);
    pthread_condattr_setclock(&news, CLOCK_MONOTONIC);
    pthread_cond_init(&shared->news, &news);
    pthread_condattr_destroy(&news);
}

static void remove_it(void)
{
    munmap(shared, shared_size_B);
}

static void *open_it(enum channel_role role)
{
    (void)role;
    return calloc(1, sizeof(struct end));
}

static void *memory(void *end, size_t *size_B)
{
    (void)end;
    *size_B = shared_size_B;
    return shared;
}

// After a lock call or a wait that gave `result`: is the lock held and the channel sound? CORRUPT:
// neither.
static enum status after_lock(int result)
{
    if (result == EOWNERDEAD)
        result = pthread_mutex_consistent(&shared->mutex);
    else if (result == ETIMEDOUT)
        result = 0;
    if (result != 0)
        return STATUS_CORRUPT;
    if (!shared->dirty)
        return STATUS_OK;
    pthread_mutex_unlock(&shared->mutex);
    return STATUS_CORRUPT;
}

static enum status put(void *end, const void *frame, size_t size_B, instant now)
{
    (void)end;
    if (size_B > shared->frame_size_max_B)
        return STATUS_TOO_LARGE;
    enum status status = after_lock(pthread_mutex_lock(&shared->mutex));
    if (status != STATUS_OK)
        return status;
    shared->dirty = 1;
    uint64_t number = shared->number + 1;
    unsigned slot = (unsigned)(number % shared->slot_count);
    memcpy(shared->payload + slot * shared->frame_size_max_B, frame, size_B);
    shared->slot[slot].size_B = size_B;
    shared->slot[slot].time_ns = now.ns;
    shared->number = number;
    shared->dirty = 0;
    pthread_cond_broadcast(&shared->news);
    pthread_mutex_unlock(&shared->mutex);
    return STATUS_OK;
}

static uint64_t wanted_number(const struct end *end, enum channel_which which)
{
    if (which != CHANNEL_NEXT)
        return shared->number;
    uint64_t oldest =
        shared->number < shared->slot_count ? 1 : shared->number - shared->slot_count + 1;
    return end->last + 1 > oldest ? end->last + 1 : oldest;
}

static enum status get(void *which_end, void *buffer, size_t capacity_B, enum channel_which which,
                       struct channel_frame *info)
{
    struct end *end = which_end;
    enum status status = after_lock(pthread_mutex_lock(&shared->mutex));
    if (status != STATUS_OK)
        return status;
    uint64_t number = wanted_number(end, which);
    const size_t slot = number % shared->slot_count;
    if (shared->number == 0 || (end->last == shared->number && which != CHANNEL_LAST))
        status = STATUS_EMPTY;
    else if (shared->slot[slot].size_B > capacity_B)
        status = STATUS_TOO_LARGE;
    else {
        memcpy(buffer, shared->payload + slot * shared->frame_size_max_B,
               shared->slot[slot].size_B);
        *info = (struct channel_frame){
            .number = number,
            .missed = end->last == 0 || number <= end->last ? 0 : number - end->last - 1,
            .time = instant_ns(shared->slot[slot].time_ns),
            .size_B = shared->slot[slot].size_B,
        };
        end->last = number;
        status = info->missed > 0 ? STATUS_MISSED : STATUS_OK;
    }
    pthread_mutex_unlock(&shared->mutex);
    return status;
}

static enum status sleep_on(void *which_end, int64_t timeout_ns)
{
    const struct end *end = which_end;
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    int64_t ns = until.tv_nsec + timeout_ns;
    until = (struct timespec){.tv_sec = until.tv_sec + ns / NS_PER_S, .tv_nsec = ns % NS_PER_S};
    enum status status = after_lock(pthread_mutex_lock(&shared->mutex));
    if (status != STATUS_OK)
        return status;
    int result = 0;
    while (shared->number == end->last && result == 0) {
        result = pthread_cond_timedwait(&shared->news, &shared->mutex, &until);
        if (after_lock(result) != STATUS_OK)
            return STATUS_CORRUPT;
    }
    status = shared->number == end->last ? STATUS_TIMEOUT : STATUS_OK;
    pthread_mutex_unlock(&shared->mutex);
    return status;
}

const struct subject lock_channel_subject = {
    .name = "lock-based canary",
    .make = make,
    .remove = remove_it,
    .open = open_it,
    .close = free,
    .memory = memory,
    .put = put,
    .get = get,
    .sleep = sleep_on,
    .readers_write = true,
};
