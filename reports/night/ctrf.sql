-- The tests in the Common Test Report Format (ctrf.io, schema/ctrf.schema.json).
WITH n AS (
    SELECT count(*) AS tests, sum(status = 'passed') AS passed, sum(status = 'failed') AS failed, sum(status = 'skipped') AS skipped, sum(status = 'other') AS other,
           sum(flaky) AS flaky, count(DISTINCT campaign) AS suites FROM test
), one AS (
    SELECT point, json_object('name', test, 'status', status, 'duration', cast(round(ms) AS INTEGER), 'suite', json_array(campaign), 'message', message, 'rawStatus', raw,
                              'extra', json_object('again', coalesce(again, ''))) AS object
    FROM test
)
SELECT json_object('reportFormat', 'CTRF', 'specVersion', '0.0.0', 'generatedBy', 'ukemi', 'results', json_object('tool', json_object('name', 'ukemi'),
       'summary', json_object('tests', n.tests, 'passed', n.passed, 'failed', n.failed, 'skipped', n.skipped, 'pending', 0, 'other', n.other, 'flaky', n.flaky, 'suites', n.suites,
                              'start', 1000 * unixepoch(l.started_utc), 'stop', 1000 * unixepoch(coalesce(l.finished_utc, l.started_utc))),
       'tests', (SELECT json_group_array(json(object)) FROM (SELECT object FROM one ORDER BY point)))) AS text
FROM n, looked_at AS l WHERE l.tonight
