-- The deadlines of a load: median [least, most] of the runs, and what was to be expected, in per cent.
SELECT decimal(s.middle, 1) || CASE WHEN s.high > s.low THEN ' [' || decimal(s.low, 1) || ', ' || decimal(s.high, 1) || ']' ELSE '' END
       || CASE WHEN s.expected IS NULL THEN '' ELSE ' · ' || decimal(s.expected, 0) END AS text, CASE WHEN s.middle >= 1 THEN 'bad' ELSE 'good' END AS tone
FROM owed AS o LEFT JOIN share AS s ON s.place = o.place AND s.position = :position ORDER BY o.place
