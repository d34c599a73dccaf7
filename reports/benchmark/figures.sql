-- The figures of a square over its runs, and the medians of up to seven benchmarks of this name before it, the latest last.
WITH mine AS (
    SELECT campaign_id, campaign, square, metric, unit, median(value) AS middle, min(value) AS low, max(value) AS high, count(*) AS runs
    FROM figure_view JOIN chosen USING (campaign_id) WHERE position = :position GROUP BY metric),
earlier AS (
    SELECT m.metric, f.campaign_id, median(f.value) AS middle, row_number() OVER (PARTITION BY m.metric ORDER BY f.campaign_id DESC) AS back
    FROM mine AS m JOIN figure_view AS f ON f.campaign = m.campaign AND f.campaign_id < m.campaign_id AND f.square = m.square AND f.metric = m.metric
    WHERE f.campaign_id IN (SELECT campaign_id FROM campaign WHERE finished_utc IS NOT NULL)
    GROUP BY m.metric, f.campaign_id)
SELECT metric, unit, printf('%.5g', middle) AS median, printf('%.5g', low) AS least, printf('%.5g', high) AS most, runs,
       (SELECT group_concat(printf('%.5g', middle), ' · ') FROM (SELECT middle FROM earlier AS e WHERE e.metric = mine.metric AND back <= 7 ORDER BY campaign_id)) AS before
FROM mine ORDER BY metric
