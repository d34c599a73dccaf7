-- One row per load and deadline: the share missed while the load lasted, its spread over the runs, and what was to be expected.
SELECT f.cell, o.place, median(CASE WHEN f.metric LIKE '% missed' THEN f.value END) AS middle,
       min(CASE WHEN f.metric LIKE '% missed' THEN f.value END) AS low, max(CASE WHEN f.metric LIKE '% missed' THEN f.value END) AS high,
       coalesce(median(CASE WHEN f.metric LIKE '% expected' THEN f.value END), 'NaN') AS expected,
       (SELECT max(position) FROM figure_view JOIN chosen USING (campaign_id)) - f.position AS row
FROM figure_view AS f JOIN chosen USING (campaign_id)
JOIN owed AS o ON f.metric IN ('during ' || o.who || ' missed', 'during ' || o.who || ' expected')
WHERE o.place <= 3 GROUP BY f.position, o.place ORDER BY f.position, o.place
