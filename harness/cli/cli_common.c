#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "base/text.h"
#include "base/trouble.h"
#include "harness/campaign/campaign.h"
#include "harness/cli/cli.h"
#include "harness/store/kept/campaign_histories.h"
#include "harness/files/places.h"
#include "harness/history/file_place.h"

char cli_root[PATH_MAX_LENGTH];
char cli_build[PATH_MAX_LENGTH];

// ---- where things lie -------------------------------------------------------------------------

__attribute__((constructor)) static void find_places(void)
{
    places_programs(cli_build, sizeof cli_build);
    places_data(cli_root, sizeof cli_root);
}

void cli_history_path(const char *database, const char *relative, char *path, size_t size)
{
    char folder[PATH_MAX_LENGTH];
    histories_root(database, folder, sizeof folder);
    if (strcmp(folder, ".") == 0 || relative[0] == '/')
        snprintf(path, size, "%s", relative);
    else
        snprintf(path, size, "%s/%s", folder, relative);
}

bool cli_trial_number(const char *text, uint64_t *number)
{
    if (cli_count(text, "TRIAL", 1, INT64_MAX, number))
        return true;
    log_error("`ukemi show` alone lists what there is, `ukemi report NAME` makes a page of it");
    return false;
}

enum status cli_open_trial(const char *text, const char *database_path, struct database **database,
                           int64_t *trial_id)
{
    uint64_t number;
    if (!cli_trial_number(text, &number))
        return STATUS_INVALID;
    *trial_id = (int64_t)number;
    return database_open(database_path, DATABASE_READ, database);
}

int cli_with_trial(const char *text, const char *database_path,
                   enum exit_code (*act)(struct database *database, const char *database_path,
                                         int64_t trial_id))
{
    int64_t trial_id;
    struct database *database;
    const enum status status = cli_open_trial(text, database_path, &database, &trial_id);
    if (status != STATUS_OK)
        return (int)cli_exit_of(status);
    const int code = (int)act(database, database_path, trial_id);
    database_close(database);
    return code;
}

// ---- options, exit codes, colours, numbers ------------------------------------------------------

int cli_call(const struct cli_command *command, int argc, char **argv)
{
    static char before[] = "ukemi: error";
    static struct cli_line line;
    int code = EXIT_LAB;
    argv[0] = before; // what getopt says of an option looks like all other errors
    if (trouble_words() == NULL && command->run == NULL)
        code = cli_call_bench(argc, argv);
    else if (trouble_words() == NULL && cli_line_read(command, argc, argv, &line, &code))
        code = command->run(&line);
    if (trouble_words() == NULL || code == EXIT_INTERRUPTED || code == EXIT_TERMINATED)
        return code;
    // Whatever else was said: neither the input nor the target can be blamed, nor be called good.
    log_error("this machine failed: %s; end other programs, make room or fix it, then try again",
              trouble_words());
    return EXIT_LAB;
}

bool cli_asks_help(int argc, char **argv)
{
    return argc == 2 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0);
}

enum exit_code cli_exit_of(enum status status)
{
    switch (status) {
    case STATUS_INVALID:
    case STATUS_NOT_FOUND:
    case STATUS_TOO_LARGE:
    case STATUS_CORRUPT:
        return EXIT_INPUT;
    case STATUS_NO_MEMORY:
        (void)trouble_note(ENOMEM);
        return EXIT_LAB;
    default:
        return EXIT_LAB;
    }
}

enum exit_code cli_exit_of_verdict(enum verdict verdict, bool allow_skip)
{
    switch (verdict) {
    case VERDICT_PASS:
        return EXIT_PASS;
    case VERDICT_SKIP:
        if (allow_skip)
            return EXIT_PASS;
        log_error("nothing was judged, see why above; with --allow-skip that is no error");
        return EXIT_LAB;
    case VERDICT_FAIL:
        return EXIT_FAIL;
    default:
        return EXIT_LAB;
    }
}

enum exit_code cli_exit_of_incomplete(const struct campaign_summary *summary)
{
    if (!summary->interrupted)
        return EXIT_LAB;
    return summary->terminated ? EXIT_TERMINATED : EXIT_INTERRUPTED;
}

static bool coloured(FILE *out)
{
    return isatty(fileno(out)) && getenv("NO_COLOR") == NULL;
}

const char *cli_colour(FILE *out, enum verdict verdict)
{
    static const char *const colour[] = {[VERDICT_PASS] = "\033[32m",
                                         [VERDICT_FAIL] = "\033[31m",
                                         [VERDICT_ERROR] = "\033[35m",
                                         [VERDICT_SKIP] = "\033[33m"};
    return coloured(out) ? colour[verdict] : "";
}

const char *cli_bold(FILE *out)
{
    return coloured(out) ? "\033[1m" : "";
}
const char *cli_plain(FILE *out)
{
    return coloured(out) ? "\033[0m" : "";
}

