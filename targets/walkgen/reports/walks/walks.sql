-- One trial per column whose history is kept, at most 12. Of a trial in real time also what its ticks took.
WITH kept AS (
    SELECT *, row_number() OVER (PARTITION BY column_name ORDER BY verdict IN ('FAIL', 'ERROR') DESC, is_example DESC, trial_id) AS place
    FROM trial_view WHERE campaign_id = (SELECT campaign_id FROM chosen) AND history_path <> ''
), took AS (
    SELECT trial_id, decimal(max(value) FILTER (WHERE name = 'work_mean_us'), 0) AS work_mean_us,
           decimal(max(value) FILTER (WHERE name = 'tick_max_us'), 0) AS tick_max_us, decimal(max(value) FILTER (WHERE name = 'ticks_missed'), 0) AS ticks_missed
    FROM observation_view GROUP BY trial_id
)
SELECT trial_id, row_name, column_name, kept.target, scenario, seed, kept.verdict, history_path, iif(clock_mode = 'wall', 'yes', '') AS is_wall,
       work_mean_us, tick_max_us, ticks_missed
FROM kept LEFT JOIN took USING (trial_id) WHERE place = 1 ORDER BY trial_id LIMIT 12
