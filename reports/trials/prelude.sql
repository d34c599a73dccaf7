-- What the formats of single trials share: a row per trial of the chosen campaign, with what was found and how to see it again.
CREATE TEMP VIEW outcome AS
SELECT t.*, t.row_name || iif(t.column_name = '', '', ', ' || t.column_name) AS square,
       -- What decided: the promise that was broken first, or what kept the trial from being judged.
       (SELECT v.oracle FROM verdict AS v WHERE v.judging_id = t.judging_id AND v.verdict = t.verdict ORDER BY broken_s NULLS LAST, oracle LIMIT 1) AS oracle,
       coalesce(nullif(iif(t.outcome = 'lab-error', t.reason, ''), ''),
                (SELECT group_concat(oracle || ': ' || detail, char(10)) FROM
                 (SELECT * FROM verdict AS v WHERE v.judging_id = t.judging_id AND v.verdict = t.verdict ORDER BY broken_s NULLS LAST, oracle)), '') AS found,
       (SELECT ' --db ' || CASE WHEN path GLOB '*[^A-Za-z0-9_./-]*' THEN '''' || replace(path, '''', '''\''''') || ''''
                                ELSE path END FROM chosen) AS db_option, -- as a shell reads it
       c.name AS campaign, c.file AS campaign_file
FROM trial_view AS t JOIN campaign AS c USING (campaign_id) WHERE campaign_id = (SELECT campaign_id FROM chosen);
