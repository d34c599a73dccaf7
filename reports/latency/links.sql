-- The chain of the first configuration as a picture: each way with its median and what is planned of it.
SELECT metric AS name, decimal(histogram_quantile(buckets, 0.5), 1) AS median, decimal(histogram_quantile(buckets, 0.99), 1) AS p99,
       decimal((SELECT value FROM middle AS f WHERE f.position = s.position AND f.metric = s.metric || ' planned'), 1) AS planned,
       CASE WHEN number < 0 THEN 'before' ELSE 'after' END AS side
FROM stage AS s WHERE position = (SELECT min(position) FROM configuration) ORDER BY number
