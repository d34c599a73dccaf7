// Creating, opening and closing channels.
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "channel/channel.h"
#include "base/text.h"
#include "channel/layout.h"
#include "clock/futex.h"

#define PATH_SIZE 4096
#define PREFAULT_MAX_B (16 << 20)
#define FRAME_SIZE_LIMIT_B ((size_t)1 << 30)

static bool name_is_good(const char *name)
{
    size_t length = strlen(name);
    return length > 0 && length < CHANNEL_NAME_MAX && name[0] != '.' && strchr(name, '/') == NULL;
}

static void init_header(struct channel_header *header, size_t frame_size_max_B, unsigned slots)
{
    header->magic = CHANNEL_MAGIC;
    header->version = CHANNEL_VERSION;
    header->slot_count = slots;
    header->frame_size_max_B = frame_size_max_B;
    header->frame_stride_B = layout_stride_B(frame_size_max_B);
    header->file_size_B = layout_file_B(frame_size_max_B, slots);
}

static enum status fill_file(int file, size_t frame_size_max_B, unsigned slots)
{
    const size_t size_B = layout_file_B(frame_size_max_B, slots);
    // All memory is taken here: a full tmpfs is an error now, not a SIGBUS in a put.
    int error = posix_fallocate(file, 0, (off_t)size_B);
    if (error != 0) {
        errno = error;
        return STATUS_SYSTEM;
    }
    void *memory = mmap(NULL, size_B, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (memory == MAP_FAILED)
        return STATUS_SYSTEM;
    init_header(memory, frame_size_max_B, slots);
    munmap(memory, size_B);
    return STATUS_OK;
}

enum status channel_create(const char *cell, const char *name, size_t frame_size_max_B,
                           unsigned slots)
{
    char path[PATH_SIZE], temporary[PATH_SIZE];
    if (!name_is_good(name) || frame_size_max_B == 0 || frame_size_max_B > FRAME_SIZE_LIMIT_B ||
        slots < 3 || slots > CHANNEL_SLOTS_MAX)
        return STATUS_INVALID;
    int length = snprintf(path, sizeof path, "%s/" CHANNEL_FOLDER, cell);
    if (length < 0 || (size_t)length > sizeof path - 2 * CHANNEL_NAME_MAX)
        return STATUS_INVALID;
    if (mkdir(path, 0700) != 0 && errno != EEXIST)
        return STATUS_SYSTEM;
    snprintf(path, sizeof path, "%s/" CHANNEL_FOLDER "/%s", cell, name);
    snprintf(temporary, sizeof temporary, "%s/" CHANNEL_FOLDER "/.%s.%d", cell, name, getpid());
    int file = open(temporary, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (file < 0)
        return STATUS_SYSTEM;
    enum status status = fill_file(file, frame_size_max_B, slots);
    close(file);
    // Published only when complete: nobody can open a half-made channel.
    if (status == STATUS_OK && rename(temporary, path) != 0)
        status = STATUS_SYSTEM;
    if (status != STATUS_OK)
        unlink(temporary);
    return status;
}

static bool header_is_good(const struct channel_header *header, off_t file_size_B)
{
    const uint64_t slots = header->slot_count, size_max_B = header->frame_size_max_B;
    return header->magic == CHANNEL_MAGIC && header->version == CHANNEL_VERSION && slots >= 3 &&
           slots <= CHANNEL_SLOTS_MAX && size_max_B > 0 && size_max_B <= FRAME_SIZE_LIMIT_B &&
           header->frame_stride_B == layout_stride_B(size_max_B) &&
           header->file_size_B == layout_file_B(size_max_B, (unsigned)slots) &&
           header->file_size_B == (uint64_t)file_size_B;
}

static struct channel *new_channel(const char *name, enum channel_role role)
{
    struct channel *channel = aligned_alloc(alignof(struct channel), sizeof *channel);
    if (channel == NULL)
        return NULL;
    memset(channel, 0, sizeof *channel);
    channel->role = role;
    text_copy(channel->name, sizeof channel->name, name);
    return channel;
}

// `header`: a checked copy of what `memory` begins with.
static void use_memory(struct channel *channel, void *memory, const struct channel_header *header)
{
    channel->header = memory;
    channel->slot_count = header->slot_count;
    channel->frame_size_max_B = header->frame_size_max_B;
    channel->frame_stride_B = header->frame_stride_B;
    channel->file_size_B = header->file_size_B;
    channel->payload = (unsigned char *)memory + layout_payload_B(channel->slot_count);
    channel->number_at_open = place_number(atomic_load(&channel->header->head));
}

static enum status map_file(int file, struct channel *channel)
{
    struct stat info;
    if (fstat(file, &info) != 0)
        return STATUS_SYSTEM;
    if (info.st_size < (off_t)sizeof(struct channel_header))
        return STATUS_CORRUPT;
    int protection = channel->role == CHANNEL_READ ? PROT_READ : PROT_READ | PROT_WRITE;
    void *memory = mmap(NULL, (size_t)info.st_size, protection, MAP_SHARED, file, 0);
    if (memory == MAP_FAILED)
        return STATUS_SYSTEM;
    // Checked and used is one copy: the file may change at any moment.
    struct channel_header header;
    memcpy(&header, memory, sizeof header);
    if (!header_is_good(&header, info.st_size)) {
        munmap(memory, (size_t)info.st_size);
        return STATUS_CORRUPT;
    }
    // No page fault in the first frames of one that may not lock its memory. Best effort.
    if (info.st_size <= PREFAULT_MAX_B)
        (void)madvise(memory, (size_t)info.st_size,
                      channel->role == CHANNEL_READ ? MADV_POPULATE_READ : MADV_POPULATE_WRITE);
    use_memory(channel, memory, &header);
    return STATUS_OK;
}

static enum status status_of_open(int error)
{
    switch (error) {
    case ENOENT:
    case ENOTDIR:
        return STATUS_NOT_FOUND;
    case EACCES:
    case EPERM:
    case EROFS:
        return STATUS_DENIED;
    default:
        return STATUS_SYSTEM;
    }
}

enum status channel_open_in(const char *cell, const char *name, enum channel_role role,
                            struct channel **result)
{
    char path[PATH_SIZE];
    if (!name_is_good(name) ||
        snprintf(path, sizeof path, "%s/" CHANNEL_FOLDER "/%s", cell, name) >= (int)sizeof path)
        return STATUS_NOT_FOUND;
    // A reader's descriptor is read-only, so its mapping cannot be made writable later.
    int file = open(path, (role == CHANNEL_READ ? O_RDONLY : O_RDWR) | O_CLOEXEC);
    if (file < 0)
        return status_of_open(errno);
    struct channel *channel = new_channel(name, role);
    enum status status = channel == NULL ? STATUS_NO_MEMORY : map_file(file, channel);
    close(file);
    if (status == STATUS_OK && role == CHANNEL_WRITE)
        status = owner_prepare();
    if (status == STATUS_OK)
        *result = channel;
    else
        channel_close(channel);
    return status;
}

enum status channel_open(const char *name, enum channel_role role, struct channel **channel)
{
    const char *cell = getenv("UKEMI_CELL"), *host = getenv("UKEMI_HOST");
    char own[2 * CHANNEL_NAME_MAX]; // what is too long is found to be so below
    if (cell == NULL)
        return STATUS_NOT_FOUND;
    if (host == NULL || *host == '\0')
        return channel_open_in(cell, name, role, channel);
    snprintf(own, sizeof own, "%s-%s", host, name);
    const enum status status = channel_open_in(cell, own, role, channel);
    if (status == STATUS_OK)
        text_copy((*channel)->name, sizeof(*channel)->name, name);
    return status;
}

void channel_close(struct channel *channel)
{
    if (channel == NULL)
        return;
    if (channel->header != NULL)
        munmap(channel->header, channel->file_size_B);
    free(channel);
}

void channel_set_watch(struct channel *channel, uint32_t watch_id)
{
    if (channel->role == CHANNEL_WRITE)
        atomic_store(&channel->header->watch_id, watch_id);
}

const _Atomic uint64_t *channel_head(const struct channel *channel)
{
    return &channel->header->head;
}

void channel_kick(struct channel *channel)
{
    futex_wake(&channel->header->head, INT32_MAX);
}

const char *channel_name(const struct channel *channel)
{
    return channel->name;
}

size_t channel_frame_size_max_B(const struct channel *channel)
{
    return channel->frame_size_max_B;
}

struct clk_watch channel_watch(const struct channel *channel)
{
    return (struct clk_watch){
        .word = &channel->header->head,
        .seen = channel->last,
        .id = atomic_load_explicit(&channel->header->watch_id, memory_order_relaxed),
    };
}
