-- Observations of all trials of a column.
WITH walk AS (
    SELECT column_name, trial_id, verdict,
           max(iif(name = 'bend_max_rad', value, NULL)) * 57.2958 AS bend,
           max(iif(name = 'bend_error_max_rad', value, NULL)) * 57.2958 AS error,
           max(iif(name = 'push_max_n', value, NULL)) AS push,
           max(iif(name = 'knee_min_rad', value, NULL)) * 57.2958 AS knee,
           max(iif(name = 'feet_apart_max_m', value, NULL)) AS apart
    FROM observation_view WHERE campaign_id = (SELECT campaign_id FROM chosen) GROUP BY trial_id
)
SELECT column_name, count(*) AS n, sum(verdict = 'PASS') AS passed, decimal(median(bend), 1) AS bend, decimal(max(error), 1) AS error,
       decimal(median(push), 0) AS push, decimal(min(knee), 1) AS knee, decimal(median(apart), 3) AS apart
FROM walk GROUP BY column_name ORDER BY min(trial_id)
