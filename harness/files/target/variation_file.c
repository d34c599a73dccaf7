#include "harness/files/target/variation_file.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "harness/files/target/target.h"

const struct file_row variation_rows[] = {
    {"quantity", VALUE_NAME, true, FIELD(struct variation_config, quantity), .unique = true,
     .help = "what varies, with its unit; those that our worlds know: see "
             "[variation](variation.md)"},
    {"spread", VALUE_NUMBER, false, FIELD(struct variation_config, spread), .min = 0, .max = 1e6,
     .help = "it is drawn evenly from - `spread` to `spread`"},
    {"range", VALUE_RANGE, false, RANGE(struct variation_config, low), .least = 1, .most = 2,
     .min = -1e6, .max = 1e6,
     .help = "instead: it is drawn evenly from this range; [VALUE]: it is so in every trial"},
    {"each", VALUE_WHOLE, false, FIELD(struct variation_config, each), .min = 1,
     .max = VARIATION_VALUES_MAX, .absent = "1",
     .help = "so many values are drawn, one for each part or sensor in the model's order; "
             "1: one for all"},
    {"source", VALUE_TEXT, true, FIELD(struct variation_config, source),
     .help = "where it is known from that real ones differ by so much"},
    {.key = NULL}};

// Worlds of ours, and what they can vary. What another world makes of it is its own matter.
static const struct {
    const char *program;
    unsigned world; // enum variation_world
} worlds[] = {{"targets/simulator/simulator", VARIES_CAN},
              {"targets/hrp3p/world", VARIES_LINK},
              {"targets/bioloid/world", VARIES_SOLIDS},
              {"targets/pendulum/world", VARIES_POLE}};

// 0: it is a stranger's.
static unsigned world_of(const struct target *target)
{
    for (unsigned i = 0; i < target->process_count; i++)
        for (size_t w = 0; w < sizeof worlds / sizeof worlds[0]; w++)
            if (target->process[i].follower &&
                strcmp(target->process[i].run[0], worlds[w].program) == 0)
                return worlds[w].world;
    return 0;
}

static bool knows(unsigned world, const char *quantity)
{
    for (unsigned i = 0; i < VARIATION_COUNT; i++)
        if ((variation_kinds[i].worlds & world) != 0 &&
            strcmp(variation_kinds[i].name, quantity) == 0)
            return true;
    return false;
}

static void list_known(unsigned world, char *words, size_t size)
{
    size_t used = 0;
    words[0] = '\0';
    for (unsigned i = 0; i < VARIATION_COUNT && used < size; i++)
        if ((variation_kinds[i].worlds & world) != 0)
            used += (size_t)snprintf(words + used, size - used, "%s%s", used > 0 ? ", " : "",
                                     variation_kinds[i].name);
}

static void check_row(struct yaml_source *source, unsigned world, unsigned number,
                      struct variation_config *row)
{
    const struct yaml_key key = yaml_key("variation[%u]", number);
    const bool spread = yaml_has(source, yaml_key("%s.spread", key.text).text);
    char known[1024];
    if (world != 0 && !knows(world, row->quantity)) {
        list_known(world, known, sizeof known);
        yaml_complain(source, yaml_key("%s.quantity", key.text).text,
                      "%s: this world cannot vary it; it can %s", row->quantity, known);
    }
    if (spread == yaml_has(source, yaml_key("%s.range", key.text).text))
        yaml_complain(source, key.text, "%s: say how far it varies, by `spread` or by `range`",
                      row->quantity);
    if (spread) {
        row->low = -row->spread;
        row->high = row->spread;
    }
}

void variation_check(struct yaml_source *source, struct target *target)
{
    const unsigned world = world_of(target);
    if (target->variation_count > 0 && target->world[0] == '\0')
        yaml_complain(source, "variation", "nobody could vary it: there is no `world`; name it");
    for (unsigned i = 0; i < target->variation_count; i++)
        check_row(source, world, i, &target->variation[i]);
}

// The world reads the same number that is recorded: what the text says.
void variation_draw(const struct variation_config *config, uint64_t seed,
                    struct variation *variation, char text[VARIATION_TEXT_MAX])
{
    struct random_stream stream;
    char name[sizeof "vary-" + NAME_MAX_LENGTH];
    size_t used = 0;
    snprintf(name, sizeof name, "vary-%s", config->quantity);
    random_start(&stream, seed, name);
    variation->count = config->each;
    for (unsigned i = 0; i < config->each; i++) {
        char *const value = text + used;
        used += (size_t)snprintf(value, VARIATION_TEXT_MAX - used, "%.6g",
                                 random_uniform(&stream, config->low, config->high));
        variation->value[i] = strtod(value, NULL);
        if (i + 1 < config->each)
            text[used++] = ' ';
    }
    text[used] = '\0';
}

void variation_variable(const struct variation_config *config, uint64_t seed,
                        char variable[VARIATION_VARIABLE_MAX])
{
    struct variation drawn;
    char text[VARIATION_TEXT_MAX];
    variation_draw(config, seed, &drawn, text);
    const int length =
        snprintf(variable, VARIATION_VARIABLE_MAX, VARIATION_PREFIX "%s=", config->quantity);
    for (char *c = variable; *c != '\0'; c++)
        *c = (char)toupper((unsigned char)*c);
    snprintf(variable + length, VARIATION_VARIABLE_MAX - (size_t)length, "%s", text);
}
