// ukemi bench store: any program that prints figures becomes a benchmark of the database.
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>

#include "base/log.h"
#include "harness/cli/cli_bench.h"
#include "harness/bench/compare/figures.h"
#include "harness/cell/piped.h"

#define RUNS_DEFAULT 10
#define RUNS_MAX 1000
#define PARTIES_MAX 2

static const char usage[] =
    "usage: ukemi bench store NAME [--runs N] [--db PATH] -- PROGRAM [ARGUMENT...]\n"
    "       ukemi bench store NAME [--runs N] [--db PATH] --beside NAME2 -- PROGRAM [ARGUMENT...]\n"
    "                         -- PROGRAM2 [ARGUMENT...]\n\n"
    "Runs PROGRAM N times and stores what it prints as a campaign NAME: each run is a trial of "
    "each\n"
    "cell it prints figures of. It prints a line per figure, with tabs between\n\n"
    "  CELL  METRIC  UNIT  less|more|(nothing)  VALUE  [ROUND]\n\n"
    "With ROUND, from 1, each round of the program is a run; a figure without is kept with the\n"
    "first.\n\n"
    "  --runs N        times (default 10)\n"
    "  --beside NAME2  a second program, run in turns with the first, so that both had the same\n"
    "                  machine; its figures go to a campaign NAME2\n"
    "  --db PATH       the database (default " CLI_DATABASE ")\n";

// One of the programs that are run in turns, and its campaign.
struct party {
    const char *name;
    char **command;
    int64_t campaign_id;
    unsigned rounds; // of all its runs so far; each is a run of the campaign
};

struct arguments {
    struct party party[PARTIES_MAX];
    unsigned parties;
    uint64_t runs;
    const char *database;
};

// ---- the command line -------------------------------------------------------------------------

// Cuts the words at each "--": what is before the first one is ours, then come the programs' words. The number of words of ours.
static int split_programs(int argc, char **argv, char **programs[PARTIES_MAX], unsigned *count)
{
    int ours = argc;
    *count = 0;
    for (int i = 0; i < argc && *count < PARTIES_MAX; i++) {
        if (strcmp(argv[i], "--") != 0)
            continue;
        if (*count == 0)
            ours = i;
        argv[i] = NULL; // ends the words before it
        programs[(*count)++] = &argv[i + 1];
    }
    return ours;
}

static bool read_options(int argc, char **argv, struct arguments *a, int *code)
{
    static const struct option options[] = {{"runs", required_argument, NULL, 'r'},
                                            {"beside", required_argument, NULL, 's'},
                                            {"db", required_argument, NULL, 'd'},
                                            {"help", no_argument, NULL, 'h'},
                                            {NULL, 0, NULL, 0}};
    *a = (struct arguments){.parties = 1, .runs = RUNS_DEFAULT, .database = CLI_DATABASE};
    *code = EXIT_INPUT;
    for (int option; (option = getopt_long(argc, argv, "h", options, NULL)) != -1;) {
        if (option == 'h')
            *code = (int)cli_usage(usage, true);
        if (option == '?')
            cli_wrong_word("bench store", NULL);
        if (option == 'h' || option == '?' ||
            (option == 'r' && !cli_count(optarg, "--runs", 1, RUNS_MAX, &a->runs)))
            return false;
        if (option == 'd')
            a->database = optarg;
        if (option == 's') {
            a->party[1].name = optarg;
            a->parties = 2;
        }
    }
    if (argc - optind != 1) {
        *code = (int)cli_usage(usage, false);
        return false;
    }
    a->party[0].name = argv[optind];
    return true;
}

static bool is_name(const char *name)
{
    if (name[0] != '\0' && strspn(name, "0123456789") < strlen(name))
        return true;
    log_error(
        "'%s' is no name of a benchmark: `ukemi diff` takes a number for a campaign's; give it "
        "a word",
        name);
    return false;
}

// false: end with *code.
static bool parse(int argc, char **argv, struct arguments *a, int *code)
{
    char **programs[PARTIES_MAX];
    unsigned count;
    const int ours = split_programs(argc, argv, programs, &count);
    if (!read_options(ours, argv, a, code))
        return false;
    *code = EXIT_INPUT;
    for (unsigned i = 0; i < a->parties; i++) {
        if (!is_name(a->party[i].name))
            return false;
        if (i >= count || programs[i][0] == NULL) {
            log_error("%s: no program to run; name it after %s--", a->party[i].name,
                      i == 0 ? "" : "a second ");
            return false;
        }
        a->party[i].command = programs[i];
    }
    if (count > a->parties)
        log_error("two programs after --; name the second one's campaign with --beside");
    else
        return true;
    return false;
}

