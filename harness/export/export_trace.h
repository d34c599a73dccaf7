// A trial as a trace of events over time, for viewers such as Perfetto and Chrome's. Pure functions
// of a history; not real-time.
//
// Format: JSON with "traceEvents" (Trace Event Format, Google, 2016). Each process of the trial is
// one, with a thread for its life, one for each channel that it writes, and one for what it prints.
// Faults and buses are processes of their own. A frame on a bus lasts as long as its bits; messages
// and lines are instants. Time counts from the trial's start, in microseconds.
#pragma once

#include <stdint.h>
#include <stdio.h>

#include "base/status.h"
#include "harness/files/target/target.h"
#include "harness/history/history.h"

#define EXPORT_TRACE_EVENTS_MAX 2000000 // of messages, frames and lines: 250 MB at most

struct export_trace_count {
    uint64_t events;   // written
    uint64_t left_out; // beyond the greatest number
};

// `target` says who writes which channel, and how fast buses are; NULL: not known. NO_MEMORY.
// Errors of the stream are the caller's to look at.
enum status export_trace(const struct history *history, const struct target *target, FILE *out,
                         struct export_trace_count *count) MUST_CHECK;
