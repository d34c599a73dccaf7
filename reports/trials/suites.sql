-- A suite per square, in the order of the campaign's file.
SELECT square_id, square AS suite, claim, expected, count(*) AS tests, sum(verdict = 'FAIL') AS failures, sum(verdict = 'ERROR') AS errors,
       sum(verdict = 'SKIP') AS skipped, printf('%.3f', sum(wall_s)) AS time,
       coalesce(max(cell), 'none') AS cell, nullif(max(lacks), '') AS lacks
FROM outcome GROUP BY square_id ORDER BY position
