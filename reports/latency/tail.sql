-- How much lies beyond a value: the loops in periods, then the hop and the machine's own in microseconds.
SELECT block, beyond, value FROM (
    SELECT number AS position, label || '|loop' AS block, beyond, us / 1000 / period_ms AS value
    FROM tail JOIN configuration ON number = configuration WHERE series = 'loop'
    UNION ALL
    SELECT 100 + instr('balance wakes machine hops machine wakes', series),
           CASE series WHEN 'balance wakes' THEN 'state to Balance' ELSE series END || '|us', beyond, us
    FROM tail WHERE configuration = 0 AND series IN ('balance wakes', 'machine hops', 'machine wakes'))
ORDER BY position, beyond DESC
