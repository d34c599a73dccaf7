-- The campaign in one row.
SELECT c.name AS campaign, count(t.trial_id) AS tests, coalesce(sum(t.verdict = 'PASS'), 0) AS passed,
       coalesce(sum(t.verdict = 'FAIL'), 0) AS failures, coalesce(sum(t.verdict = 'ERROR'), 0) AS errors,
       coalesce(sum(t.verdict = 'SKIP'), 0) AS skipped, printf('%.3f', coalesce(sum(t.wall_s), 0)) AS time,
       c.campaign_id AS number, c.target, c.seed, c.clock_mode, b.lab_revision, replace(c.started_utc, 'Z', '') AS started
FROM campaign AS c JOIN chosen USING (campaign_id) JOIN build AS b USING (build_id) LEFT JOIN outcome AS t USING (campaign_id)
