-- What came of campaign :part in each of the nights, the oldest first.
SELECT l.ordinal, substr(l.started_utc, 1, 10) AS day,
       CASE WHEN p.campaign_id IS NULL THEN 'none' WHEN p.errors THEN 'error' WHEN p.failed THEN 'fail' WHEN p.passed THEN 'pass' ELSE 'skip' END AS class,
       CASE WHEN p.campaign_id IS NULL THEN '-' WHEN p.errors THEN 'E' WHEN p.failed THEN 'F' WHEN p.passed THEN '.' ELSE 's' END AS letter,
       coalesce(printf('%s: %s, %d passed, %d failed, %d errors, %d skipped', substr(l.started_utc, 1, 10), p.ended, p.passed, p.failed, p.errors, p.skipped),
                substr(l.started_utc, 1, 10) || ': not in the file') AS words
FROM looked_at AS l LEFT JOIN night_part AS p ON p.night_id = l.night_id AND p.name = :part ORDER BY l.night_id
