// The command line `ukemi`: one file cli_NAME.c per subcommand, one row each in the table of
// cli_commands.c. Private to it.
#pragma once

#include <stdio.h>

#include "harness/campaign/campaign.h"
#include "harness/cli/cli_line.h"
#include "harness/files/lengths.h"
#include "harness/store/database.h"
#include "harness/store/kept/kept_history.h"
#include "model/description.h"
#include "harness/trial/wire/link.h"

struct campaign;
struct scenario;
struct target;

enum exit_code {
    EXIT_PASS = 0,
    EXIT_FAIL = 1,          // the target is wrong
    EXIT_INPUT = 2,         // bad input: the message says what and where
    EXIT_LAB = 3,           // the lab is wrong, or this machine cannot do it
    EXIT_TERMINATED = 75,   // by SIGTERM, and can go on: sysexits.h's EX_TEMPFAIL, try again
    EXIT_INTERRUPTED = 130, // by SIGINT, and can go on; as shells say it
};

// Where things lie (places.h): the data folder, and the folder of the programs.
extern char cli_root[PATH_MAX_LENGTH];
extern char cli_build[PATH_MAX_LENGTH];

#define CLI_DATABASE "results/ukemi.db" // unless --db names another
#define CLI_REPORT "report"             // unless --output names another

// Subcommands: each is a row of the table of cli_commands.c, in a file cli_NAME.c.
#define CLI_COMMAND_FUNCTION(name) int cli_##name(const struct cli_line *line);
CLI_COMMANDS(CLI_COMMAND_FUNCTION)
#undef CLI_COMMAND_FUNCTION
int cli_help_files(void);

// ---- shared by them (cli_common.c) ------------------------------------------------------------

// Reads the line of a command and calls it. LAB, reported, if the machine failed meanwhile
// (base/trouble.h).
int cli_call(const struct cli_command *command, int argc, char **argv);
// The same of `bench NAME`, whose command is made of the benchmark.
int cli_call_bench(int argc, char **argv);

// Prints a text that the lab has written into a folder; says so if it cannot be read.
void cli_print_file(const char *folder, const char *name);

enum exit_code cli_exit_of(enum status status); // of a failed call
// SKIP: nothing was judged, which is told, and no success unless the command line allows it.
enum exit_code cli_exit_of_verdict(enum verdict verdict, bool allow_skip);
// Of a campaign that lacks trials: it was interrupted, or some were lost.
enum exit_code cli_exit_of_incomplete(const struct campaign_summary *summary);

// Colour on a terminal, else "": cli_colour(stdout, verdict) ... cli_plain(stdout).
const char *cli_colour(FILE *out, enum verdict verdict);
const char *cli_bold(FILE *out);
const char *cli_plain(FILE *out);

// Where to say what was written to `path`: standard output, unless that holds it.
FILE *cli_beside(const char *path);

// A whole number of a range without a rest, or an error on standard error that names `what`.
bool cli_count(const char *text, const char *what, uint64_t min, uint64_t max, uint64_t *number);

// A number of a range, its ends included, likewise.
bool cli_real(const char *text, const char *what, double least, double most, double *number);

// What --budget says, in seconds: "90s", "30m", "2h", or "90". 0, reported: it is no time.
double cli_budget(const char *word);

// Copies the label of a configuration; false, reported: it is too long.
bool cli_label(const char *label, char into[NAME_MAX_LENGTH]);

// INPUT, reported: `option` (NULL: none such was given, PASS) means nothing beside the rest of the
// command line. `why` says why and what to do, after "has no meaning ".
enum exit_code cli_refuse_idle(const char *option, const char *why);

// INPUT, reported, if there are fewer words than `least` or more than `most`.
enum exit_code cli_check_words(const struct cli_line *line, int least, int most);

// Are the arguments one word that asks for help?
bool cli_asks_help(int argc, char **argv);

// "NAME" or "NAME=LABEL", cut at the last '=': the name in place, and the label, NULL if there is
// none.
char *cli_cut_label(char *word);

// The word of --can or --ethernet (link.h); false, logged to standard error: it is none, or this
// machine cannot do it.
bool cli_medium(const char *option, const char *word, enum link_choice kernels,
                enum link_choice *medium);

// What --core says (core.h); false, logged to standard error: it cannot be.
bool cli_cores(const char *text, struct core_choice *choice);

// What a line says about many trials (campaign, doubt).
struct campaign_options cli_campaign_options(const struct cli_line *line);

// Whether trials by the clock asked for can have this medium for Ethernet; false, reported: not.
bool cli_medium_fits(enum link_choice ethernet, bool wall);

// The number of a trial; false, reported with what lists them: it is none.
bool cli_trial_number(const char *text, uint64_t *number);

// Opens the database to read the trial whose number is `text`. INVALID, reported: it is no number;
// or as database_open.
enum status cli_open_trial(const char *text, const char *database_path, struct database **database,
                           int64_t *trial_id) MUST_CHECK;

