-- Behaviours of the square :row_name, :class other than the commonest.
SELECT words, kind, k, n FROM behaviour WHERE row_name = :row_name AND class = :class AND rank > 1 ORDER BY rank
