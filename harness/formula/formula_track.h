// Robustness as a function of time: steps that hold until the next one. Private to
// formula_evaluate.
//
// The first step begins at INT64_MIN. Times are whole nanoseconds, so that closed intervals are
// exact. All functions that make a track return false when memory is short.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bound {
    double value;
    int64_t at_ns; // the instant whose sample it comes from
};

struct step {
    int64_t from_ns;
    struct bound low, high;
};

struct track {
    size_t count, room;
    struct step *step;
};

bool track_add(struct track *track, struct step step);
void track_free(struct track *track);
// The step that holds at an instant.
const struct step *track_at(const struct track *track, int64_t time_ns);

// In place: of `not`.
void track_negate(struct track *track);
// The lesser of both at each instant.
bool track_lesser(const struct track *a, const struct track *b, struct track *result);
// Infimum from t + from_ns to t + to_ns.
bool track_always(const struct track *a, int64_t from_ns, int64_t to_ns, struct track *result);
// Infimum from t to the end; nothing is known after the end.
bool track_always_to_end(const struct track *a, int64_t end_ns, struct track *result);
// Supremum over t' >= t of min(b(t'), infimum of a from t to t'). What the last step says goes on
// for ever; with `end_ns` only t' up to there counts, INT64_MAX: all.
bool track_until(const struct track *a, const struct track *b, int64_t end_ns,
                 struct track *result);
