// Temporal formulas over the signals of a trial: what promises, observations and triggers say.
//
//   always (lean_rad < 0.2 and abs(cart.position_m) < 1)
//   force.force_n > 1 until[0, 2] lean_rad < 0.02
//   eventually[0, 0.5] max(abs(drive.wheel[front].speed_rad_s)) < 0.01
//
// The logic is signal temporal logic with its quantitative semantics: the robustness of Donze and
// Maler, "Robust satisfaction of temporal logic over real-valued signals" (FORMATS 2010),
// section 3. A comparison's robustness is the distance of its sides; `and` is the minimum, `or` the
// maximum, `always` the infimum, `eventually` the supremum. Intervals are closed, in seconds. An
// operator without an interval reaches to the end of the trace.
//
// A signal holds its value from one sample to the next. Before its first sample and after the end
// of the trace nothing is known of it: the robustness is an interval then, as in Deshmukh et al.,
// "Robust online monitoring of signal temporal logic" (RV 2015). Its ends are equal where
// everything is known.
//
// Pure, but for the memory that evaluating works in. Not real-time, except for formula_now.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

struct formula; // opaque; owned by the caller

#define FORMULA_NAME_MAX 96
#define FORMULA_SIGNALS_MAX 512
#define FORMULA_NODES_MAX 4096

// What the names in a formula mean.
struct formula_names {
    void *context;
    // The signal called `name` ("pole.angle_rad", "drive.wheel[3].angle_rad"). A group
    // ("drive.wheel[*].angle_rad", "drive.wheel[front].angle_rad") has *count elements, of
    // which `element` is asked; otherwise *count is 0. False: there is no such signal.
    bool (*signal)(void *context, const char *name, unsigned element, unsigned *count,
                   unsigned *signal);
    // The text of a declared quantity ("lean_rad"), NULL if there is none. May be NULL.
    const char *(*quantity)(void *context, const char *name);
};

struct formula_error {
    unsigned line, column; // within the text, from 1
    char words[240];       // what is wrong and what to write instead
};

// INVALID: *error says where and why. NO_MEMORY. The caller frees *formula.
enum status formula_parse(const char *text, const struct formula_names *names,
                          struct formula **formula, struct formula_error *error) MUST_CHECK;
// A term, for formula_value and formula_summarize alone. Errors likewise.
enum status formula_parse_term(const char *text, const struct formula_names *names,
                               struct formula **term, struct formula_error *error) MUST_CHECK;
void formula_free(struct formula *formula); // NULL is allowed

// Whether it says something of one instant only: no always, eventually or until.
bool formula_is_instant(const struct formula *formula);

// Robustness of such a formula where signal i has the value values[i]; NAN if it depends on one
// that is NAN. Real-time safe.
double formula_now(const struct formula *formula, const double *values);

// Value of a term, likewise. Real-time safe.
double formula_value(const struct formula *term, const double *values);

// How far after its instant it looks; INT64_MAX if an operator has no interval.
int64_t formula_horizon_ns(const struct formula *formula);

struct formula_samples { // of one signal, in the order of time; owned by the caller
    size_t count;
    const int64_t *time_ns;
    const double *value; // NAN: the target published what is not a number
};

struct formula_trace {
    const struct formula_samples *signal; // by signal number
    int64_t end_ns;                       // the last instant of which anything is known
};

// `from_ns` to `to_ns`, both included, in which a formula shall always or at some instant hold; for
// FORMULA_HOLDS it is judged at from_ns alone.
enum formula_operator { FORMULA_HOLDS, FORMULA_ALWAYS, FORMULA_EVENTUALLY };
struct formula_window {
    enum formula_operator operator;
    int64_t from_ns, to_ns;
};

struct formula_result {
    double low, high; // of the robustness; equal where all is known
    int64_t low_ns;   // the instant whose sample decides the lower end
    int64_t high_ns;  // likewise
    // The first instant in the window at which the formula is known to be broken; INT64_MAX: at
    // none. For FORMULA_EVENTUALLY the window's end, by which it should have held.
    int64_t broken_ns;
    bool silent; // a signal has no sample in the window
    unsigned silent_signal;
    bool not_a_number; // a comparison in the window met a value that is none,
    bool infinite;     // or that is infinite, or a part of it is
    int64_t not_a_number_ns;
};

// NO_MEMORY.
enum status formula_evaluate(const struct formula *formula, const struct formula_trace *trace,
                             const struct formula_window *window,
                             struct formula_result *result) MUST_CHECK;

// Why a formula that held says nothing: it would have held whatever the target had done.
enum formula_vacuity {
    FORMULA_JUDGED,
    FORMULA_IMPLIES_NOTHING, // the left side of an implication never held in the window
    FORMULA_HELD_BEFORE,     // an eventually held before what it is about, and until it began,
    FORMULA_DONE_BEFORE,     // or was fulfilled before that; likewise an until
    FORMULA_AT_ONCE,         // the right side of an until held wherever it was looked at
    FORMULA_FEW_SAMPLES,     // an always over less than two samples
};

struct formula_vacuous {
    enum formula_vacuity kind;
    bool in_part;  // kind is FORMULA_JUDGED, but one of its parts, joined by `and`, is vacuous
    int64_t at_ns; // HELD_BEFORE, DONE_BEFORE: when it held
};

// Of a formula that formula_evaluate has found to hold. since_ns: when that which it is about
// happened, such as a fault; INT64_MAX: nothing is known to have. NO_MEMORY.
enum status formula_vacuous(const struct formula *formula, const struct formula_trace *trace,
                            const struct formula_window *window, int64_t since_ns,
                            struct formula_vacuous *vacuous) MUST_CHECK;

// Whether a formula that is read says the same whatever its signals are.
enum formula_certainty { FORMULA_OPEN, FORMULA_CERTAIN, FORMULA_IMPOSSIBLE };
enum formula_certainty formula_certain(const struct formula *formula);
// Whether it reads any signal.
bool formula_has_signals(const struct formula *formula);

struct formula_step { // holds until the next one
    int64_t from_ns;  // INT64_MIN: of the first
    double low, high; // of the robustness; equal where all is known
};

// Its robustness; NAN where not all is known.
double formula_step_value(const struct formula_step *step);

// Robustness over time, for plots. NO_MEMORY. The caller frees *steps.
enum status formula_robustness(const struct formula *formula, const struct formula_trace *trace,
                               struct formula_step **steps, size_t *count) MUST_CHECK;

// The first instant from `from_ns` to `to_ns`, both included, at which the formula is known to
// hold; INT64_MAX: at none. NO_MEMORY.
enum status formula_first(const struct formula *formula, const struct formula_trace *trace,
                          int64_t from_ns, int64_t to_ns, int64_t *first_ns) MUST_CHECK;

// When all signals of a formula are known: each has its first sample. INT64_MAX: never; *silent is
// one that has none.
int64_t formula_known_ns(const struct formula *formula, const struct formula_trace *trace,
                         unsigned *silent);

struct formula_summary {         // of a term over a window
    bool known;                  // it had a value within
    double last, min, max, mean; // the mean is over time; NAN: a sample was not a number
};
// NO_MEMORY.
enum status formula_summarize(const struct formula *term, const struct formula_trace *trace,
                              int64_t from_ns, int64_t to_ns,
                              struct formula_summary *summary) MUST_CHECK;
