-- The rows of Table I: the components that were made to fail, or the faults.
SELECT row_name FROM component ORDER BY position
