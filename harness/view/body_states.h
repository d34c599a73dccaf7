// Where the robots of a target's body were in a trial: read from its history as a pack in force
// knows, or as the target's file says under `body`. Not real-time.
#pragma once

#include "harness/files/lengths.h"
#include "harness/files/target/signal_names.h"
#include "harness/history/series.h"
#include "harness/judge/pack.h"

struct scenario;
struct target;

struct body_states {
    char model[2 * PATH_MAX_LENGTH]; // its file
    struct series series;            // the events that say where it was
    unsigned robots;                 // whose states are known
    // Private:
    const struct description *description;
    const struct pack *pack; // NULL: by these arrays
    unsigned angle_count;
    struct body_source {
        struct signal_name place, turned, angles;
        struct series series;
    } source[BODY_ROBOTS_MAX]; // by robot; the first one has the series above
};

// NOT_FOUND: the target has no body, or the history does not say where it was; NO_MEMORY. A
// `scenario` (NULL: none) that gives the simulated world an XML file of the target's folder has
// that for its model. History, target and description outlive the states.
enum status body_states_collect(const struct history *history, const struct target *target,
                                const struct scenario *scenario,
                                const struct description *description,
                                struct body_states *states) MUST_CHECK;
void body_states_free(struct body_states *states);

// Where the robots were at event `index` of the series: fills state[0 .. states->robots - 1]. What
// is told of the others is their last event until then.
void body_states_at(const struct body_states *states, size_t index,
                    struct body_state state[BODY_ROBOTS_MAX]);

// The body that these states are of; the caller frees it. As body_create.
enum status body_states_body(const struct body_states *states, struct body **body) MUST_CHECK;
