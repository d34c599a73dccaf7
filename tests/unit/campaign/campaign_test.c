// campaign and database: whole trials, each exactly once, whatever happens to workers, lab or
// terminal. Trials are made up here: this program has a trial_run of its own.
#include "tests/unit/campaign/made_up_campaign.h"

#include "harness/store/campaign_guard.h"
#include "harness/campaign/job.h"
#include "harness/trial/strike/trigger.h"

static unsigned count_histories(void)
{
    char path[160];
    unsigned count = 0;
    snprintf(path, sizeof path, "%s/results/u.db-histories", folder);
    DIR *listing = opendir(path);
    ck_assert_ptr_nonnull(listing);
    for (const struct dirent *entry; (entry = readdir(listing)) != NULL;)
        count += entry->d_name[0] != '.';
    closedir(listing);
    return count;
}

// How many trials have the number of their place in the plan.
#define STORED_AS_PLANNED                                                                          \
    "SELECT count(*) FROM trial_view WHERE trial_id = 1 + 2 * number + position"

START_TEST(every_trial_is_stored_once_and_whole)
{
    plan_campaign();
    behave.slow_number = 0;
    struct campaign_summary summary = run_campaign();
    ck_assert_uint_eq(summary.done, 10);
    ck_assert_uint_eq(summary.count[VERDICT_PASS], 10);
    ck_assert_int_eq(count_rows("SELECT count(*) FROM trial"), 10);
    ck_assert_int_eq(count_rows("SELECT count(DISTINCT seed) FROM trial"), 10);
    ck_assert_int_eq(count_rows("SELECT count(DISTINCT judging_id) FROM observation"), 10);
    ck_assert_int_eq(count_rows("SELECT count(*) FROM fault WHERE effective AND undone"), 10);
    ck_assert_int_eq(count_rows("SELECT count(*) FROM process_event WHERE kind = 'killed'"), 10);
    ck_assert_int_eq(count_rows("SELECT count(*) FROM campaign WHERE finished_utc IS NOT NULL"), 1);
    ck_assert_int_eq(count_rows(STORED_AS_PLANNED), 10);
    ck_assert_int_eq(count_rows("SELECT trials FROM observed_texts WHERE row_name = 'Planner' AND "
                                "column_name = 'Dynamic'"
                                " AND name = 'behaviour' AND text = 'No Effect'"),
                     5);
}
END_TEST

START_TEST(numbers_of_trials_are_reserved_for_each_campaign)
{
    plan_campaign();
    behave.kill_number = 3;
    run_campaign(); // lacks one
    behave.kill_number = UINT_MAX;
    ck_assert_int_eq(run_campaign().campaign_id, 2);
    ck_assert_int_eq(count_rows("SELECT min(trial_id) FROM trial_view WHERE campaign_id = 2"), 11);
    ck_assert_int_eq(count_rows("SELECT trial_id FROM free_trial"), 21);
}
END_TEST

START_TEST(the_example_is_a_typical_trial_and_only_its_history_is_kept)
{
    plan_campaign();
    run_campaign();
    ck_assert_int_eq(count_rows("SELECT count(*) FROM trial WHERE is_example"), 2);
    ck_assert_int_eq(count_rows("SELECT number FROM trial_view WHERE is_example AND position = 0"),
                     1);
    ck_assert_int_eq(count_rows("SELECT count(*) FROM trial WHERE history_path IS NOT NULL"), 2);
    ck_assert_int_eq(count_rows("SELECT count(*) FROM trial WHERE history_path ="
                                " 'u.db-histories/' || history_hash || '.mcap'"),
                     2);
    ck_assert_uint_eq(count_histories(), 2);
}
END_TEST

START_TEST(a_trial_that_differs_when_run_twice_is_an_error)
{
    plan_campaign();
    campaign.recheck_share = 1;
    behave.unsteady = true;
    struct campaign_summary summary = run_campaign();
    ck_assert_uint_eq(summary.count[VERDICT_ERROR], 10);
    ck_assert_int_eq(
        count_rows(
            "SELECT count(*) FROM verdict WHERE oracle = 'determinism' AND verdict = 'ERROR'"),
        10);
}
END_TEST

