-- What this page's queries share: a row per trial.
CREATE TEMP TABLE walk AS
SELECT t.row_name, t.column_name, s.position, t.trial_id,
       1000 * max(iif(t.name = 'zmp_error_max_m', t.value, NULL)) AS error_mm,
       1000 * max(iif(t.name = 'zmp_error_mean_m', t.value, NULL)) AS mean_mm,
       max(iif(t.name = 'went_m', t.value, NULL)) AS went_m,
       max(iif(t.name = 'pull_max_m_s2', t.value, NULL)) AS pull_m_s2,
       max(iif(t.name = 'refusals', t.value, NULL)) AS refusals,
       max(iif(t.name = 'dry_steps', t.value, NULL)) AS dry,
       max(iif(t.name = 'behaviour', t.text, NULL)) AS behaviour
FROM observation_view AS t JOIN square_verdicts AS s USING (campaign_id, row_name, column_name)
WHERE t.campaign_id = (SELECT campaign_id FROM chosen) AND t.verdict IN ('PASS', 'FAIL') GROUP BY t.trial_id;
