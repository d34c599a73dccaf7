// Signals, a quantity and a group for the tests of formulas.
#pragma once

#include <string.h>

#include "harness/formula/formula.h"
#include "tests/unit/common/unit.h"

// Signals x, y, z and the group g of three: numbers 0 to 5.
#define SIGNALS 6
#define GROUP 3

static bool find_signal(void *context, const char *name, unsigned element, unsigned *count,
                        unsigned *signal)
{
    (void)context;
    *count = 0;
    if (strcmp(name, "g[*]") == 0) {
        *count = GROUP;
        *signal = 3 + element;
        return element < GROUP;
    }
    *signal = (unsigned)(name[0] - 'x');
    return (name[0] >= 'x' && name[0] <= 'z' && name[1] == '\0') || strcmp(name, "x-axis.y") == 0;
}

static inline const char *find_quantity(void *context, const char *name)
{
    (void)context;
    return strcmp(name, "lean") == 0      ? "abs(x - y)"
           : strcmp(name, "broken") == 0  ? "x + w"
           : strcmp(name, "endless") == 0 ? "endless + 1"
                                          : NULL;
}

static const struct formula_names names = {.signal = find_signal, .quantity = find_quantity};

static inline struct formula *parsed(const char *text)
{
    struct formula *formula;
    struct formula_error error;
    const enum status status = formula_parse(text, &names, &formula, &error);
    ck_assert_msg(status == STATUS_OK, "%s: %u:%u: %s", text, error.line, error.column,
                  error.words);
    return formula;
}

static inline struct formula_result result_of(const char *text, const struct formula_trace *trace,
                                              struct formula_window window)
{
    struct formula *formula = parsed(text);
    struct formula_result result;
    ck_assert_int_eq(formula_evaluate(formula, trace, &window, &result), STATUS_OK);
    formula_free(formula);
    return result;
}
