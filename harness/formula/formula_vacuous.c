// Whether a formula that held was put to the proof. It goes through the formula from its root and
// keeps the instants at which each part was looked at: so few, or such, that the part could not but
// hold, and the part is vacuous. Of parts joined by `and` one that was judged is enough; of parts
// joined by `or` one that could not but hold makes all of it so. The oldest of these rules is Beer
// et al., "Efficient detection of vacuity in ACTL formulas" (CAV 1997).
#include <string.h>

#include "harness/formula/formula_private.h"
#include "harness/formula/formula_track.h"

// NOLINTBEGIN(misc-no-recursion): as deep as the formula, which FORMULA_NODES_MAX bounds

struct search {
    const struct formula *formula;
    const struct formula_trace *trace;
    int64_t since_ns;
    int64_t at_ns;
    bool in_part, no_memory;
};

// The instants at which a part is looked at.
struct span {
    int64_t from_ns, to_ns;
    bool one;       // at from_ns alone
    bool universal; // at all of them it must hold; of others one may be enough
};

static enum formula_vacuity look(struct search *s, unsigned n, bool positive, struct span span);

static int64_t later(const struct search *s, int64_t time_ns, int64_t by_ns)
{
    const int64_t end_ns = s->trace->end_ns;
    return by_ns > end_ns - time_ns ? end_ns : time_ns + by_ns;
}

// What a temporal operator makes of a span.
static struct span widen(const struct search *s, const struct node *node, struct span span)
{
    span.from_ns = later(s, span.from_ns, node->bounded ? node->from_ns : 0);
    span.to_ns = node->bounded ? later(s, span.to_ns, node->to_ns) : s->trace->end_ns;
    span.one = false;
    return span;
}

// Robustness over time of a part, or of what it is under a `not`.
static bool track_of(struct search *s, unsigned n, bool positive, struct track *track)
{
    const bool fine = formula_track(s->formula, n, s->trace, track);
    s->no_memory |= !fine;
    if (fine && !positive)
        track_negate(track);
    return fine;
}

// The first instant of a span at which it is known to hold, or not to if `holds` is false;
// INT64_MAX: there is none.
static int64_t first_in(const struct track *track, bool holds, int64_t from_ns, int64_t to_ns)
{
    for (const struct step *step = track_at(track, from_ns);
         step < track->step + track->count && step->from_ns <= to_ns; step++)
        if ((step->low.value > 0) == holds)
            return step->from_ns > from_ns ? step->from_ns : from_ns;
    return INT64_MAX;
}

// ---- comparisons --------------------------------------------------------------------------------

static bool reads(const struct formula *formula, unsigned n, unsigned signal)
{
    const struct node *node = &formula->node[n];
    if (node->kind == NODE_SIGNAL)
        return node->signal == signal;
    return node->kind != NODE_NUMBER &&
           (reads(formula, node->left, signal) ||
            (node->kind >= NODE_ADD && reads(formula, node->right, signal)));
}

// Two instants at least, at which a signal of the comparison has a sample.
static bool has_two(const struct search *s, unsigned n, const struct span *span)
{
    int64_t first_ns = INT64_MAX, last_ns = INT64_MIN;
    for (unsigned i = 0; i < s->formula->signal_count; i++) {
        const struct formula_samples *of = &s->trace->signal[s->formula->signal[i]];
        if (!reads(s->formula, n, s->formula->signal[i]))
            continue;
        for (size_t k = 0; k < of->count && of->time_ns[k] <= span->to_ns && first_ns >= last_ns;
             k++) {
            if (of->time_ns[k] < span->from_ns)
                continue;
            first_ns = of->time_ns[k] < first_ns ? of->time_ns[k] : first_ns;
            last_ns = of->time_ns[k] > last_ns ? of->time_ns[k] : last_ns;
        }
    }
    return first_ns < last_ns;
}

// ---- and, or, implies ---------------------------------------------------------------------------

// `a implies b` is read as `not a or b`, and may be written as `not (a and not b)`: one of two
// sides of an `or` is negated. *premise is `a`.
static bool is_implication(const struct formula *formula, unsigned n, bool positive,
                           unsigned *premise)
{
    const struct node *node = &formula->node[n];
    if (node->kind != (positive ? NODE_OR : NODE_AND))
        return false;
    const bool left = formula->node[node->left].kind == NODE_NOT,
               right = formula->node[node->right].kind == NODE_NOT;
    const unsigned side = positive == left ? node->left : node->right;
    *premise = positive ? formula->node[side].left : side;
    return left != right;
}

static enum formula_vacuity look_at_or(struct search *s, unsigned n, bool positive,
                                       struct span span)
{
    const struct node *node = &s->formula->node[n];
    unsigned premise;
    if (is_implication(s->formula, n, positive, &premise)) {
        struct track track;
        const bool held = track_of(s, premise, true, &track) &&
                          first_in(&track, true, span.from_ns, span.to_ns) != INT64_MAX;
        track_free(&track);
        if (!held)
            return FORMULA_IMPLIES_NOTHING;
    }
    const bool in_part = s->in_part;
    const enum formula_vacuity left = look(s, node->left, positive, span),
                               right = look(s, node->right, positive, span);
    s->in_part = in_part;
    if (left != FORMULA_JUDGED && (left != FORMULA_FEW_SAMPLES || right == FORMULA_FEW_SAMPLES))
        return left;
    return right != FORMULA_FEW_SAMPLES ? right : FORMULA_JUDGED;
}

