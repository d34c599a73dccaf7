#include "harness/cli/cli_rerun.h"

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "base/text.h"
#include "harness/campaign/job.h"
#include "harness/files/scenario.h"

bool cli_history_is_there(const char *database_path, const struct stored_trial *trial)
{
    struct kept_history kept;
    if (trial->history_path[0] == '\0')
        return false;
    cli_kept_history(database_path, trial, &kept);
    return access(kept.file, F_OK) == 0;
}

static enum status run_again(const struct stored_trial *trial, const struct cli_bench *bench,
                             struct cli_rerun *rerun)
{
    static struct trial_record record;
    struct core_choice cores = {0};
    char words[256];
    if (!core_choose("auto", &cores, words, sizeof words))
        return STATUS_SYSTEM;
    struct job job = {.target = bench->target,
                      .scenario = bench->used,
                      .description = bench->description,
                      .build_folder = cli_build,
                      .seed = trial->seed,
                      .mode = CLK_VIRTUAL,
                      .core = core_claim(&cores),
                      .keep = KEEP_ALWAYS};
    snprintf(job.history.file, sizeof job.history.file, "%s/trial.mcap", rerun->folder.path);
    text_copy(job.history.relative, sizeof job.history.relative, job.history.file);
    job_run(&job, &record, NULL);
    if (record.history_path[0] == '\0' || record.result.hash[0] == '\0') {
        log_error("trial %" PRId64 ": cannot be run again: %s", trial->trial_id,
                  record.result.reason[0] != '\0' ? record.result.reason : record.lost);
        return STATUS_NOT_FOUND;
    }
    if (strcmp(record.result.hash, trial->history_hash) != 0) {
        log_error("trial %" PRId64 ": run again it has another history, %s, and had %s: its files, "
                  "its programs, the lab or the machine are others now; put them back to see it",
                  trial->trial_id, record.result.hash, trial->history_hash);
        return STATUS_CORRUPT;
    }
    log_info("trial %" PRId64 ": the same history bit for bit: %s", trial->trial_id,
             record.result.hash);
    text_copy(rerun->kept.file, sizeof rerun->kept.file, job.history.file);
    return STATUS_OK;
}

enum status cli_rerun(struct database *database, const struct stored_trial *trial,
                      struct cli_rerun *rerun)
{
    struct cli_bench bench;
    *rerun = (struct cli_rerun){0};
    kept_history_of(trial, "", &rerun->kept);
    if (trial->mode == CLK_WALL || trial->is_run || trial->history_hash[0] == '\0') {
        log_error("trial %" PRId64 ": its history is not kept, and %s", trial->trial_id,
                  trial->history_hash[0] == '\0' ? "it had none"
                                                 : "what ran in real time cannot be had again");
        return STATUS_NOT_FOUND;
    }
    enum status status = cli_load_present(database, trial, &bench);
    if (status != STATUS_OK)
        return status;
    status = cli_check_bench(&bench);
    if (status == STATUS_OK)
        status = private_folder_make(&rerun->folder);
    if (status == STATUS_OK) {
        log_info("trial %" PRId64 ": its history is not kept; the trial is run again, %g s",
                 trial->trial_id, bench.used->duration_s);
        status = run_again(trial, &bench, rerun);
    }
    cli_free(&bench);
    return status;
}

void cli_rerun_free(struct cli_rerun *rerun)
{
    if (rerun->folder.path[0] != '\0')
        private_folder_remove(&rerun->folder);
    *rerun = (struct cli_rerun){0};
}
