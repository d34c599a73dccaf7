// What trials of a campaign are made of, by content: the files that say what is run, the target's
// folder, the programs that run, and the lab. Two campaigns of the same contents are the same.
//
// The meaning of the lab's YAML files is hashed, so comments and layout do not count; of any other
// file its bytes. Costs one reading of all of them. Not real-time.
#pragma once

#include <stdbool.h>
#include <sys/stat.h>

#include "base/status.h"
#include "harness/files/lengths.h"

struct campaign;
struct target;

struct content {
    char name[PATH_MAX_LENGTH];     // wherever it lies: "scenario stand.yaml", "target pend.xml"
    char path[2 * PATH_MAX_LENGTH]; // from / on; "": a square, which is no file
    char hash[33];                  // XXH3-128; "": it cannot be read
    bool judges;                    // judging needs it
    bool spoken;                    // a YAML file of ours: hashed by what it says
    struct stat about;              // of the file, when it was hashed
};

struct contents {
    unsigned count, room;
    struct content *item; // sorted by name
    char digest[33];      // of all names and hashes
};

// NO_MEMORY. The caller frees.
enum status contents_make(const struct campaign *campaign, const struct target *target,
                          const char *build_folder, struct contents **contents) MUST_CHECK;
void contents_free(struct contents *contents); // NULL is allowed

// The hash of the file at `path` as that of the item `name` was made; "": it cannot be read.
void content_hash(const char *name, const char *path, char hash[33]);

// The first item that is not what it was when it was hashed, NULL: none. Files are read only if
// they were written since.
const char *contents_changed(const struct contents *contents);
