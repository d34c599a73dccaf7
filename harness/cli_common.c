#include <dirent.h>
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "base/text.h"
#include "harness/cli.h"

char cli_root[PATH_MAX_LENGTH];
char cli_build[PATH_MAX_LENGTH];

// ---- where things lie -------------------------------------------------------------------------

static bool holds(const char *folder, const char *name)
{
    char path[2 * PATH_MAX_LENGTH];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return access(path, R_OK) == 0;
}

static void cut_last(char *path)
{
    char *slash = strrchr(path, '/');
    if (slash != NULL)
        *slash = '\0';
}

__attribute__((constructor)) static void find_places(void)
{
    ssize_t length = readlink("/proc/self/exe", cli_build, sizeof cli_build - 1);
    if (length < 0)
        length = 0;
    cli_build[length] = '\0';
    cut_last(cli_build); // the executable
    cut_last(cli_build); // bin
    const char *named = getenv("UKEMI_ROOT");
    snprintf(cli_root, sizeof cli_root, "%s", named != NULL ? named : cli_build);
    if (named != NULL)
        return;
    cut_last(cli_root);
    if (!holds(cli_root, "scenarios") || !holds(cli_root, "targets"))
        snprintf(cli_root, sizeof cli_root, ".");
}

void cli_history_path(const char *database, const char *relative, char *path, size_t size)
{
    const char *slash = strrchr(database, '/');
    if (slash == NULL || relative[0] == '/')
        snprintf(path, size, "%s", relative);
    else
        snprintf(path, size, "%.*s/%s", (int)(slash - database), database, relative);
}

