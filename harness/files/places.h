// Where the lab finds what it executes and what steers it: report templates, queries and plots
// (reports/), the fault catalogue (faults/), targets (targets/NAME/); and scenarios.
//
// The places, in this order: the lab's data folder ($UKEMI_ROOT, else share/ukemi beside the bin/
// that the program lies in), the folders of $UKEMI_PATH (separated by colons), the project that the
// present folder lies in (project_file.h). A name that two of them have is refused, so none can
// take another's place. Nothing is looked for anywhere else. What others may write is refused
// (trusted.h).
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"
#include "harness/files/lengths.h"

#define PLACES_FILES "files" // below what places_only names: files that no place holds
#define PLACES_MAX 17        // the lab's, the project's, and UKEMI_PATH's

struct places {
    unsigned count; // at least 1: the data folder is the first
    char folder[PLACES_MAX][PATH_MAX_LENGTH];
};

// Each folder once. INVALID, reported: too many, one is too long, a folder of UKEMI_PATH is not
// there, or the project file cannot be used.
enum status places_list(struct places *places) MUST_CHECK;

// From now on `folder` is the only place, NULL: they are as above again. For files that a database
// keeps: what only running needs, programs of faults and what a target names outside of its
// folder, need not be there. `above`: the folder in which the files lay that are below FOLDER/files
// now. Neither is copied.
void places_only(const char *folder, const char *above);
bool places_are_stored(void);
// Where a file of that folder lies now; false: it is none, or all places are in force.
bool places_moved(const char *path, char *moved, size_t size);

// The folder of the programs: lib/ukemi beside the bin/ that this program lies in; in a build
// folder that itself. Fills path, cut off if it does not fit.
void places_programs(char *path, size_t size);

// The data folder. Fills path, cut off if it does not fit.
void places_data(char *path, size_t size);

// Those places that hold the folder `name`: fills `found` with PLACE/NAME of each, the data
// folder's first. INVALID, reported: others may write one of them; NOT_FOUND: none has it.
enum status places_with(const char *name, struct places *found) MUST_CHECK;

// The one file `relative` ("targets/NAME/target.yaml") of all places. INVALID, reported: two have
// it, or others may write it or its folder; NOT_FOUND; TOO_LARGE.
enum status places_find(const char *relative, char *path, size_t size) MUST_CHECK;
