-- One row per load and deadline: the share missed while the load lasted, its spread over the runs, and what was to be expected.
SELECT square, place, middle, low, high, coalesce(expected, 'NaN') AS expected, (SELECT max(position) FROM share) - position AS row, who, (SELECT count(*) FROM owed) AS of_all
FROM share ORDER BY position, place
