// What a history says of one fault and the processes it means. Pure.
#pragma once

#include <stdbool.h>

#include "harness/history/history.h"

// Whether a fault's `component` (a row of the failure table or a process name) means this process.
bool names_process(const char *component, const struct process_event *process);

// When an applied fault was over: its component was started again, or it was undone. INFINITY:
// never.
double fault_over_s(const struct history *history, const struct fault_event *applied);
