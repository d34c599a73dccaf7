// A pack: what the judge knows of one kind of target. A target names its packs; the lab's own
// oracles need none. harness/packs/list.h says how to add one.
//
// All functions are pure: from the history, by way of its analysis, to numbers and words.
#pragma once

#include <stdbool.h>

#include "harness/history/derived.h"
#include "harness/history/message_structure.h"
#include "harness/judge/analysis.h"
#include "harness/judge/tracks.h"
#include "harness/judge/verdict.h"
#include "plant/body.h"

#define ORACLE_TOPICS_MAX 4

struct oracle {
    const char *name; // in reports; NULL ends a table
    // Fills verdict, margin, unit and detail by the verdict_* functions of analysis.h; the name is
    // filled in beforehand.
    void (*judge)(const struct analysis *analysis, struct oracle_verdict *verdict);
    const char *claim; // what it checks
    // What it judges, up to the first NULL: it has nothing to judge in a history without one.
    const char *topic[ORACLE_TOPICS_MAX];
};

// A list of oracles, NAME_ORACLES(X), has a line for each: X(name, function, claim, topics ...).
// Declarations and table are made of it.
#define ORACLE_DECLARE(name, function, ...)                                                        \
    void function(const struct analysis *analysis, struct oracle_verdict *verdict);
#define ORACLE_ENTRY(name, function, claim, ...) {name, function, claim, {__VA_ARGS__}},

// A channel that a pack reads. A target of the pack that lacks it, or has other messages on it, is
// refused.
struct pack_channel {
    const char *name; // NULL ends a table
    const struct message_structure *message;
    bool optional; // a target may be without it, and is not judged by it then
};

// What a pack sees of a trial while it runs: its part of harness/packs/watch.h. `seen` is its own.
struct watcher {
    enum status (*create)(const struct history *history, void **seen); // or NO_MEMORY
    void (*free)(void *seen);
    void (*take)(void *seen, const struct event *event);
    bool (*quantity)(const void *seen, const char *name, double *value);
    bool (*phase)(const void *seen, double *phase);
    bool (*given_up)(const void *seen);
    bool (*completed)(const void *seen);
};

// Keys of a scenario that say what a target must do, and that a pack judges.
enum claim_key { CLAIM_COMPLETION, CLAIM_STANDING, CLAIM_KEYS }; // must_complete, must_stand

struct claim_carrier {  // an oracle that judges such a key in some course of a trial
    const char *oracle; // NULL ends a table
    enum claim_key key;
    bool excuses; // what it says, where it judges nothing, is why nothing is owed
};

struct pack {
    const char *name, *summary;
    const struct pack *needs; // is in force wherever this one is; earlier in the list. NULL: none
    const struct oracle *oracle;         // table; NULL: it has none
    const struct pack_channel *channel;  // table; NULL: it reads none of its own
    const struct claim_carrier *carrier; // table; NULL: it judges none of these keys

    // Each may be NULL.
    // What its oracles share, in the order of the list; false when memory is short. `forget` frees
    // it, also after false.
    bool (*study)(const struct analysis *analysis, void **found);
    void (*forget)(void *found);
    // How often the simulated world was not to be trusted, and why in *what, which is left alone
    // where it was sound.
    unsigned (*unsound)(const struct analysis *analysis, const char **what);
    // When the target could not go on, whatever the lab does; INFINITY: it could to the end. From
    // then on nothing is owed; `given_up` says why.
    double (*given_up_s)(const struct analysis *analysis);
    const char *given_up; // "the robot fell"
    const struct watcher *watcher;
    void (*observe)(const struct analysis *analysis, struct judgement *judgement); // adds to it
    // What plots draw of a trial; as tracks_write_packs.
    enum status (*tracks)(const struct history *history, const struct description *description,
                          const struct tracks_frame *frame, FILE *out);
    const struct derived_topic *derived; // table; their context is the target's description
    // Where a robot's body was: the topic, and what an event of it, of its channel's message, says.
    const char *body_topic;
    void (*body_state)(const struct description *description, const void *message,
                       struct body_state *state);
};

// In no list: the oracles of every trial, and those of every target with taps.
extern const struct pack pack_lab, pack_taps, pack_waits;

// Below, `packs` are all that there are, in the order of their verdicts, with a NULL at the end:
// the judge knows none by itself, and is handed them (harness/packs/packs.h).

// Whether a target has this pack: it names it, or one that needs it.
bool pack_in_force(const struct pack *const *packs, const struct pack *pack,
                   const struct target *target);

// Whether it has the channels that its packs read, with messages that fit. INVALID, reported.
enum status packs_check(const struct pack *const *packs, const struct target *target) MUST_CHECK;

// The pack that knows where the robot's body was; NULL: none in force does.
const struct pack *packs_body(const struct pack *const *packs, const struct target *target);

// What a written history has for viewers, as the packs in force say. The description outlives it.
void packs_derive(const struct pack *const *packs, const struct target *target,
                  const struct description *description, struct derived_topics *derived);
