#include <string.h>

#include "base/log.h"
#include "harness/cli/cli.h"
#include "harness/files/scenario.h"
#include "harness/judge/judge_apart.h"
#include "harness/packs/packs.h"
#include "harness/packs/robot/chain_robot.h"

static bool no_wall, allow_skip;

// The history is freed.
static enum exit_code judge_history(struct history *history, const struct cli_bench *bench,
                                    struct judgement *judgement)
{
    const struct judge_cell cell = {cli_build, no_wall};
    // Of which mode it was nobody needs to know: this is the longer limit.
    const double limit_s = limits_wall_s(&bench->target->limits, bench->used->duration_s, false);
    const struct judged judged = {.history = history,
                                  .scenario = bench->used,
                                  .target = bench->target,
                                  .description = bench->description,
                                  .packs = all_packs,
                                  .robot = &robot_of_chains};
    judge_apart(&judged, &cell, limit_s, judgement);
    cli_print_judgement(judgement);
    history_free(history);
    return cli_exit_of_verdict(judgement->verdict, allow_skip);
}

static enum exit_code judge_file(const char *path, const char *scenario)
{
    struct cli_bench bench;
    struct judgement judgement;
    struct history *history;
    enum status status = cli_load_scenario(scenario, &bench);
    if (status != STATUS_OK)
        return cli_exit_of(status);
    status = cli_check_oracles(&bench);
    if (status == STATUS_OK)
        status = history_read(path, &history);
    const enum exit_code code =
        status == STATUS_OK ? judge_history(history, &bench, &judgement) : cli_exit_of(status);
    cli_free(&bench);
    return code;
}

static enum exit_code judge_stored(struct database *database, const char *path, int64_t trial_id)
{
    struct cli_bench bench;
    struct kept_history kept;
    struct history *history;
    enum status status = cli_load_kept(database, path, trial_id, &bench, &kept);
    if (status != STATUS_OK)
        return cli_exit_of(status);
    if (bench.used == NULL) {
        log_error("trial %lld is a run of a benchmark, whose scenario may have been shortened "
                  "or given a fault; "
                  "`ukemi show %lld` has its verdicts, and `ukemi judge %s SCENARIO` judges by a "
                  "scenario that you name",
                  (long long)trial_id, (long long)trial_id, kept.file);
        cli_free(&bench);
        return EXIT_INPUT;
    }
    struct judgement judgement = {0};
    status = cli_check_oracles(&bench);
    if (status == STATUS_OK)
        status = kept_history_read(&kept, path, &history);
    enum exit_code code =
        status == STATUS_OK ? judge_history(history, &bench, &judgement) : cli_exit_of(status);
    if (judgement.count > 0 && !database_keeps(database)) {
        log_info("%s: this judgement is not added: the database cannot be written, or has "
                 "an older schema, which the next `ukemi campaign` converts",
                 path);
    } else if (judgement.count > 0) {
        status = database_add_judging(database, trial_id, &judgement);
        if (status != STATUS_OK)
            code = cli_exit_of(status);
    }
    cli_free(&bench);
    return code;
}

int cli_judge(const struct cli_line *line)
{
    no_wall = line->value[CLI_NO_WALL].given;
    allow_skip = line->value[CLI_ALLOW_SKIP].given;
    if (line->words == 2)
        return (int)judge_file(line->word[0], line->word[1]);
    return cli_with_trial(line->word[0], line->value[CLI_DB].text, judge_stored);
}
