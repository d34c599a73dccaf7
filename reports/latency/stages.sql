-- The median of each stage of the loop in periods, one after the other; block 0 the labels of the stages come with the rows.
SELECT label, s.name AS stage, s.number AS position, median_us / 1000 / period_ms AS share,
       (SELECT coalesce(sum(b.median_us), 0) FROM stage AS b WHERE b.configuration = s.configuration AND b.kind = 'stacked'
           AND b.number BETWEEN 1 AND s.number - 1) / 1000 / period_ms AS start,
       (SELECT count(*) FROM configuration) - 1 - c.number AS row, bound_ms / period_ms AS bound
FROM stage AS s JOIN configuration AS c ON c.number = s.configuration
WHERE s.kind = 'stacked' AND s.number >= 1 ORDER BY c.number, s.number
