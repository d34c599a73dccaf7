-- What changes when less is watched, run by run.
SELECT b.square AS label, b.metric, signed_decimal(median(b.value - a.value), 1) AS median, signed_decimal(min(b.value - a.value), 1) AS low, signed_decimal(max(b.value - a.value), 1) AS high
FROM figure_view AS b JOIN chosen USING (campaign_id)
JOIN figure_view AS a ON a.campaign_id = b.campaign_id AND a.position = 0 AND a.metric = b.metric AND a.run = b.run
WHERE b.position IN (SELECT position FROM middle WHERE metric = 'watched less')
AND b.metric IN (SELECT p.metric || q.quantile FROM pooled AS p, (SELECT ' median' AS quantile UNION SELECT ' p99') AS q WHERE p.position = 0 AND p.corrected = 0
    AND p.metric NOT LIKE 'machine %' AND p.metric NOT IN (SELECT metric FROM stage WHERE position = 0))
GROUP BY b.position, b.metric ORDER BY b.position, b.metric
