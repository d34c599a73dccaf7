-- What the queries of a night's page start from. `chosen` has one row: the night, and how many of its name are compared.
-- A trial has a place: campaign, square and number.

CREATE TEMP TABLE looked_at AS -- the nights that are compared; `ordinal` counts those of the name from the first
SELECT n.*, n.night_id = c.night_id AS tonight, row_number() OVER (ORDER BY n.night_id) AS ordinal
FROM night AS n, chosen AS c WHERE n.name = c.name AND n.night_id <= c.night_id ORDER BY n.night_id DESC LIMIT (SELECT nights FROM chosen);

-- Their trials; of a campaign that was begun anew in a night the newer ones.
CREATE TEMP TABLE ran AS
SELECT * FROM (SELECT t.*, tonight, ordinal, row_number() OVER (PARTITION BY campaign, row_name, column_name, number, t.night_id ORDER BY campaign_id DESC) AS place
               FROM night_trial AS t JOIN looked_at USING (night_id)) WHERE place = 1;
CREATE INDEX temp.ran_place ON ran (campaign, row_name, column_name, number, night_id);

-- The last run before of each place, in whichever night.
CREATE TEMP TABLE before AS
SELECT * FROM (SELECT *, row_number() OVER (PARTITION BY campaign, row_name, column_name, number ORDER BY night_id DESC) AS ago FROM ran WHERE NOT tonight) WHERE ago = 1;

-- The findings of the night, those of a square and a state together.
CREATE TEMP TABLE told AS
SELECT f.campaign, f.row_name, f.column_name, f.row_name || iif(f.column_name = '', '', ', ' || f.column_name) AS square, f.verdict, f.state,
       group_concat(f.oracle, ', ') AS oracles, max(f.trials) AS n, min(f.trial_id) AS trial_id, lower(f.verdict) AS tone
FROM (SELECT * FROM finding WHERE night_id = (SELECT night_id FROM chosen) ORDER BY oracle) AS f
GROUP BY f.campaign, f.row_name, f.column_name, f.verdict, f.state;

