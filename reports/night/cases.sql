-- The tests of campaign :part.
SELECT *, printf('%.3f', ms / 1000) AS time, iif(status = 'failed' AND raw <> 'FAIL', 'yes', '') AS is_error, iif(status = 'failed' AND raw = 'FAIL', 'yes', '') AS is_failure,
       iif(status IN ('skipped', 'other'), 'yes', '') AS is_skipped, iif(instr(message, char(10)), substr(message, 1, instr(message, char(10)) - 1), message) AS first, coalesce(again, '') AS again_words
FROM test WHERE campaign = :part ORDER BY point
