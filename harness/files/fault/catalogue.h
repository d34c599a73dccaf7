// The fault catalogue: every kind of fault with its parameters, its plot colour and the program
// that applies and undoes it.
//
// Loaded from faults/*.yaml of all places and, if set, from the folder $UKEMI_FAULTS. Faults are
// programs of their own, never linked in:
//   PROGRAM apply|undo|effect|settled KIND key=value...
// prints one line "proven=1 evidence=words without wall times" and exits 0, or says why this
// machine cannot and exits 4 (the trial is SKIP). One that leaves a process at work prints
// "proven=1 left=PID evidence=...". A fault that strikes a process is given its `pid=` (in the
// cell) and its pidfd as file descriptor 3; one that strikes a bus is given `bus=`, a channel
// `channel=`; a field of its message is given as OFFSET:WIDTH in bytes. All are given `tag=` (a
// number of their own in the trial) and `seed=`. If the proof comes later, `effect` is asked before
// the undoing or at the end, and `settled` at the end.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"
#include "harness/cell/cell.h"
#include "harness/files/fault/fault_request.h"

#define CATALOGUE_MAX 160

enum fault_undo {
    UNDO_NEVER,
    UNDO_PROGRAM,       // the program undoes it, duration_s after it struck
    UNDO_RESTART,       // the process is started again, duration_s after the fault struck
    UNDO_RESTART_ASKED, // the process is started again, restart_after_s after the fault struck, if
                        // the scenario says so
};

// What the lab itself looks at to confirm a fault, besides the program's own proof. To add one:
// a line here, and a struct looker look_NAME in harness/trial/.
#define FAULT_LOOKS(X)                                                                             \
    X(none)     /* the program's proof is all there is */                                          \
    X(process)  /* the supervisor's own state of it: ended or stopped */                           \
    X(bus)      /* the counts of the bus's owner */                                                \
    X(channel)  /* what the writer put, beside what the readers got */                             \
    X(calls)    /* what shimmed programs did, on the channel `io` */                               \
    X(clock)    /* the stamps of what the process says */                                          \
    X(turns)    /* how far apart its frames are: as the parameter that proves it says, or more */  \
    X(world)    /* a formula over the target's channels */                                         \
    X(worker)   /* the process that the program left at work */                                    \
    X(priority) /* the process's real-time priority */

// What the readers of a channel get, beside what its writer puts, while such a fault acts; or what
// a call really sends, beside what the program gave it.
enum fault_shows {
    SHOWS_NOTHING,
    SHOWS_MISSING,    // frames that were put and not got
    SHOWS_LATE,       // got later than they were put, by the parameter that proves it
    SHOWS_REPEATED,   // got more often than they were put
    SHOWS_SAME,       // got again and again, in place of others
    SHOWS_DISORDERED, // got after frames that were put later
    SHOWS_ALTERED,    // got as nobody put them
    SHOWS_SHORTENED,  // only the beginning of what was put
    SHOWS_REFUSED,    // the call fails
};

#define FAULT_LOOK_ENUM(name) LOOK_##name,
enum fault_look { FAULT_LOOKS(FAULT_LOOK_ENUM) LOOK_COUNT };
#undef FAULT_LOOK_ENUM

// Of programs that lie beside their family's file: what a cell shows as CELL_FAULTS/0, 1 ...
struct fault_folders {
    unsigned count;
    char path[FAULT_FOLDERS_MAX][PATH_MAX_LENGTH];
};

// What of the struck network a parameter names.
enum fault_names { NAMES_NOTHING, NAMES_CABLE, NAMES_HOST };

struct fault_parameter {
    char name[NAME_MAX_LENGTH];
    char summary[PATH_MAX_LENGTH];
    char fallback[NAME_MAX_LENGTH]; // taken when the scenario does not give it
    bool text;                      // any word
    bool nonzero;                   // 0 is its default only, and nothing that a scenario writes
    bool field;                     // a floating-point number of the channel's message
    enum fault_names names;         // else NAMES_NOTHING
    unsigned choice_count;          // 0: a number from min to max
    char choice[PARAMETERS_MAX][NAME_MAX_LENGTH];
    double min, max;
};

struct fault_kind {
    char name[NAME_MAX_LENGTH];
    char summary[PATH_MAX_LENGTH];
    char colour[16];               // of its window in plots, "#rrggbb"
    char program[PATH_MAX_LENGTH]; // in the cell (fault_place.h)
    char file[PATH_MAX_LENGTH];    // of its family,
    unsigned program_line;         // where that names the program
    enum fault_undo undo;
    enum fault_struck struck;
    enum fault_halts halts;
    enum fault_loads loads;
    enum fault_look look;
    enum fault_shows shows;
    char proves[NAME_MAX_LENGTH]; // parameter, in seconds, that its effect is measured by; or ""
    char holds[PATH_MAX_LENGTH];  // look: world; a formula that holds while it acts, and not after
    bool falsifies;               // readings, and no check of the bus finds it
    bool silences;                // nothing comes through meanwhile
    bool proof_later;             // effect and undoing can only be seen as time goes on
    bool wall_only;               // means nothing on the virtual clock, where the trial is a SKIP
    bool scratch;                 // is handed a file on disk as descriptor 4
    unsigned parameter_count;
    struct fault_parameter parameter[PARAMETERS_MAX];
};

struct catalogue {
    unsigned count;
    struct fault_kind kind[CATALOGUE_MAX];
    struct fault_folders folders;
};

// Reads faults/ of all places (places.h), and $UKEMI_FAULTS. INVALID, NOT_FOUND (said on standard
// error), NO_MEMORY. The caller frees with catalogue_free.
enum status catalogue_load(struct catalogue **catalogue) MUST_CHECK;
// The faults of one family file alone, at least one; NULL: of all.
enum status catalogue_load_family(const char *path, struct catalogue **catalogue) MUST_CHECK;
void catalogue_free(struct catalogue *catalogue);

// The kind called `name`, or NULL.
const struct fault_kind *catalogue_find(const struct catalogue *catalogue, const char *name);

// The parameter that the lab measures the effect by: the one that the kind names, or else the only
// time among them. NULL: there is none.
const struct fault_parameter *catalogue_proves(const struct fault_kind *kind);

// Fills in what the catalogue says of a request of this kind.
void fault_complete(const struct fault_kind *kind, struct fault_request *request);

// Whether "key=value" is a parameter of this kind; if not, `why` says what would be.
bool catalogue_check_parameter(const struct fault_kind *kind, const char *parameter, char *why,
                               size_t size);

// Value of parameter `name` for a request: what the scenario says, else the catalogue's fallback.
const char *catalogue_parameter(const struct fault_parameter *parameter,
                                const struct fault_request *request);
