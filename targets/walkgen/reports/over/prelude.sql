-- What this page's queries share: a row per trial.
CREATE TEMP TABLE box AS
SELECT row_name, column_name, trial_id,
       1000 * max(iif(name = 'clear_min_m', value, NULL)) AS clear_mm,
       max(iif(name = 'beyond_end_m', value, NULL)) AS beyond_m,
       max(iif(name = 'refusals', value, NULL)) AS refusals
FROM observation_view WHERE campaign_id = (SELECT campaign_id FROM chosen) AND verdict IN ('PASS', 'FAIL') GROUP BY trial_id;
