-- The squares of row :row_name, column by column.
SELECT m.column_name, coalesce(s.words, '–') AS words, coalesce(s.tone, 'soft') AS tone
FROM matrix_column AS m LEFT JOIN verdict_words AS s ON s.row_name = :row_name AND s.column_name = m.column_name ORDER BY m.number
