#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "base/log.h"
#include "base/text.h"
#include "harness/cli/cli.h"
#include "harness/campaign/core.h"
#include "harness/campaign/job.h"
#include "harness/files/scenario.h"
#include "harness/history/file_place.h"

#define HELD_TOLD_S 0.5 // shorter waits for a processor are nothing to tell

struct arguments {
    const char *scenario, *keep, *database;
    uint64_t seed, trial; // trial 0: none
    struct core_choice core;
    bool wall, twice, no_wall, allow_skip;
    enum link_choice can, ethernet;
    struct attach_request attach; // process NULL: none
};

// What the options say together. Errors are reported.
static enum exit_code settle(const struct cli_line *line, const struct arguments *a)
{
    if (a->trial == 0 && line->value[CLI_DB].given)
        return cli_refuse_idle("--db", "without --trial: nothing is stored; leave it out, or let "
                                       "`ukemi campaign` run and store trials");
    if (a->trial != 0 && (line->value[CLI_SEED].given || a->wall))
        return cli_refuse_idle(line->value[CLI_SEED].given ? "--seed" : "--wall",
                               "with --trial, which has seed and clock of its own; leave it out");
    if (a->wall && a->twice) {
        log_error(
            "--check-determinism: wall-clock trials differ from each other; leave out --wall");
        return EXIT_INPUT;
    }
    if (a->attach.process == NULL && line->value[CLI_AT].given)
        return cli_refuse_idle("--at", "without --attach: name the process");
    if (a->attach.process != NULL && a->twice)
        return cli_refuse_idle("--check-determinism", "with --attach: one of them, then the other");
    if (a->trial == 0 && !cli_medium_fits(a->ethernet, a->wall))
        return EXIT_INPUT;
    return EXIT_PASS;
}

// Whether the trial can stand still for a debugger of that process. Errors are reported.
static enum exit_code check_attach(const struct arguments *a, const struct target *target)
{
    const char *name = a->attach.process;
    if (name == NULL)
        return EXIT_PASS;
    if (a->wall) {
        log_error("--attach: in real time the world goes on while a process stands still; leave "
                  "out --wall, or name a trial of the virtual clock");
        return EXIT_INPUT;
    }
    bool found = strcmp(name, OPERATOR_NAME) == 0;
    for (unsigned i = 0; i < target->process_count && !found; i++)
        found = strcmp(name, target->process[i].name) == 0 ||
                strcmp(name, target->process[i].component) == 0;
    if (found && name[0] != '\0')
        return EXIT_PASS;
    char names[1024] = "";
    for (unsigned i = 0; i < target->process_count; i++)
        text_add(names, sizeof names, "%s, ", target->process[i].name);
    log_error("--attach: '%s' is not a process of %s; there are %s" OPERATOR_NAME, name,
              target->name, names);
    return EXIT_INPUT;
}

// EXIT_PASS to go on, else the exit code.
static enum exit_code take(const struct cli_line *line, struct arguments *a)
{
    *a = (struct arguments){.seed = line->value[CLI_SEED].count,
                            .trial = line->value[CLI_TRIAL].count,
                            .keep = line->value[CLI_KEEP].text,
                            .database = line->value[CLI_DB].text,
                            .core = line->cores,
                            .wall = line->value[CLI_WALL].given,
                            .twice = line->value[CLI_CHECK_DETERMINISM].given,
                            .no_wall = line->value[CLI_NO_WALL].given,
                            .allow_skip = line->value[CLI_ALLOW_SKIP].given,
                            .can = line->value[CLI_CAN].medium,
                            .ethernet = line->value[CLI_ETHERNET].medium,
                            .attach = {.process = line->value[CLI_ATTACH].text,
                                       .at = instant_s(line->value[CLI_AT].number)}};
    const int words = a->trial == 0;
    const enum exit_code code = cli_check_words(line, words, words);
    if (code != EXIT_PASS)
        return code;
    a->scenario = words == 1 ? line->word[0] : NULL;
    return settle(line, a);
}

// What its buses travel through; nothing of kinds that the target has none of.
static void print_media(const struct target *target, const struct trial_result *result)
{
#define BUS_KIND_CALLED(name, word, called) called,
    static const char *const called[] = {BUS_KINDS(BUS_KIND_CALLED)};
#undef BUS_KIND_CALLED
    const char *medium[BUS_KIND_COUNT] = {[BUS_KIND_can] =
                                              result->socketcan ? "the kernel's interfaces" : NULL,
                                          [BUS_KIND_ethernet] = result->veth ? "veth" : NULL};
    unsigned count[BUS_KIND_COUNT] = {[BUS_KIND_ethernet] = target->network_count};
    for (unsigned i = 0; i < target->bus_count; i++)
        count[target->bus[i].kind]++;
    for (unsigned i = 0; i < BUS_KIND_COUNT; i++)
        if (count[i] > 0)
            printf("; %s: %s", called[i], medium[i] == NULL ? "embedded" : medium[i]);
}

