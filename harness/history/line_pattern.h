// Numbers in a line of text: a regular expression whose named groups are fields of a message.
//
//   angle=(?<angle_rad>[-0-9.e]+) force=(?<force_n>\S+)
//
// The message has a float64 per group, in the order of the groups. Not real-time.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

#define LINE_FIELDS_MAX 32

struct line_pattern; // opaque; owned by the caller

// Compiles a pattern (PCRE2). INVALID: `wrong` says where and why: it cannot be read, or has no
// named group, or too many. NO_MEMORY.
enum status line_pattern_create(const char *text, struct line_pattern **pattern, char *wrong,
                                size_t size) MUST_CHECK;
void line_pattern_free(struct line_pattern *pattern); // NULL is allowed

unsigned line_pattern_fields(const struct line_pattern *pattern);

// The message as ROS 2 message text: "float64 angle_rad\nfloat64 force_n\n". False: no room.
bool line_pattern_message(const struct line_pattern *pattern, char *text, size_t size);

enum line_found {
    LINE_NUMBERS, // the values are filled
    LINE_OTHER,   // it does not match
    LINE_BAD,     // it matches, but a group is no number; or looking takes too long
};

// Looks for the pattern in a line; values[] has line_pattern_fields() numbers. A group that took no
// part is NAN. The work is bounded, by steps and not by time.
enum line_found line_pattern_read(struct line_pattern *pattern, const char *line, size_t length,
                                  double *values);
