-- Row :row_name of Table I as lines of text with three columns: the commonest behaviour, its count and interval, other
-- behaviours, what the paper says.
WITH piece AS (
    SELECT number, 0 AS place, 0 AS rank, coalesce(words, '-') AS line FROM summary WHERE row_name = :row_name
    UNION ALL
    SELECT number, 1, 0, printf('%d/%d  [%.0f, %.0f] %%', k, n, 100 * wilson_low(k, n), 100 * wilson_high(k, n))
    FROM summary WHERE row_name = :row_name AND n > 0
    UNION ALL
    SELECT class.number, 2, rank, printf('%d/%d %s', k, n, replace(words, ' provided', '')) -- fits the column
    FROM behaviour JOIN class USING (class) WHERE row_name = :row_name AND rank > 1
    UNION ALL
    SELECT number, 3, 0, mark || ' ' || expected
    FROM summary JOIN agreement_words USING (agreement) WHERE row_name = :row_name AND expected <> ''
    UNION ALL
    SELECT number, 4, 0, CASE WHEN n_outside THEN printf('  %d/%d  fell, CoM outside', falls_outside, n_outside)
                              ELSE '  CoM never outside' END
    FROM summary WHERE row_name = :row_name AND expected LIKE 'falls over' AND n > 0
), placed AS (
    SELECT number, line, row_number() OVER (PARTITION BY number ORDER BY place, rank) AS line_number FROM piece
)
SELECT CASE line_number WHEN 1 THEN :row_name ELSE '' END AS head,
       coalesce(max(CASE number WHEN 0 THEN line END), '') AS static,
       coalesce(max(CASE number WHEN 1 THEN line END), '') AS quasi_static,
       coalesce(max(CASE number WHEN 2 THEN line END), '') AS dynamic
FROM placed GROUP BY line_number ORDER BY line_number
