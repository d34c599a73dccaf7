// Message types as ROS 2 message text (".msg"): what lies where in a message's bytes.
//
// A message is a C structure without implicit padding, little-endian, so that its bytes are its CDR
// encoding and one text describes both. Types: bool, byte, char, int8 .. uint64, float32, float64,
// arrays of fixed size, and nested types, which follow after a line of '=' and a line "MSG: NAME".
// The last field may be a sequence, "TYPE[] NAME" or "TYPE[<=N] NAME"; the field "uint32 count"
// before it says how many elements are sent. Comments and constants are allowed.
//
// Pure; not real-time.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

struct message_layout {
    size_t size_B;         // all of it; up to the elements if it ends in a sequence
    size_t align_B;        // of the C structure
    size_t element_size_B; // of the sequence, 0: there is none
    size_t elements_max;   // 0: no bound is given
    size_t count_offset_B; // where the uint32 count stands
};

struct message_mistake {
    unsigned line; // of the text, from 1
    char words[200];
};

// INVALID: *mistake says where and what to write instead.
enum status message_measure(const char *text, struct message_layout *layout,
                            struct message_mistake *mistake) MUST_CHECK;

struct message_field {
    size_t offset_B;
    char kind; // 'i' signed, 'u' unsigned, 'f' floating
    unsigned width_B;
    unsigned group;  // elements of "wheel[*]", 0: the path names one number
    size_t stride_B; // from one to the next
};

// The number at "angle_rad", "foot_m[2]", "wheel[3].angle_rad" or, for all elements of one
// array, "wheel[*].angle_rad". False: `text`, which message_measure accepts, has no such number.
bool message_find(const char *text, const char *path, struct message_field *field);

// Calls `visit` for every number of a message, with its path, in their order: but not for those of
// a sequence, nor of arrays of more than `elements_max` elements. `text` is one that
// message_measure accepts. A path that is too long for MESSAGE_PATH_MAX is left out.
#define MESSAGE_PATH_MAX 96
typedef void message_visit(void *context, const char *path, const struct message_field *field);
void message_each(const char *text, size_t elements_max, message_visit *visit, void *context);
// The same for the numbers of the first element of the sequence that it ends in, if it does.
void message_each_of_sequence(const char *text, size_t elements_max, message_visit *visit,
                              void *context);

// Element `element` of the field in a message of size_B bytes; NAN beyond its end.
double message_value(const struct message_field *field, unsigned element, const void *data,
                     size_t size_B);
