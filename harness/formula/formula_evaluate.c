#include <math.h>
#include <stdlib.h>

#include "harness/formula/formula_private.h"
#include "harness/formula/formula_track.h"

// NOLINTBEGIN(misc-no-recursion): as deep as the formula, which FORMULA_NODES_MAX bounds

struct evaluation {
    const struct formula *formula;
    const struct formula_trace *trace;
    const struct formula_window *window;
    struct formula_result *result;
    struct formula_cursor cursor;
};

static bool evaluate(struct evaluation *e, unsigned n, struct track *track);

// ---- comparisons --------------------------------------------------------------------------------

static void note_not_a_number(struct evaluation *e, bool infinite, int64_t from_ns, int64_t to_ns)
{
    const int64_t first_ns = from_ns > e->window->from_ns ? from_ns : e->window->from_ns;
    if (first_ns > to_ns || first_ns > e->window->to_ns ||
        (e->result->not_a_number && e->result->not_a_number_ns <= first_ns))
        return;
    e->result->not_a_number = true;
    e->result->not_a_number_ns = first_ns;
    e->result->infinite = infinite;
}

// What holds from an instant on, its samples taken.
static struct step compare(const struct evaluation *e, const struct node *node, int64_t time_ns)
{
    bool infinite = false;
    const double right = formula_term(e->formula, node->right, e->cursor.values, &infinite);
    const double margin = right - formula_term(e->formula, node->left, e->cursor.values, &infinite);
    infinite |= isinf(margin) != 0;
    return (struct step){time_ns,
                         {infinite ? NAN : margin, time_ns},
                         {infinite && !isnan(margin) ? INFINITY : margin, time_ns}};
}

static struct step unknown_from(int64_t time_ns)
{
    return (struct step){time_ns, {-INFINITY, time_ns}, {INFINITY, time_ns}};
}

// A comparison that meets what is no number, or infinite, fails, whatever is around it: the result
// says so.
static bool finish_numbers(struct evaluation *e, struct track *track)
{
    for (size_t i = 0; i < track->count; i++) {
        struct step *step = &track->step[i];
        if (!isnan(step->low.value))
            continue;
        note_not_a_number(e, isinf(step->high.value) != 0, step->from_ns,
                          i + 1 < track->count ? track->step[i + 1].from_ns - 1 : INT64_MAX);
        step->low.value = -INFINITY;
        step->high.value = INFINITY;
    }
    return true;
}

static bool evaluate_less(struct evaluation *e, const struct node *node, struct track *track)
{
    cursor_start(&e->cursor);
    cursor_read(&e->cursor, node->left);
    cursor_read(&e->cursor, node->right);
    int64_t time_ns = INT64_MIN;
    bool fine = true;
    do {
        fine = track_add(track, cursor_knows(&e->cursor) ? compare(e, node, time_ns)
                                                         : unknown_from(time_ns));
    } while (fine && cursor_next(&e->cursor, &time_ns));
    return fine && track_add(track, unknown_from(e->trace->end_ns + 1)) && finish_numbers(e, track);
}

// ---- operators ----------------------------------------------------------------------------------

static bool always(const struct evaluation *e, const struct node *node, const struct track *of,
                   struct track *track)
{
    return node->bounded ? track_always(of, node->from_ns, node->to_ns, track)
                         : track_always_to_end(of, e->trace->end_ns, track);
}

static bool eventually(const struct evaluation *e, const struct node *node, struct track *of,
                       struct track *track)
{
    track_negate(of);
    const bool fine = always(e, node, of, track);
    track_negate(of);
    track_negate(track);
    return fine;
}

// a until[x, y] b is: b at some instant from x to y, and from now to x always (a until b).
// Donze, Ferrere and Maler, "Efficient robust monitoring for STL" (CAV 2013), lemmas 1 and 2.
static bool until(const struct evaluation *e, const struct node *node, const struct track *left,
                  struct track *right, struct track *track)
{
    if (!node->bounded)
        return track_until(left, right, e->trace->end_ns, track);
    struct track some = {0}, open = {0}, later = {0};
    const bool fine = track_until(left, right, INT64_MAX, &open) &&
                      track_always(&open, 0, node->from_ns, &later) &&
                      eventually(e, node, right, &some) && track_lesser(&some, &later, track);
    track_free(&some);
    track_free(&open);
    track_free(&later);
    return fine;
}

static bool both(struct evaluation *e, const struct node *node, struct track *track)
{
    struct track left = {0}, right = {0};
    bool fine = evaluate(e, node->left, &left) && evaluate(e, node->right, &right);
    if (fine && node->kind == NODE_UNTIL) {
        fine = until(e, node, &left, &right, track);
    } else if (fine) {
        if (node->kind == NODE_OR) {
            track_negate(&left);
            track_negate(&right);
        }
        fine = track_lesser(&left, &right, track);
        if (node->kind == NODE_OR)
            track_negate(track);
    }
    track_free(&left);
    track_free(&right);
    return fine;
}

