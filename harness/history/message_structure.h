// C structures that read messages by casting: whether message text has every member where the
// structure has it.
//
// A structure is a table of its members under the names that the text gives them. Text says time_ns
// where C says `instant time`, and lower case where C has a unit's capital. Pure.
#pragma once

#include "harness/history/message_text.h"

struct message_member {
    const char *path; // "period_us", "cart_m[*]", "wheel[*].angle_rad", "sample[0].phase"
    size_t offset_B;
    char kind; // as of a message_field
    unsigned width_B;
    unsigned group;  // elements of [*]; 0: one number
    size_t stride_B; // from one to the next
};

struct message_structure {
    const char *name; // "state_message"
    size_t size_B;
    size_t head_size_B;                  // up to the sequence that it ends in; else size_B
    const struct message_member *member; // table; path NULL ends it
};

// False: `words` say which member the text lacks, or has otherwise; or what is wrong with the text.
bool message_structure_fits(const char *text, const struct message_structure *structure,
                            char *words, size_t size);

// ---- tables: TYPE is a structure's tag ----------------------------------------------------------

#define MEMBER_OF(type, member) (((const struct type *)0)->member)
#define MEMBER_KIND(type, member)                                                                  \
    _Generic(MEMBER_OF(type, member), double                                                       \
             : 'f', float                                                                          \
             : 'f', uint64_t                                                                       \
             : 'u', uint32_t                                                                       \
             : 'u', uint16_t                                                                       \
             : 'u', uint8_t                                                                        \
             : 'u', default                                                                        \
             : 'i')
#define MEMBER_ROW(path, type, member, group, stride_B)                                            \
    {                                                                                              \
        path, offsetof(struct type, member), MEMBER_KIND(type, member),                            \
            sizeof MEMBER_OF(type, member), group, stride_B                                        \
    }

// NOLINTBEGIN(bugprone-macro-parentheses): members are no expressions
// One number: `period_us`; under another name: "time_ns", time.
#define MEMBER(type, member) MEMBER_ROW(#member, type, member, 0, 0)
#define MEMBER_AS(path, type, member) MEMBER_ROW(path, type, member, 0, 0)
// Numbers in a row: ARRAY(pole_message, cart_m, [0]); of two dimensions: foot_m, [0][0].
#define ARRAY(type, array, first) ARRAY_AS(#array "[*]", type, array, first)
#define ARRAY_AS(path, type, array, first)                                                         \
    MEMBER_ROW(path, type, array first,                                                            \
               sizeof MEMBER_OF(type, array) / sizeof MEMBER_OF(type, array first),                \
               sizeof MEMBER_OF(type, array first))
// The same member of each structure in an array: EACH(drive_message, wheel, angle_rad).
#define EACH(type, array, member) EACH_AS(#array "[*]." #member, type, array, member)
#define EACH_AS(path, type, array, member)                                                         \
    MEMBER_ROW(path, type, array[0].member,                                                        \
               sizeof MEMBER_OF(type, array) / sizeof MEMBER_OF(type, array[0]),                   \
               sizeof MEMBER_OF(type, array[0]))
// NOLINTEND(bugprone-macro-parentheses)
