// Figures as a benchmark program prints them: a line each, five fields between tabs:
//
//   CELL  METRIC  UNIT  less|more|(nothing)  VALUE
//
// the last but one saying which is better. Empty lines and lines that begin with '#' are for people.
#pragma once

#include <stdio.h>

#include "harness/benchmark.h"

#define FIGURES_CELLS_MAX 128
#define FIGURES_OF_CELL_MAX 256

struct figures { // what one run printed; 3.3 MB
    unsigned cell_count;
    struct figures_cell {
        char name[64];
        unsigned count;
        struct figure figure[FIGURES_OF_CELL_MAX];
    } cell[FIGURES_CELLS_MAX]; // in the order of their first lines
};

// Reads until the end of `in`. `name` is what errors call it. INVALID, said with line, value and remedy: no figures, a line that is none,
// a metric twice in a cell, too many.
enum status figures_read(FILE *in, const char *name, struct figures *figures) MUST_CHECK;
