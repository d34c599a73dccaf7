// All cells of a metric as one: what each single cell is too noisy to show, many may show together. Pure, but for memory.
#pragma once

#include "harness/bench/compare/compare.h"
#include "harness/store/compare_read.h"

// Puts one comparison in place of those of a metric: of each run, the geometric mean of its values in all cells that have the metric. A run
// that lacks one of them is left out; so is a metric that has a value that is not positive, and counted. NO_MEMORY; NOT_FOUND, said: nothing
// is left.
enum status compare_together(struct compare_data *data) MUST_CHECK;
