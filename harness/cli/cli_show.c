#include <getopt.h>
#include <string.h>

#include "base/log.h"
#include "base/text.h"
#include "harness/store/benchmark.h"
#include "harness/cli/cli.h"

static const char usage[] =
    "usage: ukemi show [TRIAL] [--db PATH]\n\n"
    "Shows a stored trial: what was asked, what happened, and every verdict; of a run of a\n"
    "benchmark, its figures. Without a number: the campaigns and benchmarks, and the trials that\n"
    "did not pass.\n\n"
    "  --db PATH  the database (default " CLI_DATABASE ")\n";

// Rows as "name  value" lines.
static bool print_fields(void *context, int columns, const char *const *name,
                         const char *const *value)
{
    (void)context;
    for (int i = 0; i < columns; i++)
        if (value[i] != NULL && value[i][0] != '\0') {
            printf("  %-22s ", name[i]);
            text_print(stdout, value[i], " "); // the database may be anybody's
            putchar('\n');
        }
    return true;
}

// Rows as lines of a list; the first column may be a verdict.
static bool print_row(void *context, int columns, const char *const *name, const char *const *value)
{
    (void)name;
    int *rows = context;
    ++*rows;
    for (int i = 0; i < columns; i++) {
        enum verdict verdict = VERDICT_PASS;
        bool is_verdict = false;
        for (; value[i] != NULL && verdict <= VERDICT_SKIP && !is_verdict; verdict++)
            is_verdict = strcmp(value[i], verdict_name(verdict)) == 0;
        if (is_verdict)
            printf("  %s%-5s%s", cli_colour(stdout, verdict - 1), value[i], cli_plain(stdout));
        else {
            fputs("  ", stdout);
            text_print(stdout, value[i] == NULL ? "" : value[i], "\n    ");
        }
    }
    putchar('\n');
    return true;
}

static enum status list(struct database *database, const char *title, const char *sql,
                        int64_t parameter)
{
    int rows = 0;
    printf("%s%s%s\n", cli_bold(stdout), title, cli_plain(stdout));
    enum status status = database_query(database, sql, parameter, print_row, &rows);
    if (status == STATUS_OK && rows == 0)
        puts("  none");
    return status;
}

static enum status show_campaigns(struct database *database)
{
    static const char campaigns[] =
        "SELECT campaign_id, name, started_utc, clock_mode || ' clock'"
        " || iif(walled, '', ', no wall'), 'seed ' || seed,"
        " lab_revision, printf('%d trial%s, %d passed, %d failed, %d error%s, %d skipped', v.n,"
        " iif(v.n = 1, '', 's'), v.passed, v.failed, v.errors, iif(v.errors = 1, '', 's'),"
        " v.n - v.passed - v.failed - v.errors), iif(finished_utc IS NULL, printf('(not finished:"
        " %d of %d trials to do; go on with: ukemi campaign %s%s --resume)',"
        " planned - coalesce(v.n, 0), planned, file, iif(clock_mode = 'wall', ' --wall', '')"
        " || iif(walled, '', ' --no-wall')), '')"
        " FROM campaign AS c JOIN build USING (build_id) JOIN (SELECT campaign_id,"
        "  sum(trials_planned) AS planned FROM cell GROUP BY 1) USING (campaign_id) LEFT JOIN"
        " (SELECT campaign_id AS id, sum(trials) AS n, sum(passed) AS passed,"
        "  sum(failed) AS failed, sum(errors) AS errors FROM cell_verdicts GROUP BY 1) AS v"
        " ON v.id = c.campaign_id WHERE kind = 'trials' ORDER BY 1";
    static const char benchmarks[] =
        "SELECT campaign_id, name, started_utc, lab_revision, file,"
        " printf('%d run%s of %d cell%s, trials %d to %d', count(DISTINCT number),"
        " iif(count(DISTINCT number) = 1, '', 's'), count(DISTINCT cell_id),"
        " iif(count(DISTINCT cell_id) = 1, '', 's'), min(trial_id), max(trial_id)),"
        " iif(c.finished_utc IS NULL, '(not finished)', '')"
        " FROM campaign AS c JOIN build USING (build_id) JOIN cell USING (campaign_id)"
        " JOIN trial USING (cell_id) WHERE kind = 'benchmark' GROUP BY campaign_id ORDER BY 1";
    static const char not_passed[] =
        "SELECT trial_id, t.verdict, 'campaign ' || campaign_id, row_name || iif(column_name = '', "
        "'', ', ' || column_name), "
        "'seed ' || seed,"
        " (SELECT oracle || ': ' || replace(detail, char(10), ' ') FROM verdict AS v"
        "  WHERE v.judging_id = t.judging_id AND v.verdict = t.verdict LIMIT 1)"
        " FROM trial_view AS t WHERE t.verdict <> 'PASS' ORDER BY 1 DESC LIMIT 20";
    enum status status = list(database, "campaigns", campaigns, 0);
    if (status == STATUS_OK)
        status = list(database, "benchmarks", benchmarks, 0);
    if (status == STATUS_OK)
        status = list(database, "trials that did not pass, newest first", not_passed, 0);
    return status;
}

