SELECT name, kind, count, decimal(median_us, 1) AS median, decimal(p90_us, 1) AS p90, decimal(p99_us, 1) AS p99, decimal(p999_us, 1) AS p999,
       decimal(max_us, 1) AS max, decimal(schedule_us, 1) AS schedule, signed_decimal(over_us, 1) AS over
FROM stage WHERE configuration = :number ORDER BY number