enum status cli_open_trial(const char *text, const char *database_path, struct database **database,
                           int64_t *trial_id)
{
    uint64_t number;
    if (!cli_number(text, "TRIAL", INT64_MAX, &number))
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

bool cli_database_option(int argc, char **argv, const char *usage, const char **path, int *code)
{
    static const struct option options[] = {
        {"db", required_argument, NULL, 'd'}, {"help", no_argument, NULL, 'h'}, {NULL, 0, NULL, 0}};
    *path = CLI_DATABASE;
    for (int option; (option = getopt_long(argc, argv, "h", options, NULL)) != -1;) {
        if (option == 'd') {
            *path = optarg;
            continue;
        }
        *code = option == 'h' ? (int)cli_usage(usage, true) : EXIT_INPUT;
        return false;
    }
    return true;
}

enum exit_code cli_exit_of(enum status status)
{
    switch (status) {
    case STATUS_INVALID:
    case STATUS_NOT_FOUND:
    case STATUS_TOO_LARGE:
    case STATUS_CORRUPT:
        return EXIT_INPUT;
    default:
        return EXIT_LAB;
    }
}

enum exit_code cli_exit_of_verdict(enum verdict verdict)
{
    switch (verdict) {
    case VERDICT_PASS:
    case VERDICT_SKIP:
        return EXIT_PASS;
    case VERDICT_FAIL:
        return EXIT_FAIL;
    default:
        return EXIT_LAB;
    }
}

enum exit_code cli_usage(const char *usage, bool asked)
{
    fputs(usage, asked ? stdout : stderr);
    return asked ? EXIT_PASS : EXIT_INPUT;
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
    log_error("%s: '%s' is no whole number from %llu to %llu", what, text, (unsigned long long)min,
              (unsigned long long)max);
    return false;
}

bool cli_number(const char *text, const char *what, uint64_t max, uint64_t *number)
{
    return cli_count(text, what, 0, max, number);
}

bool cli_real(const char *text, const char *what, double least, double most, double *number)
{
    char *rest;
    errno = 0;
    *number = strtod(text, &rest);
    if (rest != text && *rest == '\0' && errno == 0 && *number >= least && *number <= most)
        return true;
    log_error("%s: '%s' is no number from %g to %g", what, text, least, most);
    return false;
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

enum exit_code cli_wrong_word(const char *command, const char *word)
{
    if (word != NULL)
        log_error("'%s' is one word too many; `ukemi %s --help` says what may be given", word,
                  command);
    else
        log_error("`ukemi %s --help` says what may be given", command);
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

bool cli_can(const char *word, enum link_choice *can)
{
    char why[160];
    if (!link_parse(word, can)) {
        log_error("--can: '%s' is none of auto, embedded, socketcan", word);
        return false;
    }
    if (*can != LINK_SOCKETCAN || link_possible(why, sizeof why))
        return true;
    log_error("--can socketcan: %s; load the modules (modprobe can-raw vcan), or leave the option "
              "out: the embedded bus gives the same results",
              why);
    return false;
}

// ---- loading ----------------------------------------------------------------------------------

// The one file NAME.yaml, or beginning with NAME, in a folder below root. NOT_FOUND, said on
// standard error.
static enum status find_file(const char *folder, const char *name, char *path, size_t size)
{
    if (strchr(name, '/') != NULL ||
        access(name, R_OK) == 0) { // a file: loading it tells what is wrong with it
        snprintf(path, size, "%s", name);
        return STATUS_OK;
    }
    char place[PATH_MAX_LENGTH + 32], found[256] = "";
    snprintf(place, sizeof place, "%s/%s", cli_root, folder);
    DIR *listing = opendir(place);
    int matches = 0;
    for (struct dirent *entry; listing != NULL && (entry = readdir(listing)) != NULL;) {
        const char *suffix = strstr(entry->d_name, ".yaml");
        if (suffix == NULL || suffix[5] != '\0' || strncmp(entry->d_name, name, strlen(name)) != 0)
            continue;
        bool exact =
            strlen(name) == (size_t)(suffix - entry->d_name) || strcmp(entry->d_name, name) == 0;
        matches = exact ? 1 : matches + 1;
        snprintf(found, sizeof found, "%s", entry->d_name);
        if (exact)
            break;
    }
    if (listing != NULL)
        closedir(listing);
    if (matches != 1) {
        log_error("%s: %s in %s; `ukemi list %s` shows what there is", name,
                  matches == 0 ? "there is no such file" : "more than one file begins so", place,
                  strstr(folder, "campaigns") != NULL ? "campaigns" : "scenarios");
        return STATUS_NOT_FOUND;
    }
    snprintf(path, size, "%s/%s", place, found);
    return STATUS_OK;
}

static enum status load_target(const char *name, const char *near, struct cli_bench *bench)
{
    char path[PATH_MAX_LENGTH], description[2 * PATH_MAX_LENGTH];
    enum status status = target_find(name, near, path, sizeof path);
    if (status != STATUS_OK)
        status = target_find(name, cli_root, path, sizeof path);
    if (status != STATUS_OK) {
        log_error("%s: target: %s: there is no targets/%s/target.yaml", near, name, name);
        return status;
    }
    status = target_load(path, &bench->target);
    if (status != STATUS_OK)
        return status;
    snprintf(description, sizeof description, "%s/%s", bench->target->folder,
             bench->target->description);
    return description_load(description, &bench->description);
}

enum status cli_load_scenario(const char *name, struct cli_bench *bench)
{
    *bench = (struct cli_bench){0};
    char path[2 * PATH_MAX_LENGTH];
    enum status status = find_file("scenarios", name, path, sizeof path);
    if (status == STATUS_OK)
        status = scenario_load(path, NULL, &bench->scenario);
    if (status == STATUS_OK)
        status = load_target(bench->scenario->target, path, bench);
    bench->used = bench->scenario;
    if (status != STATUS_OK)
        cli_free(bench);
    return status;
}

enum status cli_load_campaign(const char *name, struct cli_bench *bench)
{
    *bench = (struct cli_bench){0};
    char path[2 * PATH_MAX_LENGTH];
    enum status status = find_file("scenarios/campaigns", name, path, sizeof path);
    if (status == STATUS_OK)
        status = campaign_load(path, &bench->campaign);
    if (status == STATUS_OK && bench->campaign->cell_count == 0) {
        log_error("%s: the campaign has no cells; give it rows and columns", path);
        status = STATUS_INVALID;
    }
    for (unsigned i = 1; status == STATUS_OK && i < bench->campaign->cell_count; i++)
        if (strcmp(bench->campaign->cell[i].scenario->target,
                   bench->campaign->cell[0].scenario->target) != 0) {
            log_error("%s: scenarios of two targets, %s and %s; make a campaign of each", path,
                      bench->campaign->cell[0].scenario->target,
                      bench->campaign->cell[i].scenario->target);
            status = STATUS_INVALID;
        }
    if (status == STATUS_OK)
        status = load_target(bench->campaign->cell[0].scenario->target, path, bench);
    if (status != STATUS_OK)
        cli_free(bench);
    return status;
}

enum status cli_load_stored(const struct stored_trial *trial, struct cli_bench *bench)
{
    if (trial->is_run) {
        log_error("trial %lld is a run of a benchmark, `%s`, not of a campaign; run its scenario: "
                  "`ukemi run %s --wall --seed %llu`",
                  (long long)trial->trial_id, trial->campaign_file, trial->scenario,
                  (unsigned long long)trial->seed);
        return STATUS_INVALID;
    }
    enum status status = cli_load_campaign(trial->campaign_file, bench);
    if (status != STATUS_OK)
        return status;
    const struct campaign *campaign = bench->campaign;
    if (trial->cell < campaign->cell_count &&
        strcmp(campaign->cell[trial->cell].scenario->name, trial->scenario) == 0) {
        bench->used = campaign->cell[trial->cell].scenario;
        return STATUS_OK;
    }
    log_error("%s: has changed since trial %lld: its cell %u is no longer scenario %s",
              campaign->file, (long long)trial->trial_id, trial->cell, trial->scenario);
    cli_free(bench);
    return STATUS_INVALID;
}

void cli_free(struct cli_bench *bench)
{
    target_free(bench->target);
    description_free(bench->description);
    scenario_free(bench->scenario);
    campaign_free(bench->campaign);
    *bench = (struct cli_bench){0};
}

// Of a run of a benchmark, whose scenario was perhaps cut short or given a fault, and is not stored.
static enum status load_target_alone(const char *name, struct cli_bench *bench)
{
    *bench = (struct cli_bench){0};
    const enum status status = load_target(name, cli_root, bench);
    if (status != STATUS_OK)
        cli_free(bench);
    return status;
}

enum status cli_load_kept(struct database *database, const char *database_path, int64_t trial_id,
                          struct cli_bench *bench, char *file, size_t size)
{
    struct stored_trial trial;
    enum status status = database_find_trial(database, trial_id, &trial);
    if (status != STATUS_OK)
        return status;
    if (trial.history_path[0] == '\0') {
        log_error(
            "trial %lld: its history was not kept; make it again with `ukemi run --trial %lld "
            "--db %s --keep FILE.mcap` and name that file",
            (long long)trial_id, (long long)trial_id, database_path);
        return STATUS_NOT_FOUND;
    }
    cli_history_path(database_path, trial.history_path, file, size);
    return trial.is_run ? load_target_alone(trial.target, bench) : cli_load_stored(&trial, bench);
}
