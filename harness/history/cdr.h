// CDR, as ROS 2 has it: every number is aligned to its size, counted from `start`, the end of the
// encapsulation head.
#pragma once

#include "harness/history/bytes.h"

// Encapsulation head, little-endian: representation identifier and options before every message.
#define CDR_HEAD "\x00\x01\x00\x00"
#define CDR_HEAD_SIZE_B 4

// Appends the head; returns `start`.
size_t cdr_begin(struct bytes *bytes);
void cdr_append_u32(struct bytes *bytes, size_t start, uint32_t value);
void cdr_append_f64(struct bytes *bytes, size_t start, double value);
void cdr_append_string(struct bytes *bytes, size_t start, const char *text);