static enum formula_vacuity look_at_and(struct search *s, unsigned n, bool positive,
                                        struct span span)
{
    const struct node *node = &s->formula->node[n];
    const enum formula_vacuity left = look(s, node->left, positive, span),
                               right = look(s, node->right, positive, span);
    if (left != FORMULA_JUDGED && right != FORMULA_JUDGED)
        return left;
    s->in_part |= left != FORMULA_JUDGED || right != FORMULA_JUDGED;
    return FORMULA_JUDGED;
}

// ---- eventually and until -----------------------------------------------------------------------

// Whether what had to come within a span had come before that which it is about. `first_ns`: where
// it first held.
static enum formula_vacuity before(struct search *s, unsigned n, const struct track *track,
                                   const struct span *within, int64_t first_ns)
{
    const int64_t since_ns = s->since_ns, from_ns = within->from_ns,
                  horizon_ns = formula_horizon_of(s->formula, n);
    s->at_ns = since_ns <= from_ns ? since_ns : first_ns;
    if (since_ns <= from_ns)
        return since_ns > INT64_MIN && first_in(track, false, since_ns - 1, from_ns) == INT64_MAX
                   ? FORMULA_HELD_BEFORE
                   : FORMULA_JUDGED;
    return since_ns <= within->to_ns && first_ns < since_ns && horizon_ns < since_ns - first_ns
               ? FORMULA_DONE_BEFORE
               : FORMULA_JUDGED;
}

static enum formula_vacuity look_at_eventually(struct search *s, unsigned n, bool positive,
                                               struct span span, struct span within)
{
    unsigned premise;
    struct track track;
    if (!span.one || is_implication(s->formula, n, positive, &premise))
        return look(s, n, positive, within);
    enum formula_vacuity found = FORMULA_JUDGED;
    if (track_of(s, n, positive, &track)) {
        const int64_t first_ns = first_in(&track, true, within.from_ns, within.to_ns);
        if (first_ns != INT64_MAX)
            found = before(s, n, &track, &within, first_ns);
        if (first_ns != INT64_MAX && found == FORMULA_JUDGED)
            found = look(s, n, positive, (struct span){first_ns, first_ns, true, false});
    }
    track_free(&track);
    return found;
}

static enum formula_vacuity look_at_until(struct search *s, const struct node *node,
                                          struct span span)
{
    struct track right;
    enum formula_vacuity found = FORMULA_JUDGED;
    if (track_of(s, node->right, true, &right)) {
        const struct span within = widen(s, node, span);
        const int64_t first_ns = first_in(&right, true, within.from_ns, within.to_ns);
        if ((!node->bounded || node->from_ns == 0) &&
            first_in(&right, false, span.from_ns, span.to_ns) == INT64_MAX)
            found = FORMULA_AT_ONCE;
        else if (span.one && first_ns != INT64_MAX && s->since_ns > within.from_ns)
            found = before(s, node->right, &right, &within, first_ns);
    }
    track_free(&right);
    return found;
}

// ---- the formula --------------------------------------------------------------------------------

static enum formula_vacuity look(struct search *s, unsigned n, bool positive, struct span span)
{
    const struct node *node = &s->formula->node[n];
    struct span within = widen(s, node, span);
    switch (node->kind) {
    case NODE_LESS:
        return span.universal && !has_two(s, n, &span) ? FORMULA_FEW_SAMPLES : FORMULA_JUDGED;
    case NODE_NOT:
        return look(s, node->left, !positive, span);
    case NODE_AND:
    case NODE_OR:
        return (node->kind == NODE_AND) == positive ? look_at_and(s, n, positive, span)
                                                    : look_at_or(s, n, positive, span);
    case NODE_ALWAYS:
    case NODE_EVENTUALLY:
        if ((node->kind == NODE_EVENTUALLY) == positive)
            return look_at_eventually(s, node->left, positive, span, within);
        within.universal = true;
        return look(s, node->left, positive, within);
    case NODE_UNTIL:
        return positive ? look_at_until(s, node, span) : FORMULA_JUDGED;
    default:
        return FORMULA_JUDGED;
    }
}

enum status formula_vacuous(const struct formula *formula, const struct formula_trace *trace,
                            const struct formula_window *window, int64_t since_ns,
                            struct formula_vacuous *vacuous)
{
    struct search s = {.formula = formula, .trace = trace, .since_ns = since_ns};
    const struct span begin = {window->from_ns, window->from_ns, true, false};
    struct span whole = {window->from_ns,
                         later(&s, window->from_ns, window->to_ns - window->from_ns), false,
                         window->operator== FORMULA_ALWAYS };
    *vacuous = (struct formula_vacuous){0};
    if (window->operator== FORMULA_EVENTUALLY)
        vacuous->kind = look_at_eventually(&s, formula->root, true, begin, whole);
    else
        vacuous->kind = look(&s, formula->root, true, whole.universal ? whole : begin);
    vacuous->in_part = s.in_part && vacuous->kind == FORMULA_JUDGED;
    vacuous->at_ns = s.at_ns;
    return s.no_memory ? STATUS_NO_MEMORY : STATUS_OK;
}
// NOLINTEND(misc-no-recursion)
