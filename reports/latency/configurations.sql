SELECT position, label, scenario, (SELECT runs FROM middle AS f WHERE f.position = c.position AND metric = 'period') AS runs,
       decimal(period_us / 1000, 3) AS period, decimal(planned_us / 1000, 3) AS planned, decimal(median_us / 1000, 3) AS median, decimal(p99_us / 1000, 3) AS p99,
       decimal(p999_us / 1000, 3) AS p999, decimal(max_us / 1000, 3) AS max, decimal(p999_us / period_us, 2) AS in_periods, decimal(p999_all_us / 1000, 3) AS p999_all,
       decimal(100 * share, 1) AS quantile, CASE WHEN bound_us IS NULL THEN 'none' ELSE decimal(bound_us / 1000, 3) END AS bound,
       CASE WHEN bound_us IS NULL THEN '' WHEN p999_us <= bound_us THEN 'met' ELSE 'not met' END AS verdict, CASE WHEN bound_us IS NULL THEN '' WHEN p999_us <= bound_us THEN 'good' ELSE 'bad' END AS tone
FROM configuration AS c ORDER BY position
