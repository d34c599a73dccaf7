-- The columns of the campaign's matrix.
SELECT column_name FROM matrix_column ORDER BY number
