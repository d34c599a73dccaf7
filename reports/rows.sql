-- The rows of Table I: the components that were made to fail.
SELECT row_name, lower(row_name) AS row_id FROM component ORDER BY position
