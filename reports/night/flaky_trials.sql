-- Trials that did different things with the same contents and seed, in the nights that are compared and again tonight.
SELECT campaign, row_name || iif(column_name = '', '', ', ' || column_name) AS square, scenario, seed, count(*) AS n, count(DISTINCT verdict) AS verdicts, count(DISTINCT history_hash) AS histories,
       group_concat(DISTINCT verdict) AS verdict_words, max(trial_id) AS trial_id, iif(clock_mode = 'virtual', 'yes', '') AS is_virtual,
       iif(count(DISTINCT verdict) > 1, 'bad', 'warn') AS tone
FROM ran WHERE contents <> '' AND verdict <> 'SKIP' GROUP BY campaign, row_name, column_name, number, scenario, seed, clock_mode, contents
HAVING max(tonight) = 1 AND (count(DISTINCT verdict) > 1 OR (clock_mode = 'virtual' AND count(DISTINCT history_hash) > 1)) ORDER BY campaign, square LIMIT 60
