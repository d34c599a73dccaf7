// What a shell offers: `ukemi help complete WORD...` reads the words before the cursor by the same
// tables as the command itself. The shells' own scripts (scripts/completion/) only ask this.
#include <glob.h>
#include <stdlib.h>
#include <string.h>

#include "harness/bench/bench.h"
#include "harness/cli/cli.h"
#include "harness/files/places.h"

#define FILES_TOO ":files" // the last line: what lies in folders is offered, too

// ---- words that fit ---------------------------------------------------------------------------

static void offer(const char *begun, const char *word, const char *about)
{
    if (strncmp(word, begun, strlen(begun)) == 0)
        printf("%s%s%s\n", word, about[0] != '\0' ? "\t" : "", about);
}

static bool offer_choice(void *context, const char *word)
{
    offer(context, word, "");
    return true;
}

// The name of a file without its folder and ending; of a target its folder's name.
static void offer_named(const char *begun, char *path, const char *ending)
{
    path[strlen(path) - strlen(ending)] = '\0';
    const char *slash = strrchr(path, '/');
    offer(begun, slash == NULL ? path : slash + 1, "");
}

static void offer_files(const char *begun, const char *folder)
{
    struct cli_files files;
    if (cli_files_list(folder, &files) == STATUS_OK)
        for (unsigned i = 0; i < files.count; i++)
            offer_named(begun, files.path[i], ".yaml");
    cli_files_free(&files);
}

static void offer_targets(const char *begun)
{
    static const char *const depths[] = {"/*/target.yaml", "/*/*/target.yaml"};
    struct places places;
    if (places_with("targets", &places) != STATUS_OK)
        return;
    for (unsigned i = 0; i < places.count; i++)
        for (size_t depth = 0; depth < sizeof depths / sizeof depths[0]; depth++) {
            char pattern[4 * PATH_MAX_LENGTH];
            glob_t found;
            snprintf(pattern, sizeof pattern, "%s%s", places.folder[i], depths[depth]);
            if (glob(pattern, 0, NULL, &found) == 0) {
                for (size_t file = 0; file < found.gl_pathc; file++)
                    offer_named(begun, found.gl_pathv[file], "/target.yaml");
                globfree(&found);
            }
        }
}

static void offer_word(const char *begun, enum cli_word word)
{
    if (word == WORD_SCENARIO)
        offer_files(begun, CLI_SCENARIOS);
    if (word == WORD_CAMPAIGN)
        offer_files(begun, CLI_CAMPAIGNS);
    if (word == WORD_STORM)
        offer_files(begun, CLI_STORMS);
    if (word == WORD_NIGHT)
        offer_files(begun, CLI_NIGHTS);
    if (word == WORD_TARGET)
        offer_targets(begun);
    if (word == WORD_FILE || word == WORD_SCENARIO || word == WORD_CAMPAIGN || word == WORD_STORM ||
        word == WORD_NIGHT)
        puts(FILES_TOO);
}

static void offer_value(char *begun, const struct cli_option *option)
{
    switch (option->type) {
    case CLI_CHOICE:
        (void)cli_each_choice(option->argument, offer_choice, begun);
        break;
    case CLI_MEDIUM:
        offer(begun, "auto", "");
        offer(begun, link_word(LINK_EMBEDDED), "");
        offer(begun, link_word((enum link_choice)option->least), "");
        break;
    case CLI_CORES:
        offer(begun, "auto", "");
        offer(begun, "none", "");
        break;
    case CLI_NAMES:
        offer_word(begun, WORD_SCENARIO);
        break;
    case CLI_FILE:
    case CLI_FOLDER:
        puts(FILES_TOO);
        break;
    default:
        break;
    }
}

static void offer_options(const char *begun, const struct cli_command *command)
{
    char name[64];
    for (const struct cli_option *option = cli_options; option->name != NULL; option++)
        if (cli_takes(command, option)) {
            snprintf(name, sizeof name, "--%s", option->name);
            offer(begun, name, option->help);
        }
    offer(begun, "--trust-folder", "take files that others may write");
    offer(begun, "--help", "explain the command");
}

static void offer_commands(const char *begun)
{
    for (unsigned i = 0; i < CLI_COMMAND_COUNT; i++)
        offer(begun, cli_commands[i].name, cli_commands[i].summary);
    offer(begun, "help", "explain a command");
}

static void offer_benches(const char *begun)
{
    for (size_t i = 0; benches[i] != NULL; i++)
        offer(begun, benches[i]->name, benches[i]->summary);
}

// ---- the words before the cursor ----------------------------------------------------------------

// The option that a word is; NULL: it is none, or takes no argument.
static const struct cli_option *waits_for_value(const struct cli_command *command, const char *word)
{
    for (const struct cli_option *option = cli_options; option->name != NULL; option++)
        if (cli_takes(command, option) && option->argument != NULL &&
            ((strncmp(word, "--", 2) == 0 && strcmp(word + 2, option->name) == 0) ||
             (option->letter != 0 && word[0] == '-' && word[1] == option->letter &&
              word[2] == '\0')))
            return option;
    return NULL;
}

static void complete_command(const struct cli_command *command, int count, char **word)
{
    const struct cli_option *option = NULL;
    int before = 0; // words that are neither options nor their values
    for (int i = 0; i + 1 < count; i++) {
        const bool equals = strcmp(word[i], "=") == 0; // bash cuts --db=FILE there
        const bool value = option != NULL && !equals;
        option = value ? NULL : equals ? option : waits_for_value(command, word[i]);
        before += !value && !equals && word[i][0] != '-';
        if (strcmp(word[i], "--") == 0) { // another program's words
            puts(FILES_TOO);
            return;
        }
    }
    static char nothing[] = "";
    char *begun = option != NULL && strcmp(word[count - 1], "=") == 0 ? nothing : word[count - 1];
    if (option != NULL)
        offer_value(begun, option);
    else if (begun[0] == '-')
        offer_options(begun, command);
    else if (command->words != NULL && before == 0)
        (void)cli_each_choice(command->words, offer_choice, begun);
    else if (before < command->most)
        offer_word(begun, command->word[before > 0]);
}

int cli_help_complete(int count, char **word)
{
    static char nothing[] = "", *none[] = {nothing};
    if (count == 0) {
        count = 1;
        word = none;
    }
    const struct cli_command *command = cli_command_find(word[0]);
    if (count == 1) {
        offer_commands(word[0]);
        if (word[0][0] == '-') {
            offer(word[0], "--help", "list the commands");
            offer(word[0], "--version", "print the version");
        }
    } else if (strcmp(word[0], "help") == 0 && count == 2) {
        offer_commands(word[1]);
        offer(word[1], "files", "all keys of all files that people write");
    } else if (command != NULL && command->run != NULL)
        complete_command(command, count - 1, word + 1);
    else if (command != NULL && count == 2)
        offer_benches(word[1]);
    else if (command != NULL && bench_find(word[1]) != NULL) {
        struct cli_command benchmark = *command;
        benchmark.bench = bench_find(word[1])->takes;
        benchmark.word[0] = WORD_CAMPAIGN;
        benchmark.most = (benchmark.bench & BENCH_ROWS) != 0;
        complete_command(&benchmark, count - 2, word + 2);
    }
    return EXIT_PASS;
}
