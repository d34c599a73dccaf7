-- What is beside the paper: ratios to bare sockets, hops of relays, cuts, and how late timers are.
SELECT square, metric, CASE WHEN value >= 100 THEN decimal(value, 0) ELSE decimal(value, 2) END AS median, decimal(most, 2) AS most, unit FROM (
SELECT m.position, m.square, m.metric, m.value, m.most, (SELECT unit FROM figure_view AS f JOIN chosen USING (campaign_id) WHERE f.metric = m.metric LIMIT 1) AS unit
FROM middle AS m WHERE m.square NOT LIKE '%us, % B' AND m.metric NOT LIKE '%p99%') ORDER BY position, metric
