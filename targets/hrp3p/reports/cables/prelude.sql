-- What this page's queries share, besides the views of reports/campaign/prelude.sql: a row per trial.
CREATE TEMP TABLE struck AS
SELECT t.row_name, t.column_name, r.position, c.number AS redundancy, t.trial_id,
       max(iif(t.name = 'lost_cycles', t.value, NULL)) AS lost,
       max(iif(t.name = 'detected_s', t.value, NULL)) AS detected_s,
       max(iif(t.name = 'broken_cable', nullif(t.text, 'none'), NULL)) AS broken,
       max(iif(t.name = 'answer_us', t.value, NULL)) AS answer_us,
       max(iif(t.name = 'command_age_us', t.value, NULL)) AS command_us,
       max(iif(t.name = 'behaviour', t.text, NULL)) AS behaviour
FROM told AS t JOIN matrix_row AS r USING (row_name) JOIN matrix_column AS c USING (column_name) GROUP BY t.trial_id;
