// A command line as data: what commands there are, which options each takes, and what was written.
// One table holds all options (cli_options.c), another all commands (cli_commands.c). From them
// come the reading of a line (cli_line.c), usage and help (cli_help.c), the man page's lists
// (cli_man.c), and what a shell completes (cli_complete.c). Private to the command line.
#pragma once

#include <stdint.h>
#include <stdio.h>

#include "harness/campaign/core.h"
#include "harness/trial/wire/link.h"

struct cli_line;

// ---- options ----------------------------------------------------------------------------------

// What an option sets. One name means one thing: several rows of the table may set the same for
// different commands, with other words or another default.
enum cli_key {
    CLI_ADD,
    CLI_ALL,
    CLI_ALLOW_SKIP,
    CLI_ALPHA,
    CLI_AT,
    CLI_ATTACH,
    CLI_BESIDE,
    CLI_BRIEF_ENCODERS,
    CLI_BUDGET,
    CLI_CAN,
    CLI_CHANGED,
    CLI_CHECK_DETERMINISM,
    CLI_CORE,
    CLI_DB,
    CLI_DURATION,
    CLI_EPOCH,
    CLI_ETHERNET,
    CLI_FINISH,
    CLI_FIRST,
    CLI_FORMAT,
    CLI_INTERFACES,
    CLI_JOBS,
    CLI_KEEP,
    CLI_KEEP_FAILURES,
    CLI_KEEP_NIGHTS,
    CLI_LANGUAGE,
    CLI_LAST,
    CLI_LIST,
    CLI_METRIC,
    CLI_MISSING,
    CLI_NO_COST,
    CLI_TARGET,
    CLI_CHAIN,
    CLI_NO_REPORT,
    CLI_NO_WALL,
    CLI_ONLY,
    CLI_OUTPUT,
    CLI_OVERLAP,
    CLI_PARTITION,
    CLI_PARTS,
    CLI_PROCESS,
    CLI_QUIET,
    CLI_RELEVANT,
    CLI_RESUME,
    CLI_ROW,
    CLI_RUNS,
    CLI_SCENARIO,
    CLI_SEARCH,
    CLI_SEED,
    CLI_SERIES,
    CLI_SHARD,
    CLI_SLURM,
    CLI_SIZE,
    CLI_SQUARES,
    CLI_TASKS,
    CLI_TOGETHER,
    CLI_TRIAL,
    CLI_TRIALS,
    CLI_UNCORRECTED,
    CLI_UNHOMED,
    CLI_VIRTUAL,
    CLI_WALL,
    CLI_WRITE,
    CLI_WRITE_ONLY,
    CLI_KEYS
};

enum cli_type {
    CLI_FLAG,  // without an argument
    CLI_TEXT,  // any; the command looks at it
    CLI_NAMES, // likewise, a scenario's name; may be repeated, as may CLI_TEXTS
    CLI_TEXTS,
    CLI_FILE,
    CLI_FOLDER,
    CLI_COUNT,  // a whole number of a range
    CLI_NUMBER, // a number of a range
    CLI_CHOICE, // one of the words that `argument` lists
    CLI_CORES,  // core.h
    CLI_MEDIUM, // link.h; `least` says whose kernel interfaces
};

struct cli_option {
    enum cli_key key;
    enum cli_type type;
    const char *name, *argument; // argument NULL: none
    const char *fallback;        // what it is unless said; NULL: nothing
    const char *help;
    unsigned commands; // that take it, bits of enum cli_command_key
    unsigned benches;  // of `bench`: benchmarks that do, bits of enum bench_takes; 0: all
    char letter;       // -o; 0: none
    const char *was;   // its name before this version, still taken; NULL: none
    union {
        uint64_t least;
        double from;
    };
    union {
        uint64_t most;
        double to;
    };
};
extern const struct cli_option cli_options[]; // ends with an option without a name

// ---- commands ---------------------------------------------------------------------------------

