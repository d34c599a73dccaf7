-- The paper's Fig. 4 again: the chains of the first run; each block knows its worst one.
SELECT label AS block, time_s AS t_s, value / 1000 AS loop_ms, apart AS stalled, coalesce(bound_us, 2 * period_us) / 1000 AS bound_ms, period_us / 1000 AS period_ms,
       max(1.25 * coalesce(bound_us, 2 * period_us), 1.08 * max(value) OVER (PARTITION BY c.position)) / 1000 AS top_ms, CASE WHEN bound_us IS NULL THEN 'two periods' ELSE 'bound' END AS said
FROM sample JOIN trial USING (trial_id) JOIN square USING (square_id) JOIN chosen USING (campaign_id) JOIN configuration AS c USING (position)
ORDER BY c.position, time_s
