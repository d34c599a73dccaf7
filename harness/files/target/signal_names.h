// What the names in a target's formulas mean: CHANNEL.FIELD is a number in the messages of a
// channel, CHANNEL.FIELD[*] or [GROUP] all elements of an array; a quantity of the target is a
// term.
//
// The list grows with every name that a formula asks for. Pure, but for its memory.
#pragma once

#include "harness/files/yaml/yaml_source.h"
#include "harness/formula/formula.h"
#include "harness/history/message_text.h"

struct target;

struct signal_name {
    char name[FORMULA_NAME_MAX];
    const char *channel; // in the target; NULL: a pack knows it, while a trial runs (packs/list.h)
    struct message_field field;
    unsigned element;
};

struct signal_names {
    const struct target *target; // the caller's
    bool live;                   // what packs know while a trial runs counts as well
    unsigned count;
    struct signal_name signal[FORMULA_SIGNALS_MAX]; // by signal number
};

// Complains at `key` of a formula that cannot be read, with its column.
void formula_check(struct yaml_source *source, const char *key, const char *text,
                   struct signal_names *names);

// The same of a promise's formula; and of one that no signal can break or keep. *horizon_s: how far
// it looks after its instant; INFINITY: to the end.
void judged_formula_check(struct yaml_source *source, const char *key, const char *text,
                          struct signal_names *names, double *horizon_s);

// The same of a term.
void term_check(struct yaml_source *source, const char *key, const char *text,
                struct signal_names *names);

// Complains at `key` of a trigger's formula: one of this instant, also of what packs of the target
// know while a trial runs.
void trigger_formula_check(struct yaml_source *source, const char *key, const char *text,
                           const struct target *target);

// The array of numbers that CHANNEL.FIELD names in the target's messages. False: there is none.
bool signal_array(const struct target *target, const char *text, struct signal_name *array,
                  unsigned *count);

// The field of CHANNEL.FIELD, `text`, in another channel.
void signal_of_channel(const char *channel, const char *text, char name[FORMULA_NAME_MAX]);

// For formula_parse. `names` begins with its target, and `live`, alone set, and outlives the
// result.
struct formula_names signal_names(struct signal_names *names);
