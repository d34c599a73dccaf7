-- Fig. 4 again: the loop of every state of the first run; each block knows its worst one. Of more than 300 that are within a tenth of the
-- median, every k-th is shown.
SELECT label AS block, t_s, loop_ms, stalled, bound_ms, period_ms, top_ms FROM (
    SELECT number, label, t_s, loop_ms, s.stalled, bound_ms, period_ms, median_ms,
           max(1.25 * bound_ms, 1.08 * max(loop_ms) OVER (PARTITION BY configuration)) AS top_ms,
           row_number() OVER (PARTITION BY configuration ORDER BY t_s) AS nth, count(*) OVER (PARTITION BY configuration) AS of_all
    FROM sample AS s JOIN configuration ON number = configuration
    JOIN (SELECT configuration AS of, min(run) AS first FROM sample GROUP BY configuration) ON of = number AND first = run)
WHERE stalled OR loop_ms IS NULL OR abs(loop_ms - median_ms) > 0.1 * median_ms OR nth % max(1, of_all / 300) = 0
ORDER BY number, t_s
