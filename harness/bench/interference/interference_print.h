// The table of `ukemi bench interference`, and its figures for the database.
#pragma once

#include <stdio.h>

#include "harness/store/benchmark.h"
#include "harness/bench/interference/interference.h"

// Of a fault: what was measured, and what was to be expected of each process.
struct interference_row {
    const char *fault;
    const struct interference *measured;
    double expected[LATENCY_DEADLINES]; // share missed while the fault lasts; NAN: nothing is
};

void interference_print_head(FILE *out);
// Three lines: before, during, after; a line for each in which the machine stood still, of the states that this touched, which are in no other line; then what was missed meanwhile in per cent, with the least and the most of a trial, and what was to be
// expected, if anything was.
void interference_print(FILE *out, const struct interference_row *row);

// Per window: how many states were due, and how many more were touched by a stall of the machine, the share of deadlines missed of each process and of loops
// that never closed, median and p99 of the loop; what was expected. At
// most INTERFERENCE_FIGURES.
#define INTERFERENCE_FIGURES (INTERFERENCE_WINDOWS * (LATENCY_DEADLINES + 5) + LATENCY_DEADLINES)
unsigned interference_figures(const struct interference_row *row,
                              struct figure figure[INTERFERENCE_FIGURES]);
