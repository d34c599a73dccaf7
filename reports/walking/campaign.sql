-- The campaign in one row: what was run, on what, how fast, and what came of it.
SELECT c.campaign_id, c.name AS campaign, c.file, c.target, c.seed, c.clock_mode, c.jobs, c.recheck_share, m.cpu_model,
       m.cores, m.kernel, b.lab_revision, b.compiler, b.libc, b.mujoco, b.sqlite,
       replace(replace(c.started_utc, 'T', ' '), 'Z', '') AS started, s.*,
       CASE WHEN c.wall_s >= 60 THEN printf('%d min %02d s', c.wall_s / 60, CAST(c.wall_s AS INTEGER) % 60)
            WHEN c.wall_s >= 1 THEN printf('%d s', c.wall_s) ELSE '' END AS took,
       printf('%.0f', s.simulated_s / c.wall_s) AS speed_wall, printf('%.1f', s.simulated_s / s.cpu_s) AS speed_cpu,
       CASE WHEN s.simulated_s < 600 THEN printf('%.1f', s.simulated_s / 60) ELSE printf('%.0f', s.simulated_s / 60) END AS simulated_min,
       plural(s.trials, 'trial') AS trials_word, plural(s.judged_trials, 'trial') AS judged_word, plural(s.rechecked, 'trial') AS rechecked_word,
       plural(c.jobs, 'core') AS cores_word, nullif(s.rechecked, 0) AS any_rechecked, plural(s.doubted, 'trial') AS doubted_word, nullif(s.doubted, 0) AS any_doubted, nullif(s.watched, 0) AS any_watched, nullif(s.stood_still, 0) AS any_still,
       printf('%.1f', 1e3 * s.still_s) AS still_ms, nullif(s.failed + s.errors, 0) AS any_problem, nullif(s.skipped, 0) AS any_skipped,
       ' --db ' || CASE WHEN chosen.path GLOB '*[^A-Za-z0-9_./-]*' THEN '''' || replace(chosen.path, '''', '''\''''') || ''''
                       ELSE chosen.path END AS db_option, -- as a shell reads it
       (SELECT nullif(count(before_campaign), 0) FROM since) AS run_before,
       CASE WHEN c.clock_mode = 'wall' THEN 'yes' ELSE '' END AS is_wall,
       CASE WHEN c.walled THEN '' ELSE 'yes' END AS no_wall, nullif(s.bare, 0) AS any_bare,
       CASE WHEN c.finished_utc IS NULL AND s.trials < s.planned THEN 'yes' ELSE '' END AS unfinished,
       CASE WHEN s.trials < s.planned THEN s.planned - s.trials ELSE '' END AS missing,
       (SELECT count(*) FROM summary WHERE agreement = 'agrees') AS cells_agree,
       nullif((SELECT count(*) FROM summary WHERE agreement = 'outside'), 0) AS cells_outside,
       (SELECT count(*) FROM summary WHERE agreement IN ('sometimes', 'differs')) AS cells_differ,
       (SELECT count(*) FROM summary WHERE n > 0 AND expected <> '') AS cells_tried,
       CASE WHEN p.paper THEN 'Table I, measured' ELSE 'Failure table, measured' END AS title,
       CASE WHEN p.paper THEN 'yes' ELSE '' END AS paper, CASE WHEN p.paper OR p.falls THEN 'yes' ELSE '' END AS any_fall,
       CASE WHEN p.phases THEN 'yes' ELSE '' END AS any_phase,
       CASE WHEN f.by_fault THEN 'yes' ELSE '' END AS by_fault, CASE WHEN f.by_fault THEN 'Fault' ELSE 'Failed component' END AS row_title,
       CASE WHEN f.by_fault THEN 'Fault' ELSE 'Component' END AS row_title_short, 'Motion' AS column_title,
       CASE WHEN f.by_fault THEN '' ELSE 'Failed' END AS head_1, CASE WHEN f.by_fault THEN 'Fault' ELSE 'component' END AS head_2,
       coalesce((SELECT CASE WHEN count(DISTINCT kind) > 1 THEN 'struck'
                             WHEN kind = 'kill' THEN 'killed'
                             WHEN kind = 'stall' THEN 'stopped for a while'
                             WHEN kind = 'restart' THEN 'killed and started again at once'
                             ELSE 'struck by ' || kind END
                 FROM fault JOIN trial USING (trial_id) JOIN square USING (square_id)
                 WHERE square.campaign_id = c.campaign_id), 'struck') AS deed,
       (SELECT count(*) FROM judged WHERE class IS NOT class_asked) AS other_class
FROM campaign AS c JOIN chosen USING (campaign_id) JOIN machine AS m USING (machine_id) JOIN build AS b USING (build_id),
     -- Rows are components, or have the name of a fault: nothing of theirs has failed.
     (SELECT coalesce(max(fault.component <> square.row_name), 0) AS by_fault FROM fault JOIN trial USING (trial_id) JOIN square USING (square_id)
      WHERE square.campaign_id = (SELECT campaign_id FROM chosen)) AS f,
     (SELECT max(expected <> '') AS paper, sum(falls) AS falls,
             EXISTS (SELECT 1 FROM judged JOIN paper USING (row_name, class)
                     WHERE class = 'Dynamic' AND expected LIKE 'falls over' AND gait_phase IS NOT NULL) AS phases FROM summary) AS p,
     (SELECT count(*) AS trials, coalesce(sum(verdict = 'PASS'), 0) AS passed, coalesce(sum(verdict = 'FAIL'), 0) AS failed,
             coalesce(sum(verdict = 'ERROR'), 0) AS errors, coalesce(sum(verdict = 'SKIP'), 0) AS skipped, sum(simulated_s) AS simulated_s, sum(cpu_s) AS cpu_s,
             (SELECT count(*) FROM judged) AS judged_trials,
             count(recheck_hash) AS rechecked, coalesce(sum(runs > 1), 0) AS doubted, coalesce(sum(cell = 'bare'), 0) AS bare,
             count(still_s) AS watched, coalesce(sum(still_s > 0), 0) AS stood_still, max(still_s) AS still_s, coalesce(sum(recheck_hash = history_hash), 0) AS recheck_same,
             (SELECT sum(trials_planned) FROM square WHERE campaign_id = (SELECT campaign_id FROM chosen)) AS planned
      FROM trial_view WHERE campaign_id = (SELECT campaign_id FROM chosen)) AS s
