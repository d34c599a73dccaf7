// A term over a window: what its values came to.
#include <math.h>

#include "harness/formula/formula_private.h"

int64_t formula_known_ns(const struct formula *formula, const struct formula_trace *trace,
                         unsigned *silent)
{
    int64_t known_ns = INT64_MIN;
    for (unsigned i = 0; i < formula->signal_count; i++) {
        const struct formula_samples *samples = &trace->signal[formula->signal[i]];
        *silent = formula->signal[i];
        if (samples->count == 0 || samples->time_ns[0] > trace->end_ns)
            return INT64_MAX;
        known_ns = samples->time_ns[0] > known_ns ? samples->time_ns[0] : known_ns;
    }
    return known_ns;
}

// Adds a value that holds from one instant to another, as far as that lies in the window.
static void add(struct formula_summary *summary, double value, int64_t from_ns, int64_t to_ns,
                int64_t *weight_ns)
{
    if (to_ns < from_ns)
        return;
    if (!summary->known)
        *summary = (struct formula_summary){true, value, value, value, value};
    const int64_t held_ns = to_ns - from_ns;
    summary->last = value;
    summary->min = isnan(value) || value < summary->min ? value : summary->min;
    summary->max = isnan(value) || value > summary->max ? value : summary->max;
    *weight_ns += held_ns;
    if (*weight_ns > 0)
        summary->mean += (value - summary->mean) * (double)held_ns / (double)*weight_ns;
}

enum status formula_summarize(const struct formula *term, const struct formula_trace *trace,
                              int64_t from_ns, int64_t to_ns, struct formula_summary *summary)
{
    struct formula_cursor cursor;
    int64_t begin_ns = from_ns, next_ns = from_ns, weight_ns = 0;
    const int64_t end_ns = to_ns < trace->end_ns ? to_ns : trace->end_ns;
    *summary = (struct formula_summary){false, NAN, NAN, NAN, NAN};
    const bool fine = cursor_make(&cursor, term, trace);
    if (fine) {
        cursor_start(&cursor);
        cursor_read(&cursor, term->root);
    }
    for (bool more = fine; more; begin_ns = next_ns > from_ns ? next_ns : from_ns) {
        const bool known = cursor_knows(&cursor);
        const double value = known ? formula_value(term, cursor.values) : NAN;
        more = cursor_next(&cursor, &next_ns) && next_ns <= end_ns;
        if (known && (!more || next_ns > begin_ns))
            add(summary, value, begin_ns, more ? next_ns : end_ns, &weight_ns);
    }
    cursor_free(&cursor);
    return fine ? STATUS_OK : STATUS_NO_MEMORY;
}
