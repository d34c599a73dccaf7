-- A trial for each of the paper's Figs 11, 13, 14, 16 and 17.
SELECT t.trial_id, t.column_name, t.target, t.scenario, t.seed, t.verdict, t.history_path, f.number AS figure, f.words
FROM trial_view AS t JOIN (
    SELECT '155-neck-least-acceleration' AS scenario, 'Fig. 11' AS number, 'From 0° to 27°, after a run-in.' AS words
    UNION ALL SELECT '156-neck-least-velocity', 'Fig. 13', 'The same.'
    UNION ALL SELECT '157-neck-least-energy', 'Figs 14 and 16', 'The same.'
    UNION ALL SELECT '159-neck-points', 'Fig. 17', '0°, 45°, 90°, -45°, -90°.') AS f USING (scenario)
WHERE t.campaign_id = (SELECT campaign_id FROM chosen) AND t.history_path <> '' GROUP BY t.scenario ORDER BY t.scenario
