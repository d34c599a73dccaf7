-- The night in one row.
WITH f AS (
    SELECT sum(state IN ('new', 'back')) AS fresh, sum(state = 'gone') AS gone, sum(state = 'known') AS known, sum(state = 'flaky') AS flaky,
           sum(state = 'not run') AS waiting, sum(state IN ('new', 'back') AND verdict = 'ERROR') AS fresh_errors
    FROM finding WHERE night_id = (SELECT night_id FROM chosen)
), n AS (
    SELECT count(*) AS trials, coalesce(sum(verdict = 'PASS'), 0) AS passed, coalesce(sum(verdict = 'FAIL'), 0) AS failed,
           coalesce(sum(verdict = 'ERROR'), 0) AS errors, coalesce(sum(verdict = 'SKIP'), 0) AS skipped FROM ran WHERE tonight
), c AS (SELECT max(campaign_id) AS campaign_id FROM ran WHERE tonight)
SELECT l.name AS night, l.file, l.ordinal, replace(substr(l.started_utc, 1, 16), 'T', ' ') AS began, substr(l.started_utc, 1, 19) AS started,
       iif(l.spent_s < 90, printf('%.0f s', l.spent_s), iif(l.spent_s < 5400, printf('%.0f min', l.spent_s / 60), printf('%.1f h', l.spent_s / 3600))) AS took,
       iif(l.budget_s < 90, printf('%.0f s', l.budget_s), iif(l.budget_s < 5400, printf('%.0f min', l.budget_s / 60), printf('%.1f h', l.budget_s / 3600))) AS budget,
       printf('%.3f', l.spent_s) AS time, n.*, plural(n.trials, 'trial') AS trials_word,
       printf('%d PASS, %d FAIL, %d ERROR, %d SKIP', n.passed, n.failed, n.errors, n.skipped) AS counts,
       coalesce(f.fresh, 0) AS fresh, coalesce(f.gone, 0) AS gone, coalesce(f.known, 0) AS known, coalesce(f.flaky, 0) AS flaky, coalesce(f.waiting, 0) AS waiting,
       plural(coalesce(f.fresh, 0), 'finding') AS fresh_word,
       CASE WHEN coalesce(f.fresh, 0) THEN 'bad' WHEN n.passed + n.failed + n.errors THEN 'good' ELSE 'warn' END AS fresh_tone,
       CASE WHEN n.trials AND n.skipped = n.trials THEN 'yes' ELSE '' END AS nothing_judged,
       iif((SELECT count(*) FROM looked_at) = 1, 'yes', '') AS is_first, (SELECT count(*) FROM looked_at) AS nights,
       (SELECT replace(substr(started_utc, 1, 16), 'T', ' ') FROM looked_at WHERE NOT tonight ORDER BY night_id DESC LIMIT 1) AS last_began,
       (SELECT nights FROM chosen) AS nights_most, printf('%g', 100 * (SELECT relevant FROM chosen)) AS relevant,
       (SELECT count(*) FROM night_part AS p WHERE p.night_id = l.night_id AND ended <> 'finished') AS unfinished,
       b.lab_revision, m.cpu_model, m.cores, m.kernel
FROM looked_at AS l, n, f, c LEFT JOIN campaign AS k USING (campaign_id) LEFT JOIN build AS b USING (build_id) LEFT JOIN machine AS m ON m.machine_id = k.machine_id
WHERE l.tonight
