// A campaign of made-up trials: a program that includes this has a trial_run of its own.
#pragma once

#include "tests/unit/common/synthetic.h"

#include <sqlite3.h>
#include <dirent.h>
#include <limits.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/campaign/campaign.h"
#include "harness/files/campaign_file.h"
#include "harness/files/scenario.h"
#include "harness/trial/trial.h"

// What the made-up trials do; set before a campaign is run, inherited by its workers.
static struct {
    unsigned crash_number;     // the worker of this trial dies, UINT_MAX: none
    unsigned interrupt_number; // this trial sends its parent a SIGINT
    unsigned kill_number;      // the worker of this trial is killed
    int kill_signal;           // by this
    unsigned disturb_number;   // a process of this trial is killed from outside,
    unsigned disturb_runs;     // in so many of its runs
    bool keeper;               // it is the cell's keeper
    bool unsteady;             // a second run gives another history
    bool lab_error;
    unsigned vanish_number; // this trial removes all histories
    unsigned slow_number;   // this trial is the last to end
} behave;

static struct campaign campaign;
static struct scenario scenarios[2];
static unsigned runs_in_this_process;

static unsigned number_of(uint64_t seed)
{
    for (unsigned square = 0; square < campaign.square_count; square++)
        for (unsigned n = 0; n < campaign.square[square].trials; n++)
            if (campaign_trial_seed(campaign.seed, &campaign.square[square], n) == seed)
                return square == 0 ? n : UINT_MAX - 1;
    return UINT_MAX - 1;
}

static char folder[64];

static void remove_histories(void)
{
    char command[160];
    snprintf(command, sizeof command, "rm %s/results/u.db-histories/*", folder);
    if (system(command) != 0)
        abort();
}

enum status trial_run(const struct trial_request *request, struct history **history,
                      struct trial_result *result)
{
    unsigned number = number_of(request->seed);
    *history = NULL;
    runs_in_this_process++;
    if (behave.lab_error) {
        snprintf(result->reason, sizeof result->reason, "made up");
        return STATUS_OK;
    }
    if (number == behave.crash_number)
        abort();
    if (number == behave.slow_number)
        usleep(300000);
    if (number == behave.vanish_number)
        remove_histories();
    if (number == behave.kill_number)
        raise(behave.kill_signal);
    if (number == behave.disturb_number && runs_in_this_process <= behave.disturb_runs) {
        *result =
            (struct trial_result){.outcome = TRIAL_LAB_ERROR,
                                  .kill = behave.keeper ? TRIAL_KILL_SURE : TRIAL_KILL_PERHAPS};
        strcpy(result->killed, behave.keeper ? "the cell's keeper" : "simulator");
        strcpy(result->reason, "made up");
        return STATUS_OK;
    }
    if (number == behave.interrupt_number) {
        kill(getppid(), SIGINT);
        sleep(5);
    }
    struct made_up *m = make_up();
    m->scenario = *request->scenario;
    until(m, 1);
    killed(m, "planner", "Planner");
    m->truth.goal_m[0] =
        (double)(request->seed % 1000) + (behave.unsteady ? runs_in_this_process : 0);
    if (number == 0)
        lie_down(m); // the first trial of square 0 is not typical
    until(m, 5);
    restarted(m, "planner", "Planner");
    until(m, 7);
    *history = m->history;
    *result =
        (struct trial_result){.outcome = TRIAL_RAN, .simulated_s = 7, .wall_s = 0.1, .cpu_s = 0.1};
    history_hash(*history, result->hash);
    return STATUS_OK;
}

static char database_path[128];
static const struct target target = {
    .world = "simulator", .pack_count = 3, .pack = {"can", "joints", "walking"}};
static struct description *description;
static struct campaign_options options;

static void plan_campaign(void)
{
    behave.crash_number = behave.interrupt_number = UINT_MAX;
    behave.kill_number = behave.disturb_number = behave.vanish_number = UINT_MAX;
    behave.slow_number = UINT_MAX;
    behave.kill_signal = SIGKILL;
    make_folder(folder, sizeof folder);
    snprintf(database_path, sizeof database_path, "%s/results/u.db", folder);
    ck_assert_int_eq(description_load("targets/hubo2/hubo2.xml", &description), STATUS_OK);
    campaign = (struct campaign){.name = "made-up", .seed = 5, .square_count = 2};
    for (int i = 0; i < 2; i++) {
        scenarios[i] =
            (struct scenario){.target = "hubo2", .watch_s = 3, .duration_s = 7, .fault_count = 1};
        snprintf(scenarios[i].name, sizeof scenarios[i].name, "made-up-%d", i);
        scenarios[i].fault[0] = (struct fault_request){
            .kind = "kill", .component = "Planner", .halts = HALTS_ENDED, .restart_after_s = 4};
        campaign.square[i] =
            (struct campaign_square){.scenario = &scenarios[i], .row = "Planner", .trials = 5};
        snprintf(campaign.square[i].column, sizeof campaign.square[i].column,
                 i == 0 ? "Static" : "Dynamic");
    }
    options = (struct campaign_options){.database = database_path,
                                        .build_folder = "",
                                        .mode = CLK_VIRTUAL,
                                        .jobs = 2,
                                        .quiet = true};
}

static int64_t count_rows(const char *sql)
{
    sqlite3 *handle;
    sqlite3_stmt *s;
    ck_assert_int_eq(sqlite3_open(database_path, &handle), SQLITE_OK);
    ck_assert_msg(sqlite3_prepare_v2(handle, sql, -1, &s, NULL) == SQLITE_OK, "%s",
                  sqlite3_errmsg(handle));
    ck_assert_int_eq(sqlite3_step(s), SQLITE_ROW);
    int64_t value = sqlite3_column_int64(s, 0);
    sqlite3_finalize(s);
    sqlite3_close(handle);
    return value;
}

static struct campaign_summary run_campaign(void)
{
    struct campaign_summary summary;
    ck_assert_int_eq(campaign_run(&campaign, &target, description, &options, &summary), STATUS_OK);
    return summary;
}
