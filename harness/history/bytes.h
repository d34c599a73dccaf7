// A growing byte buffer and a bounded reader over bytes, both little-endian, for file formats. Not
// real-time.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bytes { // zero-initialised: empty
    uint8_t *data;
    size_t size;
    size_t capacity;
    bool failed; // memory ran out; what was put since then is lost
};

void bytes_free(struct bytes *bytes);
void bytes_put(struct bytes *bytes, const void *data, size_t size);
void bytes_put_u8(struct bytes *bytes, uint8_t value);
void bytes_put_u16(struct bytes *bytes, uint16_t value);
void bytes_put_u32(struct bytes *bytes, uint32_t value);
void bytes_put_u64(struct bytes *bytes, uint64_t value);
void bytes_put_f64(struct bytes *bytes, double value);
void bytes_put_text(struct bytes *bytes, const char *text);         // u32 length, characters
void bytes_set_u32(struct bytes *bytes, size_t at, uint32_t value); // overwrites what was put
void bytes_set_u64(struct bytes *bytes, size_t at, uint64_t value);

struct view { // reading: a get past the end gives 0 and sets `failed`
    const uint8_t *data;
    size_t size;
    size_t at;
    bool failed;
};

uint8_t view_u8(struct view *view);
uint16_t view_u16(struct view *view);
uint32_t view_u32(struct view *view);
uint64_t view_u64(struct view *view);
// The next `size` bytes as a view of their own (empty when they are not there).
struct view view_part(struct view *view, uint64_t size);
// A text as written by bytes_put_text; false (and an empty text) if it is not there or does not
// fit.
bool view_text(struct view *view, char *text, size_t size);
