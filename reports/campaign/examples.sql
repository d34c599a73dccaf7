-- One trial per square whose history is kept, those that did not pass first; at most 12, since each is drawn.
WITH kept AS (
    SELECT *, row_number() OVER (PARTITION BY row_name, column_name ORDER BY verdict IN ('FAIL', 'ERROR') DESC, is_example DESC, trial_id) AS place
    FROM trial_view WHERE campaign_id = (SELECT campaign_id FROM chosen) AND history_path <> ''
)
SELECT trial_id, row_name, column_name, target, scenario, seed, verdict, history_path, history_hash, coalesce(observed, '') AS observed, claim,
       coalesce((SELECT words FROM observed_words AS w WHERE w.judging_id = kept.judging_id), '') AS seen,
       CASE verdict WHEN 'PASS' THEN 'good' WHEN 'SKIP' THEN 'soft' ELSE 'bad' END AS tone
FROM kept WHERE place = 1 ORDER BY tone <> 'bad', position LIMIT 12
