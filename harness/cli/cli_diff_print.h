// What `ukemi diff` found, as a table for people or as lines for scripts. Private to the command
// line.
#pragma once

#include "harness/bench/compare/compare.h"
#include "harness/cli/cli.h"
#include "harness/store/benchmark/compare_read.h"

enum diff_format {
    DIFF_TEXT,
    DIFF_TSV, // a line per metric, fields between tabs, named by the first line
};

// On standard output. `changed`: only metrics that differ.
void diff_print(const struct compare_data *data, enum diff_format format, bool changed);

// The counts of each word, and what the words rest on.
void diff_print_legend(const struct compare_data *data, const struct compare_options *options);
