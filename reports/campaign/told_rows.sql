-- Every observation of every trial, for other tools. A trial is named by its square, its number there from 1 on, and its seed: the
-- number that the database gives it depends on which worker finished first.
SELECT o.row_name, o.column_name, t.number + 1 AS trial_number, t.seed, o.name,
       CASE WHEN o.value IS NOT NULL THEN printf('%.9g', o.value) ELSE '' END AS value, o.unit, o.text, o.reason
FROM observation_view AS o JOIN trial AS t USING (trial_id) WHERE o.campaign_id = (SELECT campaign_id FROM chosen)
ORDER BY o.position, t.number, o.number
