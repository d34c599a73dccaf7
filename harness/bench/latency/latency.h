// The loop of a stack, stage by stage, as a history tells it: which state led to which command,
// reference, frames and new state, and when. Which channels these are the target says (`pipeline`).
//
// Pure: history in, figures out; the trial may have run by the virtual clock or in real time.
// Daemons note in their messages what each was made from (the trace fields of message/message.h);
// the lab's bus log has the frames. Messages are joined by the cycle they name and by time, so a
// daemon that starts again, and counts from 1 again, confuses nothing.
//
// With UKEMI_ENV_PROBES=off (environment: [probes=off] in a scenario) a daemon takes no stamps: the
// points ..._TAKEN and FRAMES_QUEUED are INSTANT_NEVER and all others are as ever, so that the cost
// of the stamps can be measured.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "base/time.h"

struct channel_config;
struct description;
struct history;
struct target;

// The channels of a target's pipeline, in this order.
enum latency_role {
    LATENCY_SENSES,  // writes what was sensed, and sends the references to the boards
    LATENCY_ANSWERS, // writes the command that answers it
    LATENCY_DRIVES,  // writes the references made from that command
    LATENCY_ROLES
};

struct latency_pipeline {
    const struct channel_config *channel[LATENCY_ROLES]; // the target's
    const char *bus_log;                                 // channel of the buses' frames
};

// INVALID, reported: the target declares none, or its channels hold messages that do not say what
// they were made from.
enum status latency_pipeline_of(const struct target *target,
                                struct latency_pipeline *pipeline) MUST_CHECK;

// What one state went through, in this order. Who takes a message has it in hand then.
enum latency_point {
    LATENCY_OLDEST_READING,      // the oldest valid reading in the state arrived
    LATENCY_STATE_PUBLISHED,     // "state sent"
    LATENCY_STATE_TAKEN,         // by who answers
    LATENCY_COMMAND_PUBLISHED,   // the command that answers the state
    LATENCY_COMMAND_TAKEN,       // by who drives
    LATENCY_REFERENCE_PUBLISHED, // the first reference made from that command
    LATENCY_REFERENCE_TAKEN,     // by who senses, and sends it
    LATENCY_FRAMES_QUEUED,       // its last frame is handed to the buses
    LATENCY_FRAMES_ON_BUS,       // its last frame has ended: all boards concerned have it
    LATENCY_BOARDS_SAMPLED,      // the last reply of theirs, asked for after those frames, has come
    LATENCY_STATE_ACQUIRED,      // the first state with all of these replies is published
    LATENCY_POINTS
};

// A deadline of a process, once per period.
enum latency_deadline {
    LATENCY_STATE_DUE,     // a state each period
    LATENCY_COMMAND_DUE,   // an answer to each state, before references answer that state
    LATENCY_REFERENCE_DUE, // an answer to each state, before the next cycle begins
    LATENCY_SEND_DUE,      // each of these answers is sent
    LATENCY_DEADLINES
};

struct latency_chain { // of one state
    uint64_t cycle;    // the state's
    // INSTANT_NEVER where the chain has broken before, or the point was not stamped.
    instant at[LATENCY_POINTS];
    // Bit per enum latency_deadline: missed in answer to this state; STATE_DUE: states were missing
    // before this one.
    uint32_t missed;
};

struct latency_count {
    uint64_t due, missed;
};

struct latency_record {
    duration period; // of the Hardware daemon's cycle, as its first state says; 0 without a state
    size_t chain_count;
    struct latency_chain *chain; // by time of publication
    struct latency_count deadline[LATENCY_DEADLINES];
};

// Allocates in proportion to the number of states; time in proportion to the history. NO_MEMORY.
// A history without states gives a record without chains. To be freed with latency_free, also after
// an error.
enum status latency_measure(const struct history *history, const struct latency_pipeline *pipeline,
                            const struct description *description,
                            struct latency_record *record) MUST_CHECK;
void latency_free(struct latency_record *record);

// ---- stages and names --------------------------------------------------------------------------

// A way from one point to another.
struct latency_stage {
    const char *before, *after; // its name, around that of a process: "", " computes"
    int role;                   // whose name that is; -1: none
    enum latency_point from, to;
};

// First the stages that follow one another from the oldest reading to the state that shows the
// answer, then those that overlap.
#define LATENCY_STAGES_STACKED 9
#define LATENCY_STAGE_WAKES 1    // the state -> in the hand of who answers
#define LATENCY_STAGE_COMPUTES 2 // by who answers
#define LATENCY_STAGE_LOOP 10    // state published -> acquired: the paper, III-A
#define LATENCY_STAGES 13
extern const struct latency_stage latency_stages[LATENCY_STAGES];

// "balance computes"
void latency_stage_name(const struct latency_pipeline *pipeline, unsigned stage, char *name,
                        size_t size);
// How long a chain took over a stage; false if it did not get so far, or an end was not stamped.
bool latency_stage_of(const struct latency_chain *chain, const struct latency_stage *stage,
                      duration *took);

// Who owes it, and what: "balance command".
const char *latency_deadline_process(const struct latency_pipeline *pipeline,
                                     enum latency_deadline deadline);
const char *latency_deadline_name(enum latency_deadline deadline);
