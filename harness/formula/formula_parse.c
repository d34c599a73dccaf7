// Recursive descent over the text. A group (wheel[*]) within a comparison or a function is read
// once for each of its elements: the parser goes back to where the operand began.
#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/formula/formula_private.h"

// NOLINTBEGIN(misc-no-recursion): DEPTH_MAX bounds it

#define DEPTH_MAX 64
#define INTERVAL_MAX_S 1e6

struct parser {
    const char *begin, *at;
    const struct formula_names *names;
    struct formula *formula;
    struct formula_error *error;
    unsigned depth;
    const char *quantity; // whose text is being read, NULL: the formula's own
    unsigned element;     // of the groups in the operand that is being read
    unsigned group;       // how many elements they have, 0: none met
    bool failed;
};

#define NONE 0u

static unsigned fail_at(struct parser *p, const char *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static unsigned parse_formula(struct parser *p);
static unsigned parse_sum(struct parser *p);

// Only the first mistake is told.
static unsigned fail_at(struct parser *p, const char *at, const char *format, ...)
{
    if (p->failed)
        return NONE;
    p->failed = true;
    p->error->line = p->error->column = 1;
    for (const char *c = p->begin; c < at; c++) {
        p->error->column = *c == '\n' ? 1 : p->error->column + 1;
        p->error->line += *c == '\n';
    }
    int length = 0;
    if (p->quantity != NULL)
        length = snprintf(p->error->words, sizeof p->error->words, "in quantity %s: ", p->quantity);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(p->error->words + length, sizeof p->error->words - (size_t)length, format, arguments);
    va_end(arguments);
    return NONE;
}

static unsigned add(struct parser *p, struct node node)
{
    if (p->failed)
        return NONE;
    if (p->formula->count == FORMULA_NODES_MAX)
        return fail_at(p, p->at, "the formula has more than %d parts; split it", FORMULA_NODES_MAX);
    p->formula->node[p->formula->count] = node;
    return p->formula->count++;
}

static unsigned add_binary(struct parser *p, enum node_kind kind, unsigned left, unsigned right)
{
    return add(p, (struct node){.kind = kind, .left = left, .right = right});
}

// ---- words --------------------------------------------------------------------------------------

static void skip_space(struct parser *p)
{
    while (isspace((unsigned char)*p->at))
        p->at++;
}

static bool is_name_character(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static bool take(struct parser *p, const char *sign)
{
    skip_space(p);
    if (strncmp(p->at, sign, strlen(sign)) != 0)
        return false;
    p->at += strlen(sign);
    return true;
}

static bool take_word(struct parser *p, const char *word)
{
    skip_space(p);
    const size_t length = strlen(word);
    if (strncmp(p->at, word, length) != 0 || is_name_character(p->at[length]) ||
        p->at[length] == '.')
        return false;
    p->at += length;
    return true;
}

// What stands here, for messages.
static const char *found(const struct parser *p, char *buffer, size_t size)
{
    size_t length = 0;
    while (is_name_character(p->at[length]))
        length++;
    if (*p->at == '\0')
        snprintf(buffer, size, "the end");
    else
        snprintf(buffer, size, "'%.*s'", length > 0 ? (int)length : 1, p->at);
    return buffer;
}

static void expect(struct parser *p, const char *sign, const char *what)
{
    char here[32];
    if (!take(p, sign))
        fail_at(p, p->at, "%s instead of '%s' %s", found(p, here, sizeof here), sign, what);
}

// CHANNEL.FIELD[3].FIELD: letters, digits, '_', '.', and '-' between letters; brackets hold
// anything.
static bool read_name(struct parser *p, char name[FORMULA_NAME_MAX])
{
    const char *at = p->at;
    while (
        is_name_character(*at) || (*at == '.' && at > p->at) || *at == '[' ||
        (*at == '-' && at > p->at && isalpha((unsigned char)at[1]) && is_name_character(at[-1]))) {
        if (*at == '[')
            at += strcspn(at, "]");
        at += *at != '\0';
    }
    if (at - p->at >= FORMULA_NAME_MAX) {
        fail_at(p, p->at, "a name of more than %d letters", FORMULA_NAME_MAX - 1);
        return false;
    }
    snprintf(name, FORMULA_NAME_MAX, "%.*s", (int)(at - p->at), p->at);
    p->at = at;
    return true;
}

static double read_number(struct parser *p)
{
    char *end, here[32];
    skip_space(p);
    const double number = strtod(p->at, &end);
    if (end == p->at || !isfinite(number)) {
        fail_at(p, p->at, "%s instead of a number", found(p, here, sizeof here));
        return 0;
    }
    p->at = end;
    return number;
}

// ---- terms --------------------------------------------------------------------------------------

static unsigned add_signal(struct parser *p, unsigned signal)
{
    struct formula *f = p->formula;
    unsigned i = 0;
    while (i < f->signal_count && f->signal[i] != signal)
        i++;
    if (signal >= FORMULA_SIGNALS_MAX || i == FORMULA_SIGNALS_MAX)
        return fail_at(p, p->at, "more than %d signals", FORMULA_SIGNALS_MAX);
    f->signal[i] = signal;
    f->signal_count += i == f->signal_count;
    return add(p, (struct node){.kind = NODE_SIGNAL, .signal = signal});
}

static bool deeper(struct parser *p)
{
    if (++p->depth <= DEPTH_MAX)
        return true;
    fail_at(p, p->at, "nested more than %d deep", DEPTH_MAX);
    return false;
}

// Every operand passes here: a term where a formula belongs, or the reverse, is the writer's
// mistake.
static unsigned need(struct parser *p, const char *begin, unsigned n, bool formula)
{
    if (p->failed || (p->formula->node[n].kind >= NODE_LESS) == formula)
        return n;
    while (isspace((unsigned char)*begin))
        begin++;
    return fail_at(p, begin,
                   formula ? "a number alone says nothing; compare it with '<' or '>'"
                           : "a formula is not a number");
}

static unsigned parse_quantity(struct parser *p, const char *name, const char *text)
{
    char here[32];
    struct parser inner = *p;
    inner.begin = inner.at = text;
    inner.quantity = name;
    unsigned term = NONE;
    if (deeper(&inner)) {
        term = parse_sum(&inner);
        skip_space(&inner);
        if (*inner.at != '\0')
            fail_at(&inner, inner.at, "%s is not part of a term", found(&inner, here, sizeof here));
        need(&inner, text, term, false);
    }
    p->failed = inner.failed;
    p->group = inner.group;
    return term;
}

static unsigned parse_name(struct parser *p)
{
    char name[FORMULA_NAME_MAX], here[32];
    const char *begin = p->at;
    unsigned count = 0, signal;
    if (!isalpha((unsigned char)*begin) && *begin != '_')
        return fail_at(p, begin, "%s instead of a number, a signal or '('",
                       found(p, here, sizeof here));
    if (!read_name(p, name))
        return NONE;
    const char *text =
        p->names->quantity == NULL ? NULL : p->names->quantity(p->names->context, name);
    if (text != NULL)
        return parse_quantity(p, name, text);
    if (!p->names->signal(p->names->context, name, p->element, &count, &signal))
        return fail_at(p, begin,
                       "there is no signal '%.60s'; write CHANNEL.FIELD or a quantity of the "
                       "target%s",
                       name, strchr(name, '-') != NULL ? ", and a minus between spaces" : "");
    if (count > 0 && p->group > 0 && count != p->group)
        return fail_at(p, begin, "'%.60s' has %u elements, another group here has %u", name, count,
                       p->group);
    if (count > 0)
        p->group = count;
    return add_signal(p, signal);
}

static bool is_formula(const struct parser *p, unsigned node)
{
    return p->formula->node[node].kind >= NODE_LESS;
}

// Reads an operand once for each element of the group in it and joins what comes of them. A term
// that is not compared here, as it stands in parentheses, leaves its group to what is around it.
static unsigned parse_each(struct parser *p, unsigned (*parse)(struct parser *),
                           enum node_kind join)
{
    const unsigned outer_element = p->element, outer_group = p->group;
    const char *begin = p->at;
    p->group = 0;
    unsigned all = parse(p);
    const unsigned count = p->group;
    if (!p->failed && join == NODE_AND && !is_formula(p, all)) {
        p->group = count > 0 ? count : outer_group;
        return all;
    }
    for (unsigned i = outer_element == 0 ? 1 : 0; i < count && !p->failed; i++) {
        p->at = begin;
        p->element = i;
        const unsigned next = parse(p);
        all = i == 0 ? next : add_binary(p, join, all, next);
    }
    p->element = outer_element;
    p->group = outer_group;
    return all;
}

static unsigned parse_argument(struct parser *p)
{
    const char *begin = p->at;
    return need(p, begin, parse_sum(p), false);
}

// (TERM, ...): the terms joined two by two.
static unsigned parse_joined(struct parser *p, enum node_kind join)
{
    unsigned all = parse_each(p, parse_argument, join);
    while (!p->failed && take(p, ",")) {
        const unsigned next = parse_each(p, parse_argument, join);
        all = add_binary(p, join, all, next);
    }
    // The norm of one number.
    return join == NODE_NORM ? add(p, (struct node){.kind = NODE_ABS, .left = all}) : all;
}

static unsigned parse_function(struct parser *p, enum node_kind kind)
{
    expect(p, "(", "after a function's name");
    const bool joins = kind == NODE_MIN || kind == NODE_MAX || kind == NODE_NORM;
    const unsigned term = joins ? parse_joined(p, kind) : parse_argument(p);
    expect(p, ")", "at the end of a function");
    return joins ? term : add(p, (struct node){.kind = kind, .left = term});
}

static unsigned parse_primary(struct parser *p)
{
    static const struct {
        const char *word;
        enum node_kind kind;
    } functions[] = {{"abs", NODE_ABS},
                     {"sqrt", NODE_SQRT},
                     {"min", NODE_MIN},
                     {"max", NODE_MAX},
                     {"norm", NODE_NORM}};
    skip_space(p);
    if (isdigit((unsigned char)*p->at) || (*p->at == '.' && isdigit((unsigned char)p->at[1])))
        return add(p, (struct node){.kind = NODE_NUMBER, .number = read_number(p)});
    if (take(p, "(")) {
        const unsigned inner = parse_formula(p); // or a term
        expect(p, ")", "to close '('");
        return inner;
    }
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++)
        if (take_word(p, functions[i].word))
            return parse_function(p, functions[i].kind);
    return parse_name(p);
}

static unsigned parse_factor(struct parser *p)
{
    const char *begin = p->at;
    bool negative = false;
    while (take(p, "-"))
        negative = !negative;
    unsigned term = NONE;
    if (deeper(p))
        term = parse_primary(p);
    p->depth--;
    if (!negative)
        return term;
    need(p, begin, term, false);
    return add(p, (struct node){.kind = NODE_NEGATIVE, .left = term});
}

static unsigned parse_product(struct parser *p)
{
    const char *begin = p->at;
    unsigned term = parse_factor(p);
    while (!p->failed) {
        const enum node_kind kind = take(p, "*")   ? NODE_MULTIPLY
                                    : take(p, "/") ? NODE_DIVIDE
                                                   : NODE_NUMBER;
        if (kind == NODE_NUMBER)
            break;
        const char *next = p->at;
        need(p, begin, term, false);
        term = add_binary(p, kind, term, need(p, next, parse_factor(p), false));
    }
    return term;
}

static unsigned parse_sum(struct parser *p)
{
    const char *begin = p->at;
    unsigned term = parse_product(p);
    while (!p->failed) {
        const enum node_kind kind = take(p, "+")   ? NODE_ADD
                                    : take(p, "-") ? NODE_SUBTRACT
                                                   : NODE_NUMBER;
        if (kind == NODE_NUMBER)
            break;
        const char *next = p->at;
        need(p, begin, term, false);
        term = add_binary(p, kind, term, need(p, next, parse_product(p), false));
    }
    return term;
}

// ---- formulas -----------------------------------------------------------------------------------

// A < B < C: every two neighbours. What is not compared is returned as it is.
static unsigned parse_comparison(struct parser *p)
{
    const char *begin = p->at;
    unsigned left = parse_sum(p), all = left;
    bool any = false;
    while (!p->failed) {
        const bool less = take(p, "<");
        if (!less && !take(p, ">"))
            break;
        const bool or_equal = take(p, "="); // judged alike: a margin of 0 does not hold
        const char *next = p->at;
        need(p, begin, left, false);
        const unsigned right = need(p, next, parse_sum(p), false);
        const unsigned now = add(p, (struct node){.kind = NODE_LESS,
                                                  .left = less ? left : right,
                                                  .right = less ? right : left,
                                                  .or_equal = or_equal});
        all = any ? add_binary(p, NODE_AND, all, now) : now;
        any = true;
        left = right;
    }
    skip_space(p);
    if (*p->at == '=' || *p->at == '!')
        return fail_at(p, p->at, "equal values have no margin; write abs(A - B) < BOUND");
    return all;
}

static void parse_interval(struct parser *p, struct node *node)
{
    const char *begin = p->at;
    if (!take(p, "["))
        return;
    const double from_s = read_number(p);
    expect(p, ",", "between the ends of an interval");
    const double to_s = read_number(p);
    expect(p, "]", "at the end of an interval");
    if (!p->failed && (from_s < 0 || to_s < from_s || to_s > INTERVAL_MAX_S))
        fail_at(p, begin, "[%g, %g] is not an interval; write [FROM, TO] in seconds from now on",
                from_s, to_s);
    if (p->failed)
        return;
    node->bounded = true;
    node->from_ns = llround(from_s * 1e9);
    node->to_ns = llround(to_s * 1e9);
}

static unsigned parse_unary(struct parser *p);

static unsigned parse_operator(struct parser *p, enum node_kind kind)
{
    struct node node = {.kind = kind};
    if (kind != NODE_NOT)
        parse_interval(p, &node);
    const char *begin = p->at;
    node.left = need(p, begin, parse_unary(p), true);
    return add(p, node);
}

static unsigned parse_unary(struct parser *p)
{
    unsigned formula = NONE;
    if (!deeper(p))
        return NONE;
    if (take_word(p, "not"))
        formula = parse_operator(p, NODE_NOT);
    else if (take_word(p, "always"))
        formula = parse_operator(p, NODE_ALWAYS);
    else if (take_word(p, "eventually"))
        formula = parse_operator(p, NODE_EVENTUALLY);
    else
        formula = parse_each(p, parse_comparison, NODE_AND);
    p->depth--;
    return formula;
}

// LEFT WORD RIGHT WORD ...: joined from the left; an interval may follow `until`.
static unsigned parse_chain(struct parser *p, unsigned (*parse)(struct parser *), const char *word,
                            enum node_kind kind)
{
    const char *begin = p->at;
    unsigned left = parse(p);
    while (!p->failed && take_word(p, word)) {
        struct node node = {.kind = kind, .left = need(p, begin, left, true)};
        if (kind == NODE_UNTIL)
            parse_interval(p, &node);
        const char *next = p->at;
        node.right = need(p, next, parse(p), true);
        left = add(p, node);
    }
    return left;
}

static unsigned parse_until(struct parser *p)
{
    return parse_chain(p, parse_unary, "until", NODE_UNTIL);
}

static unsigned parse_and(struct parser *p)
{
    return parse_chain(p, parse_until, "and", NODE_AND);
}

static unsigned parse_or(struct parser *p)
{
    return parse_chain(p, parse_and, "or", NODE_OR);
}

// A implies B is: not A, or B.
static unsigned parse_formula(struct parser *p)
{
    const char *begin = p->at;
    const unsigned left = parse_or(p);
    if (p->failed || !take_word(p, "implies"))
        return left;
    need(p, begin, left, true);
    const unsigned without = add(p, (struct node){.kind = NODE_NOT, .left = left});
    const char *next = p->at;
    unsigned right = NONE;
    if (deeper(p))
        right = need(p, next, parse_formula(p), true);
    p->depth--;
    return add_binary(p, NODE_OR, without, right);
}

// The whole text, as a formula or else as a term.
static enum status parse_all(const char *text, const struct formula_names *names,
                             struct formula **formula, struct formula_error *error, bool is_formula)
{
    char here[32];
    *formula = malloc(sizeof **formula + FORMULA_NODES_MAX * sizeof(struct node));
    *error = (struct formula_error){0};
    if (*formula == NULL)
        return STATUS_NO_MEMORY;
    (*formula)->count = (*formula)->signal_count = 0;
    struct parser p = {
        .begin = text, .at = text, .names = names, .formula = *formula, .error = error};
    const unsigned root = is_formula ? parse_formula(&p) : parse_sum(&p);
    (*formula)->root = need(&p, text, root, is_formula);
    if (!is_formula && p.group > 0)
        fail_at(&p, text, "a group is not one number; take its min, max or norm");
    skip_space(&p);
    if (!p.failed && *p.at != '\0')
        fail_at(&p, p.at, "%s instead of %s", found(&p, here, sizeof here),
                is_formula ? "and, or, until, implies or the end" : "the end of the term");
    if (!p.failed)
        return STATUS_OK;
    formula_free(*formula);
    *formula = NULL;
    return STATUS_INVALID;
}

enum status formula_parse(const char *text, const struct formula_names *names,
                          struct formula **formula, struct formula_error *error)
{
    return parse_all(text, names, formula, error, true);
}

enum status formula_parse_term(const char *text, const struct formula_names *names,
                               struct formula **term, struct formula_error *error)
{
    return parse_all(text, names, term, error, false);
}
// NOLINTEND(misc-no-recursion)
