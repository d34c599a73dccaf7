// The loop of a stack, stage by stage, as a history tells it: which state led to which command, reference, frames and new state, and when.
//
// Pure: history in, figures out; the trial may have run by the virtual clock or in real time. Daemons note in their messages what each was made from
// (the trace fields of message/message.h), the lab's bus log has the frames. Messages are joined by the cycle they name and by time, so a
// Hardware daemon that starts again, and counts from 1 again, confuses nothing. Needs topics state, leg-command, reference and bus-log.
//
// A daemon takes no stamps when its environment says UKEMI_ENV_PROBES=off (environment: [probes=off] in a scenario): then the points
// ..._TOOK and FRAMES_QUEUED are INSTANT_NEVER and all others are as ever, so that the cost of the stamps can be measured.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "base/time.h"

struct description;
struct history;

// What one state went through, in this order.
enum latency_point {
    LATENCY_OLDEST_READING,      // the oldest valid joint reading in the state arrived
    LATENCY_STATE_PUBLISHED,     // Hardware: "state sent"
    LATENCY_BALANCE_TOOK,        // Balance has the state in hand
    LATENCY_COMMAND_PUBLISHED,   // its leg command that answers the state
    LATENCY_CONTROL_TOOK,        // Control has that command in hand
    LATENCY_REFERENCE_PUBLISHED, // the first reference made from that command
    LATENCY_HARDWARE_TOOK,       // Hardware has that reference in hand
    LATENCY_FRAMES_QUEUED,       // its last frame is handed to the buses
    LATENCY_FRAMES_ON_BUS, // its last frame has ended on its bus; all boards concerned have their reference
    LATENCY_BOARDS_SAMPLED, // the last reply about a joint concerned has come, asked for after those frames
    LATENCY_STATE_ACQUIRED, // publication of the first state in which all joints concerned were read after those frames ended
    LATENCY_POINTS
};

// A deadline of a process, once per period.
enum latency_deadline {
    LATENCY_STATE_DUE,     // Hardware: a state each period
    LATENCY_COMMAND_DUE,   // Balance: its answer to each state, before Control answers that state
    LATENCY_REFERENCE_DUE, // Control: its answer to each state, before the next cycle begins
    LATENCY_SEND_DUE,      // Hardware: what Control answered in time is sent
    LATENCY_DEADLINES
};

struct latency_chain { // of one state
    uint64_t cycle;    // the state's
    instant at
        [LATENCY_POINTS]; // INSTANT_NEVER where the chain has broken before, or the point was not stamped
    uint32_t
        missed; // bit per enum latency_deadline: missed in answer to this state; STATE_DUE: states were missing before this one
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

// Allocates in proportion to the number of states; time in proportion to the history. NO_MEMORY. A history without states gives a record
// without chains. To be freed with latency_free, also after an error.
enum status latency_measure(const struct history *history, const struct description *description,
                            struct latency_record *record) MUST_CHECK;
void latency_free(struct latency_record *record);

// ---- for printing ------------------------------------------------------------------------------

// A way from one point to another.
struct latency_stage {
    const char *name; // "balance computes"
    enum latency_point from, to;
};

// First the stages that follow one another from the oldest reading to the state that shows the answer, then those that overlap.
#define LATENCY_STAGES_STACKED 9
#define LATENCY_STAGE_HAND_OVER                                                                    \
    9 // reference in hand -> last frame handed to the buses, which carry the first ones meanwhile
#define LATENCY_STAGE_LOOP 10            // state published -> acquired: the paper, III-A
#define LATENCY_STAGE_SENSOR_TO_BOARD 11 // oldest reading -> last frame on the bus
#define LATENCY_STAGE_ANSWER 12          // by Balance; needs no stamps
#define LATENCY_STAGES 13
extern const struct latency_stage latency_stages[LATENCY_STAGES];

// How long a chain took over a stage; false if it did not get so far, or an end was not stamped.
bool latency_stage_of(const struct latency_chain *chain, const struct latency_stage *stage,
                      duration *took);

const char *latency_point_name(enum latency_point point);             // "state published"
const char *latency_deadline_name(enum latency_deadline deadline);    // "state", "command" ...
const char *latency_deadline_process(enum latency_deadline deadline); // "hardware", "balance" ...
