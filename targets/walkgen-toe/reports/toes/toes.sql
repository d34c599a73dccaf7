-- One trial per column whose history is kept.
WITH kept AS (
    SELECT *, row_number() OVER (PARTITION BY column_name ORDER BY verdict IN ('FAIL', 'ERROR') DESC, is_example DESC, trial_id) AS place
    FROM trial_view WHERE campaign_id = (SELECT campaign_id FROM chosen) AND history_path <> ''
)
SELECT trial_id, row_name, column_name, target, scenario, seed, verdict, history_path FROM kept WHERE place = 1 ORDER BY trial_id LIMIT 6
