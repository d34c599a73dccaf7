-- What the page of the benchmark `interference` starts from: who owes what, as the figures' names say.
CREATE TEMP TABLE owed AS
SELECT row_number() OVER (ORDER BY who) AS place, who
FROM (SELECT DISTINCT replace(replace(metric, 'during ', ''), ' missed', '') AS who FROM figure_view JOIN chosen USING (campaign_id) WHERE metric LIKE 'during % missed');
CREATE TEMP TABLE share AS -- of deadlines missed while the load lasted, over the runs, and what was to be expected
SELECT f.position, f.square, o.place, o.who, median(f.value) AS middle, min(f.value) AS low, max(f.value) AS high, median(e.value) AS expected
FROM figure_view AS f JOIN chosen USING (campaign_id) JOIN owed AS o ON f.metric = 'during ' || o.who || ' missed'
LEFT JOIN figure AS e ON e.trial_id = f.trial_id AND e.metric = 'during ' || o.who || ' expected'
GROUP BY f.position, o.place;