// What is shown of a trial, in this order; ?1 is its number.
struct part {
    const char *title;
    bool fields; // one row, a line per column; else a list
    const char *sql;
};

static const struct part trial_head = {
    "trial", true,
    "SELECT t.trial_id AS trial, c.name AS campaign, row_name || ', ' || column_name AS cell,"
    " t.scenario, t.claim, expected, t.seed, t.clock_mode AS clock, outcome, reason,"
    " simulated_s, round(t.wall_s, 2) AS wall_s, round(cpu_s, 2) AS cpu_s, lab_revision,"
    " history_hash, recheck_hash, history_path, t.finished_utc"
    " FROM trial_view AS t JOIN campaign AS c USING (campaign_id)"
    " JOIN build AS b ON b.build_id = t.build_id WHERE trial_id = ?1"};

// Of what was judged.
static const struct part judged_parts[] = {
    {"faults", false,
     "SELECT kind || ' ' || component || ' ' || requested || char(10) || 'applied '"
     " || coalesce(printf('at %.3f s', applied_s), 'never')"
     " || iif(effective, ', effective: ', ', NOT PROVEN: ')"
     " || replace(effect_evidence, char(10), ' ')"
     " || iif(undo_requested, char(10) || 'undone '"
     "        || coalesce(printf('at %.3f s', undone_s), 'never')"
     "        || iif(undone, ', proven: ', ', NOT PROVEN: ')"
     "        || replace(undo_evidence, char(10), ' '), '')"
     " FROM fault WHERE trial_id = ?1"},
    {"buses", false,
     "SELECT printf('can%d  load %.1f %%, in the fullest second %.1f %%; %d frames, %d error"
     " frames; %d of %d states lack a reading', bus, 100 * load_mean, 100 * load_peak, frames,"
     " error_frames, incomplete, states) FROM bus_load WHERE trial_id = ?1 ORDER BY bus"},
    {"processes", false,
     "SELECT printf('%8.3f s', time_s), process,"
     " kind || iif(kind IN ('exited', 'killed'), ' ' || value, ''),"
     " iif(last_words = '', '', char(10) || '  > '"
     " || replace(rtrim(last_words, char(10)), char(10), char(10) || '  > '))"
     " FROM process_event"
     " WHERE trial_id = ?1 AND NOT (generation = 0 AND kind IN ('started', 'ready'))"
     " ORDER BY number"},
    {"observed", true,
     "SELECT motion, behaviour_text AS behaviour, round(fault_s, 3) AS fault_s,"
     " round(gait_phase, 3) AS gait_phase, round(com_margin_m, 4) AS com_margin_m,"
     " round(capture_point_margin_m, 4) AS capture_point_margin_m,"
     " round(com_margin_worst_m, 4) AS com_margin_worst_m,"
     " round(fall_after_s, 3) AS fall_after_s, round(reaction_s, 3) AS reaction_s,"
     " round(stop_s, 3) AS stop_s, round(deceleration_max_rad_s2, 2) AS deceleration_max_rad_s2,"
     " round(restart_s, 3) AS restart_s, round(resume_s, 3) AS resume_s, steps_after_fault,"
     " iif(completed, 'yes', 'no') AS completed"
     " FROM trial_view WHERE trial_id = ?1 AND motion IS NOT NULL"},
    {"verdicts", false,
     "SELECT verdict, printf('%-24s', oracle),"
     " printf('%-18s', iif(margin IS NULL, '', printf('%+.4g ', margin) || unit)),"
     " replace(detail, char(10), ' ')"
     " FROM verdict"
     " WHERE judging_id = (SELECT judging_id FROM judging_in_force WHERE trial_id = ?1)"},
};

