-- What the formats of single trials share: a row per trial of the chosen campaign, with what was found and how to see it again.
-- A test has the same name in every campaign of the same file, and no other one of its campaign has it: nothing of it counts trials,
-- tells a time or comes from a history.
CREATE TEMP TABLE outcome AS
SELECT t.*, t.row_name || iif(t.column_name = '', '', ', ' || t.column_name) AS square,
       printf('%s seed %d', t.scenario, t.seed)
       || iif(count(*) OVER same > 1, printf(', the same %d', row_number() OVER (same ORDER BY t.position, t.number)), '') AS test,
       -- What decided: the promise that was broken first, or what kept the trial from being judged.
       (SELECT v.oracle FROM verdict AS v WHERE v.judging_id = t.judging_id AND v.verdict = t.verdict ORDER BY broken_s NULLS LAST, oracle LIMIT 1) AS oracle,
       coalesce(nullif(iif(t.outcome = 'lab-error', t.reason, ''), ''),
                (SELECT group_concat(oracle || ': ' || detail, char(10)) FROM
                 (SELECT * FROM verdict AS v WHERE v.judging_id = t.judging_id AND v.verdict = t.verdict ORDER BY broken_s NULLS LAST, oracle)), '') AS found,
       (SELECT ' --db ' || CASE WHEN path GLOB '*[^A-Za-z0-9_./-]*' THEN '''' || replace(path, '''', '''\''''') || ''''
                                ELSE path END FROM chosen) AS db_option, -- as a shell reads it
       coalesce((SELECT words FROM observed_words AS w WHERE w.judging_id = t.judging_id), '') AS seen,
       c.name AS campaign, c.file AS campaign_file
FROM trial_view AS t JOIN campaign AS c USING (campaign_id) WHERE campaign_id = (SELECT campaign_id FROM chosen)
WINDOW same AS (PARTITION BY t.row_name || iif(t.column_name = '', '', ', ' || t.column_name), t.scenario, t.seed);
