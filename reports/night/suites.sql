-- A suite for each campaign.
SELECT campaign AS part, count(*) AS tests, sum(status = 'failed' AND raw = 'FAIL') AS failures, sum(status = 'failed' AND raw <> 'FAIL') AS errors,
       sum(status IN ('skipped', 'other')) AS skipped, printf('%.3f', max(iif(position < 0, ms, 0)) / 1000) AS time FROM test GROUP BY campaign ORDER BY min(point)
