// What a formula says whatever its signals are. A comparison's margin is brought into the form
// constant + sum of factor x part, where a part is a signal or what is not linear in signals, and
// equal parts are one: so `x - x < 1` is seen. Parts have bounds of their own, such as 0 of `abs`.
// What is found holds for certain; what is not found may still be so.
#include <math.h>
#include <string.h>

#include "harness/formula/formula_private.h"

// NOLINTBEGIN(misc-no-recursion): as deep as the formula, which FORMULA_NODES_MAX bounds

#define PARTS_MAX 16 // with more of them nothing is certain

struct part {
    unsigned node;
    double factor;
};

struct linear {
    double constant;
    unsigned count;
    struct part part[PARTS_MAX];
    bool open; // nothing is known of it
};

struct range {
    double low, high;
};

static const struct range all = {-INFINITY, INFINITY};

static struct linear linear_of(const struct formula *formula, unsigned n);
static struct range range_of_term(const struct formula *formula, unsigned n);

static bool same(const struct formula *formula, unsigned a, unsigned b)
{
    const struct node *x = &formula->node[a], *y = &formula->node[b];
    if (a == b)
        return true;
    if (x->kind != y->kind)
        return false;
    if (x->kind == NODE_NUMBER)
        return x->number == y->number;
    if (x->kind == NODE_SIGNAL)
        return x->signal == y->signal;
    return same(formula, x->left, y->left) &&
           (x->kind < NODE_ADD || same(formula, x->right, y->right));
}

static void add_part(const struct formula *formula, struct linear *linear, unsigned n,
                     double factor)
{
    unsigned i = 0;
    while (i < linear->count && !same(formula, linear->part[i].node, n))
        i++;
    if (i == PARTS_MAX) {
        linear->open = true;
        return;
    }
    if (i == linear->count)
        linear->part[linear->count++] = (struct part){n, 0};
    linear->part[i].factor += factor;
}

static struct linear sum(const struct formula *formula, struct linear a, const struct linear *b,
                         double factor)
{
    a.constant += factor * b->constant;
    a.open |= b->open;
    for (unsigned i = 0; i < b->count; i++)
        add_part(formula, &a, b->part[i].node, factor * b->part[i].factor);
    return a;
}

// A product or quotient with a number is linear.
static struct linear scaled(const struct formula *formula, unsigned n)
{
    const struct node *node = &formula->node[n];
    const struct linear left = linear_of(formula, node->left),
                        right = linear_of(formula, node->right);
    const bool left_number = left.count == 0 && !left.open,
               right_number = right.count == 0 && !right.open;
    struct linear result = {0};
    if (right_number)
        return sum(formula, result, &left,
                   node->kind == NODE_DIVIDE ? 1 / right.constant : right.constant);
    if (left_number && node->kind == NODE_MULTIPLY)
        return sum(formula, result, &right, left.constant);
    add_part(formula, &result, n, 1);
    return result;
}

static struct linear linear_of(const struct formula *formula, unsigned n)
{
    const struct node *node = &formula->node[n];
    struct linear result = {0}, left, right;
    switch (node->kind) {
    case NODE_NUMBER:
        result.constant = node->number;
        return result;
    case NODE_NEGATIVE:
        left = linear_of(formula, node->left);
        return sum(formula, result, &left, -1);
    case NODE_ADD:
    case NODE_SUBTRACT:
        left = linear_of(formula, node->left);
        right = linear_of(formula, node->right);
        return sum(formula, left, &right, node->kind == NODE_ADD ? 1 : -1);
    case NODE_MULTIPLY:
    case NODE_DIVIDE:
        return scaled(formula, n);
    default:
        add_part(formula, &result, n, 1);
        return result;
    }
}

static struct range range_of(const struct formula *formula, const struct linear *linear);

// Of what is not linear.
static struct range range_of_part(const struct formula *formula, unsigned n)
{
    const struct node *node = &formula->node[n];
    struct range left = all, right = all;
    if (node->kind == NODE_ABS || node->kind == NODE_MIN || node->kind == NODE_MAX)
        left = range_of_term(formula, node->left);
    if (node->kind == NODE_MIN || node->kind == NODE_MAX)
        right = range_of_term(formula, node->right);
    switch (node->kind) {
    case NODE_ABS:
        return (struct range){fmax(0, fmax(left.low, -left.high)), fmax(-left.low, left.high)};
    case NODE_SQRT:
    case NODE_NORM:
        return (struct range){0, INFINITY};
    case NODE_MIN:
        return (struct range){fmin(left.low, right.low), fmin(left.high, right.high)};
    case NODE_MAX:
        return (struct range){fmax(left.low, right.low), fmax(left.high, right.high)};
    case NODE_MULTIPLY:
        return same(formula, node->left, node->right) ? (struct range){0, INFINITY} : all;
    default:
        return all;
    }
}

