-- What this page's queries share: what each trial lost first, and how long after the fault. A promise that is broken comes before what is only
-- observed.
CREATE TEMP TABLE seen AS
SELECT t.trial_id, t.row_name, t.column_name,
       max(iif(t.name = 'behaviour', t.text, NULL)) AS behaviour,
       max(iif(t.name = 'astray_s', t.value, NULL)) AS astray_s, max(iif(t.name = 'leans_s', t.value, NULL)) AS leans_s
FROM told AS t GROUP BY t.trial_id;

-- The promise that was broken first.
CREATE TEMP TABLE broken AS
SELECT trial_id, oracle, after_s FROM
    (SELECT v.trial_id, o.oracle, o.broken_s - f.struck_s AS after_s,
            row_number() OVER (PARTITION BY v.trial_id ORDER BY o.broken_s NULLS LAST, o.oracle) AS place
     FROM trial_view AS v JOIN verdict AS o USING (judging_id)
          LEFT JOIN (SELECT trial_id, min(applied_s) AS struck_s FROM fault GROUP BY trial_id) AS f USING (trial_id)
     WHERE o.verdict = 'FAIL' AND v.trial_id IN (SELECT trial_id FROM seen))
WHERE place = 1;

CREATE TEMP TABLE loss AS
SELECT s.row_name, s.column_name,
       CASE WHEN b.oracle IS NOT NULL THEN 'promise ' || b.oracle
            WHEN s.behaviour = 'Falls' AND coalesce(s.leans_s <= s.astray_s, s.astray_s IS NULL) THEN 'falls'
            WHEN s.astray_s IS NOT NULL THEN 'a joint' || iif(s.behaviour = 'Falls', ', then it falls', iif(s.behaviour = 'Finishes', '', ', then it does not finish'))
            WHEN s.behaviour = 'Finishes' THEN 'nothing'
            ELSE 'does not finish' END AS lost,
       CASE WHEN b.oracle IS NOT NULL THEN b.after_s
            WHEN s.behaviour = 'Falls' AND coalesce(s.leans_s <= s.astray_s, s.astray_s IS NULL) THEN s.leans_s
            ELSE s.astray_s END AS after_s
FROM seen AS s LEFT JOIN broken AS b USING (trial_id);
