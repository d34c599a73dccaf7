-- The doubts in one row: of what, on what, and how many were noticed.
SELECT c.campaign_id, c.name AS campaign, c.file, c.target, c.seed, c.clock_mode, m.cpu_model, m.cores, m.kernel, b.lab_revision,
       replace(replace(c.started_utc, 'T', ' '), 'Z', '') AS started, n.*, plural(n.doubts, 'doubt') AS doubts_word,
       u.scenario, u.claim, u.verdict AS undisturbed, u.trial_id AS undisturbed_id,
       CASE WHEN n.blind THEN n.blind || ' passed' WHEN n.failed THEN 'lab error' WHEN n.noticed + n.harmless THEN 'none passed' ELSE 'nothing' END AS outcome,
       CASE WHEN n.blind OR n.failed THEN 'bad' WHEN n.noticed + n.harmless THEN 'good' ELSE 'soft' END AS outcome_tone,
       CASE WHEN c.walled THEN '' ELSE 'yes' END AS no_wall,
       (SELECT decimal(min(applied_s), 2) FROM fault AS f JOIN doubted AS d USING (trial_id)
        WHERE f.number = (SELECT max(number) FROM fault WHERE trial_id = d.trial_id)) AS at_s,
       CASE WHEN c.finished_utc IS NULL AND n.doubts < n.planned THEN 'yes' ELSE '' END AS unfinished,
       ' --db ' || CASE WHEN chosen.path GLOB '*[^A-Za-z0-9_./-]*' THEN '''' || replace(chosen.path, '''', '''\''''') || ''''
                       ELSE chosen.path END AS db_option -- as a shell reads it
FROM campaign AS c JOIN chosen USING (campaign_id) JOIN machine AS m USING (machine_id) JOIN build AS b USING (build_id)
LEFT JOIN trial_view AS u ON u.campaign_id = c.campaign_id AND u.row_name = 'undisturbed',
     (SELECT count(*) AS doubts, coalesce(sum(words = 'noticed'), 0) AS noticed, coalesce(sum(words = 'harmless'), 0) AS harmless,
             coalesce(sum(words = 'PASSED (blind)'), 0) AS blind, coalesce(sum(words = 'without effect'), 0) AS without_effect,
             coalesce(sum(words = 'lab error'), 0) AS failed,
             (SELECT count(*) - 1 FROM square WHERE campaign_id = (SELECT campaign_id FROM chosen)) AS planned
      FROM said) AS n
