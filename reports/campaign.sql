-- The campaign in one row: what was run, on what, how fast, and what came of it.
SELECT c.campaign_id, c.name AS campaign, c.file, c.target, c.seed, c.clock_mode, c.jobs, c.recheck_share, m.cpu_model,
       m.cores, m.kernel, b.lab_revision, b.compiler, b.libc, b.mujoco, b.sqlite,
       replace(replace(c.started_utc, 'T', ' '), 'Z', '') AS started, s.*,
       CASE WHEN c.wall_s >= 1 THEN printf('%d min %02d s', c.wall_s / 60, CAST(c.wall_s AS INTEGER) % 60) ELSE '' END AS took,
       printf('%.0f', s.simulated_s / c.wall_s) AS speed_wall, printf('%.1f', s.simulated_s / s.cpu_s) AS speed_cpu,
       printf('%.0f', s.simulated_s / 60) AS simulated_min,
       CASE WHEN c.finished_utc IS NULL AND s.trials < s.planned THEN 'yes' ELSE '' END AS unfinished,
       CASE WHEN s.trials < s.planned THEN s.planned - s.trials ELSE '' END AS missing,
       (SELECT count(*) FROM summary WHERE agreement = 'agrees') AS cells_agree,
       nullif((SELECT count(*) FROM summary WHERE agreement = 'outside'), 0) AS cells_outside,
       (SELECT count(*) FROM summary WHERE agreement IN ('sometimes', 'differs')) AS cells_differ,
       (SELECT count(*) FROM summary WHERE n > 0 AND expected <> '') AS cells_tried,
       CASE WHEN p.paper THEN 'Table I, measured' ELSE 'Failure table, measured' END AS title,
       CASE WHEN p.paper THEN 'yes' ELSE '' END AS paper,
       coalesce((SELECT CASE WHEN count(DISTINCT kind) > 1 THEN 'struck'
                             WHEN kind = 'kill' THEN 'killed'
                             WHEN kind = 'stall' THEN 'stopped for a while'
                             WHEN kind = 'restart' THEN 'killed and started again at once'
                             ELSE 'struck by ' || kind END
                 FROM fault JOIN trial USING (trial_id) JOIN cell USING (cell_id)
                 WHERE cell.campaign_id = c.campaign_id), 'struck') AS deed,
       (SELECT count(*) FROM judged WHERE class IS NOT class_asked) AS other_class,
       (SELECT count(*) FROM judged) AS judged_trials
FROM campaign AS c JOIN machine AS m USING (machine_id) JOIN build AS b USING (build_id),
     (SELECT max(expected <> '') AS paper FROM summary) AS p,
     (SELECT count(*) AS trials, sum(verdict = 'PASS') AS passed, sum(verdict = 'FAIL') AS failed, sum(verdict = 'ERROR') AS errors,
             sum(verdict = 'SKIP') AS skipped, sum(simulated_s) AS simulated_s, sum(cpu_s) AS cpu_s,
             count(recheck_hash) AS rechecked, coalesce(sum(recheck_hash = history_hash), 0) AS recheck_same,
             (SELECT sum(trials_planned) FROM cell WHERE campaign_id = (SELECT campaign_id FROM chosen)) AS planned
      FROM trial_view WHERE campaign_id = (SELECT campaign_id FROM chosen)) AS s
WHERE c.campaign_id = (SELECT campaign_id FROM chosen)
