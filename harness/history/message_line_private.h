// Lines of message text, for what reads it (message_text.h): sizes and fields, the C structure.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "harness/history/message_text.h"

#define MESSAGE_NAME_MAX_B 64
#define MESSAGE_TYPE "MSG:" // begins the line before a nested type's own
#define MESSAGE_DEPTH_MAX 8 // of nested types
#define MESSAGE_ELEMENTS_MAX 1000000

struct message_basic { // a type of one number
    const char *name, *c;
    char kind; // as of a message_field
    unsigned width_B;
};

enum message_shape { MESSAGE_ONE, MESSAGE_ARRAY, MESSAGE_SEQUENCE };

struct message_line {
    char type[MESSAGE_NAME_MAX_B], name[MESSAGE_NAME_MAX_B];
    enum message_shape shape;
    size_t count;     // of an array; of a sequence its bound, 0: none
    const char *rest; // behind the name: a comment, or the end of the line
};

struct message_constant { // "int32 WALK=1"
    char type[MESSAGE_NAME_MAX_B], name[MESSAGE_NAME_MAX_B];
    const char *value; // as it is written, without blanks around it
    size_t length;
};

// Takes a name or type, and the blanks behind it. False: there is none, or it is too long.
bool message_word(const char **at, char word[MESSAGE_NAME_MAX_B]);

// Reads the field at `at`. False: `words` say what is wrong with it.
bool message_line_read(const char *at, struct message_line *line, char *words, size_t size);

// Whether there is nothing but a comment, a constant or a blank.
bool message_line_is_blank(const char *at);

// Whether the line at `at` is a constant of a number's type that can hold it. False with "" in
// `words`: it is no constant, or one of a text, which no structure has a use for.
bool message_line_constant(const char *at, struct message_constant *constant, char *words,
                           size_t size);

const char *message_line_next(const char *at);

// NULL: it is a nested type, or none.
const struct message_basic *message_basic(const char *type);

// What a constant of type bool says in words: 0 or 1; -1: it has a number.
int message_truth(const struct message_constant *constant);

// The lines of a nested type in the whole text, up to a line of '='. NULL: there is none.
const char *message_nested(const char *text, const char *type);
