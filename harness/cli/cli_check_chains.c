#include "harness/cli/cli_check_chains.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "harness/campaign/job.h"
#include "harness/cli/cli.h"
#include "harness/files/scenario.h"
#include "harness/files/target/chain_file.h"
#include "harness/packs/robot/chain_robot.h"

#define TRIAL_S 3.0

static enum status tell(const struct target *target, const struct chain_config *chain,
                        const struct chain_record *record)
{
    enum status status = STATUS_OK;
    printf("chain %s: %zu instants of %s in %g s\n", chain->name, record->count,
           chain->link[0].name, TRIAL_S);
    for (unsigned k = 1; k < chain->link_count; k++) {
        const struct link_config *link = &chain->link[k];
        printf("  %s: %" PRIu64 " seen, %" PRIu64 " joined to %s\n", link->name, record->seen[k],
               record->joined[k], chain->link[link->parent].name);
        if (record->joined[k] > 0)
            continue;
        log_error("%s:%u: chains: link %s cannot be joined: of %" PRIu64
                  " nothing answers %s; correct `answers` and `is`, or leave them out to join by "
                  "order",
                  target->file, link->line, link->name, record->seen[k],
                  chain->link[link->parent].name);
        status = STATUS_INVALID;
    }
    return status;
}

static enum status run(const struct cli_bench *bench, const struct target *target,
                       const struct chain_config *chain)
{
    static struct trial_record record; // large
    struct chain_record measured = {0};
    struct history *history = NULL;
    char trouble[256];
    const struct job job = {.target = bench->target,
                            .scenario = bench->scenario,
                            .description = bench->description,
                            .build_folder = cli_build,
                            .seed = 1,
                            .mode = CLK_VIRTUAL,
                            .can = LINK_EMBEDDED,
                            .ethernet = LINK_EMBEDDED,
                            .core = -1,
                            .recheck_core = -1};
    bench->scenario->duration_s = fmin(bench->scenario->duration_s, TRIAL_S);
    job_run(&job, &record, &history);
    job_trouble(&record, history, trouble, sizeof trouble);
    enum status status = STATUS_OK;
    if (record.judgement.verdict == VERDICT_SKIP || history == NULL)
        printf("chain %s: not tried: %s\n", chain->name,
               trouble[0] != '\0' ? trouble : "this machine cannot run its scenario");
    else
        status = chain_measure(chain, history, &robot_of_chains, bench->description, &measured);
    if (measured.instant != NULL && status == STATUS_OK)
        status = tell(target, chain, &measured);
    chain_free(&measured);
    history_free(history);
    return status;
}

static enum status check_chain(const struct target *target, const struct chain_config *chain)
{
    struct cli_bench bench;
    enum status status = chain_can_follow(target, chain, &robot_of_chains);
    if (status != STATUS_OK)
        return status;
    if (chain->scenario[0] == '\0') {
        printf("chain %s: not tried, since it names no `scenario`\n", chain->name);
        return STATUS_OK;
    }
    status = cli_load_scenario(chain->scenario, &bench);
    if (status != STATUS_OK)
        return status;
    status = cli_check_bench(&bench);
    if (status == STATUS_OK && strcmp(bench.target->name, target->name) != 0) {
        log_error("%s:%u: chains: %s: scenario %s is of target %s; name one of %s", target->file,
                  chain->line, chain->name, chain->scenario, bench.target->name, target->name);
        status = STATUS_INVALID;
    }
    if (status == STATUS_OK)
        status = run(&bench, target, chain);
    cli_free(&bench);
    return status;
}

enum status cli_check_chains(const struct target *target)
{
    enum status status = STATUS_OK;
    for (unsigned i = 0; i < target->chain_count && status == STATUS_OK; i++)
        status = check_chain(target, &target->chain[i]);
    return status;
}