static bool evaluate(struct evaluation *e, unsigned n, struct track *track)
{
    const struct node *node = &e->formula->node[n];
    struct track inner = {0};
    bool fine;
    switch (node->kind) {
    case NODE_LESS:
        return evaluate_less(e, node, track);
    case NODE_NOT:
        fine = evaluate(e, node->left, track);
        track_negate(track);
        return fine;
    case NODE_ALWAYS:
    case NODE_EVENTUALLY:
        fine = evaluate(e, node->left, &inner) &&
               (node->kind == NODE_ALWAYS ? always(e, node, &inner, track)
                                          : eventually(e, node, &inner, track));
        track_free(&inner);
        return fine;
    default:
        return both(e, node, track);
    }
}

// ---- a window -----------------------------------------------------------------------------------

static void look_for_silence(const struct evaluation *e)
{
    for (unsigned i = 0; i < e->formula->signal_count && !e->result->silent; i++) {
        const struct formula_samples *samples = &e->trace->signal[e->formula->signal[i]];
        size_t first = 0;
        while (first < samples->count && samples->time_ns[first] < e->window->from_ns)
            first++;
        if (first < samples->count && samples->time_ns[first] <= e->window->to_ns)
            continue;
        e->result->silent = true;
        e->result->silent_signal = e->formula->signal[i];
    }
}

// What the window's own operator makes of the formula's track.
static bool conclude(const struct evaluation *e, struct track *of, struct track *track)
{
    const struct node node = {.bounded = true, .to_ns = e->window->to_ns - e->window->from_ns};
    switch (e->window->operator) {
    case FORMULA_ALWAYS:
        return always(e, &node, of, track);
    case FORMULA_EVENTUALLY:
        return eventually(e, &node, of, track);
    case FORMULA_HOLDS:
        break;
    }
    return track_lesser(of, of, track);
}

// When the window's promise was broken: `of` is the formula's track.
static int64_t broken_ns(const struct formula_window *window, const struct track *of, double high)
{
    if (high > 0)
        return INT64_MAX;
    if (window->operator!= FORMULA_ALWAYS)
        return window->operator== FORMULA_EVENTUALLY ? window->to_ns : window->from_ns;
    for (const struct step *step = track_at(of, window->from_ns); step < of->step + of->count;
         step++)
        if (step->high.value <= 0)
            return step->from_ns > window->from_ns ? step->from_ns : window->from_ns;
    return INT64_MAX;
}

enum status formula_evaluate(const struct formula *formula, const struct formula_trace *trace,
                             const struct formula_window *window, struct formula_result *result)
{
    struct evaluation e = {formula, trace, window, result, {0}};
    struct track of = {0}, track = {0};
    *result = (struct formula_result){.low = NAN, .high = NAN};
    const bool fine = cursor_make(&e.cursor, formula, trace) && evaluate(&e, formula->root, &of) &&
                      conclude(&e, &of, &track);
    if (fine) {
        const struct step *step = track_at(&track, window->from_ns);
        result->low = step->low.value;
        result->low_ns = step->low.at_ns;
        result->high = step->high.value;
        result->high_ns = step->high.at_ns;
        result->broken_ns = broken_ns(window, &of, result->high);
        look_for_silence(&e);
    }
    track_free(&of);
    track_free(&track);
    cursor_free(&e.cursor);
    return fine ? STATUS_OK : STATUS_NO_MEMORY;
}

bool formula_track(const struct formula *formula, unsigned n, const struct formula_trace *trace,
                   struct track *track)
{
    const struct formula_window whole = {FORMULA_ALWAYS, 0, trace->end_ns};
    struct formula_result unused = {0};
    struct evaluation e = {formula, trace, &whole, &unused, {0}};
    *track = (struct track){0};
    const bool fine = cursor_make(&e.cursor, formula, trace) && evaluate(&e, n, track);
    cursor_free(&e.cursor);
    return fine;
}

enum status formula_robustness(const struct formula *formula, const struct formula_trace *trace,
                               struct formula_step **steps, size_t *count)
{
    struct track of;
    *steps = NULL;
    *count = 0;
    if (formula_track(formula, formula->root, trace, &of))
        *steps = calloc(of.count + 1, sizeof **steps);
    for (size_t i = 0; *steps != NULL && i < of.count; i++)
        (*steps)[(*count)++] =
            (struct formula_step){of.step[i].from_ns, of.step[i].low.value, of.step[i].high.value};
    track_free(&of);
    return *steps != NULL ? STATUS_OK : STATUS_NO_MEMORY;
}

double formula_step_value(const struct formula_step *step)
{
    return step->low == step->high ? step->low : NAN;
}

enum status formula_first(const struct formula *formula, const struct formula_trace *trace,
                          int64_t from_ns, int64_t to_ns, int64_t *first_ns)
{
    struct formula_step *step;
    size_t count;
    const enum status status = formula_robustness(formula, trace, &step, &count);
    *first_ns = INT64_MAX;
    for (size_t i = 0; i < count && step[i].from_ns <= to_ns; i++) {
        const bool over = i + 1 < count && step[i + 1].from_ns <= from_ns;
        if (over || step[i].low <= 0)
            continue;
        *first_ns = step[i].from_ns > from_ns ? step[i].from_ns : from_ns;
        break;
    }
    free(step);
    return status;
}
// NOLINTEND(misc-no-recursion)