START_TEST(a_trial_that_agrees_when_run_twice_says_so)
{
    plan_campaign();
    campaign.recheck_share = 1;
    struct campaign_summary summary = run_campaign();
    ck_assert_uint_eq(summary.count[VERDICT_PASS], 10);
    ck_assert_int_eq(count_rows("SELECT count(*) FROM trial WHERE recheck_hash = history_hash"),
                     10);
}
END_TEST

START_TEST(a_worker_that_crashes_costs_one_trial)
{
    plan_campaign();
    behave.crash_number = 3;
    struct campaign_summary summary = run_campaign();
    ck_assert_uint_eq(summary.count[VERDICT_ERROR], 1);
    ck_assert_uint_eq(summary.count[VERDICT_PASS], 9);
    ck_assert_int_eq(
        count_rows(
            "SELECT count(*) FROM trial WHERE outcome = 'lab-error' AND reason LIKE '%signal 6%'"),
        1);
}
END_TEST

// Runs the campaign, expects one trial to be lost with these words, and gets it by resuming.
static void lose_one(const char *words)
{
    struct campaign_summary summary = run_campaign();
    ck_assert_uint_eq(summary.lost, 1);
    ck_assert_str_eq(summary.lost_words, words);
    ck_assert_uint_eq(summary.done, 9);
    ck_assert_uint_eq(summary.count[VERDICT_PASS], 9);
    ck_assert_int_eq(count_rows("SELECT count(*) FROM trial"), 9);
    ck_assert_int_eq(count_rows("SELECT count(*) FROM campaign WHERE finished_utc IS NULL"), 1);
    behave.kill_number = behave.disturb_number = UINT_MAX;
    options.resume = true;
    summary = run_campaign();
    ck_assert_uint_eq(summary.lost, 0);
    ck_assert_uint_eq(summary.count[VERDICT_PASS], 10);
    ck_assert_int_eq(count_rows("SELECT count(*) FROM campaign"), 1);
    ck_assert_int_eq(count_rows("SELECT count(*) FROM trial WHERE is_example"), 2);
}

START_TEST(a_worker_that_is_killed_loses_one_trial_which_resume_runs)
{
    plan_campaign();
    behave.kill_number = 3;
    lose_one("worker killed by signal 9");
}
END_TEST

START_TEST(a_worker_that_is_told_to_end_loses_one_trial_too)
{
    plan_campaign();
    behave.kill_number = 3;
    behave.kill_signal = SIGTERM;
    lose_one("worker killed by signal 15");
}
END_TEST

START_TEST(a_cell_that_is_killed_loses_one_trial_which_resume_runs)
{
    plan_campaign();
    behave.disturb_number = 3;
    behave.disturb_runs = 1;
    behave.keeper = true;
    lose_one("the cell's keeper killed by signal 9 from outside");
}
END_TEST

START_TEST(a_process_killed_from_outside_loses_one_trial_which_resume_runs)
{
    plan_campaign();
    behave.disturb_number = 3;
    behave.disturb_runs = 2; // of three: still not its own doing
    lose_one("simulator killed by signal 9 from outside");
}
END_TEST

START_TEST(a_target_that_kills_itself_every_time_is_not_lost_but_judged)
{
    plan_campaign();
    behave.disturb_number = 3;
    behave.disturb_runs = 3;
    struct campaign_summary summary = run_campaign();
    ck_assert_uint_eq(summary.lost, 0);
    ck_assert_uint_eq(summary.done, 10);
    ck_assert_uint_eq(summary.count[VERDICT_FAIL], 1);
    ck_assert_int_eq(count_rows("SELECT count(*) FROM verdict WHERE oracle = 'peers-survive' AND "
                                "verdict = 'FAIL' AND detail LIKE 'simulator was ended%'"),
                     1);
}
END_TEST

