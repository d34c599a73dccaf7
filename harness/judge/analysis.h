// What all oracles share: a history unpacked once, as far as the lab itself has written it. What
// only some targets write is the packs' to unpack (pack.h).
//
// Pointers lead into the history and stay valid as long as it does. Times in seconds since the
// start of the trial.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "harness/cell/limits.h"
#include "harness/chain/chain_figures.h"
#include "harness/files/fault/fault_request.h"
#include "harness/history/fault_facts.h"
#include "harness/history/history.h"
#include "harness/history/series.h"
#include "harness/judge/verdict.h"
#include "model/description.h"

struct pack;

#define PACKS_MAX 8

// The proven effect of a fault, from the instant it struck until all has had time to recover.
struct in_force {
    const struct fault_request *request;
    const struct fault_event *event;
    double from_s, to_s;
};

// By which clock a trial ran, and what the machine did meanwhile.
struct judged_clock {
    bool real_time;
    struct chain_stalls stalls; // touch NULL: nobody watched it
};

// What is judged, and by what is known of robots.
struct judged {
    const struct history *history;
    const struct scenario *scenario;
    const struct target *target; // says how much its channels and buses must carry; NULL: not known
    const struct description *description;
    const struct pack *const *packs;  // all there are (pack.h)
    const struct chain_robot *robot;  // for chains; NULL: nothing is known of one
    const struct judged_clock *clock; // NULL: not known, of a history that was kept
};

struct analysis {
    const struct history *history;
    const struct scenario *scenario;
    const struct target *target; // NULL: not known
    const struct description *description;
    const struct pack *const *packs;
    const struct chain_robot *robot;
    const struct judged_clock *clock; // NULL: not known

    struct series process, fault, limit, loss, end, bus_log;
    double end_s;      // of the trial
    double recorded_s; // last event of anything but the end

    bool struck;         // a fault was applied
    double fault_s;      // first one
    double fault_over_s; // its component runs again or goes on again; INFINITY if never
    double watch_end_s;  // the behaviour is observed until here
    const struct fault_request *fault_request; // the first one applied
    unsigned in_force_count;
    struct in_force in_force[FAULTS_MAX]; // in the order of their striking

    // What the packs in force say (pack.h):
    void *found[PACKS_MAX]; // theirs
    unsigned unsound;       // times the simulated world was not to be trusted,
    const char *unsound_words;
    double given_up_s; // INFINITY: never
    const char *given_up;
};

// Unpacks; false when memory is short. analysis_free also after false.
bool analysis_start(struct analysis *analysis, const struct judged *judged);
void analysis_free(struct analysis *analysis);

// Whether a proven fault, or what it left, was in force then.
bool is_disturbed(const struct analysis *analysis, double time_s);

// The event of a fault's application, or with `proof` the one that holds its proof, which may have
// come later; NULL: there is none.
const struct fault_event *fault_proof(const struct analysis *analysis, unsigned index, bool proof);

// Whether a process is the simulated world: the lab's, not the target's.
bool of_the_world(const struct analysis *analysis, const struct process_event *event);

// Whether a page of a channel or of the clock had been written over.
bool was_spoiled(const struct analysis *analysis);

// Whether a process of the target has put a message that is not what it seems, or written over one
// (oracle_messages.c); whether frames of a channel are missing for that.
bool was_fouled(const struct analysis *analysis);
bool has_lost_by_target(const struct analysis *analysis);

// When a process was ready for the first time, s since the start; INFINITY: never.
double first_ready_s(const struct analysis *analysis, const char *process);

// Whether the process that a fault names had ended before the fault struck, by no other fault
// (oracle_process.c).
bool had_ended_by_itself(const struct analysis *analysis, const struct fault_event *fault);

// The process that owes frames on a channel by the target's file, in at least one window in which
// no fault excuses it; NULL: nobody does, or it is the simulated world (oracle_activity.c).
const char *owed_by(const struct analysis *analysis, const char *channel);

// Whether there was a time in which no fault keeps this process from writing (oracle_activity.c).
bool owes_output(const struct analysis *analysis, const char *process);

// Whether the target ended, stopped or cut off the simulated world (oracle_process.c says how).
bool world_was_ended(const struct analysis *analysis);

// ---- for oracles: fill the verdict ------------------------------------------------------------

// PASS if margin > 0, else FAIL; with words.
void verdict_margin(struct oracle_verdict *verdict, double margin, const char *unit,
                    const char *format, ...) __attribute__((format(printf, 4, 5)));
// For counts of things that must not be: margin is 1 - count; `bad` is the verdict when count > 0.
void verdict_count(struct oracle_verdict *verdict, unsigned count, enum verdict bad,
                   const char *unit, const char *format, ...) __attribute__((format(printf, 5, 6)));
// ERROR; noted (base/trouble.h).
void verdict_no_memory(struct oracle_verdict *verdict);
// When it was first broken, s since the start; after one of the above, which say NAN.
void verdict_broken_at(struct oracle_verdict *verdict, double time_s);
// For oracles that look at one instant after the other: keeps in *broken_s, NAN at first, the first
// without a margin above 0.
void note_broken(double *broken_s, double margin, double time_s);
// There was nothing to judge: SKIP without a margin.
void verdict_nothing(struct oracle_verdict *verdict, const char *why);
// Likewise, since there is nothing on this channel: FAIL if somebody of the target owes it.
void verdict_silent(const struct analysis *analysis, struct oracle_verdict *verdict,
                    const char *channel, const char *why);
