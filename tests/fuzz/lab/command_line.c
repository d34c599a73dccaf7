// Command lines of `ukemi`: every sub-command's words, whatever they are. Nothing is run or written
// (what would be is replaced at link time); the exit code is one of the four, and a call that is
// wrong says so.
#include "tests/fuzz/fuzz.h"

#include <getopt.h>

#include "harness/campaign/campaign.h"
#include "harness/cli/cli.h"
#include "harness/campaign/job.h"
#include "harness/files/campaign_file.h"
#include "harness/report/report.h"
#include "harness/report/report_benchmark.h"

int ukemi_main(int argc, char **argv);
#define main ukemi_main
#include "harness/cli/ukemi.c"
#undef main

// ---- instead of running anything ---------------------------------------------------------------

void __wrap_job_run(const struct job *job, struct trial_record *record, struct history **history);
enum status __wrap_campaign_run(const struct campaign *campaign, const struct target *target,
                                const struct description *description,
                                const struct campaign_options *options,
                                struct campaign_summary *summary);
enum status __wrap_report_write(const char *database, const char *campaign, const char *folder);
enum status __wrap_report_benchmark_find(const char *database, const char *benchmark,
                                         struct report_benchmark *found);
enum status __wrap_database_open(const char *path, enum database_mode mode,
                                 struct database **database);
enum status __wrap_history_read(const char *path, struct history **history);
int __wrap_cli_doctor(const struct cli_line *line);
enum status __wrap_target_check(const struct target *target, const struct scenario *const *scenario,
                                unsigned scenario_count, const char *build_folder);
enum status __wrap_family_check(const char *path, const char *build_folder);
enum status __real_scenario_load(const char *path, const struct target *target,
                                 struct scenario **scenario);
enum status __wrap_scenario_load(const char *path, const struct target *target,
                                 struct scenario **scenario);
enum status __real_campaign_load(const char *path, struct campaign **campaign);
enum status __wrap_campaign_load(const char *path, struct campaign **campaign);

void __wrap_job_run(const struct job *job, struct trial_record *record, struct history **history)
{
    fuzz_check(job->seed <= INT64_MAX && job->core >= -1 && job->core < 1024);
    fuzz_check(job->scenario != NULL && job->target != NULL && history == NULL);
    memset(record, 0, sizeof *record);
}

enum status __wrap_campaign_run(const struct campaign *campaign, const struct target *target,
                                const struct description *description,
                                const struct campaign_options *options,
                                struct campaign_summary *summary)
{
    fuzz_check(campaign->square_count > 0 && target != NULL && description != NULL);
    fuzz_check(options->jobs >= 0 && options->jobs <= 256 && options->database != NULL);
    memset(summary, 0, sizeof *summary);
    return STATUS_OK;
}

enum status __wrap_report_write(const char *database, const char *campaign, const char *folder)
{
    (void)campaign;
    fuzz_check(database != NULL && folder != NULL);
    return STATUS_NOT_FOUND;
}

enum status __wrap_report_benchmark_find(const char *database, const char *benchmark,
                                         struct report_benchmark *found)
{
    (void)found;
    fuzz_check(database != NULL && benchmark != NULL);
    return STATUS_EMPTY;
}

enum status __wrap_database_open(const char *path, enum database_mode mode,
                                 struct database **database)
{
    (void)mode;
    fuzz_check(path != NULL);
    *database = NULL;
    return STATUS_NOT_FOUND;
}

enum status __wrap_history_read(const char *path, struct history **history)
{
    (void)path, (void)history;
    return STATUS_CORRUPT;
}

enum status __wrap_target_check(const struct target *target, const struct scenario *const *scenario,
                                unsigned scenario_count, const char *build_folder) // forks, too
{
    fuzz_check(target != NULL && build_folder != NULL);
    for (unsigned i = 0; i < scenario_count; i++)
        fuzz_check(scenario[i] != NULL);
    return STATUS_OK;
}

enum status __wrap_family_check(const char *path, const char *build_folder)
{
    fuzz_check(path != NULL && build_folder != NULL);
    return STATUS_NOT_FOUND;
}

int __wrap_cli_doctor(const struct cli_line *line) // forks probes
{
    (void)line;
    return EXIT_PASS;
}

// Files are the other targets' matter, and some (terminals, pipes) would be waited for: only the
// project's own.
static bool ours(const char *path)
{
    return strncmp(path, "./scenarios/", 12) == 0 && strstr(path, "..") == NULL;
}

enum status __wrap_scenario_load(const char *path, const struct target *target,
                                 struct scenario **scenario)
{
    return ours(path) ? __real_scenario_load(path, target, scenario) : STATUS_NOT_FOUND;
}

enum status __wrap_campaign_load(const char *path, struct campaign **campaign)
{
    return ours(path) ? __real_campaign_load(path, campaign) : STATUS_NOT_FOUND;
}

// ---- the target --------------------------------------------------------------------------------

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const known[] = {"run",
                                        "campaign",
                                        "show",
                                        "judge",
                                        "report",
                                        "series",
                                        "list",
                                        "--seed",
                                        "--trial",
                                        "--core",
                                        "--jobs",
                                        "--db",
                                        "--keep=x",
                                        "--wall",
                                        "--check-determinism",
                                        "--resume",
                                        "--quiet",
                                        "--output",
                                        "--to",
                                        "--help",
                                        "--",
                                        "003-walk-dynamic",
                                        "smoke",
                                        "scenarios",
                                        "targets",
                                        "campaigns",
                                        "faults",
                                        "oracles",
                                        "9223372036854775808",
                                        "-1",
                                        "--version",
                                        "1",
                                        "bench",
                                        "latency",
                                        "floor",
                                        "--runs",
                                        "--duration",
                                        "--scenario",
                                        "diff",
                                        "store",
                                        "--squares",
                                        "a,b",
                                        "--last",
                                        "--alpha",
                                        "0.5",
                                        "--relevant",
                                        "--metric",
                                        "--beside",
                                        "check",
                                        "./scenarios/motion/003-walk-dynamic.yaml"};
    char storage[FUZZ_WORDS_MAX][256], *word[FUZZ_WORDS_MAX + 2] = {"ukemi"};
    struct fuzz_input input = {.data = data, .size = size};
    const int count = fuzz_words(&input, known, sizeof known / sizeof known[0], storage, word + 1);
    strcpy(cli_root, ".");
    optind = 0; // getopt begins anew
    fuzz_hush(true);
    const int code = ukemi_main(count + 1, word);
    fuzz_hush(false);
    fuzz_check(code >= EXIT_PASS && code <= EXIT_LAB);
    return 0;
}