START_TEST(a_history_that_cannot_be_written_loses_its_trial)
{
    plan_campaign();
    char path[160];
    snprintf(path, sizeof path, "mkdir -p %s/results/u.db-histories/1-0-0.mcap/in-the-way", folder);
    ck_assert_int_eq(system(path), 0);
    struct campaign_summary summary = run_campaign();
    ck_assert_uint_eq(summary.lost, 1);
    ck_assert_str_eq(summary.lost_words, "its history could not be written");
    ck_assert_int_eq(count_rows("SELECT count(*) FROM trial"), 9);
    snprintf(path, sizeof path, "rm -r %s/results/u.db-histories/1-0-0.mcap", folder);
    ck_assert_int_eq(system(path), 0);
    options.resume = true;
    ck_assert_uint_eq(run_campaign().count[VERDICT_PASS], 10);
}
END_TEST

START_TEST(histories_that_no_trial_names_are_swept_and_no_others)
{
    plan_campaign();
    behave.kill_number = 3;
    run_campaign();
    char command[400], path[160];
    snprintf(
        command, sizeof command,
        "cd %s/results/u.db-histories && touch 1-1-4.mcap 1-1-4.mcap.77.part 2-1-4.mcap 1-0-note"
        " 1-1-3.mcap 00000000000000000000000000000002.mcap"
        " && ln 1-1-3.mcap 00000000000000000000000000000001.mcap",
        folder);
    ck_assert_int_eq(system(command), 0);
    behave.kill_number = UINT_MAX;
    options.resume = true;
    run_campaign();
    static const struct {
        const char *name;
        bool stays;
    } file[] = {{"1-1-4.mcap", false},
                {"1-1-4.mcap.77.part", false},
                {"2-1-4.mcap", true},
                {"1-0-note", true},
                {"1-1-3.mcap", false},
                {"00000000000000000000000000000001.mcap", false}, // the same file
                {"00000000000000000000000000000002.mcap", true}}; // of another database?
    for (size_t i = 0; i < sizeof file / sizeof file[0]; i++) {
        snprintf(path, sizeof path, "%s/results/u.db-histories/%s", folder, file[i].name);
        ck_assert_msg((access(path, F_OK) == 0) == file[i].stays, "%s", file[i].name);
    }
}
END_TEST

// Whether the command of the shell, in the folder of the histories, succeeds.
static bool do_with_histories(const char *what)
{
    char command[400];
    snprintf(command, sizeof command, "cd %s/results/u.db-histories && %s", folder, what);
    return system(command) == 0;
}

// A campaign that lacks a trial loses what `harm` does to its histories, and gets it by resuming.
static void harm_one(const char *harm)
{
    plan_campaign();
    behave.kill_number = 3;
    run_campaign();
    ck_assert_uint_eq(count_histories(), 2); // of each square's first trial
    ck_assert(do_with_histories(harm));
    ck_assert_int_eq(count_rows("UPDATE trial SET finished_utc = 'before' RETURNING 1"), 1);
    behave.kill_number = UINT_MAX;
    options.resume = true;
    const struct campaign_summary summary = run_campaign();
    ck_assert_uint_eq(summary.lost, 0);
    ck_assert_uint_eq(summary.count[VERDICT_PASS], 10);
    ck_assert_int_eq(count_rows("SELECT count(*) FROM trial WHERE finished_utc <> 'before'"), 2);
    ck_assert_int_eq(count_rows(STORED_AS_PLANNED), 10);
    ck_assert_int_eq(count_rows("SELECT count(*) FROM trial WHERE is_example"), 2);
    ck_assert_uint_eq(count_histories(), 2);
}

START_TEST(a_trial_whose_history_is_gone_is_lost_and_runs_again)
{
    harm_one("rm $(ls | head -1)");
}
END_TEST

START_TEST(a_trial_whose_history_is_cut_off_is_lost_and_runs_again)
{
    harm_one("truncate -s -100 $(ls | head -1)");
}
END_TEST

START_TEST(a_trial_whose_history_is_another_trials_is_lost_and_runs_again)
{
    harm_one("cp $(ls | head -1) $(ls | tail -1)");
}
END_TEST

START_TEST(histories_that_vanish_while_a_campaign_runs_are_missed_at_its_end)
{
    plan_campaign();
    run_campaign();
    behave.vanish_number = 4;
    behave.unsteady = true; // no two files are the same
    const struct campaign_summary summary = run_campaign();
    ck_assert_uint_ge(summary.lost, 1);
    ck_assert_ptr_nonnull(strstr(summary.lost_words, " is gone"));
    ck_assert_int_eq(count_rows("SELECT count(*) FROM campaign WHERE finished_utc IS NULL"), 1);
    ck_assert_int_lt(count_rows("SELECT count(*) FROM trial"), 20);
}
END_TEST

