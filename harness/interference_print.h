// The table of `ukemi bench interference`, and its figures for the database.
#pragma once

#include <stdio.h>

#include "harness/benchmark.h"
#include "harness/interference.h"

void interference_print_head(FILE *out);
// Three lines: before, during, after.
void interference_print(FILE *out, const char *fault, const struct interference *interference);

// Per window: the share of deadlines missed of each process, median and p99 of the loop. At most INTERFERENCE_FIGURES.
#define INTERFERENCE_FIGURES (INTERFERENCE_WINDOWS * (LATENCY_DEADLINES + 2))
unsigned interference_figures(const struct interference *interference,
                              struct figure figure[INTERFERENCE_FIGURES]);
