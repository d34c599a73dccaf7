-- Fig. 4 again: the loop of every state of the first run.
SELECT label AS block, t_s, loop_ms, s.stalled, bound_ms, period_ms FROM sample AS s JOIN configuration ON number = configuration
WHERE run = 1 ORDER BY number, t_s