static enum status made_up_report(void *context, int64_t campaign_id)
{
    int *calls = context;
    ck_assert_int_eq(campaign_id, 1);
    return ++*calls == 1 ? STATUS_SYSTEM : STATUS_OK;
}

START_TEST(a_campaign_is_finished_when_its_report_is_written)
{
    plan_campaign();
    int calls = 0;
    options.report = made_up_report;
    options.context = &calls;
    struct campaign_summary summary;
    ck_assert_int_eq(campaign_run(&campaign, &target, description, &options, &summary),
                     STATUS_SYSTEM);
    ck_assert(summary.started && summary.unreported);
    ck_assert_uint_eq(summary.count[VERDICT_PASS], 10);
    ck_assert_int_eq(count_rows("SELECT count(*) FROM campaign WHERE finished_utc IS NOT NULL"), 0);
    options.resume = true;
    run_campaign();
    ck_assert_int_eq(calls, 2);
    ck_assert_int_eq(count_rows("SELECT count(*) FROM campaign"), 1);
    ck_assert_int_eq(count_rows("SELECT count(*) FROM trial"), 10);
    ck_assert_int_eq(count_rows("SELECT count(*) FROM campaign WHERE finished_utc IS NOT NULL"), 1);
}
END_TEST

START_TEST(a_lab_error_is_stored_with_its_reason)
{
    plan_campaign();
    behave.lab_error = true;
    ck_assert_uint_eq(run_campaign().count[VERDICT_ERROR], 10);
    ck_assert_int_eq(count_rows("SELECT count(*) FROM trial WHERE reason = 'made up'"), 10);
}
END_TEST

START_TEST(an_interrupted_campaign_goes_on_where_it_was)
{
    plan_campaign();
    behave.interrupt_number = 3;
    struct campaign_summary summary = run_campaign();
    ck_assert(summary.interrupted);
    ck_assert_uint_lt(summary.done, 10);
    int64_t before = count_rows("SELECT count(*) FROM trial");
    ck_assert_int_eq(before, summary.done);
    behave.interrupt_number = UINT_MAX;
    options.resume = true;
    summary = run_campaign();
    ck_assert(!summary.interrupted);
    ck_assert_uint_eq(summary.done, 10);
    ck_assert_int_eq(count_rows("SELECT count(*) FROM trial"), 10);
    ck_assert_int_eq(count_rows("SELECT count(*) FROM campaign"), 1);
    ck_assert_int_eq(count_rows("SELECT count(*) FROM campaign WHERE finished_utc IS NOT NULL"), 1);
}
END_TEST

START_TEST(a_finished_campaign_is_left_alone_and_goes_on_if_it_has_lost_trials)
{
    plan_campaign();
    run_campaign();
    options.resume = true;
    ck_assert(run_campaign().nothing_to_do);
    ck_assert_int_eq(count_rows("SELECT count(*) FROM campaign"), 1);
    ck_assert_int_eq(count_rows("SELECT count(*) FROM trial"), 10);
    ck_assert(do_with_histories("rm *"));
    const struct campaign_summary summary = run_campaign();
    ck_assert(!summary.nothing_to_do);
    ck_assert_uint_eq(summary.done, 10);
    ck_assert_int_eq(count_rows("SELECT count(*) FROM campaign"), 1);
    ck_assert_uint_eq(count_histories(), 2);
}
END_TEST

