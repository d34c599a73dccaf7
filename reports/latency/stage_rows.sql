SELECT CASE WHEN p.corrected AND p.metric <> 'loop, stalls included' THEN 'corrected loop' ELSE p.metric END AS name, counts AS count,
       decimal(histogram_quantile(buckets, 0.5), 1) AS median, decimal(histogram_quantile(buckets, 0.9), 1) AS p90, decimal(histogram_quantile(buckets, 0.99), 1) AS p99,
       decimal(min(histogram_quantile(buckets, 0.999), max_us), 1) AS p999, decimal(max_us, 1) AS max, decimal(f.value, 1) AS planned,
       signed_decimal(histogram_quantile(buckets, 0.5) - f.value, 1) AS over
FROM pooled AS p LEFT JOIN middle AS f ON f.position = p.position AND f.metric = p.metric || ' planned' AND NOT p.corrected
WHERE p.position = :position ORDER BY place
