-- The campaigns of the night in the order of their priorities, and what came of each.
SELECT p.name AS part, p.priority, p.ended, iif(p.ended = 'finished', '', iif(p.ended IN ('failed', 'trials lost'), 'bad', 'warn')) AS ended_tone,
       p.passed + p.failed + p.errors + p.skipped AS stored, p.planned, p.passed, p.failed, p.errors, p.skipped, printf('%.0f', p.wall_s) AS took_s,
       iif(p.campaign_id IS NULL, '', p.campaign_id) AS campaign_id, iif(p.failed, 'bad', '') AS failed_tone, iif(p.errors, 'bad', '') AS errors_tone,
       iif(p.campaign_id IS NOT NULL AND p.ended IN ('finished', 'out of time') AND p.passed + p.failed + p.errors + p.skipped > 0, p.name || '/index.html', '') AS page,
       iif(p.campaign_id IS NULL, coalesce((SELECT printf('not run since %s', substr(max(n.started_utc), 1, 10)) FROM night_part AS o JOIN looked_at AS n USING (night_id)
           WHERE o.name = p.name AND o.campaign_id IS NOT NULL), 'never run'), '') AS last_words,
       iif(p.ended IN ('failed', 'trials lost'), 'yes', '') AS is_error, iif(p.ended IN ('not begun', 'begun', 'out of time'), 'yes', '') AS is_skipped,
       printf('%.3f', p.wall_s) AS time, p.position
FROM night_part AS p WHERE p.night_id = (SELECT night_id FROM chosen) ORDER BY p.priority, p.position
