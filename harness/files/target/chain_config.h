// How a message leads to the next one through a stack, as a target's file says (`chains`): what
// `ukemi bench latency` measures, and promises on latency judge.
//
// What a field is that comes from a file says the help of its row (chain_file.c): `ukemi help
// files`.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "harness/files/lengths.h"
#include "harness/history/message_text.h"

#define CHAINS_MAX 8
#define CHAIN_LINKS_MAX 16
#define CHAIN_SPANS_MAX 8
#define LINK_FIELD_MAX 96
#define LINK_ONLY_MAX 6
#define LINK_OF_MAX 14
#define LINK_STAGES_MAX 2
#define LINK_READINGS "readings" // in place of a field: when a robot's boards were read

enum link_kind {
    LINK_CHANNEL, // messages of a channel or a tap
    LINK_BUS,     // frames on an embedded bus, or on all
    LINK_FRAMES,  // elements of the sequence that messages of a channel end in
    LINK_CALLS,   // what a shimmed process sends
    LINK_LAST_OF, // of other links, the last
    LINK_FIRST_OF // likewise the first
};

enum link_take { TAKE_FIRST, TAKE_LAST, TAKE_EACH };

enum link_field_use {
    LINK_IS,
    LINK_ANSWERS,
    LINK_CYCLE,
    LINK_TAKEN,
    LINK_AT,
    LINK_BEGINS,
    LINK_FIELD_USES
};

struct link_number { // of a message or a frame
    bool given;
    struct message_field field;
    int64_t unit_ns; // of a time
};

struct link_only { // a number that a happening must have
    struct message_field field;
    int64_t value;
};

struct link_config {
    char name[NAME_MAX_LENGTH];
    // One of these:
    char channel[NAME_MAX_LENGTH], bus[NAME_MAX_LENGTH], frames[NAME_MAX_LENGTH];
    char calls[NAME_MAX_LENGTH];
    unsigned last_count, first_count;
    char last_of[LINK_OF_MAX][NAME_MAX_LENGTH], first_of[LINK_OF_MAX][NAME_MAX_LENGTH];

    char text[LINK_FIELD_USES][LINK_FIELD_MAX];
    char to[NAME_MAX_LENGTH], last_frame_of[NAME_MAX_LENGTH], shows[NAME_MAX_LENGTH];
    unsigned only_count;
    char only[LINK_ONLY_MAX][LINK_FIELD_MAX]; // FIELD=VALUE
    enum link_take take;
    bool beside;
    unsigned stage_count;
    char stage[LINK_STAGES_MAX][NAME_MAX_LENGTH];
    unsigned line; // in the target's file

    // Completed by chain_check:
    enum link_kind kind;
    char topic[NAME_MAX_LENGTH];       // of the history
    char message[MESSAGE_NAME_LENGTH]; // its type
    char writer[NAME_MAX_LENGTH];      // process; "": not known
    unsigned parent;                   // link that it answers; of the first one itself
    unsigned of;                       // link that `last_frame_of` or `shows` names
    unsigned of_count;                 // links of last_of and first_of
    unsigned part[LINK_OF_MAX];
    unsigned bus_number; // CHAIN_ALL_BUSES
    struct link_number number[LINK_FIELD_USES];
    struct link_only wanted[LINK_ONLY_MAX];
    bool readings; // `taken` is when the boards were read
    bool numbered; // its number is that of the instant whose cycle it belongs to
};

#define CHAIN_ALL_BUSES UINT32_MAX

struct span_config { // from one point of a chain to another
    char name[NAME_MAX_LENGTH];
    char from[LINK_FIELD_MAX], to[LINK_FIELD_MAX]; // "LINK" or "LINK.taken"
    unsigned from_point, to_point;                 // completed: 2 * link, + 1 for its own instant
};

struct chain_bound { // at most so long at this quantile; p 0: none
    double p, below_s, periods;
};

struct chain_config {
    char name[NAME_MAX_LENGTH];
    double period_s; // 0: as the field says, or else as its first messages come
    char period[LINK_FIELD_MAX];
    struct link_number period_number; // completed
    unsigned link_count;
    struct link_config link[CHAIN_LINKS_MAX];
    unsigned span_count;
    struct span_config span[CHAIN_SPANS_MAX];
    struct chain_bound bound;
    char scenario[NAME_MAX_LENGTH]; // "": none is named
    unsigned line;
    unsigned last; // completed: the link that ends it
};
