// A controller stack under test, as its file target.yaml says.
//
// What a field is that comes from a file says the help of its row (file_table.h): `ukemi help
// files`. Loaders check everything (unknown keys, ranges, names against the target and the fault
// catalogue) and report each error as "file:line: key: value: what is wrong; what to do" on
// standard error, returning INVALID. The caller frees.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"
#include "base/variation.h"
#include "harness/cell/limits.h"
#include "harness/files/claims.h"
#include "harness/files/target/chain_config.h"
#include "harness/files/target/process_config.h"
#include "harness/files/target/wire_config.h"

#define PROCESSES_MAX 65 // one is the operator's
#define CHANNELS_MAX 129 // one is for what shimmed programs do
#define BUSES_MAX 4
#define NETWORKS_MAX 4
#define CABLES_MAX 8
#define TARGET_PACKS_MAX 8
#define TAPS_MAX 8
#define QUANTITIES_MAX 64
#define VARIATIONS_MAX 32
#define VARIATION_SOURCE_MAX 400
#define GROUPS_MAX 16
#define GROUP_ELEMENTS_MAX 64
#define TARGET_OBSERVATIONS_MAX 32

struct quantity_config { // a term over signals, under a name of its own (formula.h)
    char name[NAME_MAX_LENGTH];
    char text[FORMULA_TEXT_MAX];
    unsigned line; // in the target's file
};

struct group_config { // elements of an array, for "drive.wheel[front].speed_rad_s"
    char name[NAME_MAX_LENGTH];
    unsigned count;
    unsigned element[GROUP_ELEMENTS_MAX];
};

#define BODY_OTHERS_MAX 3
struct body_config {             // what pictures of a trial draw, of a target without `robot`
    char model[PATH_MAX_LENGTH]; // relative to the target's folder; "": nothing
    char place[FORMULA_NAME_MAX], turned[FORMULA_NAME_MAX], angles[FORMULA_NAME_MAX]; // arrays
    unsigned other_count;
    char other[BODY_OTHERS_MAX][NAME_MAX_LENGTH]; // channels with the same arrays of further robots
    unsigned line;                                // in the target's file
};

struct variation_config { // what differs from trial to trial (target/variation_file.h)
    char quantity[VARIATION_NAME_MAX];
    double spread, low, high; // low and high say it all, once it is checked
    unsigned each;
    char source[VARIATION_SOURCE_MAX];
};

struct target {
    char name[NAME_MAX_LENGTH];
    char file[PATH_MAX_LENGTH];        // target.yaml
    char folder[PATH_MAX_LENGTH];      // where it lies
    char robot[PATH_MAX_LENGTH];       // MuJoCo model, relative to folder
    char description[PATH_MAX_LENGTH]; // robot description, relative to folder
    struct body_config body;
    unsigned robot_line, description_line, channels_line, buses_line; // in file; 1: absent
    unsigned process_count, channel_count, bus_count;
    struct process_config process[PROCESSES_MAX]; // in start order
    struct channel_config channel[CHANNELS_MAX];
    struct bus_config bus[BUSES_MAX];
    unsigned network_count;
    struct network_config network[NETWORKS_MAX];
    unsigned cable_count;
    struct cable_config cable[CABLES_MAX];
    unsigned chain_count;
    struct chain_config chain[CHAINS_MAX];
    char world[NAME_MAX_LENGTH]; // process that is the simulated world, "": there is none
    unsigned pack_count;
    char pack[TARGET_PACKS_MAX][NAME_MAX_LENGTH]; // what the judge knows of it (harness/packs/)
    unsigned visible_count;
    char visible[VISIBLE_MAX][PATH_MAX_LENGTH]; // more paths of the machine's for its programs
    struct limits limits;                       // complete but for wall_s
    unsigned tap_count, quantity_count, group_count;
    struct tap_config tap[TAPS_MAX];
    struct quantity_config quantity[QUANTITIES_MAX];
    struct group_config group[GROUPS_MAX];
    unsigned observation_count;
    struct observation_config observation[TARGET_OBSERVATIONS_MAX];
    unsigned promise_count;
    struct promise promise[PROMISES_MAX]; // of all its trials
    unsigned variation_count, variation_line;
    struct variation_config variation[VARIATIONS_MAX];
    unsigned not_finite_count;
    struct not_finite_config not_finite[NOT_FINITE_MAX];
};

// A target by name: fills `path` with targets/NAME/target.yaml of the places (places.h), or else
// with targets/FAMILY/NAME/target.yaml. INVALID, reported: two places have it, or others may write
// it; NOT_FOUND, TOO_LARGE.
enum status target_find(const char *name, char *path, size_t size) MUST_CHECK;

enum status target_load(const char *path, struct target **target) MUST_CHECK;

// The description of the target's robot; an empty one if it has none. INVALID,
// said; NO_MEMORY. The caller frees it.
struct description;
enum status target_describe(const struct target *target,
                            struct description **description) MUST_CHECK;

void target_free(struct target *target);
