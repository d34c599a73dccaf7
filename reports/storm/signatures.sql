-- A row for each finding, the most frequent first.
SELECT oracle, party, acting, trials, first_id, trial_id, seed, faults, plural(faults, 'fault') AS faults_word, detail, coalesce(history_path, '') AS kept,
       (SELECT group_concat(f.kind || ' ' || f.component || ' ' || f.requested, '; ') FROM fault AS f WHERE f.trial_id = found.trial_id) AS struck
FROM found WHERE place = 1 ORDER BY trials DESC, first_id
