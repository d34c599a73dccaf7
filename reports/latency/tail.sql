-- How much lies beyond a value: the loops in periods, then what is beside them in microseconds.
WITH RECURSIVE step (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM step WHERE n < 60),
share AS (SELECT pow(10, -n / 12.0) AS beyond FROM step)
SELECT block, beyond, value FROM (
    SELECT position, label || '|loop' AS block, beyond, histogram_quantile(buckets, 1 - beyond) / period_us AS value
    FROM configuration JOIN share ON beyond * counts >= 1
    UNION ALL
    SELECT 100 + number, metric || '|us', beyond, histogram_quantile(buckets, 1 - beyond) FROM beside JOIN share ON beyond * counts >= 1)
ORDER BY position, beyond DESC
