-- All tests in one row.
SELECT count(*) AS tests, sum(status = 'failed' AND raw = 'FAIL') AS failures, sum(status = 'failed' AND raw <> 'FAIL') AS errors, sum(status IN ('skipped', 'other')) AS skipped FROM test
