-- The servo with a load, and what the oracle found in all phases of the samples.
SELECT t.trial_id, t.target, t.seed, v.verdict, v.detail, t.history_path
FROM trial_view AS t JOIN verdict AS v USING (judging_id)
WHERE t.campaign_id = (SELECT campaign_id FROM chosen) AND t.scenario = '154-step-response' AND v.oracle = 'step' AND t.history_path <> '' LIMIT 1
