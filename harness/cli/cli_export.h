// Histograms of benchmarks and films of trials for `ukemi export`. Private to the command line.
#pragma once

#include <stdio.h>

#include "harness/store/benchmark/benchmark.h"

enum histogram_text { HISTOGRAM_HGRM, HISTOGRAM_CYCLICTEST };

struct histogram_choice {
    enum histogram_text text;
    const char *metric; // shell pattern, NULL: all
    bool uncorrected;   // as measured, also where there is one corrected for coordinated omission
};

// The histograms of a run that are chosen; *list is the caller's to free. NOT_FOUND, reported: none
// is; INVALID, reported: several are, and the text holds one.
enum status export_find_histograms(struct database *database, int64_t trial_id,
                                   const struct histogram_choice *choice,
                                   struct stored_histogram **list, unsigned *count) MUST_CHECK;
// The film of a kept trial, or with a scenario that of a history file. Errors are reported: of what
// is read, of film_write, of the file. INVALID: no file is named.
enum status export_film(const char *source, const char *scenario, const char *database_path,
                        const char *output) MUST_CHECK;
// NO_MEMORY.
enum status export_write_histograms(enum histogram_text text, const struct stored_histogram *list,
                                    unsigned count, FILE *out) MUST_CHECK;
