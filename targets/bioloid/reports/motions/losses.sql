-- What the trials of square :row_name, :column_name lost first, the commonest first.
SELECT lost, count(*) AS k, sum(count(*)) OVER () AS n, coalesce(decimal(median(after_s), 2), '') AS after
FROM loss WHERE row_name = :row_name AND column_name = :column_name GROUP BY lost ORDER BY count(*) DESC, lost
