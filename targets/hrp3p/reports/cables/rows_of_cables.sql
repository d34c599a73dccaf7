-- Without answers: each lost cycle is 5 ms in which a node followed no new command, or the PC heard nothing of it.
SELECT row_name, column_name, count(*) AS n, decimal(median(lost), 0) AS lost, decimal(max(lost), 0) AS lost_max,
       decimal(1e3 * median(detected_s), 1) AS detected, coalesce(max(broken), '') AS found, decimal(5 * median(lost), 0) AS failover,
       sum(behaviour = 'Falls') AS fell, decimal(100 * wilson_low(sum(behaviour = 'Falls'), count(*)), 0) AS low,
       decimal(100 * wilson_high(sum(behaviour = 'Falls'), count(*)), 0) AS high
FROM struck GROUP BY position, redundancy ORDER BY position, redundancy
