#include "harness/files/target/promise_file.h"

#include <math.h>
#include <stdlib.h>

#include "harness/files/claims.h"
#include "harness/files/program.h"
#include "harness/files/target/chain_file.h"
#include "harness/files/target/signal_names.h"

const char *const promise_anchors[] = {
    [FROM_START] = "start",     [FROM_FAULT] = "fault", [FROM_FAULT_OVER] = "fault-over",
    [FROM_RESTART] = "restart", [FROM_CALM] = "calm",   NULL};

const struct file_row promise_rows[] = {
    {"name", VALUE_NAME, true, FIELD(struct promise, name), .unique = true,
     .line = offsetof(struct promise, line), .help = "of its verdict"},
    {"always", VALUE_TEXT, false, FIELD(struct promise, formula[FORMULA_ALWAYS]),
     .help = "a formula that holds at every instant of the window; see [formulas](formulas.md)"},
    {"eventually", VALUE_TEXT, false, FIELD(struct promise, formula[FORMULA_EVENTUALLY]),
     .help = "a formula that holds at some instant of the window"},
    {"holds", VALUE_TEXT, false, FIELD(struct promise, formula[FORMULA_HOLDS]),
     .help = "a formula that holds at the first instant of the window, such as `a until[0, 2] b`"},
    {"program", VALUE_TEXT, false, FIELD(struct promise, program),
     .help = "instead of a formula, a program that reads the history; see [oracle "
             "programs](oracle-programs.md)"},
    {"arguments", VALUE_TEXT, false, LIST(struct promise, argument, argument_count), .pairs = true,
     .most = PARAMETERS_MAX, .blank = true, .help = "arguments of the program, a list"},
    {"timeout_s", VALUE_NUMBER, false, FIELD(struct promise, timeout_s), .min = 0.1,
     .max = WINDOW_MAX_S, .absent = TEXT_OF(PROMISE_PROGRAM_S),
     .help = "running time that the program has"},
    {"chain", VALUE_TEXT, false, FIELD(struct promise, chain),
     .help =
         "instead of a formula, a [chain](chains.md) of the target: how long it takes. Judged in "
         "real time; SKIP on the virtual clock, where computing takes no time"},
    {"p", VALUE_NUMBER, false, FIELD(struct promise, p), .min = 1, .max = 100,
     .help = "for a chain: so many per cent of its instants in the window"},
    {"below_s", VALUE_NUMBER, false, FIELD(struct promise, below_s), .min = 1e-9,
     .max = WINDOW_MAX_S, .help = "for a chain: ... take less, stalls of the machine taken out"},
    {"from", VALUE_WORD, false, FIELD(struct promise, from), .words = promise_anchors,
     .absent = "start",
     .help =
         "what the window counts from; `fault-over`: the struck process runs again, or the "
         "fault is undone; `restart`: the process is ready again; `calm`: all faults are over, and "
         "one that is never undone has struck"},
    {"after_s", VALUE_NUMBER, false, FIELD(struct promise, after_s), .max = WINDOW_MAX_S,
     .absent = "0", .help = "the window begins this long after `from`"},
    {"for_s", VALUE_NUMBER, false, FIELD(struct promise, for_s), .max = WINDOW_MAX_S, .absent = "0",
     .help = "length of the window; 0: to the end of the trial"},
    {.key = NULL}};

// A program reads all of the history and knows no window; a formula has no arguments.
static void check_program(struct yaml_source *source, const char *key, const struct target *target,
                          const char *scenario_file, struct promise *promise)
{
    static const char *const of_program[] = {"arguments", "timeout_s"}, *const of_formula[] = {
                                                                            "from", "after_s",
                                                                            "for_s"};
    const bool program = promise->program[0] != '\0';
    for (unsigned i = 0; i < (program ? 3 : 2); i++) {
        const struct yaml_key other =
            yaml_key("%s.%s", key, program ? of_formula[i] : of_program[i]);
        if (yaml_has(source, other.text))
            yaml_complain(source, other.text, "only for a promise with %s; leave it out",
                          program ? "a formula: a program reads the whole history" : "a program");
    }
    if (program && scenario_file == NULL)
        program_place(source, yaml_key("%s.program", key).text, target, promise->program,
                      sizeof promise->program);
    else if (program)
        promise->beside =
            program_place_beside(source, yaml_key("%s.program", key).text, target, scenario_file,
                                 promise->program, sizeof promise->program);
}

// A promise on latency names a chain, a share and a bound; no other has any of them.
static void check_chain(struct yaml_source *source, const char *key, const struct target *target,
                        const struct promise *promise)
{
    static const char *const own[] = {"p", "below_s"};
    const bool chain = promise->chain[0] != '\0';
    const struct yaml_key named = yaml_key("%s.chain", key);
    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++) {
        const struct yaml_key other = yaml_key("%s.%s", key, own[i]);
        if (yaml_has(source, other.text) && !chain)
            yaml_complain(source, other.text, "only for a promise with a chain; leave it out");
        else if (chain && !yaml_has(source, other.text))
            yaml_complain(source, key, "%s: missing; a promise on a chain has p and below_s",
                          own[i]);
    }
    if (chain && target != NULL && chain_find(target, promise->chain) == NULL)
        yaml_complain(source, named.text,
                      "%s: the target has no chain of this name; name one under its chains",
                      promise->chain);
}

void promise_check(struct yaml_source *source, const char *key, const struct target *target,
                   const char *scenario_file, double duration_s, struct promise *promise)
{
    static const char *const operators[] = {"holds", "always", "eventually"};
    unsigned given = 0;
    double horizon_s = 0;
    struct signal_names *names = calloc(1, sizeof *names);
    for (unsigned i = 0; names != NULL && i < 3; i++) {
        if (promise->formula[i][0] == '\0')
            continue;
        given++;
        promise->operator=(enum formula_operator) i;
        names->target = target;
        judged_formula_check(source, yaml_key("%s.%s", key, operators[i]).text, promise->formula[i],
                             names, &horizon_s);
    }
    free(names);
    const bool program = promise->program[0] != '\0', chain = promise->chain[0] != '\0';
    if (given + program + chain != 1)
        yaml_complain(source, key,
                      "%u formulas%s%s; give one of: always eventually holds program chain", given,
                      program ? " and a program" : "", chain ? " and a chain" : "");
    check_chain(source, key, target, promise);
    check_program(source, key, target, scenario_file, promise);
    promise->looks_s = isfinite(horizon_s) ? horizon_s : 0;
    const double until_s = promise->after_s + promise->for_s + promise->looks_s;
    if (promise->from != FROM_START || until_s <= duration_s)
        return;
    if (promise->looks_s > 0)
        yaml_complain(
            source, key,
            "it looks until %g s, after the trial's duration_s of %g; let it look less far",
            until_s, duration_s);
    else
        yaml_complain(source, key,
                      "its window ends at %g s, after the trial's duration_s of %g; let it end "
                      "earlier, or the trial last longer",
                      until_s, duration_s);
}
