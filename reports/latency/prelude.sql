-- What the page of the benchmark `latency` starts from. A configuration is a square of it; one that is "watched less" shows what watching costs.
CREATE TEMP TABLE middle AS -- a figure of a configuration over its runs
SELECT position, square, metric, unit, median(value) AS value, min(value) AS least, max(value) AS most, sum(value) AS total, count(*) AS runs
FROM figure_view JOIN chosen USING (campaign_id) GROUP BY position, metric;
CREATE TEMP TABLE pooled AS -- a distribution of a configuration over all its runs, in the order in which a run stores them
SELECT c.position, h.metric, h.corrected, min(h.rowid) AS place, sum(h.counts) AS counts, max(h.max) / 1e3 AS max_us, histogram_sum(h.buckets) AS buckets
FROM histogram AS h JOIN trial USING (trial_id) JOIN square AS c USING (square_id) JOIN chosen USING (campaign_id) GROUP BY c.position, h.metric, h.corrected;
CREATE TEMP TABLE configuration AS
SELECT c.position, c.row_name AS label, c.scenario, period.value AS period_us, planned.value AS planned_us, loop.buckets, loop.counts, loop.max_us,
       histogram_quantile(loop.buckets, 0.5) AS median_us, histogram_quantile(loop.buckets, 0.99) AS p99_us, min(histogram_quantile(loop.buckets, 0.999), loop.max_us) AS p999_us,
       (SELECT histogram_quantile(buckets, 0.999) FROM pooled AS p WHERE p.position = c.position AND metric = 'loop, stalls included') AS p999_all_us
FROM square AS c JOIN chosen USING (campaign_id)
JOIN pooled AS loop ON loop.position = c.position AND loop.metric = 'state to acquired' AND loop.corrected = 1
JOIN middle AS period ON period.position = c.position AND period.metric = 'period'
LEFT JOIN middle AS planned ON planned.position = c.position AND planned.metric = 'state to acquired planned'
WHERE c.position NOT IN (SELECT position FROM middle WHERE metric = 'watched less');
-- The stages of the loop one after the other: 0 is before the state is published, 1 to 8 are after. Only where a run had all.
CREATE TEMP TABLE stage AS
SELECT * FROM (
    SELECT position, metric, buckets, row_number() OVER (PARTITION BY position ORDER BY place) - 1 AS number, count(*) OVER (PARTITION BY position) AS of_all
    FROM pooled WHERE corrected = 0 AND metric NOT LIKE 'machine %') WHERE of_all = 13 AND number < 9;
-- What the distributions on the right are of: a state's way to who answers it, a bare hop, and a timer.
CREATE TEMP TABLE beside AS
SELECT 0 AS number, metric, buckets, (SELECT counts FROM pooled AS p WHERE p.position = s.position AND p.metric = s.metric AND corrected = 0) AS counts
FROM stage AS s WHERE position = (SELECT min(position) FROM configuration) AND number = 1
UNION ALL
SELECT CASE metric WHEN 'machine hops' THEN 1 ELSE 2 END, metric, buckets, counts FROM pooled
WHERE position = (SELECT min(position) FROM configuration) AND metric IN ('machine hops', 'machine wakes');
