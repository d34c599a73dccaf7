-- The loop beyond its plan, and the target's hop beside the machine's; share of samples by bin.
WITH RECURSIVE bin (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM bin WHERE n < 59)
SELECT block, us, share FROM (
    SELECT position, label || '|loop' AS block, 20 * n - 590 AS us, histogram_share(buckets, planned_us + 20 * n - 600, planned_us + 20 * n - 580) AS share
    FROM configuration JOIN bin WHERE planned_us IS NOT NULL
    UNION ALL
    SELECT 100 + number, metric || '|us', 2 * n + 1, histogram_share(buckets, 2 * n, 2 * n + 2) FROM beside JOIN bin)
WHERE share > 0 ORDER BY position, us
