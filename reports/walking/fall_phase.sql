-- Fall probability over the phase of the gait cycle: in a window of +-0.1 around each phase (the cycle is a circle) the share of
-- trials that fell, its Wilson interval, and the share whose centre of mass was outside. Per component for which the paper's
-- dynamic square says "Falls over", two blocks: the curve, and the trials themselves (share = 1 fell, 0 did not).
WITH RECURSIVE grid(phase) AS (SELECT 0.0 UNION ALL SELECT phase + 0.02 FROM grid WHERE phase < 0.99),
trial AS (
    SELECT j.row_name, p.position, j.gait_phase, j.fell, j.outside
    FROM judged AS j JOIN paper AS p USING (row_name, class)
    WHERE j.class = 'Dynamic' AND p.expected LIKE 'falls over' AND j.gait_phase IS NOT NULL
), curve AS (
    SELECT c.row_name, c.position, grid.phase, count(t.row_name) AS n, sum(t.fell) AS k, sum(t.outside) AS n_outside
    FROM (SELECT DISTINCT row_name, position FROM trial) AS c JOIN grid LEFT JOIN trial AS t
        ON t.row_name = c.row_name AND min(abs(t.gait_phase - grid.phase), 1 - abs(t.gait_phase - grid.phase)) <= 0.1
    GROUP BY c.row_name, grid.phase
)
SELECT row_name AS block, phase, 1.0 * k / n AS share, CASE WHEN n THEN wilson_low(k, n) END AS low,
       CASE WHEN n THEN wilson_high(k, n) END AS high, 1.0 * n_outside / n AS outside, position, 0 AS part
FROM curve
UNION ALL
SELECT row_name || ' trials', gait_phase, fell, NULL, NULL, outside, position, 1 FROM trial
ORDER BY position, part, phase
