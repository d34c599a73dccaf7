-- What this page's queries share, besides the views of reports/campaign/prelude.sql.
CREATE TEMP VIEW leant AS
SELECT o.row_name, o.trial_id, o.value AS lean_rad, (SELECT min(applied_s) FROM fault AS f WHERE f.trial_id = o.trial_id) AS struck_s
FROM told AS o WHERE o.name = 'lean_max_rad' AND o.value IS NOT NULL;
