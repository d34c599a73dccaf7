// What `ukemi show` says, as queries; ?1 is the number of a trial.
#include "harness/store/listing.h"
#include "harness/store/database_private.h"

static const struct listing all[] = {
    {"campaigns", false,
     "SELECT campaign_id, name, started_utc, clock_mode || ' clock'"
     " || iif(walled, '', ', no wall'), 'seed ' || seed,"
     " lab_revision, printf('%d trial%s, %d passed, %d failed, %d error%s, %d skipped', v.n,"
     " iif(v.n = 1, '', 's'), v.passed, v.failed, v.errors, iif(v.errors = 1, '', 's'),"
     " v.n - v.passed - v.failed - v.errors)"
     " || iif(v.passed + v.failed + v.errors = 0, ': nothing was judged', '')"
     " || coalesce('; ' || a.words, ''), iif(finished_utc IS NULL, printf('(not finished:"
     " %d of %d trials to do; go on with: ukemi %s %s%s --resume)',"
     " planned - coalesce(v.n, 0), planned, iif(page = 'doubt', 'doubt', iif(kind = 'storm', "
     "'storm', 'campaign')), file,"
     " iif(clock_mode = 'wall', ' --wall', '')"
     " || iif(walled, '', ' --no-wall')), '')"
     " FROM campaign AS c JOIN build USING (build_id) JOIN (SELECT campaign_id,"
     "  sum(trials_planned) AS planned FROM square GROUP BY 1) USING (campaign_id) LEFT JOIN"
     " (SELECT campaign_id AS id, sum(trials) AS n, sum(passed) AS passed,"
     "  sum(failed) AS failed, sum(errors) AS errors FROM square_verdicts GROUP BY 1) AS v"
     " ON v.id = c.campaign_id LEFT JOIN campaign_agreement AS a USING (campaign_id)"
     " WHERE kind <> 'benchmark' ORDER BY 1"},
    {"benchmarks", false,
     "SELECT campaign_id, name, started_utc, lab_revision, file,"
     " printf('%d run%s of %d configuration%s, trials %d to %d', count(DISTINCT number),"
     " iif(count(DISTINCT number) = 1, '', 's'), count(DISTINCT square_id),"
     " iif(count(DISTINCT square_id) = 1, '', 's'), min(trial_id), max(trial_id)),"
     " iif(c.finished_utc IS NULL, '(not finished)', '')"
     " FROM campaign AS c JOIN build USING (build_id) JOIN square USING (campaign_id)"
     " JOIN trial USING (square_id) WHERE kind = 'benchmark' GROUP BY campaign_id ORDER BY 1"},
    {"trials that did not pass, newest first", false,
     "SELECT trial_id, t.verdict, 'campaign ' || campaign_id, row_name || iif(column_name = '', "
     "'', ', ' || column_name), "
     "'seed ' || t.seed,"
     " (SELECT oracle || ': ' || replace(detail, char(10), ' ') FROM verdict AS v"
     "  WHERE v.judging_id = t.judging_id AND v.verdict = t.verdict"
     "  ORDER BY broken_s NULLS LAST LIMIT 1)"
     " FROM trial_view AS t JOIN campaign USING (campaign_id)"
     " WHERE t.verdict <> 'PASS' AND page <> 'doubt' ORDER BY 1 DESC LIMIT 20"},
};

static const struct listing trial[] = {
    {"trial", true,
     "SELECT t.trial_id AS trial, c.name AS campaign, row_name || ', ' || column_name AS square,"
     " t.scenario, t.claim, (SELECT words FROM observed_words AS w WHERE w.judging_id ="
     " t.judging_id) AS observed, expected, t.seed, t.clock_mode AS clock, outcome, reason,"
     " simulated_s, round(t.wall_s, 2) AS wall_s, round(cpu_s, 2) AS cpu_s, lab_revision,"
     " nullif(runs, 1) AS runs, nullif(round(still_s, 4), 0) AS machine_still_s,"
     " round(still_at_s, 3) AS machine_still_at_s, cell, nullif(lacks, '') AS lacks, history_hash, "
     "recheck_hash, history_path, "
     "t.finished_utc"
     " FROM trial_view AS t JOIN campaign AS c USING (campaign_id)"
     " JOIN build AS b ON b.build_id = t.build_id WHERE trial_id = ?1"}};

// Of what was judged.
static const struct listing judged[] = {
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
    {"observed", false,
     "SELECT printf('%-24s', name), CASE WHEN reason <> '' THEN '(none: ' || reason || ')'"
     " WHEN text <> '' THEN text ELSE rtrim(printf('%.4g %s', value, unit)) END"
     " FROM observation_view WHERE trial_id = ?1 ORDER BY number"},
    {"verdicts", false,
     "SELECT verdict, printf('%-24s', oracle),"
     " printf('%-18s', iif(margin IS NULL, '', printf('%+.4g ', margin) || unit)),"
     " replace(detail, char(10), ' ')"
     " FROM verdict"
     " WHERE judging_id = (SELECT judging_id FROM judging_in_force WHERE trial_id = ?1)"},
};

static const struct listing run_of_benchmark[] = {
    {"run of a benchmark", true,
     "SELECT trial_id AS trial, c.name AS campaign, row_name AS square, t.number + 1 AS run, "
     "c.file,"
     " t.scenario, t.target, t.seed, outcome, reason, verdict, history_hash, history_path,"
     " round(t.wall_s, 2) AS wall_s, round(cpu_s, 2) AS cpu_s, lab_revision,"
     " cpu_model, cores, kernel, memory_mb, preemption, clock_source, governor, rt_limit,"
     " iif(hypervisor, 'yes', 'no') AS hypervisor, t.finished_utc"
     " FROM trial AS t JOIN square USING (square_id) JOIN campaign AS c USING (campaign_id)"
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

const struct listings listings_of_all = {all, sizeof all / sizeof all[0]};
const struct listings listings_of_trial = {trial, sizeof trial / sizeof trial[0]};
const struct listings listings_of_judged = {judged, sizeof judged / sizeof judged[0]};
const struct listings listings_of_run = {run_of_benchmark,
                                         sizeof run_of_benchmark / sizeof run_of_benchmark[0]};

enum status listing_read(struct database *database, const struct listing *listing, int64_t trial_id,
                         database_row *row, void *context)
{
    return database_query(database, listing->query, trial_id, row, context);
}