bool cli_count(const char *text, const char *what, uint64_t min, uint64_t max, uint64_t *number)
{
    char *rest;
    errno = 0;
    *number = strtoull(text, &rest, 10);
    if (text[0] >= '0' && text[0] <= '9' && *rest == '\0' && errno == 0 && *number >= min &&
        *number <= max)
        return true;
    if (max < INT64_MAX)
        log_error("%s: '%s' is not a whole number from %llu to %llu", what, text,
                  (unsigned long long)min, (unsigned long long)max);
    else
        log_error("%s: '%s' is not a whole number from %llu up", what, text,
                  (unsigned long long)min);
    return false;
}

bool cli_real(const char *text, const char *what, double least, double most, double *number)
{
    char *rest;
    errno = 0;
    *number = strtod(text, &rest);
    if (rest != text && *rest == '\0' && errno == 0 && *number >= least && *number <= most)
        return true;
    log_error("%s: '%s' is not a number from %g to %g", what, text, least, most);
    return false;
}

double cli_budget(const char *word)
{
    char *unit;
    const double number = strtod(word, &unit);
    static const struct {
        const char *word;
        double s;
    } units[] = {{"", 1}, {"s", 1}, {"m", 60}, {"min", 60}, {"h", 3600}};
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
        if (word[0] >= '0' && word[0] <= '9' && strcmp(unit, units[i].word) == 0 && number > 0 &&
            number * units[i].s <= 30 * 86400)
            return number * units[i].s;
    log_error("--budget %s: not a time; write it as 90s, 30m or 2h, at most 720h", word);
    return 0;
}

bool cli_label(const char *label, char into[NAME_MAX_LENGTH])
{
    if (strlen(label) < NAME_MAX_LENGTH) {
        text_copy(into, NAME_MAX_LENGTH, label);
        return true;
    }
    log_error("--scenario: the label '%.20s...' is longer than %d characters; give a shorter one",
              label, NAME_MAX_LENGTH - 1);
    return false;
}

enum exit_code cli_refuse_idle(const char *option, const char *why)
{
    if (option == NULL)
        return EXIT_PASS;
    log_error("%s: has no meaning %s", option, why);
    return EXIT_INPUT;
}

char *cli_cut_label(char *word)
{
    char *equals = strrchr(word, '=');
    if (equals == NULL)
        return NULL;
    *equals = '\0';
    return equals[1] == '\0' ? NULL : equals + 1;
}

bool cli_medium(const char *option, const char *word, enum link_choice kernels,
                enum link_choice *medium)
{
    char why[160];
    if (!link_parse(word, kernels, medium)) {
        log_error("%s: '%s' is not auto, embedded or %s", option, word, link_word(kernels));
        return false;
    }
    if (*medium != kernels || link_possible(kernels, why, sizeof why))
        return true;
    log_error("%s %s: %s; %sleave the option out: the embedded one gives the same results", option,
              word, why,
              kernels == LINK_SOCKETCAN ? "load the modules (modprobe can-raw vcan), or " : "");
    return false;
}

bool cli_cores(const char *text, struct core_choice *choice)
{
    char words[256];
    const bool good = core_choose(text, choice, words, sizeof words);
    if (!good)
        log_error("--core: '%s': %s", text, words);
    return good;
}

struct campaign_options cli_campaign_options(const struct cli_line *line)
{
    return (struct campaign_options){.database = line->value[CLI_DB].text,
                                     .build_folder = cli_build,
                                     .jobs = (int)line->value[CLI_JOBS].count,
                                     .resume = line->value[CLI_RESUME].given,
                                     .quiet = line->value[CLI_QUIET].given,
                                     .no_wall = line->value[CLI_NO_WALL].given,
                                     .mode = line->value[CLI_WALL].given ? CLK_WALL : CLK_VIRTUAL,
                                     .cores = line->cores,
                                     .can = line->value[CLI_CAN].medium,
                                     .ethernet = line->value[CLI_ETHERNET].medium};
}

bool cli_medium_fits(enum link_choice ethernet, bool wall)
{
    if (ethernet != LINK_VETH || wall)
        return true;
    log_error("--ethernet veth: the kernel's interfaces have no virtual clock; add --wall, or "
              "leave it out: the embedded network gives the same verdict");
    return false;
}

FILE *cli_beside(const char *path)
{
    return file_place_is_stdout(path) ? stderr : stdout;
}

void cli_print_file(const char *folder, const char *name)
{
    char path[2 * PATH_MAX_LENGTH], line[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        log_error("%s: %s", path, strerror(errno));
        (void)trouble_note(errno);
        return;
    }
    while (fgets(line, sizeof line, file) != NULL)
        fputs(line, stdout);
    (void)fclose(file); // only read
}
