// The history of a trial: everything observed, in order, in memory; from it every verdict and view
// derives.
//
// An event's bytes are a message structure of message/message.h or one of the structures below,
// which by their layout rule are CDR; written to disk it is an MCAP file (one schema per topic).
// Reading that file back gives the same events and the same hash.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/status.h"
#include "base/time.h"

#define HISTORY_TOPICS_MAX 144
#define TOPIC_PROCESS "process"       // struct process_event
#define TOPIC_OF_READERS "%s@readers" // of a channel that a fault strikes: what its readers got
#define TOPIC_FAULT "fault"           // struct fault_event
#define TOPIC_LIMIT "limit"           // struct limit_event: at most one, the last of a trial
#define TOPIC_LOSS "loss"             // struct loss_event: only if the recorder missed something
#define TOPIC_OUTPUT "output"         // struct output_event: only if a process printed; not hashed
#define TOPIC_TAP "tap"             // struct tap_event: only if a tap did not understand something
#define TOPIC_STAMP "stamp"         // struct stamp_event: only if a fault strikes a process's clock
#define TOPIC_VARIATION "variation" // struct variation_event: one for each quantity that varies
#define TOPIC_BUS_LOG "bus-log"     // struct bus_log_message: what was on the buses
#define TOPIC_END "end" // struct end_event: only if the trial came to its end; not hashed

#define TRIAL_MAX_NS (INT64_C(100000000) * 1000000000) // three years: later than any trial's end

enum process_event_kind {
    PROCESS_STARTED,
    PROCESS_READY,
    PROCESS_EXITED, // value: exit status
    PROCESS_KILLED, // value: signal
    PROCESS_STOPPED,
    PROCESS_CONTINUED,
    PROCESS_HUNG, // the lab ends it; value: enum hung
};

enum hung {
    HUNG_KEPT_TURN,    // it did not give its turn back within the grant limit
    HUNG_LEFT_CLOCK,   // it left the clock, and did not end within the grant limit
    HUNG_PAGE_SPOILED, // its part of the clock's page was written over
};

struct process_event {
    instant time;
    uint32_t kind; // enum process_event_kind
    int32_t value;
    int32_t pid;         // in the cell's PID namespace
    uint32_t generation; // 0 first start, 1 first restart ...
    char process[48];
    char component[48];
    char last_words[256]; // last log lines, when it ended
};

enum fault_event_kind {
    FAULT_APPLIED,
    FAULT_UNDONE,
    FAULT_EFFECT,  // what an applied fault has done, if that can only be seen later
    FAULT_SETTLED, // that an undone fault has stayed undone, if that can only be seen later
};

struct fault_event {
    instant time;
    uint32_t index;  // in scenario.fault[]
    uint32_t kind;   // enum fault_event_kind
    uint32_t proven; // 1: the probe saw the effect (or that it is gone); 0: it did not -> the trial
                     // is ERROR
    uint32_t proof_follows; // of what was applied or undone: FAULT_EFFECT or FAULT_SETTLED has it
    char fault[48];
    char component[48];
    char evidence[160]; // "pid 5: state Z, exit by signal 9"
};

struct limit_event { // a process exceeded a limit of the cell, and the trial was ended
    instant time;
    uint32_t limit; // enum limit (limits.h)
    int32_t pid;    // in the cell's PID namespace
    double used, allowed;
    char process[48];
    char component[48]; // "" for the operator
    char words[160];    // "operator (pid 12): 131 processes, at most 128"
};

struct loss_event {  // a channel gave up frames before the recorder had read them
    instant time;    // when the recorder saw that
    duration unread; // since it had looked before
    uint64_t frames;
    uint32_t held; // frames that the channel holds: its slots
    uint32_t padding;
    char channel[48];
};

#define OUTPUT_LINE_MAX 4096

// A line that a process printed. It is no part of the hash: what a program says of itself, such as
// the date, need not change what it does.
struct output_event {
    instant time;        // of its end
    uint32_t generation; // of the process
    char process[48];
    uint32_t count; // characters, the zero behind the last one included
    char text[OUTPUT_LINE_MAX];
};

struct tap_event { // what a tap was sent that is no message of its type
    instant time;
    uint64_t messages; // datagrams or lines
    char tap[48];      // its channel
    char words[96];    // what was wrong with the first of them
};

struct stamp_event { // a frame that its writer stamped with another time than it was
    instant time;    // when the lab saw it
    instant stamp;
    char process[48]; // its writer
    char channel[48];
};

#define VARIATION_EVENT_VALUES_MAX 128

struct variation_event { // what a trial has drawn for a quantity of its world
    instant time;        // when the trial began
    char quantity[48];
    double low, high; // drawn from these
    uint32_t count;
    uint32_t padding;
    double value[VARIATION_EVENT_VALUES_MAX]; // only the first `count` are kept
};

struct end_event { // the trial has come to its simulated end
    instant time;  // the recorder's last look at all channels
};

struct event {
    uint16_t topic;  // index, see history_topic
    uint64_t number; // frame number in its channel
    instant time;    // when it was published
    size_t size_B;
    const void *data; // 8-byte aligned, owned by the history
};

// Whether a program that does something wrong ends by this signal; any other somebody sent it.
bool signal_is_crash(int signal);

struct history;

enum status history_create(struct history **history) MUST_CHECK;
void history_free(struct history *history);

// The same in memory shared with processes forked from the caller, one of which may fill it. When
// that one is done, history_refresh makes its topics and events visible here. CORRUPT if it died in
// the middle of an event.
enum status history_create_shared(struct history **history) MUST_CHECK;
enum status history_refresh(struct history *history) MUST_CHECK;

// Adds a topic; its index is the order of addition. `schema`: a name of harness/history/schema.h,
// or "" for bytes. FULL.
enum status history_add_topic(struct history *history, const char *name, const char *schema,
                              unsigned *topic) MUST_CHECK;
int history_topic(const struct history *history, const char *name); // index or -1
unsigned history_topic_count(const struct history *history);
const char *history_topic_name(const struct history *history, unsigned topic);
const char *history_topic_schema(const struct history *history, unsigned topic);

// Appends one event; its bytes are copied. NO_MEMORY.
enum status history_append(struct history *history, unsigned topic, uint64_t number, instant time,
                           const void *data, size_t size_B) MUST_CHECK;

size_t history_length(const struct history *history);
const struct event *history_event(const struct history *history, size_t index);

// When the trial ended: as the lab said, else at the last event. A stamp later than a scenario may
// last says nothing. At least 0.
int64_t history_end_ns(const struct history *history);

// XXH3-128 over (topic name, number, time, size, bytes) of all events but output and end, as
// 32 hex digits.
void history_hash(const struct history *history, char hex[33]);

// MCAP file, there whole or not at all (whole_file.h). Errors are logged to standard error.
// `derived`: what viewers get besides (derived.h); NULL: nothing.
struct derived_topics;
enum status history_write(const struct history *history, const struct derived_topics *derived,
                          const char *path) MUST_CHECK;
// The same without compression, and the events alone, for a reader who has nothing but his
// language's own library. SYSTEM (errno), NO_MEMORY; says nothing.
enum status history_write_plain(const struct history *history, FILE *file) MUST_CHECK;
// The same events again. Errors are logged to standard error.
enum status history_read(const char *path, struct history **history) MUST_CHECK;
// And their hash, which reading computes anyhow.
enum status history_read_hash(const char *path, struct history **history, char hash[33]) MUST_CHECK;
