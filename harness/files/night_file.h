// What a night is to run, in which order and for how long, and whom it tells: a night's file. It is
// read as campaign_file.h says of its own. The caller frees.
#pragma once

#include <stdbool.h>

#include "base/status.h"
#include "harness/files/lengths.h"

#define NIGHT_PARTS_MAX 64
#define NIGHT_MAIL_MAX 8
#define NIGHT_WINDOW_MAX 366

enum night_tell { NIGHT_TELL_CHANGES, NIGHT_TELL_ALWAYS }; // as its file has them

struct night_file_part {
    char campaign[PATH_MAX_LENGTH]; // path of its file
    unsigned priority;              // the lowest is run first
    double budget_h;                // at most so long; 0: as long as there is time
    bool wall;                      // in real time
};

struct night_file {
    char name[NAME_MAX_LENGTH];
    char claim[PATH_MAX_LENGTH]; // what it is for, in one sentence; "" if it says nothing
    char file[PATH_MAX_LENGTH];
    double budget_h;
    double relevant_percent; // a smaller change of a quantity is not told
    unsigned window;         // nights that are compared
    unsigned part_count;
    struct night_file_part part[NIGHT_PARTS_MAX];
    unsigned mail_count;
    char mail[NIGHT_MAIL_MAX][NAME_MAX_LENGTH];
    char hook[PATH_MAX_LENGTH]; // path of a program; "": none
    enum night_tell tell;
};

enum status night_file_load(const char *path, struct night_file **night) MUST_CHECK;
void night_file_free(struct night_file *night); // NULL is allowed
