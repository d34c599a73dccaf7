#include "harness/files/target/signal_names.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/files/target/target.h"
#include "harness/history/schema.h"
#include "harness/packs/list.h"

#define LIVE_NAME(pack, name) {#pack, #name},
static const struct live_name {
    const char *pack, *name;
} live_names[] = {PACK_QUANTITIES(LIVE_NAME){NULL, NULL}};
#undef LIVE_NAME

// What a pack knows while a trial runs; NULL: none is called so.
static const struct live_name *find_live(const char *name)
{
    for (const struct live_name *live = live_names; live->name != NULL; live++)
        if (strcmp(live->name, name) == 0)
            return live;
    return NULL;
}

static const struct group_config *find_group(const struct target *target, const char *name,
                                             size_t length)
{
    for (unsigned i = 0; i < target->group_count; i++)
        if (strlen(target->group[i].name) == length &&
            strncmp(target->group[i].name, name, length) == 0)
            return &target->group[i];
    return NULL;
}

static bool is(const char *known, const char *name, size_t length)
{
    return strlen(known) == length && strncmp(known, name, length) == 0;
}

// The message of a channel or tap, and its topic; NULL: there is none of this name.
static const char *find_message(const struct target *target, const char *name, size_t length,
                                const char **topic)
{
    for (unsigned i = 0; i < target->channel_count; i++) {
        *topic = target->channel[i].name;
        if (is(*topic, name, length))
            return target->channel[i].message;
    }
    for (unsigned i = 0; i < target->tap_count; i++) {
        *topic = target->tap[i].channel;
        if (is(*topic, name, length))
            return target->tap[i].message;
    }
    return NULL;
}

// Writes the path with [*] in the place of [GROUP]. *group is NULL if it names none.
static bool replace_group(const struct target *target, const char *path, char *plain, size_t size,
                          const struct group_config **group)
{
    const char *open = path;
    *group = NULL;
    while ((open = strchr(open, '[')) != NULL) {
        const size_t length = strcspn(++open, "]");
        *group = find_group(target, open, length);
        if (*group != NULL)
            return snprintf(plain, size, "%.*s*%s", (int)(open - path), path, open + length) <
                   (int)size;
    }
    return snprintf(plain, size, "%s", path) < (int)size;
}

// Number of the signal, which is added if it is new; FORMULA_SIGNALS_MAX: there are too many.
static unsigned number_of(struct signal_names *names, const struct signal_name *wanted)
{
    for (unsigned i = 0; i < names->count; i++)
        if (strcmp(names->signal[i].name, wanted->name) == 0 &&
            names->signal[i].element == wanted->element)
            return i;
    if (names->count == FORMULA_SIGNALS_MAX)
        return FORMULA_SIGNALS_MAX;
    names->signal[names->count] = *wanted;
    return names->count++;
}

static bool find_live_signal(struct signal_names *names, const char *name, unsigned *signal)
{
    struct signal_name wanted = {.channel = NULL};
    const bool known = names->live && find_live(name) != NULL;
    snprintf(wanted.name, sizeof wanted.name, "%s", name);
    if (known)
        *signal = number_of(names, &wanted);
    return known;
}

static bool find_signal(void *context, const char *name, unsigned element, unsigned *count,
                        unsigned *signal)
{
    struct signal_names *names = context;
    struct signal_name wanted = {.element = element};
    const struct group_config *group;
    char path[FORMULA_NAME_MAX];
    const char *dot = strchr(name, '.');
    if (dot == NULL)
        return find_live_signal(names, name, signal);
    const char *message = find_message(names->target, name, (size_t)(dot - name), &wanted.channel);
    const struct schema *schema = message == NULL ? NULL : schema_find(message);
    if (schema == NULL || !replace_group(names->target, dot + 1, path, sizeof path, &group) ||
        !message_find(schema->fields, path, &wanted.field))
        return false;
    *count = group != NULL ? group->count : wanted.field.group;
    if (*count > 0 && element >= *count)
        return false;
    if (group != NULL)
        wanted.element = group->element[element];
    if (wanted.field.group != 0 && wanted.element >= wanted.field.group)
        return false;
    snprintf(wanted.name, sizeof wanted.name, "%s", name);
    *signal = number_of(names, &wanted);
    return true;
}

void signal_of_channel(const char *channel, const char *text, char name[FORMULA_NAME_MAX])
{
    snprintf(name, FORMULA_NAME_MAX, "%.*s%s", NAME_MAX_LENGTH, channel, text + strcspn(text, "."));
}

