-- The campaign in one row: what was run, on what, how fast, and what came of it.
SELECT c.campaign_id, c.name AS campaign, c.file, c.target, c.seed, c.clock_mode, c.jobs, m.cpu_model, m.cores, m.kernel, b.lab_revision,
       b.compiler, b.libc, b.sqlite, replace(replace(c.started_utc, 'T', ' '), 'Z', '') AS started, s.*,
       CASE WHEN c.wall_s >= 60 THEN printf('%d min %02d s', c.wall_s / 60, CAST(c.wall_s AS INTEGER) % 60)
            WHEN c.wall_s >= 1 THEN printf('%d s', c.wall_s) ELSE '' END AS took,
       printf('%.1f', s.simulated_s / s.cpu_s) AS speed_cpu, printf('%.1f', s.simulated_s / 60) AS simulated_min,
       plural(s.trials, 'trial') AS trials_word, plural(s.rechecked, 'trial') AS rechecked_word, plural(c.jobs, 'job') AS jobs_word,
       plural(s.doubted, 'trial') AS doubted_word, nullif(s.doubted, 0) AS any_doubted, nullif(s.watched, 0) AS any_watched, nullif(s.stood_still, 0) AS any_still,
       printf('%.1f', 1e3 * s.still_s) AS still_ms,
       nullif(s.rechecked, 0) AS any_rechecked, nullif(s.failed + s.errors, 0) AS any_problem, nullif(s.skipped, 0) AS any_skipped,
       (SELECT 'yes' FROM trial_view AS t WHERE t.campaign_id = c.campaign_id AND t.history_path <> '' LIMIT 1) AS any_example,
       nullif((SELECT count(*) FROM told), 0) AS any_told, nullif((SELECT count(value) FROM told), 0) AS any_value,
       -- As many as a terminal has lines; they are in the page in any case.
       (SELECT CASE WHEN count(DISTINCT row_name || '/' || column_name || '/' || name) BETWEEN 1 AND 40 THEN 'yes' END FROM told WHERE value IS NOT NULL) AS few_values,
       (SELECT group_concat(name, ', ') FROM (SELECT name FROM told GROUP BY name HAVING count(value) = 0 AND max(text) = '')) AS never_seen,
       (SELECT ' after each fault' FROM fault JOIN trial USING (trial_id) JOIN square USING (square_id) LIMIT 1) AS after_what,
       ' --db ' || CASE WHEN chosen.path GLOB '*[^A-Za-z0-9_./-]*' THEN '''' || replace(chosen.path, '''', '''\''''') || ''''
                       ELSE chosen.path END AS db_option, -- as a shell reads it
       (SELECT nullif(count(before_campaign), 0) FROM since) AS run_before,
       CASE WHEN c.clock_mode = 'wall' THEN 'yes' ELSE '' END AS is_wall, CASE WHEN c.walled THEN '' ELSE 'yes' END AS no_wall, nullif(s.bare, 0) AS any_bare,
       CASE WHEN c.finished_utc IS NULL AND s.trials < s.planned THEN 'yes' ELSE '' END AS unfinished,
       'Row' AS row_title_short, 'Column' AS column_title, (SELECT count(*) FROM matrix_row) AS row_count, (SELECT count(*) FROM matrix_column) AS column_count
FROM campaign AS c JOIN chosen USING (campaign_id) JOIN machine AS m USING (machine_id) JOIN build AS b USING (build_id),
     (SELECT count(*) AS trials, coalesce(sum(verdict = 'PASS'), 0) AS passed, coalesce(sum(verdict = 'FAIL'), 0) AS failed,
             coalesce(sum(verdict = 'ERROR'), 0) AS errors, coalesce(sum(verdict = 'SKIP'), 0) AS skipped, sum(simulated_s) AS simulated_s,
             sum(cpu_s) AS cpu_s, count(recheck_hash) AS rechecked, coalesce(sum(runs > 1), 0) AS doubted, coalesce(sum(cell = 'bare'), 0) AS bare,
             count(still_s) AS watched, coalesce(sum(still_s > 0), 0) AS stood_still, max(still_s) AS still_s, coalesce(sum(recheck_hash = history_hash), 0) AS recheck_same,
             (SELECT sum(trials_planned) FROM square) AS planned
      FROM trial_view WHERE campaign_id = (SELECT campaign_id FROM chosen)) AS s
