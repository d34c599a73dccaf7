SELECT number, label, file, scenario, runs, plural(runs, 'run') AS runs_word, states, stalled, unanswered, verdict, stalls, floor_missed,
       decimal(period_ms, 0) AS period, decimal(schedule_ms, 3) AS schedule, decimal(median_ms, 3) AS median, decimal(p99_ms, 3) AS p99,
       decimal(p999_ms, 3) AS p999, decimal(max_ms, 3) AS max, decimal(periods, 2) AS in_periods, decimal(bound_ms, 0) AS bound,
       decimal(stalled_ms, 1) AS stalled_for, decimal(steal_ms, 0) AS stolen, held,
       decimal(held_ms, 1) AS held_for, decimal(p999_all_ms, 3) AS p999_all,
       (SELECT decimal(median_us / 1000, 3) FROM stage WHERE configuration = c.number AND name = 'sensor to board') AS half_median,
       (SELECT decimal(p999_us / 1000, 3) FROM stage WHERE configuration = c.number AND name = 'sensor to board') AS half_p999,
       CASE verdict WHEN 'met' THEN 'good' ELSE 'bad' END AS tone
FROM configuration AS c ORDER BY number
