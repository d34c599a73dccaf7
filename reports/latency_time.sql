-- Fig. 4 again: the loop of every state of the first run; each block knows its worst one.
SELECT label AS block, t_s, loop_ms, s.stalled, bound_ms, period_ms,
       max(1.25 * bound_ms, 1.08 * max(loop_ms) OVER (PARTITION BY configuration)) AS top_ms
FROM sample AS s JOIN configuration ON number = configuration
WHERE run = 1 ORDER BY number, t_s