CREATE TEMP TABLE told_trial AS
SELECT told.*, t.claim, t.scenario, t.seed, t.clock_mode = 'wall' AS in_real_time,
       coalesce((SELECT group_concat(oracle || ': ' || detail, '; ') FROM (SELECT * FROM verdict AS v
                 WHERE v.judging_id = t.judging_id AND v.verdict = told.verdict ORDER BY broken_s NULLS LAST, oracle)), '') AS found,
       coalesce((SELECT words FROM observed_words AS w WHERE w.judging_id = t.judging_id), '') AS seen,
       (SELECT ' --db ' || CASE WHEN path GLOB '*[^A-Za-z0-9_./-]*' THEN '''' || replace(path, '''', '''\''''') || '''' ELSE path END FROM chosen) AS db_option,
       (SELECT count(*) FROM ran AS r WHERE r.tonight AND r.campaign = told.campaign AND r.row_name = told.row_name AND r.column_name = told.column_name) AS of_n
FROM told JOIN trial_view AS t USING (trial_id);

-- The squares that had a trial tonight.
CREATE TEMP TABLE square_now AS
SELECT campaign, row_name, column_name, row_name || iif(column_name = '', '', ', ' || column_name) AS square, min(position) AS position, max(claim) AS claim, count(*) AS n,
       sum(verdict = 'PASS') AS passed, sum(verdict = 'FAIL') AS failed, sum(verdict = 'ERROR') AS errors, sum(verdict = 'SKIP') AS skipped,
       sum(wall_s) AS wall_s
FROM ran WHERE tonight GROUP BY campaign, row_name, column_name;

-- Campaigns that were finished, of which a whole is compared with a whole, whichever nights it took; and benchmarks of this database.
CREATE TEMP TABLE whole AS
SELECT p.campaign_id, p.name AS campaign, l.ordinal, l.tonight FROM night_part AS p JOIN looked_at AS l USING (night_id) WHERE p.ended = 'finished' AND p.campaign_id IS NOT NULL;

CREATE TEMP TABLE measured AS -- benchmarks, in the first night that began after them
SELECT c.campaign_id, c.name AS campaign, l.ordinal, l.tonight FROM campaign AS c JOIN looked_at AS l ON l.ordinal = (SELECT min(ordinal) FROM looked_at WHERE started_utc >= c.started_utc)
WHERE c.kind = 'benchmark' AND c.finished_utc IS NOT NULL;

-- A quantity of a square in each of them.
CREATE TEMP TABLE quantity AS
WITH judged AS (
    SELECT w.campaign, w.campaign_id, w.ordinal, w.tonight, t.row_name, t.column_name, t.trial_id, t.judging_id, t.cpu_s, t.machine_id
    FROM whole AS w JOIN trial_view AS t USING (campaign_id) WHERE t.verdict IN ('PASS', 'FAIL')
)
SELECT 'seen' AS kind, campaign, campaign_id, ordinal, tonight, row_name, column_name, o.name AS metric, o.unit, '' AS better, median(o.value) AS value
FROM judged JOIN observation AS o USING (judging_id) WHERE o.value IS NOT NULL GROUP BY campaign_id, row_name, column_name, o.name
UNION ALL
SELECT 'seen', campaign, campaign_id, ordinal, tonight, row_name, column_name, 'least margin of ' || v.oracle, v.unit, 'more', min(v.margin)
FROM judged JOIN verdict AS v USING (judging_id) WHERE v.margin IS NOT NULL GROUP BY campaign_id, row_name, column_name, v.oracle
UNION ALL
SELECT 'seen', b.campaign, b.campaign_id, b.ordinal, b.tonight, s.row_name, '', f.metric, f.unit, f.better, median(f.value)
FROM measured AS b JOIN square AS s USING (campaign_id) JOIN trial AS t USING (square_id) JOIN figure AS f USING (trial_id)
WHERE t.machine_id = (SELECT machine_id FROM campaign AS c WHERE c.name = b.campaign ORDER BY campaign_id DESC LIMIT 1) GROUP BY b.campaign_id, s.row_name, f.metric
UNION ALL
SELECT 'cost', campaign, campaign_id, ordinal, tonight, row_name, column_name, 'processor time of a trial', 's', 'less', median(cpu_s)
FROM judged AS j WHERE machine_id = (SELECT max(machine_id) FROM judged AS x WHERE x.campaign = j.campaign AND x.tonight)
GROUP BY campaign_id, row_name, column_name;

-- Their changes that could not be seen before this night.
CREATE TEMP TABLE changed AS
WITH series AS (
    SELECT kind, campaign, row_name, column_name, metric, max(unit) AS unit, max(better) AS better, count(*) AS n, max(tonight) AS tonight,
           change(campaign_id, value, (SELECT relevant FROM chosen)) AS point
    FROM quantity GROUP BY kind, campaign, row_name, column_name, metric
)
SELECT s.kind, s.campaign, s.row_name || iif(s.column_name = '', '', ', ' || s.column_name) AS square, s.metric, s.unit, s.n,
       json_extract(point, '$.before') AS was, json_extract(point, '$.after') AS became, json_extract(point, '$.p') AS p,
       (SELECT max(ordinal) FROM quantity AS q WHERE q.campaign_id = json_extract(point, '$.at')) AS since,
       CASE WHEN better = '' THEN '' WHEN (better = 'more') = (json_extract(point, '$.after') > json_extract(point, '$.before')) THEN 'good' ELSE 'bad' END AS tone
FROM series AS s WHERE tonight AND json_extract(point, '$.fresh') = 1;

-- The tests that other tools are told: the squares, and for each campaign that it was run. A square fails by what is new alone; what was
-- known before is no success, either.
CREATE TEMP TABLE test AS
WITH state AS (
    SELECT campaign, row_name, column_name, max(state IN ('new', 'back')) AS fresh, max(iif(state IN ('new', 'back'), verdict, NULL)) AS verdict,
           group_concat(iif(state IN ('new', 'back'), found, NULL), char(10)) AS found, group_concat(iif(state IN ('known', 'flaky'), state || ': ' || oracles, NULL), '; ') AS known_words,
           coalesce(min(iif(state IN ('new', 'back'), trial_id, NULL)), min(trial_id)) AS trial_id, max(db_option) AS db_option, max(state = 'flaky') AS flaky
    FROM told_trial WHERE state IN ('new', 'back', 'known', 'flaky') GROUP BY campaign, row_name, column_name
), test AS (
    SELECT p.priority, p.position AS part_position, -1 AS position, p.name AS campaign, 'the campaign was run' AS test, 1000 * p.wall_s AS ms,
           CASE WHEN p.ended = 'finished' THEN 'passed' WHEN p.ended IN ('failed', 'trials lost') THEN 'failed' ELSE 'skipped' END AS status, p.ended AS raw, p.ended AS message, NULL AS again, 0 AS flaky
    FROM night_part AS p WHERE p.night_id = (SELECT night_id FROM chosen)
    UNION ALL
    SELECT p.priority, p.position, q.position, q.campaign, q.square, 1000 * q.wall_s,
           CASE WHEN s.fresh THEN 'failed' WHEN s.fresh = 0 THEN 'other' WHEN q.skipped = q.n THEN 'skipped' ELSE 'passed' END,
           CASE WHEN s.fresh THEN s.verdict WHEN s.fresh = 0 THEN 'known' WHEN q.skipped = q.n THEN 'SKIP' ELSE 'PASS' END,
           coalesce(s.found, s.known_words, ''), iif(s.trial_id IS NULL, NULL, 'ukemi run --trial ' || s.trial_id || s.db_option), coalesce(s.flaky, 0)
    FROM square_now AS q JOIN night_part AS p ON p.night_id = (SELECT night_id FROM chosen) AND p.name = q.campaign
    LEFT JOIN state AS s ON s.campaign = q.campaign AND s.row_name = q.row_name AND s.column_name = q.column_name
)
SELECT *, row_number() OVER (ORDER BY priority, part_position, position, test) AS point FROM test;
