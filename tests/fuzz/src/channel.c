// A channel's file with any contents in header, slots and payloads, opened and read; it may change
// between two gets, and, with a writer gone mad, during a get. Whatever it holds, a get ends in a
// status, copies no more than fits, and has read nothing unless it says so.
#include "tests/fuzz/fuzz.h"

#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>

#include "channel/channel.h"
#include "channel/layout.h"

#define FRAME_B 64
#define SLOTS 4
#define GETS_MAX 64
#define SCRIBBLES_MAX 4

static const char *cell;
static uint8_t *pristine, *memory; // the file's bytes; the file mapped, as a mad process has it
static size_t file_size_B, frame_size_B;

static void start(void)
{
    struct channel *channel;
    char file_path[64];
    cell = fuzz_cell();
    snprintf(file_path, sizeof file_path, "%s/channels/c", cell);
    fuzz_check(channel_create(cell, "c", FRAME_B, SLOTS) == STATUS_OK);
    fuzz_check(channel_open_in(cell, "c", CHANNEL_WRITE, &channel) == STATUS_OK);
    for (uint8_t n = 0; n < 6; n++)
        fuzz_check(channel_put(channel, (uint8_t[FRAME_B]){n}, FRAME_B - n, instant_ns(n)) ==
                   STATUS_OK);
    channel_close(channel);
    const int file = open(file_path, O_RDWR | O_CLOEXEC);
    struct stat info;
    fuzz_check(file >= 0 && fstat(file, &info) == 0);
    file_size_B = (size_t)info.st_size;
    memory = mmap(NULL, file_size_B, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    pristine = malloc(file_size_B);
    fuzz_check(memory != MAP_FAILED && pristine != NULL);
    memcpy(pristine, memory, file_size_B);
    close(file);
}

// ---- scribbling --------------------------------------------------------------------------------

struct scribble {
    size_t offset;
    uint64_t value;
};

// Values that mean something to a channel as well as any.
static struct scribble read_scribble(struct fuzz_input *input)
{
    const uint8_t what = fuzz_u8(input), where = fuzz_u8(input);
    struct scribble scribble = {.value = fuzz_special(what >> 3)};
    const unsigned slot = where & 3, word = where >> 2 & 3; // number, previous, time, size
    const size_t place = offsetof(struct channel_header, slot) +
                         slot * sizeof(struct channel_slot) +
                         offsetof(struct channel_slot, number) + word * 8;
    if ((what & 3) == 0)
        scribble.offset = offsetof(struct channel_header, head);
    else if ((what & 3) == 1)
        scribble.offset = place;
    else if ((what & 3) == 2)
        scribble.offset = where % 16 * 4;
    else
        scribble.offset = fuzz_u16(input) % (file_size_B / 4) * 4;
    if (what & 4)
        scribble.value = place_of(fuzz_u8(input), where >> 4);
    if (what & 0x80)
        fuzz_take(input, &scribble.value, sizeof scribble.value);
    if (scribble.offset > file_size_B - 8)
        scribble.offset = file_size_B - 8;
    return scribble;
}

static void scribble_now(const struct scribble *scribble)
{
    memcpy(memory + scribble->offset, &scribble->value, sizeof scribble->value);
}

static struct scribble mad[SCRIBBLES_MAX];
static unsigned mad_count;
static _Atomic bool mad_on;

static void *go_mad(void *unused)
{
    (void)unused;
    for (unsigned i = 0; atomic_load(&mad_on); i++) {
        _Atomic uint32_t *word = (_Atomic uint32_t *)(memory + mad[i % mad_count].offset);
        atomic_store_explicit(word, (uint32_t)mad[i % mad_count].value + i % 7,
                              memory_order_relaxed);
    }
    return NULL;
}

// ---- reading -----------------------------------------------------------------------------------

static void get(struct channel *channel, uint8_t what)
{
    uint8_t buffer[FRAME_B + 16];
    const size_t capacity_B = what & 4 ? FRAME_B : what >> 3;
    const channel_place last = channel->last;
    struct channel_frame frame = {0};
    memset(buffer, 0xA5, sizeof buffer);
    const enum status status = channel_get(channel, buffer, capacity_B, what % 3, &frame);
    fuzz_check(status == STATUS_OK || status == STATUS_MISSED || status == STATUS_EMPTY ||
               status == STATUS_TOO_LARGE || status == STATUS_CORRUPT);
    if (status == STATUS_OK || status == STATUS_MISSED)
        fuzz_check(frame.size_B <= capacity_B && (status == STATUS_MISSED) == (frame.missed > 0));
    else
        fuzz_check(channel->last == last);
    for (size_t i = capacity_B; i < sizeof buffer; i++)
        fuzz_check(buffer[i] == 0xA5);
    fuzz_check(channel_frame_size_max_B(channel) ==
               frame_size_B); // as checked, whatever it says now
    (void)channel_watch(channel);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (memory == NULL)
        start();
    struct fuzz_input input = {.data = data, .size = size};
    memcpy(memory, pristine, file_size_B);
    const uint8_t how = fuzz_u8(&input);
    if (how & 1)
        for (unsigned n = how >> 4; n > 0; n--) {
            const struct scribble scribble = read_scribble(&input);
            scribble_now(&scribble);
        }
    if (how == 0xfe) // nothing of a channel at all
        fuzz_take(&input, memory, file_size_B);
    struct channel *channel;
    const enum status opened = channel_open_in(cell, "c", CHANNEL_READ, &channel);
    fuzz_check(opened == STATUS_OK || opened == STATUS_CORRUPT);
    if (opened != STATUS_OK)
        return 0;
    frame_size_B = channel_frame_size_max_B(channel);
    fuzz_check(frame_size_B > 0 && frame_size_B < file_size_B);
    pthread_t thread = 0;
    mad_count = how & 2 ? 1 + (how >> 2 & 3) : 0;
    for (unsigned i = 0; i < mad_count; i++)
        mad[i] = read_scribble(&input);
    atomic_store(&mad_on, true);
    if (mad_count > 0)
        fuzz_check(pthread_create(&thread, NULL, go_mad, NULL) == 0);
    for (unsigned n = 0; fuzz_more(&input) && n < GETS_MAX; n++) {
        const uint8_t what = fuzz_u8(&input);
        if (what & 0x80) {
            const struct scribble scribble = read_scribble(&input);
            scribble_now(&scribble);
        }
        get(channel, what & 0x7f);
    }
    atomic_store(&mad_on, false);
    if (mad_count > 0)
        pthread_join(thread, NULL);
    channel_close(channel);
    return 0;
}
