-- What this page's queries share, besides the views of reports/campaign/prelude.sql: a row per trial.
CREATE TEMP TABLE cost AS
SELECT t.row_name, t.column_name, r.position, t.trial_id,
       max(iif(t.name = 'supplied_J', t.value, NULL)) AS energy_J,
       max(iif(t.name = 'forward_m', t.value, NULL)) AS forward_m,
       max(iif(t.name = 'error_max_rad', t.value, NULL)) AS error_rad,
       max(iif(t.name = 'temperature_max_C', t.value, NULL)) AS temperature_C,
       max(iif(t.name = 'behaviour', t.text, NULL)) AS behaviour
FROM told AS t JOIN matrix_row AS r USING (row_name) GROUP BY t.trial_id;
