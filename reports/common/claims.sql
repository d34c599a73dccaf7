-- What was promised in each square, and what was observed there: the commonest texts of its judged trials.
SELECT s.row_name, s.column_name, s.claim, s.expected,
       coalesce((SELECT group_concat(words, '; ') FROM (
           SELECT printf('%d × %s', sum(trials), text) AS words FROM observed_texts AS t
           WHERE t.campaign_id = s.campaign_id AND t.position = s.position
             AND t.name = (SELECT name FROM observation_view AS o WHERE o.campaign_id = s.campaign_id AND o.position = s.position AND text <> ''
                           ORDER BY o.number LIMIT 1)
           GROUP BY text ORDER BY sum(trials) DESC, text)), '') AS seen,
       coalesce(nullif(substr(iif(v.failed, ', ' || v.failed || ' FAIL', '') || iif(v.errors, ', ' || v.errors || ' ERROR', '')
                || iif(v.passed, ', ' || v.passed || ' PASS', '') || iif(v.skipped, ', ' || v.skipped || ' SKIP', ''), 3), ''), 'no trial') AS words,
       CASE WHEN v.failed OR v.errors THEN 'bad' WHEN v.passed THEN 'good' ELSE 'soft' END AS tone
FROM main.square AS s JOIN main.square_verdicts AS v USING (square_id) WHERE s.campaign_id = (SELECT campaign_id FROM chosen) ORDER BY s.position
