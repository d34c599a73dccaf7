// The benchmark's two ways of saying what came out.
#pragma once

#include <stdio.h>

#include "tests/bench/channels/figures.h"

// One table for a setting: a line for each mechanism, a column for each size.
void print_table(FILE *out, const struct plan *plan, const struct setting *setting,
                 const struct outcome *outcome);

// As lines for `ukemi bench store` (harness/bench/compare/figures.h): medians and ratios of each
// round, p99 over all.
void print_tsv(const struct plan *plan, const struct setting *setting,
               const struct outcome *outcome);

// Frames that were lost or did not come whole, or mechanisms that never delivered: says so; how
// many.
uint64_t print_losses(const struct plan *plan, const struct setting *setting,
                      const struct outcome *outcome);
