-- What the other queries start from: the doubts of the chosen campaign (`chosen`, one row, filled by the engine) and what came of each.

CREATE TEMP TABLE doubted AS
SELECT t.*, d.text AS became, b.text AS by_oracle, a.text AS noticed_as, s.value AS after_s,
       coalesce((SELECT detail FROM verdict AS v WHERE v.judging_id = t.judging_id AND v.oracle = coalesce(b.text, 'doubt-effective')), t.reason) AS why
FROM trial_view AS t
LEFT JOIN observation AS d ON d.judging_id = t.judging_id AND d.name = 'doubt'
LEFT JOIN observation AS b ON b.judging_id = t.judging_id AND b.name = 'noticed-by'
LEFT JOIN observation AS a ON a.judging_id = t.judging_id AND a.name = 'noticed-as'
LEFT JOIN observation AS s ON s.judging_id = t.judging_id AND s.name = 'noticed-after'
WHERE t.campaign_id = (SELECT campaign_id FROM chosen) AND t.row_name <> 'undisturbed';

-- In the words of the terminal's table.
CREATE TEMP TABLE said AS
SELECT *, CASE WHEN became = 'noticed' THEN 'noticed'
               WHEN became = 'without effect' THEN 'without effect'
               WHEN became = 'passed' AND expected = 'harmless' THEN 'harmless'
               WHEN became = 'passed' THEN 'PASSED (blind)'
               ELSE 'lab error' END AS words
FROM doubted;
