-- The trials of square :square_id.
SELECT trial_id, test, printf('%.3f', wall_s) AS time, coalesce(oracle, 'lab') AS type, found, seen, db_option,
       iif(verdict = 'FAIL', 'yes', '') AS is_failure, iif(verdict = 'ERROR', 'yes', '') AS is_error, iif(verdict = 'SKIP', 'yes', '') AS is_skipped,
       iif(verdict = 'PASS', '', scenario_file(campaign_file, position)) AS file, scenario_line(campaign_file, position, oracle) AS line,
       iif(instr(found, char(10)), substr(found, 1, instr(found, char(10)) - 1), found) AS first
FROM outcome WHERE square_id = :square_id ORDER BY number
