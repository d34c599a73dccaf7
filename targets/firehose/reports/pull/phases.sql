-- A block per outcome, a point per trial in which a fault struck: its row from above, the phase of the gait, the row's name.
WITH rows AS (SELECT row_name, row_number() OVER (ORDER BY min(position)) AS number FROM pulled WHERE gait_phase IS NOT NULL GROUP BY row_name)
SELECT iif(fell, 'fell', iif(verdict = 'PASS' AND reached_s IS NOT NULL, 'came to its goal', 'stood, and did not come')) AS block, number, decimal(gait_phase, 3) AS phase, row_name
FROM pulled JOIN rows USING (row_name) WHERE gait_phase IS NOT NULL ORDER BY block, number
