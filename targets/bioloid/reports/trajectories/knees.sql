-- The paper's energy over the instant of the knee, for the states of the first trial; then a block per trial, with its own.
WITH RECURSIVE k(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM k WHERE n < 100),
     one AS (SELECT *, 2 * (q2 - q1) / (t2 - t1) - w2 + (w2 - w1) * n / 100 AS knee, t1 + (t2 - t1) * n / 100 AS t
             FROM planned, k WHERE planned.number = 1)
SELECT block, t, mJ FROM (
    SELECT 'any knee' AS block, t, 1000 * 0.00232 * 0.000304617 * ((w2 * w2 - w1 * w1) / 2 + (knee - w2) * (knee - w2)) AS mJ, 0 AS part FROM one
    UNION ALL
    SELECT column_name, tm, paper_mJ, number FROM planned)
ORDER BY part, t
