// A folder with channels for tests of the channels, and frames that show whether they are torn.
#pragma once

#include <check.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/unit/common/folder.h"

#include "channel/channel.h"
#include "channel/layout.h"

#define require(call) ck_assert_str_eq(status_name(call), "OK")
#define FRAME_SIZE_MAX_B 1024
#define FRAME_SIZE_LARGEST_B (32 * 1024) // that a test with tags uses

static char test_cell[64];

static inline void make_channel(size_t frame_size_max_B, unsigned slots)
{
    make_folder(test_cell, sizeof test_cell);
    setenv("UKEMI_CELL", test_cell, 1);
    require(channel_create(test_cell, "c", frame_size_max_B, slots));
}

static inline void remove_channel(void)
{
    char path[96];
    snprintf(path, sizeof path, "%s/channels/c", test_cell);
    unlink(path);
    snprintf(path, sizeof path, "%s/channels", test_cell);
    rmdir(path);
    rmdir(test_cell);
}

static inline struct channel *open_end(enum channel_role role)
{
    // Ends that a test leaves open end with its process; known here, they are no leaks. Volatile:
    // else gcc does without the array.
    static struct channel *volatile end[64];
    static unsigned ends;
    struct channel *channel = NULL;
    require(channel_open("c", role, &channel));
    return end[ends++ % (sizeof end / sizeof end[0])] = channel;
}

// A frame whose size (at most size_max_B) and every byte follow from its tag; its first word is the
// tag.
static inline size_t fill_frame_of(unsigned char *frame, uint64_t tag, size_t size_max_B)
{
    const size_t size_B = sizeof tag + tag % (size_max_B - sizeof tag + 1);
    const uint64_t step = (2 * tag + 1) * UINT64_C(0x9e3779b97f4a7c15);
    uint64_t word = tag;
    size_t i = 0;
    for (; i + sizeof word <= size_B; i += sizeof word, word += step)
        memcpy(frame + i, &word, sizeof word);
    memcpy(frame + i, &word, size_B - i);
    return size_B;
}

static inline size_t fill_frame(unsigned char *frame, uint64_t tag)
{
    return fill_frame_of(frame, tag, FRAME_SIZE_MAX_B);
}

// The n-th of the tags whose frames have the largest size.
static inline uint64_t full_size_tag(uint64_t n, size_t size_max_B)
{
    return n * (size_max_B - sizeof(uint64_t) + 1) + size_max_B - sizeof(uint64_t);
}

static inline void put_tag(struct channel *writer, uint64_t tag)
{
    unsigned char frame[FRAME_SIZE_MAX_B];
    size_t size_B = fill_frame(frame, tag);
    require(channel_put(writer, frame, size_B, instant_ns((int64_t)tag)));
}

// True if the frame is whole: every byte, the size and the time are those of its tag.
static inline bool is_whole_of(const unsigned char *frame, const struct channel_frame *info,
                               uint64_t *tag, size_t size_max_B)
{
    static unsigned char expected[FRAME_SIZE_LARGEST_B];
    memcpy(tag, frame, sizeof *tag);
    return info->size_B == fill_frame_of(expected, *tag, size_max_B) &&
           info->time.ns == (int64_t)*tag && memcmp(frame, expected, info->size_B) == 0;
}

static inline bool is_whole(const unsigned char *frame, const struct channel_frame *info,
                            uint64_t *tag)
{
    return is_whole_of(frame, info, tag, FRAME_SIZE_MAX_B);
}

// Gets a frame that must be whole; its tag, or 0 when there is none.
static inline uint64_t get_tag(struct channel *reader, enum channel_which which,
                               struct channel_frame *info)
{
    unsigned char frame[FRAME_SIZE_MAX_B];
    uint64_t tag;
    enum status status = channel_get(reader, frame, sizeof frame, which, info);
    if (status == STATUS_EMPTY)
        return 0;
    ck_assert_int_eq(status, info->missed > 0 ? STATUS_MISSED : STATUS_OK);
    ck_assert(is_whole(frame, info, &tag));
    return tag;
}

// How many frames a fresh reader can read in order up to the newest; they must be contiguous.
static inline unsigned count_held(void)
{
    struct channel *reader = open_end(CHANNEL_READ);
    struct channel_frame info;
    uint64_t before = 0;
    unsigned count = 0;
    while (get_tag(reader, CHANNEL_NEXT, &info) != 0) {
        ck_assert(before == 0 || info.number == before + 1);
        before = info.number;
        count++;
    }
    ck_assert_uint_eq(before, place_number(*channel_head(reader)));
    channel_close(reader);
    return count;
}

static inline pid_t fork_child(void)
{
    pid_t pid = fork();
    ck_assert_int_ge(pid, 0);
    if (pid == 0)
        prctl(PR_SET_PDEATHSIG, SIGKILL);
    return pid;
}
