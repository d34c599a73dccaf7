-- One per size, empty where nothing came.
SELECT decimal(median_us, 1) AS median, decimal(p99_us, 1) AS p99, decimal(ratio, 2) AS times,
       CASE WHEN ratio_most > ratio_least THEN ' [' || decimal(ratio_least, 2) || ', ' || decimal(ratio_most, 2) || ']' END AS spread
FROM (SELECT DISTINCT size_B FROM latency) AS s
LEFT JOIN latency AS l ON l.size_B = s.size_B AND l.cores = :cores AND l.policy = :policy AND l.readers = :readers AND l.place = :place
ORDER BY s.size_B
