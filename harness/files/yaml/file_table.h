// What a file that people write may hold. One table of rows per kind of file: from it come the
// reader, all it says of a key, a type or a bound, and the reference page (`ukemi help files`).
//
// To add a key: a field in the structure, a row in the table, `make keys` for the page. What ties
// keys together is checked by the loader once the file has been read.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "harness/files/claims.h"
#include "harness/files/scenario.h"
#include "harness/files/target/process_config.h"
#include "harness/files/target/target.h"
#include "harness/files/target/wire_config.h"
#include "harness/files/yaml/yaml_source.h"

enum value_type {
    VALUE_TEXT,   // char[]; with `words`: one of them
    VALUE_NAME,   // char[]: letters, digits, '-', '_' and '.'; becomes part of a path or a topic
    VALUE_NUMBER, // double
    VALUE_WHOLE,  // unsigned or uint64_t
    VALUE_TRUTH,  // bool
    VALUE_WORD,   // enum or bool: the number of the word, from 0
    VALUE_RANGE,  // two doubles: [low, high], [value] or value
    VALUE_MAP,    // struct, with rows of its own
    VALUE_FORMAT, // nothing is kept: a file of another format than `max` is refused; `help` says
                  // what is new in this one. Only the first row of a file
    VALUE_GONE,   // of an earlier format: refused, and `help` says what stands in its place
};

struct file_row {
    const char *key; // NULL ends a table. Its unit is its ending: "turn_s"
    enum value_type type;
    bool required;               // a required text is not empty, either
    size_t offset, size_B;       // of the field; of a list: of its first entry
    unsigned least, most;        // entries of a list; most 0: no list
    bool blank;                  // texts of this list may be empty
    bool lone;                   // a single value stands for a list of it alone
    size_t count;                // a list's number of entries: offset of an unsigned
    bool keyed;                  // VALUE_MAP list written as a mapping: rows[0] takes the key,
                                 // rows[1] the value
    bool brief;                  // VALUE_MAP: a single value stands for a map of rows[0] alone
    bool unique;                 // within a list: no two entries have the same text here, or, of a
                                 // list of values, are equal
    bool pairs;                  // texts of this list are key=value: no key stands twice
    double min, max;             // of numbers; equal: any that the field holds
    const char *const *words;    // NULL ends them; of VALUE_MAP: stands for a map without keys
    const struct file_row *rows; // VALUE_MAP
    bool elsewhere;              // VALUE_MAP: the page has its rows in another place
    const char *absent;          // what an absent key means, as it would be written. NULL: zeros.
                                 // It may be written even if it is out of range
    size_t line;                 // offset of an unsigned for the line of the key; 0: none
    const char *help;            // for the page
};

#define FIELD(structure, member)                                                                   \
    .offset = offsetof(structure, member), .size_B = sizeof(((structure *)0)->member)
#define LIST(structure, member, counter)                                                           \
    .offset = offsetof(structure, member), .size_B = sizeof(((structure *)0)->member[0]),          \
    .count = offsetof(structure, counter)
// The first row of a kind of file that has had one format only.
#define FORMAT_ROW(number)                                                                         \
    {                                                                                              \
        "format", VALUE_FORMAT, false, .max = (number), .absent = TEXT_OF(number),                 \
                                       .help = "every key is as `ukemi help files` has it"         \
    }
#define TEXT_OF(number) TEXT_OF_IT(number) // of a macro, for `absent`
#define TEXT_OF_IT(number) #number
// Two doubles, one after the other.
#define RANGE(structure, low) .offset = offsetof(structure, low), .size_B = 2 * sizeof(double)

// The kinds of files, each with its loader.
extern const struct file_row target_rows[], scenario_rows[], campaign_rows[], family_rows[],
    project_rows[], storm_rows[], known_rows[], night_rows[];

// Checks what the rows cannot say of a file that has been read, and complains (yaml_source.h).
typedef enum status file_check(struct yaml_source *source, void *file, void *context);

// Reads `path` into a new structure of size_B, zeros where nothing is said, and checks it. INVALID:
// complaints have been made, on standard error; NO_MEMORY; what the check says. The caller frees.
enum status file_load(const char *path, const struct file_row *rows, size_t size_B,
                      file_check *check, void *context, void **file) MUST_CHECK;

// What a row's value is, in words: "whole number, 1 to 99".
void file_words(const struct file_row *row, char *words, size_t size);

// The largest whole number that a row of VALUE_WHOLE takes.
uint64_t file_most(const struct file_row *row);

// A table for the page, in Markdown.
void file_print(FILE *out, const struct file_row *rows);