static void print_trial(const struct job *job, const struct trial_record *record)
{
    const struct trial_result *result = &record->result;
    printf("%s%s%s  seed %" PRIu64 ", %s clock\n  %s\n", cli_bold(stdout), job->scenario->name,
           cli_plain(stdout), job->seed, job->mode == CLK_WALL ? "wall" : "virtual",
           job->scenario->claim);
    if (result->outcome != TRIAL_RAN) {
        fputs(record->judgement.verdict == VERDICT_SKIP   ? "not run here: "
              : record->judgement.verdict == VERDICT_FAIL ? "did not start: "
                                                          : "lab error: ",
              stdout);
        text_print(stdout, result->reason, " ");
        putchar('\n');
    }
    cli_print_faults(record, job->scenario);
    cli_print_processes(record);
    cli_print_judgement(&record->judgement);
    cli_print_buses(&record->buses);
    if (result->strangers_dropped > 0)
        printf("  %" PRIu64 " more frames of strangers were dropped: they sent faster than a bus "
               "carries\n",
               result->strangers_dropped);
    if (job->no_wall)
        printf("no wall: programs had the rights of the lab's user, and saw all files\n");
    if (result->lacks[0] != '\0') {
        printf("cell: %s; it lacks ", result->cell[0] == '\0' ? "none" : result->cell);
        text_print(stdout, result->lacks, "  ");
        putchar('\n');
    }
    if (result->held_s >= HELD_TOLD_S)
        printf("held up: %s waited for a processor for %.2f s\n", result->held, result->held_s);
    if (result->still_s > 0)
        printf("stood still: the machine, at %.2f s, for %.1f ms%s\n", result->still_at_s,
               1e3 * result->still_s,
               verdict_is_bad(record->judgement.verdict) ? "; that may be why; run it again" : "");
    printf("history %s%s%s\n", result->hash[0] == '\0' ? "none" : result->hash,
           record->history_path[0] == '\0' ? "" : " in ", record->history_path);
    printf("%.2f s simulated in %.2f s (%.1f times real time; CPU %.2f s", result->simulated_s,
           result->wall_s, result->wall_s > 0 ? result->simulated_s / result->wall_s : 0,
           result->cpu_s);
    print_media(job->target, result);
    puts(")");
}

// Takes scenario, seed and clock from a stored trial; *stored is filled.
static enum status load_stored(struct arguments *a, struct cli_bench *bench,
                               struct stored_trial *stored)
{
    struct database *database;
    enum status status = database_open(a->database, DATABASE_QUERY, &database);
    if (status != STATUS_OK)
        return status;
    status = database_find_trial(database, (int64_t)a->trial, stored);
    if (status == STATUS_OK)
        status = cli_load_present(database, stored, bench);
    database_close(database);
    a->seed = stored->seed;
    a->wall = stored->mode == CLK_WALL;
    return status;
}

static void run_and_print(const struct arguments *a, const struct cli_bench *bench,
                          const struct stored_trial *stored, struct trial_record *record)
{
    const int core = a->wall && !a->core.given ? -1 : core_claim(&a->core);
    struct job job = {.target = bench->target,
                      .scenario = bench->used,
                      .description = bench->description,
                      .build_folder = cli_build,
                      .seed = a->seed,
                      .mode = a->wall ? CLK_WALL : CLK_VIRTUAL,
                      .can = a->can,
                      .ethernet = a->ethernet,
                      .no_wall = a->no_wall,
                      .watch_machine = true,
                      .attach = a->attach.process == NULL ? NULL : &a->attach,
                      .core = core,
                      .recheck = a->twice && !a->wall,
                      .recheck_core = core_after(&a->core, core),
                      .keep = a->keep != NULL ? KEEP_ALWAYS : KEEP_NEVER};
    if (a->keep != NULL) {
        snprintf(job.history.file, sizeof job.history.file, "%s", a->keep);
        snprintf(job.history.relative, sizeof job.history.relative, "%s", a->keep);
    }
    job_run(&job, record, NULL);
    if (a->trial != 0 && a->twice && !a->wall)
        judgement_compare(&record->judgement, stored->history_hash, record->result.hash);
    print_trial(&job, record);
}

// Before the trial, which may be long.
static enum exit_code check_keep(const char *keep)
{
    if (keep != NULL && file_place_check(keep) != STATUS_OK) {
        log_error("--keep %s: cannot be written: %s; name another file", keep,
                  file_place_why(errno));
        return EXIT_INPUT;
    }
    if (keep == NULL || !file_place_is_stdout(keep))
        return EXIT_PASS;
    log_error("--keep %s: is standard output, where the verdict goes; name a file, or a FIFO",
              keep);
    return EXIT_INPUT;
}

int cli_run(const struct cli_line *line)
{
    struct arguments a;
    enum exit_code code = take(line, &a);
    if (code != EXIT_PASS)
        return code;
    struct cli_bench bench = {0};
    struct stored_trial stored = {0};
    enum status status =
        a.trial != 0 ? load_stored(&a, &bench, &stored) : cli_load_scenario(a.scenario, &bench);
    if (status != STATUS_OK)
        return cli_exit_of(status);
    status = cli_check_bench(&bench);
    code = status != STATUS_OK ? cli_exit_of(status) : check_attach(&a, bench.target);
    if (code == EXIT_PASS)
        code = check_keep(a.keep);
    if (code != EXIT_PASS) {
        cli_free(&bench);
        return code;
    }
    static struct trial_record record;
    run_and_print(&a, &bench, &stored, &record);
    cli_free(&bench);
    if (record.result.outcome == TRIAL_UNTRUSTED)
        return EXIT_INPUT;
    return cli_exit_of_verdict(record.judgement.verdict, a.allow_skip);
}
