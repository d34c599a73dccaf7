// CDR, the binary form of CORBA's values (CORBA 3.3 part 2, 9.3), of either endianness, to and from
// a buffer of the caller. Alignment counts from the buffer's first byte.
//
// Whatever goes wrong sets `bad`, and everything after it reads as 0 and writes nothing: callers
// look once, at the end. Pure; no allocation; real-time safe.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cdr {
    uint8_t *bytes; // the caller's
    size_t size_B;  // that may be read, or written
    size_t at;      // of the next value
    bool little;    // -endian
    bool bad;
    size_t head_B; // of a message being written: its head's end, before the body is aligned
};

struct cdr cdr_writer(void *bytes, size_t room_B, bool little);
struct cdr cdr_reader(const void *bytes, size_t size_B, bool little);
static inline size_t cdr_left(const struct cdr *cdr)
{
    return cdr->bad ? 0 : cdr->size_B - cdr->at;
}

// Skips to a multiple of `size`; a writer writes zeros.
void cdr_align_put(struct cdr *cdr, size_t size);
void cdr_align_get(struct cdr *cdr, size_t size);

// An integer of 1, 2, 4 or 8 bytes, aligned.
void cdr_put(struct cdr *cdr, uint64_t value, size_t size_B);
uint64_t cdr_get(struct cdr *cdr, size_t size_B);
void cdr_put_float(struct cdr *cdr, float value);
float cdr_get_float(struct cdr *cdr);
void cdr_put_double(struct cdr *cdr, double value);
double cdr_get_double(struct cdr *cdr);
bool cdr_get_boolean(struct cdr *cdr); // 0 or 1; else bad

// Text ends with a zero, which its length counts. Bad: longer than the room, or a zero within.
void cdr_put_string(struct cdr *cdr, const char *text);
void cdr_get_string(struct cdr *cdr, char *text, size_t room_B);
// A string's bytes, the zero included, in the buffer.
const char *cdr_see_string(struct cdr *cdr, size_t room_B);

void cdr_put_bytes(struct cdr *cdr, const void *bytes, size_t size_B);
void cdr_get_bytes(struct cdr *cdr, void *bytes, size_t size_B);
// Octets that the message counts itself: in the buffer, and how many. NULL: bad.
const uint8_t *cdr_see_octets(struct cdr *cdr, uint32_t *count);

// The count of a sequence: bad if it is above `most`, or its elements cannot be in what is left.
uint32_t cdr_get_count(struct cdr *cdr, uint32_t most, size_t element_least_B);
