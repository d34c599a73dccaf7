-- One trial per column in which a box lay in the world and whose history is kept, at most 6.
WITH kept AS (
    SELECT t.*, row_number() OVER (PARTITION BY t.column_name ORDER BY t.verdict IN ('FAIL', 'ERROR') DESC, t.is_example DESC, t.trial_id) AS place
    FROM trial_view AS t WHERE t.campaign_id = (SELECT campaign_id FROM chosen) AND t.history_path <> ''
      AND EXISTS (SELECT 1 FROM observation_view AS o WHERE o.trial_id = t.trial_id AND o.name = 'clear_min_m' AND o.value IS NOT NULL)
)
SELECT trial_id, row_name, column_name, target, scenario, seed, verdict, history_path FROM kept WHERE place = 1 ORDER BY trial_id LIMIT 6
