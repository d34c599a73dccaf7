-- What this page's queries share: how the line did in the second that begins with the fault, a row per trial. Cycles are the CM-5's; it
-- begins to count again when it is restarted: less than 0.
CREATE TEMP TABLE line AS
SELECT t.row_name, t.column_name, r.position, t.trial_id,
       max(iif(t.name = 'cycles_after', t.value, NULL)) - max(iif(t.name = 'cycles_before', t.value, NULL)) AS cycles,
       max(iif(t.name = 'missed_after', t.value, NULL)) - max(iif(t.name = 'missed_before', t.value, NULL)) AS missed
FROM told AS t JOIN matrix_row AS r USING (row_name) GROUP BY t.trial_id;
