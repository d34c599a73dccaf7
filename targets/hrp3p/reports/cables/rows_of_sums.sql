SELECT column_name, count(*) AS n, decimal(median(lost), 0) AS lost, decimal(max(lost), 0) AS lost_max, sum(behaviour = 'Falls') AS fell,
       decimal(100 * wilson_low(sum(behaviour = 'Falls'), count(*)), 1) AS low,
       decimal(100 * wilson_high(sum(behaviour = 'Falls'), count(*)), 1) AS high
FROM struck GROUP BY redundancy ORDER BY redundancy
