-- Trials that were not PASS, with what was found; at most 60.
SELECT t.trial_id, t.row_name, t.column_name AS class, t.number, t.seed, t.verdict, lower(t.verdict) AS tone,
       CASE WHEN t.outcome = 'lab-error' THEN t.reason
            ELSE coalesce((SELECT group_concat(oracle || ': ' || detail, '; ') FROM verdict AS v
                           WHERE v.judging_id = t.judging_id AND v.verdict IN ('FAIL', 'ERROR')), '') END AS found,
       t.scenario, coalesce(t.history_path, 'not kept') AS history
FROM trial_view AS t
WHERE campaign_id = (SELECT campaign_id FROM chosen) AND t.verdict IN ('FAIL', 'ERROR')
ORDER BY t.verdict, t.position, t.number LIMIT 60
