// Reads a command line by the table of options: getopt_long's order and abbreviations, values of
// the option's type within its range, and the words that are left.
#include "harness/cli/cli_line.h"

#include <getopt.h>
#include <string.h>

#include "base/log.h"
#include "base/nearest.h"
#include "base/text.h"
#include "harness/cli/cli.h"

#define OPTIONS_MAX 64
#define LONG_FROM 256 // what getopt_long returns of a long option: this and its row

// ---- values -----------------------------------------------------------------------------------

struct choosing {
    const char *word;
    unsigned place;
    struct nearest nearest;
    char near[NEAREST_LENGTH_MAX], all[128]; // the words of the list, "a, b or c"
    const char *rest;                        // of the list
};

static bool compare_choice(void *context, const char *word)
{
    struct choosing *c = context;
    const char *before = c->nearest.name;
    if (strcmp(word, c->word) == 0)
        return false;
    c->rest += strlen(word);
    nearest_try(&c->nearest, word);
    if (c->nearest.name != before) { // the word is a copy that ends with this call
        text_copy(c->near, sizeof c->near, word);
        c->nearest.name = c->near;
    }
    const char *next = *c->rest == '\0' ? NULL : strchr(++c->rest, '|');
    text_add(c->all, sizeof c->all, "%s%s", word,
             *c->rest == '\0' ? ""
             : next == NULL   ? " or "
                              : ", ");
    c->place++;
    return true;
}

static bool read_choice(const char *what, const char *choices, const char *word, unsigned *place)
{
    char hint[NEAREST_HINT_MAX];
    struct choosing choosing = {.word = word, .nearest = {.word = word}, .rest = choices};
    if (!cli_each_choice(choices, compare_choice, &choosing)) {
        *place = choosing.place;
        return true;
    }
    log_error("%s'%s' is not %s%s", what, word, choosing.all,
              nearest_hint(&choosing.nearest, hint));
    return false;
}

// The option's value from its text; false, reported: it is none.
static bool read_value(const struct cli_option *option, const char *text, struct cli_line *line)
{
    char what[40];
    snprintf(what, sizeof what, "--%s", option->name);
    line->value[option->key].text = text;
    switch (option->type) {
    case CLI_COUNT:
        return cli_count(text, what, option->least, option->most, &line->value[option->key].count);
    case CLI_NUMBER:
        return cli_real(text, what, option->from, option->to, &line->value[option->key].number);
    case CLI_CORES:
        return cli_cores(text, &line->cores);
    case CLI_MEDIUM:
        return cli_medium(what, text, (enum link_choice)option->least,
                          &line->value[option->key].medium);
    case CLI_CHOICE:
        text_add(what, sizeof what, ": ");
        return read_choice(what, option->argument, text, &line->value[option->key].choice);
    case CLI_NAMES:
    case CLI_TEXTS:
        if (line->each_count < CLI_EACH_MAX) {
            line->each[line->each_count++] = text;
            return true;
        }
        log_error("%s %s: one too many; name at most %d", what, text, CLI_EACH_MAX);
        return false;
    default:
        return true;
    }
}

static void set_defaults(struct cli_line *line)
{
    for (const struct cli_option *option = cli_options; option->name != NULL; option++) {
        const char *text =
            cli_takes(line->command, option) ? cli_fallback(line->command, option) : NULL;
        if (text != NULL)
            (void)read_value(option, text, line);
    }
}

// ---- words ------------------------------------------------------------------------------------

enum exit_code cli_check_words(const struct cli_line *line, int least, int most)
{
    if (line->words > most) {
        log_error("'%s' is one word too many; `ukemi %s --help` says what may be given",
                  line->word[most], line->command->name);
        return EXIT_INPUT;
    }
    return line->words < least ? (enum exit_code)cli_print_help(line->command, false) : EXIT_PASS;
}

// ---- options ----------------------------------------------------------------------------------

// Of getopt_long: its long options, and its letters.
struct known {
    struct option option[OPTIONS_MAX];
    unsigned count;
    char letters[OPTIONS_MAX];
};

static void add_known(struct known *known, const char *name, bool argument, int value)
{
    known->option[known->count++] =
        (struct option){name, argument ? required_argument : no_argument, NULL, value};
}

static void fill_known(const struct cli_command *command, struct known *known)
{
    *known = (struct known){.letters = "h"};
    add_known(known, "help", false, 'h');
    for (int i = 0; cli_options[i].name != NULL; i++) {
        const struct cli_option *option = &cli_options[i];
        const bool argument = option->argument != NULL;
        if (!cli_takes(command, option))
            continue;
        add_known(known, option->name, argument, LONG_FROM + i);
        if (option->was != NULL)
            add_known(known, option->was, argument, LONG_FROM + i);
        if (option->letter != 0)
            text_add(known->letters, sizeof known->letters, "%c%s", option->letter,
                     argument ? ":" : "");
    }
}

// By its present name, also if its former one is meant.
static void try_option(struct nearest *nearest, const struct cli_option *option)
{
    struct nearest former = {.word = nearest->word};
    nearest_try(nearest, option->name);
    if (option->was != NULL)
        nearest_try(&former, option->was);
    if (former.name != NULL && (nearest->name == NULL || former.distance < nearest->distance))
        *nearest = (struct nearest){nearest->word, option->name, former.distance};
}

// getopt has said what is wrong; this says what helps. `word`: the option.
static int refuse(const struct cli_line *line, const char *word)
{
    char bare[NEAREST_LENGTH_MAX + 1];
    snprintf(bare, sizeof bare, "%.*s", (int)strcspn(word, "="), word);
    struct nearest nearest = {.word = bare + strspn(bare, "-")};
    if (optopt == 0) // else it is known, or a letter
        for (const struct cli_option *option = cli_options; option->name != NULL; option++)
            if (cli_takes(line->command, option))
                try_option(&nearest, option);
    if (nearest.name != NULL)
        log_error("did you mean --%s? `ukemi %s --help` says what may be given", nearest.name,
                  line->command->name);
    else
        log_error("`ukemi %s --help` says what may be given", line->command->name);
    return EXIT_INPUT;
}

static const struct cli_option *option_of(const struct cli_command *command, int value)
{
    if (value >= LONG_FROM)
        return &cli_options[value - LONG_FROM];
    const struct cli_option *option = cli_options;
    while (option->letter != value || !cli_takes(command, option))
        option++;
    return option;
}

bool cli_line_read(const struct cli_command *command, int argc, char **argv, struct cli_line *line,
                   int *code)
{
    struct known known;
    fill_known(command, &known);
    *line = (struct cli_line){.command = command};
    set_defaults(line);
    line->each_count = 0;
    *code = EXIT_INPUT;
    for (int value; (value = getopt_long(argc, argv, known.letters, known.option, NULL)) != -1;) {
        if (value == 'h')
            *code = cli_print_help(command, true);
        if (value == '?')
            *code = refuse(line, argv[optind - 1]);
        if (value == 'h' || value == '?')
            return false;
        const struct cli_option *option = option_of(command, value);
        line->value[option->key].given = true;
        if (!read_value(option, optarg != NULL ? optarg : "", line))
            return false;
    }
    line->word = argv + optind;
    line->words = argc - optind;
    *code = (int)cli_check_words(line, command->least, command->most);
    unsigned place;
    if (*code == EXIT_PASS && command->words != NULL &&
        !read_choice("", command->words, line->word[0], &place))
        *code = EXIT_INPUT;
    return *code == EXIT_PASS;
}
