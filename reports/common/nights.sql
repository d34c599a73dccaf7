-- The campaigns of this name up to the chosen one, the newest first; at most 10, and none if it is the only one.
WITH night AS (
    SELECT campaign_id, count(*) AS n, sum(verdict = 'PASS') AS passed, sum(verdict = 'FAIL') AS failed, sum(verdict = 'ERROR') AS errors,
           sum(verdict = 'SKIP') AS skipped FROM run GROUP BY campaign_id
)
SELECT night.*, replace(substr(c.started_utc, 1, 16), 'T', ' ') AS began, b.lab_revision AS lab, m.cpu_model AS cpu, c.clock_mode AS clock,
       iif(failed, 'bad', '') AS failed_tone, iif(errors, 'bad', '') AS errors_tone, iif(c.finished_utc IS NULL AND c.campaign_id < (SELECT campaign_id FROM chosen), 'not finished', '') AS unfinished_words
FROM night JOIN campaign AS c USING (campaign_id) JOIN build AS b USING (build_id) JOIN machine AS m ON m.machine_id = c.machine_id
WHERE (SELECT count(*) FROM night) > 1 ORDER BY campaign_id DESC LIMIT 10
