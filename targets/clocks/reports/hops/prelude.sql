-- What this page's queries share, besides the views of reports/campaign/prelude.sql: a row per trial and hop.
CREATE TEMP TABLE hop AS
SELECT t.column_name, CAST(substr(t.name, 8, 1) AS INTEGER) AS hop, t.trial_id, t.value AS rms_us
FROM told AS t WHERE t.name GLOB 'rms_hop[1-5]_us';
