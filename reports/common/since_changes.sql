-- Cells whose trials did something else than the time before and are no problems now: a row for each change, with one trial of it.
SELECT change, CASE change WHEN 'fixed' THEN 'good' WHEN 'skipped' THEN 'bad' ELSE 'warn' END AS tone,
       CASE change WHEN 'fixed' THEN 'fixed' WHEN 'skipped' THEN 'no longer run' ELSE 'behaves otherwise' END AS change_words,
       row_name, column_name AS class, count(*) AS n, min(trial_id) AS trial_id,
       CASE change WHEN 'otherwise' THEN before_words ELSE before_verdict END AS was, CASE change WHEN 'otherwise' THEN words ELSE verdict END AS became
FROM since WHERE change IN ('skipped', 'fixed', 'otherwise')
GROUP BY change, row_name, column_name, was, became ORDER BY change = 'skipped' DESC, change = 'otherwise' DESC, position, n DESC
