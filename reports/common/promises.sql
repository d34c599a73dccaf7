-- Every oracle over all trials: how often it held, and the trial that came closest to its limit or passed it; and how close the same
-- trials came the time before.
WITH v AS (
    SELECT v.oracle, v.verdict, v.margin, v.unit, v.detail, t.trial_id
    FROM trial_view AS t JOIN verdict AS v USING (judging_id) WHERE t.campaign_id = (SELECT campaign_id FROM chosen)
), worst AS (
    SELECT *, row_number() OVER (PARTITION BY oracle ORDER BY verdict = 'ERROR' DESC, verdict = 'FAIL' DESC, margin IS NULL, margin) AS place
    FROM v WHERE verdict <> 'SKIP'
), earlier AS (
    SELECT oracle, min(margin) AS margin FROM since JOIN verdict AS b ON b.judging_id = before_judging GROUP BY oracle
)
SELECT v.oracle, sum(v.verdict = 'PASS') AS passed, sum(v.verdict = 'FAIL') AS failed, sum(v.verdict = 'ERROR') AS errors,
       sum(v.verdict = 'SKIP') AS skipped, CASE WHEN sum(v.verdict IN ('FAIL', 'ERROR')) THEN 'bad' WHEN sum(v.verdict = 'PASS') THEN 'good' ELSE 'soft' END AS tone,
       CASE WHEN w.margin IS NULL THEN '–' ELSE printf('%+.3g', w.margin) END AS margin, coalesce(CASE WHEN e.margin IS NOT NULL THEN printf('%+.3g', e.margin) END, '–') AS margin_then,
       coalesce(w.unit, '') AS unit, coalesce(w.detail, '') AS detail,
       coalesce(w.trial_id, '') AS trial_id
FROM v LEFT JOIN worst AS w ON w.oracle = v.oracle AND w.place = 1 LEFT JOIN earlier AS e ON e.oracle = v.oracle
GROUP BY v.oracle ORDER BY sum(v.verdict IN ('FAIL', 'ERROR')) = 0, sum(v.verdict <> 'SKIP') = 0, v.oracle
