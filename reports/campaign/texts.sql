-- What was said in square :row_name, :column_name, with shares as 95 % Wilson intervals.
SELECT name, text, k, n, printf('%.0f', 100 * wilson_low(k, n)) AS low, printf('%.0f', 100 * wilson_high(k, n)) AS high, printf('%.1f', 100.0 * k / n) AS percent
FROM said WHERE row_name = :row_name AND column_name = :column_name ORDER BY number, rank
