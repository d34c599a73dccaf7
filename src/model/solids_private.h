// Elements of the files of solids. Private to them.
#pragma once

#include "model/arithmetic.h"
#include "model/solids.h"
#include "model/xml.h"

struct solids_reading {
    const char *file;
    struct arithmetic arithmetic;
    bool ok;
};

// What one element may hold. `read` NULL: it is of other programs, and passed over.
struct solids_child {
    const char *name;
    void (*read)(struct solids_reading *reading, const xmlNode *element, void *into);
    bool many, needed;
};

// Reads the children of `element` as the table says, at most 32 kinds.
void solids_children(struct solids_reading *reading, const xmlNode *element,
                     const struct solids_child *table, size_t count, void *into);

// Complains of `element`; the file is refused.
void solids_refuse(struct solids_reading *reading, const xmlNode *element, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// A number that an attribute holds, as arithmetic. An optional one that is absent stays as it was.
struct solids_number {
    const char *name;
    double *value;
    bool optional;
};
bool solids_numbers(struct solids_reading *reading, const xmlNode *element,
                    const struct solids_number *table, size_t count);

// The text of the one attribute `name`, of at most SOLIDS_NAME_MAX - 1 letters.
bool solids_text(struct solids_reading *reading, const xmlNode *element, const char *name,
                 char text[SOLIDS_NAME_MAX]);

// x, y, z; `optional`: what is absent stays.
void solids_vector(struct solids_reading *reading, const xmlNode *element, double vector[3],
                   bool optional);
void solids_read_rotation(struct solids_reading *reading, const xmlNode *element, void *into);

// Constants for all that follows. `into` is not used.
void solids_read_defines(struct solids_reading *reading, const xmlNode *element, void *into);

// A cuboid, cylinder or sphere. An obstacle needs neither id nor mass.
void solids_read_solid(struct solids_reading *reading, const xmlNode *element, bool obstacle,
                       struct solid *solid);
