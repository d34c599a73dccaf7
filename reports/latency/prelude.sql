-- What the page of the benchmark `latency` starts from. A configuration is a square of it; one that is "watched less" shows what watching costs.
CREATE TEMP TABLE middle AS -- a figure of a configuration over its runs
SELECT position, square, metric, unit, median(value) AS value, min(value) AS least, max(value) AS most, sum(value) AS total, count(*) AS runs
FROM figure_view JOIN chosen USING (campaign_id) GROUP BY position, metric;
CREATE TEMP TABLE pooled AS -- a distribution of a configuration over all its runs, in the order in which a run stores them
SELECT c.position, h.metric, h.corrected, min(h.rowid) AS place, sum(h.counts) AS counts, max(h.max) / 1e3 AS max_us, histogram_sum(h.buckets) AS buckets
FROM histogram AS h JOIN trial USING (trial_id) JOIN square AS c USING (square_id) JOIN chosen USING (campaign_id) GROUP BY c.position, h.metric, h.corrected;
CREATE TEMP TABLE configuration AS
SELECT *, histogram_quantile(buckets, 0.5) AS median_us, histogram_quantile(buckets, 0.99) AS p99_us, min(histogram_quantile(buckets, share), max_us) AS p999_us,
       min(histogram_quantile(buckets_all, share), max_us_all) AS p999_all_us
FROM (
    SELECT c.position, c.row_name AS label, c.scenario, loop.metric AS whole, period.value AS period_us, planned.value AS planned_us, loop.buckets, loop.counts, loop.max_us,
           whole_all.buckets AS buckets_all, whole_all.max_us AS max_us_all, bound.value AS bound_us, coalesce(quantile.value, 99.9) / 100 AS share
    FROM square AS c JOIN chosen USING (campaign_id)
    JOIN pooled AS loop ON loop.position = c.position AND loop.corrected = 1 AND loop.metric <> 'loop, stalls included'
    JOIN pooled AS whole_all ON whole_all.position = c.position AND whole_all.metric = 'loop, stalls included'
    JOIN middle AS period ON period.position = c.position AND period.metric = 'period'
    LEFT JOIN middle AS planned ON planned.position = c.position AND planned.metric = loop.metric || ' planned'
    LEFT JOIN middle AS bound ON bound.position = c.position AND bound.metric = 'bound'
    LEFT JOIN middle AS quantile ON quantile.position = c.position AND quantile.metric = 'bound''s quantile'
    WHERE c.position NOT IN (SELECT position FROM middle WHERE metric = 'watched less'));
-- The stages of the chain one after the other: number 0 is the first after the start, -1 before it. Only where a run had all.
CREATE TEMP TABLE stage AS
SELECT position, metric, buckets, number - (SELECT value FROM middle AS b WHERE b.position = s.position AND b.metric = 'stages before the start') AS number
FROM (
    SELECT position, metric, buckets, row_number() OVER (PARTITION BY position ORDER BY place) - 1 AS number, count(*) OVER (PARTITION BY position) AS of_all
    FROM pooled WHERE corrected = 0 AND metric NOT LIKE 'machine %') AS s
WHERE of_all = (SELECT value FROM middle AS m WHERE m.position = s.position AND m.metric = 'stages in all')
AND number < (SELECT value FROM middle AS m WHERE m.position = s.position AND m.metric = 'stages in a row');
-- What the distributions on the right are of: the way to who answers first, a bare hop, and a timer.
CREATE TEMP TABLE beside AS
SELECT 0 AS number, metric, buckets, (SELECT counts FROM pooled AS p WHERE p.position = s.position AND p.metric = s.metric AND corrected = 0) AS counts
FROM stage AS s WHERE position = (SELECT min(position) FROM configuration) AND number = 0
UNION ALL
SELECT CASE metric WHEN 'machine hops' THEN 1 ELSE 2 END, metric, buckets, counts FROM pooled
WHERE position = (SELECT min(position) FROM configuration) AND metric IN ('machine hops', 'machine wakes');
