-- The median of each stage of the loop in periods, one after the other.
SELECT label, s.metric AS stage, s.number + 1 AS position, histogram_quantile(s.buckets, 0.5) / period_us AS share,
       (SELECT coalesce(sum(histogram_quantile(b.buckets, 0.5)), 0) FROM stage AS b WHERE b.position = s.position AND b.number BETWEEN 0 AND s.number - 1) / period_us AS start,
       (SELECT count(*) FROM configuration AS later WHERE later.position > c.position) AS row
FROM stage AS s JOIN configuration AS c USING (position) WHERE s.number >= 0 ORDER BY c.position, s.number
