// Makes a failing trial smaller (harness/explore/shrink.h).
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "base/text.h"
#include "harness/cli/cli.h"
#include "harness/explore/pool.h"
#include "harness/explore/shrink.h"
#include "harness/explore/signature.h"
#include "harness/explore/storming.h"
#include "harness/files/scenario.h"
#include "harness/files/scenario_text.h"

struct shrinking {
    const struct cli_line *line;
    struct cli_bench bench;
    struct scenario *written; // its file, unchecked
    char origin[2 * PATH_MAX_LENGTH];
    uint64_t seed;
    unsigned at_once;
    struct signature first;
    struct trial_record record[SHRINK_BATCH_MAX];
};

static struct job job_of(const struct shrinking *s, const struct scenario *scenario, int core)
{
    return (struct job){.target = s->bench.target,
                        .scenario = scenario,
                        .description = s->bench.description,
                        .build_folder = cli_build,
                        .seed = s->seed,
                        .mode = CLK_VIRTUAL,
                        .no_wall = s->line->value[CLI_NO_WALL].given,
                        .core = core,
                        .recheck_core = core};
}

// ---- what is shrunk ----------------------------------------------------------------------------

// A stored trial of a storm, drawn anew.
static enum status take_trial(struct shrinking *s, uint64_t number)
{
    struct database *database;
    struct stored_trial trial;
    struct cli_storm storm = {0};
    enum status status = database_open(s->line->value[CLI_DB].text, DATABASE_QUERY, &database);
    if (status != STATUS_OK)
        return status;
    status = database_find_trial(database, (int64_t)number, &trial);
    if (status == STATUS_OK && !trial.is_storm) {
        log_error("trial %llu: is none of a storm; name its scenario, with --seed %llu",
                  (unsigned long long)number, (unsigned long long)trial.seed);
        status = STATUS_INVALID;
    }
    if (status == STATUS_OK)
        status = cli_load_present(database, &trial, &s->bench);
    if (status == STATUS_OK)
        status = cli_load_storm(trial.campaign_file, &storm);
    database_close(database);
    if (status != STATUS_OK)
        return status;
    s->seed = trial.seed;
    s->written = storm.storm->written;
    storm.storm->written = NULL;
    snprintf(s->origin, sizeof s->origin, "the storm %s, its trial of this seed",
             storm.storm->name);
    text_copy(s->written->claim, sizeof s->written->claim, storm.storm->claim);
    text_copy(s->written->name, sizeof s->written->name, storm.storm->name);
    cli_free_storm(&storm);
    return STATUS_OK;
}

static enum status take_scenario(struct shrinking *s, const char *name)
{
    enum status status = cli_load_scenario(name, &s->bench);
    if (status == STATUS_OK)
        status = scenario_read(s->bench.scenario->file, &s->written);
    snprintf(s->origin, sizeof s->origin, "%s",
             s->bench.scenario != NULL ? s->bench.scenario->file : name);
    s->seed = s->line->value[CLI_SEED].count;
    return status;
}

static bool is_number(const char *word)
{
    return *word != '\0' && word[strspn(word, "0123456789")] == '\0' && access(word, F_OK) != 0;
}

// ---- asking ------------------------------------------------------------------------------------

static enum status ask(void *context, struct scenario *const *candidate, unsigned count,
                       bool *fails)
{
    struct shrinking *s = context;
    struct job job[SHRINK_BATCH_MAX] = {{0}};
    for (unsigned i = 0; i < count; i++)
        job[i] = job_of(s, candidate[i], core_claim(&s->line->cores));
    const enum status status = pool_run(job, count, s->at_once, s->record);
    for (unsigned i = 0; status == STATUS_OK && i < count; i++) {
        struct signature signature;
        fails[i] = s->record[i].loss == LOSS_NONE &&
                   signature_of(&s->record[i], s->bench.target, &signature) &&
                   signature_kept(&s->first, &signature);
    }
    return status;
}

// The first run; *scenario is a copy in which each fault strikes at the instant at which it did.
static enum exit_code run_first(struct shrinking *s, struct scenario *scenario)
{
    const struct job job = job_of(s, s->bench.used, core_claim(&s->line->cores));
    struct trial_record *record = &s->record[0];
    job_run(&job, record, NULL);
    if (!signature_of(record, s->bench.target, &s->first)) {
        const struct oracle_verdict *oracle = verdict_is_bad(record->judgement.verdict)
                                                  ? judgement_decisive(&record->judgement)
                                                  : NULL;
        log_error("%s, seed %llu: the trial is %s, not FAIL%s%s; only what fails can be smaller",
                  s->bench.used->name, (unsigned long long)s->seed,
                  verdict_name(record->judgement.verdict), oracle != NULL ? ": " : "",
                  oracle != NULL ? oracle->detail : "");
        return record->judgement.verdict == VERDICT_ERROR ? EXIT_LAB : EXIT_INPUT;
    }
    *scenario = *s->bench.used;
    scenario->own_catalogue = NULL;
    for (unsigned i = 0; i < record->fault_event_count; i++) {
        const struct fault_event *event = &record->fault_event[i];
        if (event->kind == FAULT_APPLIED && event->index < scenario->fault_count)
            scenario->fault[event->index].at =
                (struct trigger){.kind = TRIGGER_TIME,
                                 .time_min_s = instant_to_s(event->time),
                                 .time_max_s = instant_to_s(event->time)};
    }
    return EXIT_PASS;
}

// ---- what comes out ----------------------------------------------------------------------------

