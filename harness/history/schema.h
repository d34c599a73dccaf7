// Message types of the history: the lab's own, and those that targets and history files declare.
//
// The field list is ROS 2 message text (".msg"), as MCAP files carry it, so that viewers can decode
// the events. A type is "counted" if it ends in an array of which only the first `count` elements
// are sent (segments, bus logs); its last field is then a sequence.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "harness/history/message_text.h"

struct schema {
    // "process_event", the C structure of one of the lab's own; "pendulum/pole.msg".
    const char *name;
    const char *fields;    // .msg text; nested types follow after a line of '='
    size_t size_max_B;     // sizeof its C structure
    size_t head_size_B;    // counted types: bytes before the array; else size_max_B
    size_t element_size_B; // counted types; else 0
    size_t count_offset_B; // counted types: where the uint32_t count stands
};

// The type called `name`, or NULL.
const struct schema *schema_find(const char *name);

// Its number for schema_at; schema_count() if there is none.
size_t schema_number(const char *name);

#define SCHEMAS_DECLARED_MAX 256
#define SCHEMA_SIZE_MAX_B ((size_t)16 << 20) // of a sequence without a bound

// Adds a type that a target or a history file brings; name and text are copied. The same text again
// changes nothing; BUSY: the name has another text. INVALID: *mistake says what is wrong with the
// text; FULL, NO_MEMORY.
enum status schema_declare(const char *name, const char *fields,
                           struct message_mistake *mistake) MUST_CHECK;

// Whether so many bytes can be a message of this type: all of it, or for a counted type its head
// and whole elements.
bool schema_fits(const struct schema *schema, size_t size_B);

// All types, for tests and documentation: index 0 .. schema_count() - 1.
size_t schema_count(void);
const struct schema *schema_at(size_t index);