START_TEST(another_campaign_of_the_same_name_is_not_gone_on_with)
{
    struct campaign_summary summary;
    plan_campaign();
    behave.kill_number = 3;
    run_campaign();
    behave.kill_number = UINT_MAX;
    options.resume = true;
    strcpy(scenarios[1].fault[0].kind, "stall");
    ck_assert_int_eq(campaign_run(&campaign, &target, description, &options, &summary),
                     STATUS_INVALID);
    ck_assert(!summary.started);
    strcpy(scenarios[1].fault[0].kind, "kill");
    campaign.seed = 6;
    ck_assert_int_eq(campaign_run(&campaign, &target, description, &options, &summary),
                     STATUS_INVALID);
    ck_assert_int_eq(count_rows("SELECT count(*) FROM campaign"), 1);
    ck_assert_int_eq(count_rows("SELECT count(*) FROM trial"), 9);
    campaign.seed = 5;
    ck_assert_uint_eq(run_campaign().done, 10);
    ck_assert_int_eq(count_rows("SELECT count(*) FROM trial JOIN square USING (square_id) JOIN"
                                " campaign AS c USING (campaign_id) WHERE trial.digest = c.digest"
                                " AND length(c.digest) = 32"),
                     10);
}
END_TEST

START_TEST(a_campaign_that_is_being_run_is_not_resumed_beside_until_its_last_process_has_ended)
{
    int first, second;
    struct campaign_summary summary;
    plan_campaign();
    behave.kill_number = 3; // so there is something to resume
    const int64_t id = run_campaign().campaign_id;
    ck_assert_int_eq(campaign_guard_take(database_path, id, duration_s(0), &first), STATUS_OK);
    options.resume = true;
    ck_assert_int_eq(campaign_run(&campaign, &target, description, &options, &summary),
                     STATUS_BUSY);
    ck_assert(!summary.started);
    ck_assert_int_eq(count_rows("SELECT count(*) FROM trial"), 9);
    ck_assert_int_eq(campaign_guard_take(database_path, id + 1, duration_s(0), &second), STATUS_OK);
    close(second);
    const pid_t worker = fork();
    if (worker == 0) {
        alarm(60); // should this test fail
        pause();
    }
    close(first);
    ck_assert_int_eq(campaign_guard_take(database_path, id, duration_s(0), &second), STATUS_BUSY);
    close(second);
    kill(worker, SIGKILL);
    ck_assert_int_eq(campaign_guard_take(database_path, id, duration_s(60), &second), STATUS_OK);
    close(second);
    behave.kill_number = UINT_MAX;
    ck_assert_uint_eq(run_campaign().done, 10);
}
END_TEST

START_TEST(judging_again_adds_and_overwrites_nothing)
{
    plan_campaign();
    run_campaign();
    struct database *database;
    struct judgement judgement = {.verdict = VERDICT_FAIL, .count = 1};
    judgement.oracle[0] = (struct oracle_verdict){
        .oracle = "new", .verdict = VERDICT_FAIL, .margin = -1, .unit = "m"};
    ck_assert_int_eq(database_open(database_path, DATABASE_READ, &database), STATUS_OK);
    ck_assert_int_eq(database_add_judging(database, 2, &judgement), STATUS_OK);
    struct stored_trial trial;
    ck_assert_int_eq(database_find_trial(database, 2, &trial), STATUS_OK);
    ck_assert_int_eq(trial.verdict, VERDICT_FAIL);
    database_close(database);
    ck_assert_int_eq(count_rows("SELECT count(*) FROM judging WHERE trial_id = 2"), 2);
    ck_assert_int_eq(count_rows("SELECT count(*) FROM judging_in_force"), 10);
}
END_TEST

START_TEST(seeds_depend_on_the_cell_and_number_only)
{
    plan_campaign();
    uint64_t seed = campaign_trial_seed(5, &campaign.square[1], 3);
    campaign.square[0].trials = 50;
    ck_assert_uint_eq(campaign_trial_seed(5, &campaign.square[1], 3), seed);
    ck_assert_uint_ne(campaign_trial_seed(6, &campaign.square[1], 3), seed);
    ck_assert_uint_ne(campaign_trial_seed(5, &campaign.square[0], 3), seed);
    ck_assert_uint_lt(seed, (uint64_t)1 << 63);
}
END_TEST

