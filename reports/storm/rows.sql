-- What struck what: in how many trials, how many of them failed, and how often at most they do (95 %).
SELECT kind, component, count(*) AS struck, count(DISTINCT trial_id) AS trials,
       count(DISTINCT CASE WHEN verdict = 'FAIL' THEN trial_id END) AS failed,
       printf('%.2g', 100 * CASE WHEN count(DISTINCT CASE WHEN verdict = 'FAIL' THEN trial_id END) = 0 THEN min(1, 3.0 / count(DISTINCT trial_id))
           ELSE wilson_high(count(DISTINCT CASE WHEN verdict = 'FAIL' THEN trial_id END), count(DISTINCT trial_id)) END) AS most_percent,
       decimal(min(applied_s), 2) AS first_s, decimal(max(applied_s), 2) AS last_s
FROM struck WHERE kind IS NOT NULL AND verdict IN ('PASS', 'FAIL') GROUP BY kind, component ORDER BY kind, component
