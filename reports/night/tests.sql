-- All tests in one list.
SELECT *, (SELECT count(*) FROM test) AS tests, iif(status IN ('failed', 'other'), 'not ok', 'ok') AS ok, iif(status = 'other', 'yes', '') AS is_known,
       iif(status = 'skipped', 'yes', '') AS is_skipped, iif(status = 'failed', 'yes', '') AS is_bad, json_quote(message) AS message_text, json_quote(coalesce(again, '')) AS again_text,
       iif(again IS NULL, '', 'yes') AS has_again FROM test ORDER BY point