// ---- a run ------------------------------------------------------------------------------------

static enum status start_program(char **program, struct piped *process)
{
    if (piped_start(program, false, process) == STATUS_OK)
        return STATUS_OK;
    log_error("%s: cannot be run: %s; name a program, by its path if it is in no folder of PATH",
              program[0], strerror(errno));
    return STATUS_INVALID;
}

// Waits for its end. SYSTEM, said: it did not end well.
static enum status end_program(const char *name, struct piped *process, double *cpu_s)
{
    const int how = piped_end(process, cpu_s);
    if (WIFEXITED(how) && WEXITSTATUS(how) == 0)
        return STATUS_OK;
    log_error("%s: ended with %s %d; this run is not stored", name,
              WIFEXITED(how) ? "status" : "signal",
              WIFEXITED(how) ? WEXITSTATUS(how) : WTERMSIG(how));
    return STATUS_SYSTEM;
}

static double now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// The campaign begins with its first run, so that what could not run at all leaves none.
static enum status store(struct database *database, struct party *party,
                         const struct figures *figures, double wall_s, double cpu_s)
{
    struct benchmark_run *run = malloc(figures->run_count * sizeof *run);
    enum status status = run == NULL ? STATUS_NO_MEMORY : STATUS_OK;
    if (status == STATUS_OK && party->campaign_id == 0)
        status = benchmark_start(database, party->name, party->command[0], "", &party->campaign_id);
    for (unsigned i = 0; status == STATUS_OK && i < figures->run_count; i++)
        run[i] = (struct benchmark_run){.cell = figures->run[i].cell,
                                        .scenario = "",
                                        .number = party->rounds + figures->run[i].round,
                                        .wall_s = wall_s / figures->rounds,
                                        .cpu_s = cpu_s / figures->rounds,
                                        .figure = figures->run[i].figure,
                                        .figure_count = figures->run[i].count};
    if (status == STATUS_OK)
        status = benchmark_add_runs(database, party->campaign_id, run, figures->run_count);
    party->rounds += figures->rounds;
    free(run);
    return status;
}

static enum status run_once(struct database *database, struct party *party)
{
    struct figures figures;
    struct piped process;
    double cpu_s;
    const double begin_s = now_s();
    enum status status = start_program(party->command, &process);
    if (status != STATUS_OK)
        return status;
    const enum status printed = figures_read(process.output, party->command[0], &figures);
    status = end_program(party->command[0], &process, &cpu_s);
    if (status == STATUS_OK)
        status = printed;
    if (status == STATUS_OK)
        status = store(database, party, &figures, now_s() - begin_s, cpu_s);
    if (printed == STATUS_OK)
        figures_free(&figures);
    return status;
}

// ---- all runs ---------------------------------------------------------------------------------

// In turns, each first every other time, so that drift of the machine hits both alike.
static enum status run_all(struct database *database, struct arguments *a)
{
    enum status status = STATUS_OK;
    for (unsigned number = 0; status == STATUS_OK && number < a->runs; number++)
        for (unsigned turn = 0; status == STATUS_OK && turn < a->parties; turn++)
            status = run_once(database, &a->party[(number + turn) % a->parties]);
    return status;
}

static enum status finish_campaigns(struct database *database, const struct arguments *a,
                                    double wall_s, bool finished)
{
    enum status status = STATUS_OK;
    for (unsigned i = 0; status == STATUS_OK && i < a->parties; i++) {
        const struct party *party = &a->party[i];
        if (party->campaign_id == 0)
            continue;
        if (finished)
            status = benchmark_finish(database, party->campaign_id, wall_s);
        if (status != STATUS_OK)
            return status;
        printf("campaign %" PRId64 " '%s': %s %" PRIu64 " runs of %s", party->campaign_id,
               party->name, finished ? "all" : "not all", a->runs, party->command[0]);
        if (party->rounds > a->runs)
            printf(", in %u rounds", party->rounds);
        putchar('\n');
    }
    return status;
}

int cli_bench_store(int argc, char **argv)
{
    struct arguments a;
    int code;
    if (!parse(argc, argv, &a, &code))
        return code;
    struct database *database;
    enum status status = database_open(a.database, DATABASE_WRITE, &database);
    if (status != STATUS_OK)
        return (int)cli_exit_of(status);
    const double begin_s = now_s();
    status = run_all(database, &a);
    const enum status kept = finish_campaigns(database, &a, now_s() - begin_s, status == STATUS_OK);
    database_close(database);
    if (status == STATUS_OK)
        status = kept;
    return status == STATUS_OK ? EXIT_PASS : (int)cli_exit_of(status);
}
