-- The campaign in one row. That something was judged is a test of its own where nothing was, unless that is allowed: it would pass otherwise.
WITH n AS (
    SELECT count(*) AS trials, coalesce(sum(verdict = 'PASS'), 0) AS passed, coalesce(sum(verdict = 'FAIL'), 0) AS failures,
           coalesce(sum(verdict = 'ERROR'), 0) AS errors, coalesce(sum(verdict = 'SKIP'), 0) AS skipped, coalesce(sum(wall_s), 0) AS wall_s,
           coalesce(sum(verdict <> 'SKIP'), 0) = 0 AND NOT (SELECT allow_skip FROM chosen) AS blind
    FROM outcome
)
SELECT c.name AS campaign, n.trials, n.passed, n.failures, n.errors, n.skipped, n.trials + n.blind AS tests, n.errors + n.blind AS all_errors,
       iif(n.blind, 'yes', '') AS is_blind, printf('%.3f', n.wall_s) AS time, iif(n.blind, 'error', 'notice') AS level,
       coalesce((SELECT words FROM campaign_agreement AS a WHERE a.campaign_id = c.campaign_id), '') AS agreement,
       c.campaign_id AS number, c.target, c.seed, c.clock_mode, b.lab_revision, replace(c.started_utc, 'Z', '') AS started
FROM n, campaign AS c JOIN chosen USING (campaign_id) JOIN build AS b USING (build_id)
