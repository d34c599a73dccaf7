-- The settings, in the order in which they were measured: a table each.
SELECT min(position) AS setting, cores, policy, readers, CASE readers WHEN 1 THEN '' ELSE 's' END AS plural FROM latency GROUP BY cores, policy, readers ORDER BY policy, cores DESC, readers
