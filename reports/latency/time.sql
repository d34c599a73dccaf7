-- Fig. 4 again: the loop of the states of the first run; each block knows its worst one.
SELECT label AS block, time_s AS t_s, value / 1000 AS loop_ms, apart AS stalled, 2 * period_us / 1000 AS bound_ms, period_us / 1000 AS period_ms,
       max(2.5 * period_us, 1.08 * max(value) OVER (PARTITION BY c.position)) / 1000 AS top_ms
FROM sample JOIN trial USING (trial_id) JOIN square USING (square_id) JOIN chosen USING (campaign_id) JOIN configuration AS c USING (position)
ORDER BY c.position, time_s
