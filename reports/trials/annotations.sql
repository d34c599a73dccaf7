-- Every trial that did not pass, with the place in the scenario's file that asks for what did not hold.
SELECT iif(verdict = 'SKIP', 'notice', 'error') AS level, annotation_property(scenario_file(campaign_file, position)) AS file,
       scenario_line(campaign_file, position, oracle) AS line,
       annotation_property(verdict || ': ' || square || ', ' || scenario || ' seed ' || seed) AS title,
       found || iif(verdict = 'SKIP', '', char(10) || 'claim: ' || claim || iif(seen = '', '', char(10) || 'observed: ' || seen) || char(10) || 'again: ukemi run --trial ' || trial_id || db_option) AS message
FROM outcome WHERE verdict <> 'PASS' ORDER BY position, number
