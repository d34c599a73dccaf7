-- Every observation of every trial, for other tools.
SELECT row_name, column_name, trial_id, name, CASE WHEN value IS NOT NULL THEN printf('%.9g', value) ELSE '' END AS value, unit, text, reason
FROM observation_view WHERE campaign_id = (SELECT campaign_id FROM chosen) ORDER BY position, trial_id, number
