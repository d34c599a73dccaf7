SELECT *, plural(runs, 'run') AS runs_word, decimal(duration_s, 0) AS seconds, strftime('%Y-%m-%d %H:%M', 'now') AS now,
       (SELECT sum(states) FROM configuration) AS all_states, (SELECT sum(stalled) FROM configuration) AS all_stalled,
       (SELECT count(*) FROM configuration WHERE verdict = 'met') AS met, (SELECT count(*) FROM configuration) AS measured,
       (SELECT decimal(median, 2) FROM ratio WHERE configuration = 0 AND name LIKE 'balance wakes%' AND quantile = 'median') AS hop_ratio
FROM bench
