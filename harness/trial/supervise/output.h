// What a process of the cell prints, cut into lines as it comes.
//
// Standard output and standard error are one stream, in the order in which they were written. A
// line is known when its end has come, or the process has ended; its instant is that of its end.
// Virtual mode: the lab is told by a signal that something was written, and reads it when the
// process's turn is over: the instant is exact, and the same in every run.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/time.h"

#define OUTPUT_WORDS_MAX 256

// A line, for those who listen: supervisor_request.heard is called for each line of each process,
// in the order in which they come. In the cell's init, between turns; it must not block.
struct output_line {
    instant time;
    const char *process; // its name
    unsigned generation; // 0: as it was started first
    const char *text;    // without its newline; ended by a zero, and has no other
    size_t length;       // of text; a line beyond OUTPUT_LINE_MAX (history.h) comes in parts
};

struct output {
    int file;           // what it writes into; -1: closed
    uint64_t written_B; // since it was started
    size_t words_used;
    char words[OUTPUT_WORDS_MAX]; // the end of what it wrote
    size_t line_used;
    char *line; // what has come of a line that has no end yet
};

typedef void output_take(void *context, const char *text, size_t length);

// The reading end of its pipe, non-blocking, which `output` owns from here on. NULL memory: lines
// are not taken, only words.
void output_open(struct output *output, int file);

// Reads what has come, a bounded amount; `take` gets each whole line.
void output_read(struct output *output, output_take *take, void *context);

// Reads the rest, the beginning of a line included, and closes.
void output_close(struct output *output, output_take *take, void *context);
void output_free(struct output *output);

// Whether anything has been written into any pipe since the last call. A signal says so, which is
// let through only between output_listen(true) and output_listen(false): elsewhere nothing of the
// lab's is interrupted. True if no signal is to be had.
bool output_has_come(void);
void output_listen(bool on);
