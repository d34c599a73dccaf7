// Figures as a benchmark program prints them: a line each, five or six fields between tabs:
//
//   SQUARE  METRIC  UNIT  less|more|(nothing)  VALUE  [ROUND]
//
// the fourth saying which is better. A program that measures in rounds says to which a figure
// belongs, from 1: each round is a run of its own for `ukemi diff`. A line without ROUND is of the
// program's run as a whole, and kept with the first. Empty lines and lines that begin with '#' are
// for people.
#pragma once

#include <stdio.h>

#include "harness/store/benchmark/benchmark.h"

#define FIGURES_ROUNDS_MAX 64
#define FIGURES_RUNS_MAX 4096 // squares times rounds
#define FIGURES_OF_RUN_MAX 256

struct figures {     // what a program printed
    unsigned rounds; // in how many; at least 1
    unsigned run_count;
    struct figures_run { // of one square and round
        char square[64];
        unsigned round; // from 0
        unsigned count;
        struct figure *figure;
    } * run; // in the order of their first lines
};

// Reads until the end of `in`. `name` is what errors call it. *figures is the caller's to free if
// it gives OK. INVALID, reported with line, value and remedy: no figures, a line that is none, a
// metric twice in a square and round, too many. NO_MEMORY.
enum status figures_read(FILE *in, const char *name, struct figures *figures) MUST_CHECK;
void figures_free(struct figures *figures);
