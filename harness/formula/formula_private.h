// The formula as its parser leaves it: nodes that name their operands by number.
#pragma once

#include "harness/formula/formula.h"

enum node_kind {
    // Terms.
    NODE_NUMBER,
    NODE_SIGNAL,
    NODE_NEGATIVE,
    NODE_ABS,
    NODE_SQRT,
    NODE_ADD,
    NODE_SUBTRACT,
    NODE_MULTIPLY,
    NODE_DIVIDE,
    NODE_MIN,
    NODE_MAX,
    NODE_NORM, // hypot
    // Formulas.
    NODE_LESS, // left < right; also <=, since a margin of 0 does not hold
    NODE_NOT,
    NODE_AND,
    NODE_OR,
    NODE_ALWAYS,
    NODE_EVENTUALLY,
    NODE_UNTIL,
};

struct node {
    enum node_kind kind;
    unsigned left, right; // operands; of a unary one only `left`
    double number;
    unsigned signal;
    bool or_equal; // a comparison was written with <= or >=
    bool bounded;  // a temporal operator's interval
    int64_t from_ns, to_ns;
};

struct formula {
    unsigned root, count;
    unsigned signal_count;
    unsigned signal[FORMULA_SIGNALS_MAX]; // those it reads, each once
    struct node node[];                   // `count` of them; operands come before what uses them
};

// The samples of the signals that a term reads, instant by instant.
struct formula_cursor {
    const struct formula *formula;
    const struct formula_trace *trace;
    double *values;  // by signal number; of those without a sample anything
    size_t *samples; // taken so far, likewise
    bool reads[FORMULA_SIGNALS_MAX];
};

// False when memory is short; cursor_free also after false.
bool cursor_make(struct formula_cursor *cursor, const struct formula *formula,
                 const struct formula_trace *trace);
void cursor_free(struct formula_cursor *cursor);
void cursor_start(struct formula_cursor *cursor);            // before all samples, reading nothing
void cursor_read(struct formula_cursor *cursor, unsigned n); // what the term at node n reads, too
bool cursor_knows(const struct formula_cursor *cursor);      // each has had a sample
// Takes the samples of the next instant at which one of them has one. False: there is none up to
// the end of the trace.
bool cursor_next(struct formula_cursor *cursor, int64_t *time_ns);

// Value of the term at node `n` where signal i has the value values[i]. *infinite is set if a part
// of it is infinite, and left alone otherwise.
double formula_term(const struct formula *formula, unsigned n, const double *values,
                    bool *infinite);

// How far the formula at node `n` looks after its instant; as formula_horizon_ns.
int64_t formula_horizon_of(const struct formula *formula, unsigned n);

// Robustness over time of the formula at node `n`; what is not finite is unknown. False when memory
// is short. The caller frees the track (formula_track.h).
struct track;
bool formula_track(const struct formula *formula, unsigned n, const struct formula_trace *trace,
                   struct track *track);