static const struct part run_parts[] = {
    {"run of a benchmark", true,
     "SELECT trial_id AS trial, c.name AS campaign, row_name AS cell, t.number + 1 AS run, c.file,"
     " t.scenario, t.target, t.seed, outcome, reason, verdict, history_hash, history_path,"
     " round(t.wall_s, 2) AS wall_s, round(cpu_s, 2) AS cpu_s, lab_revision,"
     " cpu_model, cores, kernel, memory_mb, preemption, clock_source, governor, rt_limit,"
     " iif(hypervisor, 'yes', 'no') AS hypervisor, t.finished_utc"
     " FROM trial AS t JOIN cell USING (cell_id) JOIN campaign AS c USING (campaign_id)"
     " JOIN build AS b ON b.build_id = t.build_id JOIN machine AS m ON m.machine_id = t.machine_id"
     " LEFT JOIN judging_in_force AS j USING (trial_id) WHERE trial_id = ?1"},
    {"figures", false,
     "SELECT printf('%12.6g %-8s', value, unit), metric || iif(better = '', '', ' (' || better"
     " || ' is better)') FROM figure WHERE trial_id = ?1"},
    {"histograms, in us", false,
     "SELECT printf('%s%s: %d values, min %.1f, p50 %.1f, p90 %.1f, p99 %.1f, p99.9 %.1f, max "
     "%.1f',"
     " metric, iif(corrected, ', corrected', ''), counts, min / 1e3, p50 / 1e3, p90 / 1e3,"
     " p99 / 1e3, p99_9 / 1e3, max / 1e3) FROM histogram WHERE trial_id = ?1"
     " ORDER BY metric, corrected"},
};
#define JUDGED_PARTS (sizeof judged_parts / sizeof judged_parts[0])
#define RUN_PARTS (sizeof run_parts / sizeof run_parts[0])

static enum status show_parts(struct database *database, int64_t trial_id, const struct part *part,
                              size_t count)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; status == STATUS_OK && i < count; i++) {
        if (!part[i].fields) {
            status = list(database, part[i].title, part[i].sql, trial_id);
            continue;
        }
        printf("%s%s%s\n", cli_bold(stdout), part[i].title, cli_plain(stdout));
        status = database_query(database, part[i].sql, trial_id, print_fields, NULL);
    }
    return status;
}

static bool note_row(void *context, int columns, const char *const *name, const char *const *value)
{
    (void)columns, (void)name, (void)value;
    *(bool *)context = true;
    return false;
}

// Most runs are only measured; of those judged FAIL or ERROR everything is stored.
static enum status show_run(struct database *database, int64_t trial_id)
{
    bool judged = false;
    enum status status = show_parts(database, trial_id, run_parts, RUN_PARTS);
    if (status == STATUS_OK)
        status = database_query(database, "SELECT 1 FROM judging WHERE trial_id = ?1", trial_id,
                                note_row, &judged);
    return status == STATUS_OK && judged
               ? show_parts(database, trial_id, judged_parts, JUDGED_PARTS)
               : status;
}

static enum status show_trial(struct database *database, int64_t trial_id)
{
    bool is_run;
    struct stored_trial trial;
    enum status status = benchmark_has_run(database, trial_id, &is_run);
    if (status == STATUS_OK && is_run)
        return show_run(database, trial_id);
    if (status == STATUS_OK)
        status = database_find_trial(database, trial_id, &trial);
    if (status == STATUS_OK)
        status = show_parts(database, trial_id, &trial_head, 1);
    return status == STATUS_OK ? show_parts(database, trial_id, judged_parts, JUDGED_PARTS)
                               : status;
}

int cli_show(int argc, char **argv)
{
    const char *path;
    int code;
    if (!cli_database_option(argc, argv, &(struct cli_form){"show", usage, 0, 1}, &path, &code))
        return code;
    uint64_t trial_id = 0;
    if (optind < argc && !cli_trial_number(argv[optind], &trial_id))
        return EXIT_INPUT;
    struct database *database;
    enum status status = database_open(path, DATABASE_QUERY, &database);
    if (status != STATUS_OK)
        return cli_exit_of(status);
    status = optind == argc ? show_campaigns(database) : show_trial(database, (int64_t)trial_id);
    database_close(database);
    return status == STATUS_OK ? EXIT_PASS : (int)cli_exit_of(status);
}