static void describe(const struct shrinking *s, const struct shrink_result *result,
                     const struct signature *last, char *comment, size_t size)
{
    snprintf(comment, size,
             "Found by %s; shrunk from %u fault%s to %u in %u runs.\n"
             "%s of %s is broken at %.3f s, margin %.4g%s%s, %s%s:\n%s\n%s\n"
             "ukemi run FILE --seed %llu",
             s->origin, result->faults_before, text_plural(result->faults_before),
             result->scenario->fault_count, result->runs, last->oracle, last->party, last->broken_s,
             last->margin, last->unit[0] != '\0' ? " " : "", last->unit,
             strcmp(last->acting, "calm") == 0 ? "in " : "under ", last->acting, last->detail,
             result->minimal ? "Locally minimal: without any one of its faults, or with any one of "
                               "their numbers halved, it does not fail so."
                             : "Not shown to be minimal: there were too few runs.",
             (unsigned long long)s->seed);
    if (isnan(last->broken_s)) { // no instant: leave it out
        char *at = strstr(comment, " at nan s");
        if (at != NULL)
            memmove(at, at + strlen(" at nan s"), strlen(at + strlen(" at nan s")) + 1);
    }
}

static enum exit_code write_out(const struct shrinking *s, const struct scenario *scenario,
                                const char *comment)
{
    const char *path = s->line->value[CLI_OUTPUT].text;
    FILE *file = path == NULL ? stdout : fopen(path, "we");
    struct scenario *written = s->written;
    if (file == NULL) {
        log_error("--output %s: cannot be written: %s; name another file", path, strerror(errno));
        return EXIT_INPUT;
    }
    written->duration_s = scenario->duration_s;
    written->watch_s = scenario->watch_s;
    written->environment_count = scenario->environment_count;
    memcpy(written->environment, scenario->environment, sizeof written->environment);
    scenario_print(file, written, scenario, comment);
    const bool good = ferror(file) == 0;
    if (file != stdout && (fclose(file) != 0 || !good)) {
        log_error("--output %s: cannot be written whole: %s", path, strerror(errno));
        return EXIT_LAB;
    }
    return EXIT_PASS;
}

// Reads what was written, and runs it: it must fail alike, with the same history.
static enum exit_code replay(struct shrinking *s, const char *hash)
{
    const char *path = s->line->value[CLI_OUTPUT].text;
    struct scenario *scenario;
    if (path == NULL)
        return EXIT_PASS;
    if (scenario_load(path, NULL, &scenario) != STATUS_OK) {
        log_error("%s: the lab wrote it, and cannot read it; report this", path);
        return EXIT_LAB;
    }
    const struct job job = job_of(s, scenario, core_claim(&s->line->cores));
    job_run(&job, &s->record[0], NULL);
    const bool same = strcmp(s->record[0].result.hash, hash) == 0;
    if (!same)
        log_error("%s: has another history than what was shrunk; report this", path);
    scenario_free(scenario);
    return same ? EXIT_PASS : EXIT_LAB;
}

static enum exit_code conclude(struct shrinking *s, const struct shrink_result *result)
{
    char comment[2048], hash[33];
    struct signature last;
    const struct job job = job_of(s, result->scenario, core_claim(&s->line->cores));
    job_run(&job, &s->record[0], NULL);
    if (!signature_of(&s->record[0], s->bench.target, &last) || !signature_kept(&s->first, &last)) {
        log_error("what was shrunk does not fail alike again; report this");
        return EXIT_LAB;
    }
    text_copy(hash, sizeof hash, s->record[0].result.hash);
    describe(s, result, &last, comment, sizeof comment);
    enum exit_code code = write_out(s, result->scenario, comment);
    if (code == EXIT_PASS)
        code = replay(s, hash);
    if (code == EXIT_PASS)
        fprintf(s->line->value[CLI_OUTPUT].text == NULL ? stderr : stdout,
                "%s of %s: %u fault%s to %u in %u runs%s%s\n", last.oracle, last.party,
                result->faults_before, text_plural(result->faults_before),
                result->scenario->fault_count, result->runs,
                result->minimal ? ", locally minimal" : "",
                s->line->value[CLI_OUTPUT].text == NULL ? "" : "; it replays bit by bit");
    return code;
}

static enum exit_code shrink_it(struct shrinking *s)
{
    struct scenario *scenario = malloc(sizeof *scenario);
    struct shrink_result result = {.scenario = NULL};
    enum exit_code code = scenario == NULL ? cli_exit_of(STATUS_NO_MEMORY) : run_first(s, scenario);
    if (code == EXIT_PASS) {
        const struct shrink_request request = {.scenario = scenario,
                                               .target = s->bench.target,
                                               .decided_s = s->first.broken_s,
                                               .runs_max = (unsigned)s->line->value[CLI_RUNS].count,
                                               .ask = ask,
                                               .context = s};
        const enum status status = shrink(&request, &result);
        code = status == STATUS_OK ? conclude(s, &result) : cli_exit_of(status);
    }
    scenario_free(result.scenario);
    free(scenario);
    return code;
}

int cli_shrink(const struct cli_line *line)
{
    struct shrinking *s = calloc(1, sizeof *s);
    if (s == NULL)
        return (int)cli_exit_of(STATUS_NO_MEMORY);
    const int cores = CPU_COUNT(&line->cores.among);
    const uint64_t jobs = line->value[CLI_JOBS].count;
    s->line = line;
    s->at_once = jobs > 0 ? (unsigned)jobs : cores > 0 ? (unsigned)cores : 1;
    enum status status = is_number(line->word[0]) ? take_trial(s, strtoull(line->word[0], NULL, 10))
                                                  : take_scenario(s, line->word[0]);
    if (status == STATUS_OK)
        status = cli_check_bench(&s->bench);
    const int code = status == STATUS_OK ? (int)shrink_it(s) : (int)cli_exit_of(status);
    cli_free(&s->bench);
    scenario_free(s->written);
    free(s);
    return code;
}
