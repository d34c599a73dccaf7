-- What came of the campaign's trials, in one row: counts, in one line with how many squares did what was expected, and the worst verdict.
-- Where nothing was judged nothing has passed.
WITH n AS (
    SELECT count(*) AS trials, coalesce(sum(verdict = 'PASS'), 0) AS passed, coalesce(sum(verdict = 'FAIL'), 0) AS failed,
           coalesce(sum(verdict = 'ERROR'), 0) AS errors, coalesce(sum(verdict = 'SKIP'), 0) AS skipped
    FROM trial_view WHERE campaign_id = (SELECT campaign_id FROM chosen)
)
SELECT n.*, plural(n.trials, 'trial') AS trials_word, plural(n.skipped, 'trial') AS skipped_word, nullif(n.skipped, 0) AS any_skipped,
       printf('%d PASS, %d FAIL, %d ERROR, %d SKIP', passed, failed, errors, skipped)
       || coalesce((SELECT '; ' || words FROM campaign_agreement WHERE campaign_id = (SELECT campaign_id FROM chosen)), '') AS counts,
       CASE WHEN failed THEN 'FAIL' WHEN errors THEN 'ERROR' WHEN passed THEN 'PASS' ELSE 'Nothing judged' END AS verdict,
       iif(passed AND NOT failed AND NOT errors, 'good', 'bad') AS verdict_tone,
       CASE WHEN passed + failed + errors THEN '' WHEN skipped THEN printf('all %d %s skipped', skipped, iif(skipped = 1, 'trial was', 'trials were'))
            ELSE 'no trial is in the database' END AS nothing_judged
FROM n