static struct range range_of(const struct formula *formula, const struct linear *linear)
{
    struct range range = {linear->constant, linear->constant};
    for (unsigned i = 0; i < linear->count && !linear->open; i++) {
        const double factor = linear->part[i].factor;
        const struct range part = range_of_part(formula, linear->part[i].node);
        if (factor == 0)
            continue;
        range.low += factor * (factor > 0 ? part.low : part.high);
        range.high += factor * (factor > 0 ? part.high : part.low);
    }
    return linear->open || isnan(range.low) || isnan(range.high) ? all : range;
}

static struct range range_of_term(const struct formula *formula, unsigned n)
{
    const struct linear linear = linear_of(formula, n);
    return range_of(formula, &linear);
}

// ---- formulas -----------------------------------------------------------------------------------

// `equal_too`: whoever wrote it takes a margin of 0 for kept.
static enum formula_certainty certainty_of(struct range margin, bool equal_too)
{
    return margin.low > 0 || (equal_too && margin.low >= 0) ? FORMULA_CERTAIN
           : margin.high <= 0                               ? FORMULA_IMPOSSIBLE
                                                            : FORMULA_OPEN;
}

// The margin of a comparison, or of one under a `not`; false: it is neither.
static bool margin_of(const struct formula *formula, unsigned n, struct linear *margin)
{
    const struct node *node = &formula->node[n];
    const bool negated = node->kind == NODE_NOT;
    node = negated ? &formula->node[node->left] : node;
    if (node->kind != NODE_LESS)
        return false;
    const struct linear left = linear_of(formula, node->left),
                        right = linear_of(formula, node->right);
    *margin = negated ? sum(formula, left, &right, -1) : sum(formula, right, &left, -1);
    return true;
}

static enum formula_certainty opposite(enum formula_certainty of)
{
    return of == FORMULA_CERTAIN      ? FORMULA_IMPOSSIBLE
           : of == FORMULA_IMPOSSIBLE ? FORMULA_CERTAIN
                                      : FORMULA_OPEN;
}

static enum formula_certainty certainty(const struct formula *formula, unsigned n);

// One of two margins whose sum is above 0 is above 0, one whose sum is not is not. A sum of 0 is
// `a or not a`, which fails only where both are 0.
static enum formula_certainty certainty_of_pair(const struct formula *formula,
                                                const struct node *node)
{
    struct linear left, right;
    if (!margin_of(formula, node->left, &left) || !margin_of(formula, node->right, &right))
        return FORMULA_OPEN;
    const struct linear both = sum(formula, left, &right, 1);
    const enum formula_certainty of_sum =
        certainty_of(range_of(formula, &both), node->kind == NODE_OR);
    return (node->kind == NODE_OR) == (of_sum == FORMULA_CERTAIN) ? of_sum : FORMULA_OPEN;
}

static enum formula_certainty certainty_of_both(const struct formula *formula,
                                                const struct node *node)
{
    // `and` is decided by one that is impossible, `or` by one that is certain.
    const enum formula_certainty deciding =
        node->kind == NODE_AND ? FORMULA_IMPOSSIBLE : FORMULA_CERTAIN;
    const enum formula_certainty left = certainty(formula, node->left),
                                 right = certainty(formula, node->right);
    if (left == deciding || right == deciding)
        return deciding;
    if (left == opposite(deciding) && right == left)
        return left;
    return certainty_of_pair(formula, node);
}

static enum formula_certainty certainty(const struct formula *formula, unsigned n)
{
    const struct node *node = &formula->node[n];
    struct linear margin;
    switch (node->kind) {
    case NODE_LESS:
        return margin_of(formula, n, &margin)
                   ? certainty_of(range_of(formula, &margin), node->or_equal)
                   : FORMULA_OPEN;
    case NODE_NOT:
        return opposite(certainty(formula, node->left));
    case NODE_AND:
    case NODE_OR:
        return certainty_of_both(formula, node);
    case NODE_UNTIL: // without its left side, if the right one may come at once
        if (certainty(formula, node->right) == FORMULA_IMPOSSIBLE)
            return FORMULA_IMPOSSIBLE;
        return node->from_ns > 0 ? FORMULA_OPEN : certainty(formula, node->right);
    default:
        return certainty(formula, node->left);
    }
}

enum formula_certainty formula_certain(const struct formula *formula)
{
    return certainty(formula, formula->root);
}

bool formula_has_signals(const struct formula *formula)
{
    return formula->signal_count > 0;
}
// NOLINTEND(misc-no-recursion)
