-- The rows of the campaign's matrix.
SELECT row_name FROM matrix_row ORDER BY position
