-- All behaviours seen in the square :row_name, :class, the commonest first, with their shares.
SELECT words, kind, k, n, printf('%.1f', 100.0 * k / n) AS percent, printf('%.0f', 100 * wilson_low(k, n)) AS low,
       printf('%.0f', 100 * wilson_high(k, n)) AS high
FROM behaviour WHERE row_name = :row_name AND class = :class ORDER BY rank
