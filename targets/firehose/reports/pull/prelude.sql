-- What this page's queries share: a row per trial that says something about the target.
CREATE TEMP TABLE pulled AS
SELECT t.row_name, t.column_name, s.position, t.trial_id, t.verdict,
       max(iif(t.name = 'hose_kg', t.value, NULL)) AS hose_kg, max(iif(t.name = 'floor_friction', t.value, NULL)) AS friction,
       max(iif(t.name = 'elliptic_contact', t.value, NULL)) AS elliptic,
       max(iif(t.name = 'task_kind', t.value, NULL)) AS task_kind, max(iif(t.name = 'yaw_end_rad', t.value, NULL)) * 57.29578 AS yaw_deg,
       max(iif(t.name = 'side_end_m', t.value, NULL)) AS side_m, max(iif(t.name = 'forward_end_m', t.value, NULL)) AS forward_m,
       max(iif(t.name = 'pull_mean_n', t.value, NULL)) AS mean_N, max(iif(t.name = 'hand_peak_n', t.value, NULL)) AS hand_N,
       max(iif(t.name = 'foot_peak_n', t.value, NULL)) AS foot_N, max(iif(t.name = 'reached_s', t.value, NULL)) AS reached_s,
       max(iif(t.name = 'gait_phase', t.value, NULL)) AS gait_phase, max(iif(t.name = 'height_end_m', t.value, NULL)) < 0.5 AS fell
FROM observation_view AS t JOIN square_verdicts AS s USING (campaign_id, row_name, column_name)
WHERE t.campaign_id = (SELECT campaign_id FROM chosen) AND t.verdict IN ('PASS', 'FAIL') GROUP BY t.trial_id;
