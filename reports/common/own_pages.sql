-- The pages that the target has of its own, besides the lab's.
SELECT value AS file, upper(substr(value, 1, 1)) || replace(substr(value, 2, length(value) - 6), '-', ' ') AS title FROM json_each(own_pages())