// The whole of a command about one trial: opens the database, acts, closes it.
int cli_with_trial(const char *text, const char *database_path,
                   enum exit_code (*act)(struct database *database, const char *database_path,
                                         int64_t trial_id));

// ---- scenarios and campaigns (cli_files.c) -----------------------------------------------------

#define CLI_SCENARIOS "scenarios" // of each place; a folder for each family
#define CLI_CAMPAIGNS "scenarios/campaigns"
#define CLI_STORMS "scenarios/storms"
#define CLI_NIGHTS "scenarios/nights"

// Paths of the files NAME.yaml of a folder of all places and of its families, sorted by NAME.
struct cli_files {
    char **path;
    unsigned count;
};
// NOT_FOUND: there is no such folder; INVALID, reported: as places_with; NO_MEMORY. The caller
// frees the files in either case.
enum status cli_files_list(const char *folder, struct cli_files *files) MUST_CHECK;
void cli_files_free(struct cli_files *files);
// The path of a file that exists, or of the one whose NAME is `name` or begins with it.
// NOT_FOUND, reported; NO_MEMORY.
enum status cli_files_find(const char *folder, const char *name, char *path,
                           size_t size) MUST_CHECK;

// ---- what a word names (cli_load.c) -----------------------------------------------------------

// A scenario by file or by name (or the beginning of one, if only one begins so), with its target
// and description.
struct cli_bench {
    struct target *target;
    struct description *description;
    struct scenario *scenario; // or
    struct campaign *campaign;
    struct scenario *doubted;       // of a stored doubt: the scenario with it; else NULL
    struct scenario *drawn;         // of a stored trial of a storm; else NULL
    struct stored_files *stored;    // what of a stored trial lies in; NULL: in its own folders
    char database[PATH_MAX_LENGTH]; // that keeps these
    const struct scenario *used;
};
// A target by its name. Errors are reported; the caller frees it.
enum status cli_load_target(const char *name, struct target **target) MUST_CHECK;
enum status cli_load_scenario(const char *name, struct cli_bench *bench) MUST_CHECK;
enum status cli_load_campaign(const char *name, struct cli_bench *bench) MUST_CHECK;
// The scenario of a stored trial, as the database keeps it (stored_files.h): what judges it again.
// INVALID, reported: it is a run of a benchmark.
enum status cli_load_stored(struct database *database, const char *database_path,
                            const struct stored_trial *trial, struct cli_bench *bench) MUST_CHECK;
// The same as its files say now, wherever this is called: to run it again.
enum status cli_load_present(struct database *database, const struct stored_trial *trial,
                             struct cli_bench *bench) MUST_CHECK;
// Before the first trial: whether all that trials need is there (target_check), and nobody else may
// write the files that say what is run. INVALID, reported; else as target_check.
enum status cli_check_bench(const struct cli_bench *bench) MUST_CHECK;
// Before a judgement alone: the same of the programs that judge its promises. INVALID, reported.
enum status cli_check_oracles(const struct cli_bench *bench) MUST_CHECK;
void cli_free(struct cli_bench *bench);

struct storm;
struct cli_storm { // a storm's file, with its target's description
    struct storm *storm;
    struct description *description;
};
// As cli_load_scenario, and cli_check_bench (cli_storm.c).
enum status cli_load_storm(const char *name, struct cli_storm *storm) MUST_CHECK;
enum status cli_check_storm(const struct cli_storm *storm) MUST_CHECK;
void cli_free_storm(struct cli_storm *storm);

// Path of a stored history: `relative`, as stored, lies beside the database.
void cli_history_path(const char *database, const char *relative, char *path, size_t size);

// The same and its kept history, which lies beside the database; NOT_FOUND, said on standard error,
// if it was not kept. Of a run of a benchmark the target and no scenario: `used` is
// NULL.
enum status cli_load_kept(struct database *database, const char *database_path, int64_t trial_id,
                          struct cli_bench *bench, struct kept_history *kept) MUST_CHECK;
// Where the history of a stored trial is: beside the database.
void cli_kept_history(const char *database_path, const struct stored_trial *trial,
                      struct kept_history *kept);

// ---- output shared by run, show and judge (cli_print.c) ---------------------------------------

void cli_print_faults(const struct trial_record *record, const struct scenario *scenario);
void cli_print_processes(const struct trial_record *record);
void cli_print_buses(const struct bus_figures *figures);
void cli_print_judgement(const struct judgement *judgement);

// ---- what processes printed (cli_output.c) ----------------------------------------------------

struct cli_output {
    const char *process; // of this one alone; NULL: of all
    const char *search;  // lines that hold this, an extended regular expression; NULL: all
    size_t lines_max;    // the last ones; 0: all
};
// INVALID: `search` is none, reported; NO_MEMORY.
enum status cli_print_output(const struct history *history,
                             const struct cli_output *output) MUST_CHECK;
// The last lines of each process that was killed, hung, or exited with another status than 0.
// NO_MEMORY.
enum status cli_print_ended(const struct history *history) MUST_CHECK;
