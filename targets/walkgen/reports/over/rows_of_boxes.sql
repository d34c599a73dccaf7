SELECT row_name, column_name, count(*) AS n, sum(clear_mm > 0) AS untouched, sum(beyond_m > 0.1) AS beyond,
       decimal(min(clear_mm), 1) AS least, decimal(median(clear_mm), 1) AS middle, decimal(max(refusals), 0) AS refusals
FROM box WHERE clear_mm IS NOT NULL GROUP BY row_name, column_name ORDER BY min(trial_id)
