-- Two blocks: who stood and who fell. The row of the campaign, the phase, and the row's name.
SELECT iif(fell, 'fell', 'went on') AS block, position + 1, phase, row_name FROM push WHERE phase IS NOT NULL
UNION ALL SELECT iif(fell, 'went on', 'fell'), position + 1, -1, row_name FROM push GROUP BY position, fell
ORDER BY block, 2
