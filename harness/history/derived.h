// Topics for viewers only: standard messages derived from a topic's events, so that programs that
// know nothing of Ukemi show what happened. They are written to files only; no verdict rests on
// them. A pack knows what can be derived (harness/judge/pack.h), beside output_log.h.
#pragma once

#include "harness/history/bytes.h"
#include "harness/history/history.h"

#define DERIVED_TOPICS_MAX 16

struct derived_topic {
    const char *topic;  // "/rosout"; NULL ends a table
    const char *schema; // "rcl_interfaces/msg/Log"
    const char *fields; // .msg text
    const char *source; // the topic that it is derived from,
    size_t size_B;      // of whose events only those of this size count; 0: all that are sound
    // Appends one CDR message, encapsulation head included.
    void (*encode)(const void *context, const struct event *event, struct bytes *bytes);
};

struct derived_topics {
    unsigned count;
    const struct derived_topic *topic[DERIVED_TOPICS_MAX];
    const void *context; // of all
};
