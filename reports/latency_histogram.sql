-- The loop beyond its schedule, and the target's hop beside the machine's; share of samples by bin.
SELECT label || '|loop' AS block, floor(((from_us + to_us) / 2 - 1000 * schedule_ms) / 20.0) * 20 + 10 AS us, sum(share) AS share
FROM bucket JOIN configuration ON number = configuration WHERE series = 'loop' GROUP BY number, 2
HAVING us BETWEEN -600 AND 600
UNION ALL
SELECT CASE series WHEN 'balance wakes' THEN 'state to Balance' ELSE series END || '|us', floor((from_us + to_us) / 2 / 2.0) * 2 + 1, sum(share) AS share
FROM bucket WHERE configuration = 0 AND series IN ('balance wakes', 'machine hops', 'machine wakes') AND from_us < 120 GROUP BY series, 2
