-- Cells in which something else than the paper's behaviour was seen, if only once.
SELECT s.row_name, s.class, lower(replace(s.row_name, ' ', '-') || '-' || s.class) AS square_id, s.expected, s.n, plural(s.n, 'trial') AS trials_word, s.k_expected, a.mark, s.agreement,
       (SELECT group_concat(k || ' × ' || words, ', ') FROM (SELECT * FROM behaviour AS b
        WHERE b.row_name = s.row_name AND b.class = s.class ORDER BY rank)) AS seen
FROM summary AS s JOIN agreement_words AS a USING (agreement)
WHERE s.n > 0 AND s.expected <> '' AND s.k_expected < s.n ORDER BY s.position, s.number
