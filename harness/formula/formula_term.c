#include "harness/formula/formula_private.h"

#include <math.h>
#include <stdlib.h>

// NOLINTBEGIN(misc-no-recursion): as deep as the formula, which FORMULA_NODES_MAX bounds

static double operate(enum node_kind kind, double left, double right)
{
    switch (kind) {
    case NODE_ADD:
        return left + right;
    case NODE_SUBTRACT:
        return left - right;
    case NODE_MULTIPLY:
        return left * right;
    case NODE_DIVIDE:
        return left / right;
    case NODE_MIN:
        return fmin(left, right);
    case NODE_MAX:
        return fmax(left, right);
    case NODE_NORM:
        return hypot(left, right);
    default:
        abort(); // the parser makes no other term
    }
}

static double value_of(const struct formula *formula, unsigned n, const double *values,
                       bool *infinite)
{
    const struct node *node = &formula->node[n];
    if (node->kind == NODE_NUMBER)
        return node->number;
    if (node->kind == NODE_SIGNAL)
        return values[node->signal];
    const double left = formula_term(formula, node->left, values, infinite);
    if (node->kind == NODE_NEGATIVE)
        return -left;
    if (node->kind == NODE_ABS)
        return fabs(left);
    if (node->kind == NODE_SQRT)
        return sqrt(left);
    const double right = formula_term(formula, node->right, values, infinite);
    if (isnan(left) || isnan(right)) // fmin and fmax would hide it
        return NAN;
    return operate(node->kind, left, right);
}

double formula_term(const struct formula *formula, unsigned n, const double *values, bool *infinite)
{
    const double value = value_of(formula, n, values, infinite);
    *infinite |= isinf(value) != 0; // a minimum, or a division by it, would hide that
    return value;
}

static double robustness_now(const struct formula *formula, unsigned n, const double *values)
{
    const struct node *node = &formula->node[n];
    bool infinite = false; // an infinite value is beyond any bound: it strikes
    if (node->kind == NODE_LESS)
        return formula_term(formula, node->right, values, &infinite) -
               formula_term(formula, node->left, values, &infinite);
    const double left = robustness_now(formula, node->left, values);
    if (node->kind == NODE_NOT)
        return -left;
    const double right = robustness_now(formula, node->right, values);
    if (isnan(left) || isnan(right))
        return NAN;
    return node->kind == NODE_AND ? fmin(left, right) : fmax(left, right);
}

double formula_now(const struct formula *formula, const double *values)
{
    return robustness_now(formula, formula->root, values);
}

double formula_value(const struct formula *term, const double *values)
{
    bool infinite = false;
    return formula_term(term, term->root, values, &infinite);
}

bool formula_is_instant(const struct formula *formula)
{
    for (unsigned i = 0; i < formula->count; i++)
        if (formula->node[i].kind >= NODE_ALWAYS)
            return false;
    return true;
}

int64_t formula_horizon_of(const struct formula *formula, unsigned n)
{
    const struct node *node = &formula->node[n];
    if (node->kind <= NODE_LESS)
        return 0;
    int64_t inner = formula_horizon_of(formula, node->left);
    if (node->kind == NODE_AND || node->kind == NODE_OR || node->kind == NODE_UNTIL) {
        const int64_t right = formula_horizon_of(formula, node->right);
        inner = right > inner ? right : inner;
    }
    if (node->kind < NODE_ALWAYS)
        return inner;
    if (!node->bounded || inner == INT64_MAX)
        return INT64_MAX;
    return inner + node->to_ns;
}

int64_t formula_horizon_ns(const struct formula *formula)
{
    return formula_horizon_of(formula, formula->root);
}

void formula_free(struct formula *formula)
{
    free(formula);
}
// NOLINTEND(misc-no-recursion)
