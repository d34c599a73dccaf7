-- The squares of row :row_name of Table I, column by column.
SELECT s.row_name, s.class, lower(replace(s.row_name, ' ', '-') || '-' || s.class) AS square_id, s.number, CASE s.number WHEN 0 THEN '' ELSE 'yes' END AS moving, coalesce(s.words, '–') AS words,
       coalesce(s.kind, 'none') AS kind, s.k, s.n, s.expected, s.agreement, a.mark, a.meaning,
       printf('%.0f', 100 * wilson_low(s.k, s.n)) AS low, printf('%.0f', 100 * wilson_high(s.k, s.n)) AS high,
       CASE WHEN s.class IN (SELECT class FROM asked_for) THEN '' ELSE 'yes' END AS left_out,
       CASE WHEN s.agreement IN ('agrees', 'no word') THEN '' ELSE 'yes' END AS unlike, CASE WHEN s.k = s.n THEN '' ELSE 'yes' END AS mixed,
       CASE WHEN s.expected LIKE 'falls over' THEN 'yes' ELSE '' END AS paper_falls, s.falls, s.falls_outside, s.n_outside,
       CASE WHEN s.n_outside = 0 THEN 'CoM never outside'
            WHEN s.n_outside IS NULL THEN ''
            ELSE printf('CoM outside: %d of %d fell (%.0f–%.0f %%)', s.falls_outside, s.n_outside,
                        100 * wilson_low(s.falls_outside, s.n_outside), 100 * wilson_high(s.falls_outside, s.n_outside))
            END AS outside_words
FROM summary AS s JOIN agreement_words AS a USING (agreement)
WHERE s.row_name = :row_name ORDER BY s.number