bool signal_array(const struct target *target, const char *text, struct signal_name *array,
                  unsigned *count)
{
    struct signal_names *names = calloc(1, sizeof *names);
    char path[FORMULA_NAME_MAX + 4];
    unsigned signal;
    if (names == NULL)
        return false;
    names->target = target;
    snprintf(path, sizeof path, "%s[*]", text);
    const bool found = strlen(path) < FORMULA_NAME_MAX && strchr(path, '.') != NULL &&
                       find_signal(names, path, 0, count, &signal) && *count > 0 &&
                       signal < FORMULA_SIGNALS_MAX;
    if (found)
        *array = names->signal[signal];
    free(names);
    return found;
}

static const char *find_quantity(void *context, const char *name)
{
    const struct target *target = ((struct signal_names *)context)->target;
    for (unsigned i = 0; i < target->quantity_count; i++)
        if (strcmp(target->quantity[i].name, name) == 0)
            return target->quantity[i].text;
    return NULL;
}

struct formula_names signal_names(struct signal_names *names)
{
    return (struct formula_names){names, find_signal, find_quantity};
}

typedef enum status parse_text(const char *text, const struct formula_names *names,
                               struct formula **formula, struct formula_error *error);

// What was read, the caller's; NULL: complained of.
static struct formula *check(struct yaml_source *source, const char *key, const char *text,
                             parse_text *parse, struct signal_names *names)
{
    struct formula *formula = NULL;
    struct formula_error error;
    const struct formula_names of = signal_names(names);
    if (parse(text, &of, &formula, &error) == STATUS_INVALID)
        yaml_complain(source, key, "%s: column %u: %s%s", text, error.column, error.words,
                      strchr(error.words, ';') != NULL
                          ? ""
                          : "; doc/reference/formulas.md says what may stand there");
    return formula;
}

void formula_check(struct yaml_source *source, const char *key, const char *text,
                   struct signal_names *names)
{
    formula_free(check(source, key, text, formula_parse, names));
}

void judged_formula_check(struct yaml_source *source, const char *key, const char *text,
                          struct signal_names *names, double *horizon_s)
{
    struct formula *formula = check(source, key, text, formula_parse, names);
    const int64_t horizon_ns = formula == NULL ? 0 : formula_horizon_ns(formula);
    *horizon_s = horizon_ns == INT64_MAX ? INFINITY : (double)horizon_ns * 1e-9;
    if (formula == NULL)
        return;
    const enum formula_certainty certain = formula_certain(formula);
    if (!formula_has_signals(formula))
        yaml_complain(
            source, key,
            "%s: it reads no signal and says nothing of the target; compare a CHANNEL.FIELD "
            "or a quantity",
            text);
    else if (certain != FORMULA_OPEN)
        yaml_complain(source, key,
                      "%s: it %s, whatever the target does; compare with another bound", text,
                      certain == FORMULA_CERTAIN ? "holds" : "cannot hold");
    formula_free(formula);
}

void term_check(struct yaml_source *source, const char *key, const char *text,
                struct signal_names *names)
{
    formula_free(check(source, key, text, formula_parse_term, names));
}

// Without its pack a trigger would wait for good.
static void check_live(struct yaml_source *source, const char *key, const struct signal_name *name,
                       const struct target *target)
{
    const struct live_name *live = name->channel == NULL ? find_live(name->name) : NULL;
    for (unsigned i = 0; live != NULL && i < target->pack_count; i++)
        if (strcmp(target->pack[i], live->pack) == 0)
            return;
    if (live != NULL)
        yaml_complain(source, key, "target %s does not show %s; it would need the pack %s",
                      target->name, live->name, live->pack);
}

void trigger_formula_check(struct yaml_source *source, const char *key, const char *text,
                           const struct target *target)
{
    struct signal_names *names = calloc(1, sizeof *names);
    struct formula *formula = NULL;
    if (names == NULL)
        return;
    names->target = target;
    names->live = true;
    formula = check(source, key, text, formula_parse, names);
    if (formula != NULL && !formula_is_instant(formula))
        yaml_complain(source, key,
                      "%s: a trigger knows this instant only; leave out always, eventually and "
                      "until",
                      text);
    for (unsigned i = 0; formula != NULL && i < names->count; i++)
        check_live(source, key, &names->signal[i], target);
    formula_free(formula);
    free(names);
}
