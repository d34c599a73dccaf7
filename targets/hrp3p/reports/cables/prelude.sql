-- What this page's queries share, besides the views of reports/campaign/prelude.sql: the network's cables, and a row per trial.
CREATE TEMP TABLE cable (number INTEGER PRIMARY KEY, cable_name TEXT);
INSERT INTO cable VALUES (0, 'motion-hub'), (1, 'image-hub'), (2, 'hub-n1'), (3, 'n1-n2'), (4, 'n2-n3'), (5, 'n3-n4'), (6, 'n4-n5'), (7, 'n5-hub'),
  (8, 'hub-n6'), (9, 'n6-n7'), (10, 'n7-n8'), (11, 'n8-n9'), (12, 'n9-hub'), (13, 'hub-n10'), (14, 'n10-n11'), (15, 'n11-n12'), (16, 'n12-n13'), (17, 'n13-hub');
CREATE TEMP TABLE struck AS
SELECT t.row_name, t.column_name, r.position, c.number AS redundancy, t.trial_id,
       max(iif(t.name = 'lost_cycles', t.value, NULL)) AS lost,
       max(iif(t.name = 'detected_s', t.value, NULL)) AS detected_s,
       max(iif(t.name = 'broken_cable', t.value, NULL)) AS broken,
       max(iif(t.name = 'answer_us', t.value, NULL)) AS answer_us,
       max(iif(t.name = 'command_age_us', t.value, NULL)) AS command_us,
       max(iif(t.name = 'behaviour', t.text, NULL)) AS behaviour
FROM told AS t JOIN matrix_row AS r USING (row_name) JOIN matrix_column AS c USING (column_name) GROUP BY t.trial_id;