#define CLI_COMMANDS(X)                                                                            \
    X(new)                                                                                         \
    X(run)                                                                                         \
    X(campaign)                                                                                    \
    X(submit)                                                                                      \
    X(night)                                                                                       \
    X(merge)                                                                                       \
    X(doubt)                                                                                       \
    X(storm)                                                                                       \
    X(shrink)                                                                                      \
    X(findings)                                                                                    \
    X(check)                                                                                       \
    X(show)                                                                                        \
    X(judge)                                                                                       \
    X(report)                                                                                      \
    X(view)                                                                                        \
    X(series)                                                                                      \
    X(export)                                                                                      \
    X(bench)                                                                                       \
    X(diff)                                                                                        \
    X(plant)                                                                                       \
    X(list)                                                                                        \
    X(header)                                                                                      \
    X(prune)                                                                                       \
    X(doctor)

#define CLI_COMMAND_KEY(name) CLI_COMMAND_##name,
enum cli_command_key { CLI_COMMANDS(CLI_COMMAND_KEY) CLI_COMMAND_COUNT };
#undef CLI_COMMAND_KEY

// What a word of a command names, for a shell's completion.
enum cli_word {
    WORD_ANY,
    WORD_FILE,
    WORD_SCENARIO,
    WORD_CAMPAIGN,
    WORD_STORM,
    WORD_NIGHT,
    WORD_TARGET
};

#define CLI_OWN_MAX 3

struct cli_command {
    const char *name; // "run", "bench latency"
    enum cli_command_key key;
    int (*run)(const struct cli_line *line); // NULL: `bench`, which has commands of its own
    const char *summary;                     // for the list of commands
    const char *forms;                       // of its words, one a line
    const char *about, *after;               // paragraphs before and after the options, or NULL
    int least, most;                         // words
    const char *words;                       // that it takes, as a choice's argument; NULL: any
    enum cli_word word[2];                   // its first word, and all further ones
    unsigned bench;                          // enum bench_takes
    struct {
        enum cli_key key;
        const char *text;
    } own[CLI_OWN_MAX]; // defaults that a benchmark has of its own; ends with NULL
};
extern const struct cli_command cli_commands[CLI_COMMAND_COUNT];

const struct cli_command *cli_command_find(const char *name); // NULL: there is none
bool cli_takes(const struct cli_command *command, const struct cli_option *option);
// What an option is unless said; NULL: nothing.
const char *cli_fallback(const struct cli_command *command, const struct cli_option *option);

// Calls act for each word of "one|another|third", with a copy; false: it ended with false.
bool cli_each_choice(const char *choices, bool (*act)(void *context, const char *word),
                     void *context);

// ---- a line -----------------------------------------------------------------------------------

#define CLI_EACH_MAX 16

struct cli_line {
    const struct cli_command *command;
    struct {
        bool given;       // else it is the default
        const char *text; // NULL: it has none
        union {
            uint64_t count;
            double number;
            unsigned choice; // place among those of `argument`
            enum link_choice medium;
        };
    } value[CLI_KEYS];
    struct core_choice cores;       // CLI_CORE
    const char *each[CLI_EACH_MAX]; // of an option that may be repeated
    unsigned each_count;
    char **word; // those that are no options
    int words;
};

// Reads the options and words of a command; argv[0] is its name. false: end with *code; what is
// wrong is reported, or help was asked for and printed.
bool cli_line_read(const struct cli_command *command, int argc, char **argv, struct cli_line *line,
                   int *code);

// ---- what is printed --------------------------------------------------------------------------

// The help of a command: asked for on standard output, else on standard error. PASS or INPUT.
int cli_print_help(const struct cli_command *command, bool asked);

// The lists of the man page: "synopsis" or "options". INPUT, reported: another word.
int cli_help_man(const char *part);

// What the last of a line's words (after "ukemi") may become, one a line with a description after a
// tab; ":files" at the end: or a file.
int cli_help_complete(int count, char **word);
