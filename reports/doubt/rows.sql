-- A row for each doubt, the blind ones first.
SELECT row_name, trial_id, words, coalesce(by_oracle, '') AS by_oracle, coalesce(noticed_as, '') AS noticed_as, decimal(after_s, 3) AS after_s,
       CASE words WHEN 'noticed' THEN 'good' WHEN 'PASSED (blind)' THEN 'bad' WHEN 'lab error' THEN 'bad' ELSE 'soft' END AS tone,
       CASE words WHEN 'harmless' THEN substr(claim, instr(claim, ': ') + 2) WHEN 'PASSED (blind)' THEN '' ELSE why END AS detail
FROM said
ORDER BY CASE words WHEN 'PASSED (blind)' THEN 0 WHEN 'lab error' THEN 1 WHEN 'harmless' THEN 2 WHEN 'noticed' THEN 3 ELSE 4 END, position
