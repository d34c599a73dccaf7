-- Line :line_number of row :row_name, column by column.
WITH piece AS (
    SELECT column_name, 1 AS line, words FROM verdict_words WHERE row_name = :row_name
    UNION ALL
    SELECT column_name, 1 + row_number() OVER (PARTITION BY column_name ORDER BY number, rank), printf('%d/%d %s', k, n, text)
    FROM said WHERE row_name = :row_name
)
SELECT coalesce(p.words, '') AS words FROM matrix_column AS m LEFT JOIN piece AS p ON p.column_name = m.column_name AND p.line = :line_number ORDER BY m.number
