// What the benchmark's frames hold: who sent them when, and contents that show whether they came
// whole.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct frame_header {
    int64_t sent_ns; // CLOCK_MONOTONIC; stamped last, just before the frame is sent
    uint32_t block;  // which block of frames it belongs to
    uint32_t number; // in its block
    uint64_t size_B; // of the whole frame
};

#define FRAME_SIZE_MIN_B sizeof(struct frame_header)

// Fills a frame of size_B (FRAME_SIZE_MIN_B or more) but its stamp.
void frame_fill(unsigned char *frame, size_t size_B, uint32_t block, uint32_t number);

// As many bytes as the frame says it has, if have_B of them are enough to say so, else
// FRAME_SIZE_MIN_B.
size_t frame_size_B(const unsigned char *frame, size_t have_B);

// Whether size_B bytes are a whole frame. Looks at some words of the contents, others for each
// number, so that a reader does not hold up those that share its core.
bool frame_is_whole(const unsigned char *frame, size_t size_B);
