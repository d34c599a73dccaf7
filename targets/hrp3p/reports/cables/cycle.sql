-- Bars of a cycle: line, begin and end in us, words. What ends when is of the first trial with switched routes.
WITH one AS (SELECT answer_us, command_us FROM struck WHERE answer_us IS NOT NULL ORDER BY redundancy = 2 DESC, trial_id LIMIT 1),
     tick (at) AS (VALUES (0), (1000), (2000), (3000), (4000))
SELECT 'bars' AS block, 1, 0, answer_us, 'answers on the wires' FROM one
UNION ALL SELECT 'bars', 2, 0, command_us, 'commands, until nodes follow them' FROM one
UNION ALL SELECT 'bars', 3, answer_us, 5000, 'left to the PC to compute' FROM one
UNION ALL SELECT 'bars', 4, at, at + 40, 'I/O of the nodes' FROM tick, one
