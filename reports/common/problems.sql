-- What did not pass: one row per square and per set of broken promises, newly broken ones first, with one trial that shows it; at most 60.
WITH bad AS (
    SELECT s.*, t.outcome, t.reason, t.history_path,
           CASE WHEN t.outcome = 'lab-error' AND s.verdict <> 'FAIL' THEN 'lab'
                ELSE coalesce((SELECT group_concat(oracle, ', ') FROM (SELECT oracle FROM verdict AS v
                               WHERE v.judging_id = s.judging_id AND v.verdict IN ('FAIL', 'ERROR') ORDER BY oracle)), '') END AS broken
    FROM since AS s JOIN trial AS t USING (trial_id) WHERE s.bad
), ranked AS (
    SELECT *, count(*) OVER same AS n, sum(change = 'broken') OVER same AS n_broken, sum(change = 'still') OVER same AS n_still,
           row_number() OVER (PARTITION BY row_name, column_name, verdict, broken
                              ORDER BY change = 'broken' DESC, history_path IS NULL, number) AS place
    FROM bad WINDOW same AS (PARTITION BY row_name, column_name, verdict, broken)
)
SELECT (SELECT claim FROM main.square AS q JOIN main.trial AS t USING (square_id) WHERE t.trial_id = r.trial_id) AS claim,
       coalesce((SELECT words FROM observed_words AS w WHERE w.judging_id = r.judging_id), '') AS seen,
       r.trial_id, r.row_name, r.column_name AS class, r.seed, r.verdict, lower(r.verdict) AS tone, r.n, r.broken,
       (SELECT count(*) FROM since AS s WHERE s.row_name = r.row_name AND s.column_name = r.column_name) AS of_n,
       CASE WHEN r.outcome = 'lab-error' THEN r.reason
            ELSE coalesce((SELECT group_concat(oracle || ': ' || detail, '; ') FROM (SELECT * FROM verdict AS v
                           WHERE v.judging_id = r.judging_id AND v.verdict IN ('FAIL', 'ERROR') ORDER BY broken_s NULLS LAST, oracle)), '') END AS found,
       CASE WHEN r.n > 1 THEN (SELECT group_concat(trial_id, ', ') FROM (SELECT trial_id FROM ranked AS o
                               WHERE o.row_name = r.row_name AND o.column_name = r.column_name AND o.verdict = r.verdict AND o.broken = r.broken
                                 AND o.trial_id <> r.trial_id ORDER BY o.place LIMIT 8)) || iif(r.n > 9, ', ...', '') ELSE '' END AS others,
       CASE WHEN r.n > 1 THEN (SELECT group_concat(iif(trial_page(trial_id) = '', trial_id, printf('<a href="%s">%d</a>', trial_page(trial_id), trial_id)), ', ')
                               FROM (SELECT trial_id FROM ranked AS o
                               WHERE o.row_name = r.row_name AND o.column_name = r.column_name AND o.verdict = r.verdict AND o.broken = r.broken
                                 AND o.trial_id <> r.trial_id ORDER BY o.place LIMIT 8)) || iif(r.n > 9, ', ...', '') ELSE '' END AS others_linked,
       trial_page(r.trial_id) AS page,
       CASE r.change WHEN 'broken' THEN 'broken' WHEN 'still' THEN 'still' ELSE '' END AS change,
       CASE WHEN r.change = 'new' THEN 'not run before'
            ELSE coalesce((SELECT 'passed last in ' || w.words FROM run AS b JOIN campaign_words AS w USING (campaign_id)
                           WHERE b.row_name = r.row_name AND b.column_name = r.column_name AND b.scenario = r.scenario AND b.seed = r.seed
                             AND b.clock_mode = r.clock_mode AND b.target = r.target AND b.campaign_id < r.campaign_id AND b.verdict = 'PASS'
                           ORDER BY b.campaign_id DESC LIMIT 1), 'has never passed') END AS since_words,
       iif(r.clock_mode = 'wall', 'yes', '') AS is_wall, coalesce(r.history_path, '') AS history
FROM ranked AS r WHERE r.place = 1
ORDER BY r.n_broken > 0 DESC, r.verdict DESC, r.position, r.n DESC LIMIT 60
