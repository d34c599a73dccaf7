-- The storm in one row: what was tried, what failed, and how often at most a trial fails (95 %): Wilson's bound, and 3 of n if none did.
SELECT c.campaign_id, c.name AS storm, c.file, c.target, c.seed AS series, c.clock_mode, m.cpu_model, m.cores, m.kernel, b.lab_revision,
       replace(replace(c.started_utc, 'T', ' '), 'Z', '') AS started, q.claim, n.*, plural(n.trials, 'trial') AS trials_word,
       (SELECT count(*) FROM found WHERE place = 1) AS findings, plural((SELECT count(*) FROM found WHERE place = 1), 'finding') AS findings_word,
       CASE WHEN n.failed THEN 'bad' ELSE 'good' END AS outcome_tone,
       CASE WHEN n.judged = 0 THEN '' WHEN n.failed = 0 THEN printf('%.2g', 100.0 * min(1, 3.0 / n.judged))
            ELSE printf('%.2g', 100 * wilson_high(n.failed, n.judged)) END AS most_percent,
       CASE WHEN c.finished_utc IS NULL THEN 'yes' ELSE '' END AS unfinished, CASE WHEN c.walled THEN '' ELSE 'yes' END AS no_wall,
       (SELECT printf('%.0f', sum(cpu_s)) FROM trial_view AS t WHERE t.campaign_id = c.campaign_id) AS cpu_s,
       (SELECT printf('%.0f', 3600 * count(*) / max(sum(cpu_s), 1e-9)) FROM trial_view AS t WHERE t.campaign_id = c.campaign_id) AS per_hour,
       ' --db ' || CASE WHEN chosen.path GLOB '*[^A-Za-z0-9_./-]*' THEN '''' || replace(chosen.path, '''', '''\''''') || ''''
                       ELSE chosen.path END AS db_option -- as a shell reads it
FROM campaign AS c JOIN chosen USING (campaign_id) JOIN machine AS m USING (machine_id) JOIN build AS b USING (build_id)
JOIN square AS q USING (campaign_id),
     (SELECT count(*) AS trials, coalesce(sum(verdict = 'PASS'), 0) AS passed, coalesce(sum(verdict = 'FAIL'), 0) AS failed,
             coalesce(sum(verdict = 'ERROR'), 0) AS errors, coalesce(sum(verdict = 'SKIP'), 0) AS skipped,
             coalesce(sum(verdict IN ('PASS', 'FAIL')), 0) AS judged
      FROM trial_view WHERE campaign_id = (SELECT campaign_id FROM chosen)) AS n