START_TEST(faults_strike_evenly_over_their_range_and_alike_in_every_row)
{
    plan_campaign();
    struct scenario scenario = *campaign.square[0].scenario;
    scenario.fault_count = 1;
    scenario.fault[0].at =
        (struct trigger){.kind = TRIGGER_PHASE, .phase_min = 0.5, .phase_max = 1.0};
    struct campaign_square rows[2] = {campaign.square[0], campaign.square[0]};
    strcpy(rows[1].row, "Another");
    rows[0].scenario = rows[1].scenario = &scenario;
    unsigned count[5] = {0};
    for (unsigned n = 0; n < 20; n++) {
        struct trigger_state drawn[2];
        for (unsigned row = 0; row < 2; row++)
            trigger_draw(&drawn[row], &scenario.fault[0].at, campaign_trial_seed(5, &rows[row], n),
                         0);
        ck_assert_double_eq_tol(drawn[0].phase, drawn[1].phase, 0.1);
        count[(int)((drawn[0].phase - 0.5) / 0.1)]++;
    }
    for (unsigned i = 0; i < 5; i++) { // 4 on average; independent draws would often give 1 or 8
        ck_assert_uint_ge(count[i], 3);
        ck_assert_uint_le(count[i], 5);
    }
}
END_TEST

START_TEST(about_the_asked_share_of_trials_is_run_twice)
{
    plan_campaign();
    unsigned twice = 0;
    for (unsigned n = 0; n < 10000; n++)
        twice += campaign_rechecks(campaign_trial_seed(5, &campaign.square[0], n), 0.05);
    ck_assert_uint_gt(twice, 400);
    ck_assert_uint_lt(twice, 600);
}
END_TEST

START_TEST(a_file_that_is_no_result_database_is_refused)
{
    plan_campaign();
    struct database *database;
    ck_assert_int_eq(database_open(database_path, DATABASE_READ, &database), STATUS_NOT_FOUND);
    snprintf(database_path, sizeof database_path, "%s/other", folder);
    FILE *file = fopen(database_path, "w");
    fputs("this is a text and no database, and longer than a header is", file);
    ck_assert_int_eq(fclose(file), 0);
    ck_assert_int_eq(database_open(database_path, DATABASE_WRITE, &database), STATUS_CORRUPT);
    snprintf(database_path, sizeof database_path, "%s/foreign.db", folder);
    sqlite3 *handle;
    ck_assert_int_eq(sqlite3_open(database_path, &handle), SQLITE_OK);
    ck_assert_int_eq(sqlite3_exec(handle, "CREATE TABLE t (x)", NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(handle);
    ck_assert_int_eq(database_open(database_path, DATABASE_WRITE, &database), STATUS_CORRUPT);
}
END_TEST

UNIT_MAIN("campaign", every_trial_is_stored_once_and_whole,
          numbers_of_trials_are_reserved_for_each_campaign,
          the_example_is_a_typical_trial_and_only_its_history_is_kept,
          a_trial_that_differs_when_run_twice_is_an_error,
          a_trial_that_agrees_when_run_twice_says_so, a_worker_that_crashes_costs_one_trial,
          a_worker_that_is_killed_loses_one_trial_which_resume_runs,
          a_worker_that_is_told_to_end_loses_one_trial_too,
          a_cell_that_is_killed_loses_one_trial_which_resume_runs,
          a_process_killed_from_outside_loses_one_trial_which_resume_runs,
          a_target_that_kills_itself_every_time_is_not_lost_but_judged,
          a_history_that_cannot_be_written_loses_its_trial,
          histories_that_no_trial_names_are_swept_and_no_others,
          a_trial_whose_history_is_gone_is_lost_and_runs_again,
          a_trial_whose_history_is_cut_off_is_lost_and_runs_again,
          a_trial_whose_history_is_another_trials_is_lost_and_runs_again,
          histories_that_vanish_while_a_campaign_runs_are_missed_at_its_end,
          a_campaign_is_finished_when_its_report_is_written, a_lab_error_is_stored_with_its_reason,
          an_interrupted_campaign_goes_on_where_it_was,
          a_finished_campaign_is_left_alone_and_goes_on_if_it_has_lost_trials,
          another_campaign_of_the_same_name_is_not_gone_on_with,
          a_campaign_that_is_being_run_is_not_resumed_beside_until_its_last_process_has_ended,
          judging_again_adds_and_overwrites_nothing, seeds_depend_on_the_cell_and_number_only,
          faults_strike_evenly_over_their_range_and_alike_in_every_row,
          about_the_asked_share_of_trials_is_run_twice,
          a_file_that_is_no_result_database_is_refused)
