-- The loop beyond its schedule, and the target's hop beside the machine's; share of samples by bin.
SELECT block, us, sum(share) AS share FROM (
    SELECT number AS position, label || '|loop' AS block, share,
           floor(((from_us + to_us) / 2 - 1000 * schedule_ms) / 20.0) * 20 + 10 AS us
    FROM bucket JOIN configuration ON number = configuration WHERE series = 'loop'
    UNION ALL
    SELECT 100 + instr('balance wakes machine hops machine wakes', series),
           CASE series WHEN 'balance wakes' THEN 'state to Balance' ELSE series END || '|us', share,
           floor((from_us + to_us) / 2 / 2.0) * 2 + 1
    FROM bucket WHERE configuration = 0 AND series IN ('balance wakes', 'machine hops', 'machine wakes'))
WHERE position >= 100 AND us < 120 OR position < 100 AND us BETWEEN -600 AND 600
GROUP BY position, us ORDER BY position, us
