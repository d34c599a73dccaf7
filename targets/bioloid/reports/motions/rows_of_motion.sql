SELECT row_name FROM matrix_row ORDER BY position
