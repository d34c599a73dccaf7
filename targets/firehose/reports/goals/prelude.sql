-- What this page's queries share: a row per trial that says something about the target.
CREATE TEMP TABLE walk AS
SELECT t.row_name, t.column_name, s.position, t.trial_id,
       max(iif(t.name = 'forward_end_m', t.value, NULL)) AS forward_m,
       max(iif(t.name = 'side_end_m', t.value, NULL)) AS side_m,
       max(iif(t.name = 'yaw_end_rad', t.value, NULL)) AS yaw_rad,
       max(iif(t.name = 'reached_s', t.value, NULL)) AS reached_s,
       max(iif(t.name = 'hand_peak_n', t.value, NULL)) AS pull_N
FROM observation_view AS t JOIN square_verdicts AS s USING (campaign_id, row_name, column_name)
WHERE t.campaign_id = (SELECT campaign_id FROM chosen) AND t.verdict IN ('PASS', 'FAIL') GROUP BY t.trial_id;
