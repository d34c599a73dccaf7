#include <stdlib.h>
#include <string.h>

#include "harness/formula/formula_private.h"

bool cursor_make(struct formula_cursor *cursor, const struct formula *formula,
                 const struct formula_trace *trace)
{
    *cursor = (struct formula_cursor){.formula = formula, .trace = trace};
    cursor->values = calloc(FORMULA_SIGNALS_MAX, sizeof *cursor->values);
    cursor->samples = calloc(FORMULA_SIGNALS_MAX, sizeof *cursor->samples);
    return cursor->values != NULL && cursor->samples != NULL;
}

void cursor_free(struct formula_cursor *cursor)
{
    free(cursor->values);
    free(cursor->samples);
}

void cursor_start(struct formula_cursor *cursor)
{
    memset(cursor->reads, 0, sizeof cursor->reads);
    for (unsigned i = 0; i < cursor->formula->signal_count; i++)
        cursor->samples[cursor->formula->signal[i]] = 0;
}

// NOLINTNEXTLINE(misc-no-recursion): as deep as the term, which FORMULA_NODES_MAX bounds
void cursor_read(struct formula_cursor *cursor, unsigned n)
{
    const struct node *node = &cursor->formula->node[n];
    if (node->kind == NODE_SIGNAL) {
        cursor->reads[node->signal] = true;
    } else if (node->kind != NODE_NUMBER) {
        cursor_read(cursor, node->left);
        if (node->kind >= NODE_ADD)
            cursor_read(cursor, node->right);
    }
}

bool cursor_knows(const struct formula_cursor *cursor)
{
    for (unsigned i = 0; i < cursor->formula->signal_count; i++) {
        const unsigned s = cursor->formula->signal[i];
        if (cursor->reads[s] && cursor->samples[s] == 0)
            return false;
    }
    return true;
}

bool cursor_next(struct formula_cursor *cursor, int64_t *time_ns)
{
    const struct formula *f = cursor->formula;
    int64_t next = INT64_MAX;
    for (unsigned i = 0; i < f->signal_count; i++) {
        const unsigned s = f->signal[i];
        const struct formula_samples *from = &cursor->trace->signal[s];
        if (cursor->reads[s] && cursor->samples[s] < from->count &&
            from->time_ns[cursor->samples[s]] < next)
            next = from->time_ns[cursor->samples[s]];
    }
    if (next > cursor->trace->end_ns)
        return false;
    for (unsigned i = 0; i < f->signal_count; i++) {
        const unsigned s = f->signal[i];
        const struct formula_samples *from = &cursor->trace->signal[s];
        for (; cursor->reads[s] && cursor->samples[s] < from->count &&
               from->time_ns[cursor->samples[s]] == next;
             cursor->samples[s]++)
            cursor->values[s] = from->value[cursor->samples[s]];
    }
    *time_ns = next;
    return true;
}
